"""Random scenarios for the planner's tests, and the changes that make a scenario harder for the attacker."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from dsl.numbers import Real
from dsl.scenario import (
    Arbitrary,
    Bounded,
    Decimals,
    FixedPoint,
    Gaussian,
    Ieee,
    Laplace,
    Multiplicative,
    Noise,
    NoNoise,
    Precision,
    Scenario,
    Shown,
    Significant,
    Subexponential,
    Summation,
    Time,
    Truncated,
    Uniform,
)

CLIP = Real.of(Fraction(1, 10**15))


def rational(draw: random.Random, low: float, high: float) -> Real:
    """A short decimal of random magnitude between 10^low and 10^high."""
    return Real.of(Fraction(f"{10 ** draw.uniform(low, high):.3e}"))


def random_noise(draw: random.Random) -> Noise:
    width = rational(draw, -5, 0)
    return draw.choice(
        [
            NoNoise(),
            NoNoise(),
            Bounded(rational(draw, -5, 1)),
            Uniform(Real.of(-width.lo), Real.of(width.lo / draw.randint(1, 3))),
            Gaussian(rational(draw, -5, 0)),
            Laplace(rational(draw, -5, 0)),
            Subexponential(rational(draw, -8, 0), rational(draw, -5, 0)),
            Multiplicative(rational(draw, -5, -0.05)),
        ]
    )


def random_precision(draw: random.Random) -> Precision:
    fixed = FixedPoint(draw.randint(6, 24), draw.randint(4, 40))
    return draw.choice([Arbitrary(), fixed, Ieee(16), Ieee(32), Ieee(64), Ieee(64)])


def random_score_precision(draw: random.Random, phi: Precision) -> Precision | None:
    """Another format for the score, of the kind of the predictions', now and then."""
    if draw.random() < 0.75 or isinstance(phi, Arbitrary):
        return None
    if isinstance(phi, FixedPoint):
        return FixedPoint(draw.randint(6, 24), draw.randint(4, 40))
    return draw.choice([Ieee(16), Ieee(32), Ieee(64)])


def random_shown(draw: random.Random) -> Shown:
    digits = draw.randint(0, 8)
    return draw.choice([None, None, Decimals(digits), Decimals(digits), Truncated(digits), Significant(digits or 1)])


def random_scenario(draw: random.Random, most: int = 3000) -> Scenario:
    K = draw.choice([2, 2, 2, 3, 4, 10])
    phi = random_precision(draw)
    return Scenario(
        name="random",
        N=round(most ** draw.random()),
        K=K,
        phi=phi,
        score_phi=random_score_precision(draw, phi),
        noise=random_noise(draw),
        shown=random_shown(draw),
        clip=draw.choice([None, CLIP, Real.of(Fraction(1, 2**52)), rational(draw, -9, -1)]),
        columns=draw.choice([1, 2]) if K == 2 else K,
        summation=draw.choice(list(Summation)),
        renormalises=draw.random() < 0.2,
        checks=draw.random() < 0.9,
        queries=draw.choice([None, None, 1, 5, 50, 500]),
        time=draw.choice(list(Time)),
        adaptive=draw.random() < 0.6,
        goal=draw.choice([Fraction(1), Fraction(1), Fraction(1), Fraction(9, 10)]),
        confidence=draw.choice([Fraction(99, 100), Fraction(99, 100), Fraction(1, 2), Fraction(999_999, 10**6)]),
    )


# -- harder for the attacker ---------------------------------------------------------------------------


def _scaled(value: Real, factor: Fraction) -> Real:
    return Real(value.lo * factor, value.hi * factor)


def noisier(scenario: Scenario, factor: Fraction) -> Scenario:
    """The same noise, larger by a factor; adversarial noise where there was none."""
    match scenario.noise:
        case NoNoise():
            return replace(scenario, noise=Bounded(Real.of(Fraction(1, 10**6))))
        case Bounded(tau=tau):
            return replace(scenario, noise=Bounded(_scaled(tau, factor)))
        case Uniform(a=a, b=b):
            return replace(scenario, noise=Uniform(_scaled(a, factor), _scaled(b, factor)))
        case Gaussian(sigma=sigma):
            return replace(scenario, noise=Gaussian(_scaled(sigma, factor)))
        case Laplace(b=b):
            return replace(scenario, noise=Laplace(_scaled(b, factor)))
        case Subexponential(lambda2=lambda2, nu=nu):
            return replace(scenario, noise=Subexponential(_scaled(lambda2, factor**2), _scaled(nu, factor)))
        case Multiplicative(alpha=alpha):
            larger = alpha.lo + (1 - alpha.lo) * (1 - 1 / factor)
            return replace(scenario, noise=Multiplicative(Real.of(larger)))


def fewer_digits(scenario: Scenario, factor: Fraction) -> Scenario:
    match scenario.shown:
        case None:
            return replace(scenario, shown=Decimals(6))
        case Decimals(digits=digits):
            return replace(scenario, shown=Decimals(max(0, digits - 1)))
        case Truncated(digits=digits):
            return replace(scenario, shown=Truncated(max(0, digits - 1)))
        case Significant(digits=digits):
            return replace(scenario, shown=Significant(max(1, digits - 1)))


def larger_clip(scenario: Scenario, factor: Fraction) -> Scenario:
    if scenario.clip is None:
        # A clip below a fixed grid's step would make a finite charge of a prediction of 0: a new answer, not a loss.
        fixed = isinstance(scenario.phi, FixedPoint)
        return replace(scenario, clip=Real.of(Fraction(1, 2**scenario.phi.fraction_bits)) if fixed else CLIP)
    return replace(scenario, clip=Real.of(min(scenario.clip.lo * factor, Fraction(1, 3))))


def less_precise(scenario: Scenario, factor: Fraction) -> Scenario:
    match scenario.phi:
        case Arbitrary():
            return replace(scenario, phi=Ieee(64), score_phi=None)
        case Ieee(bits=64):
            return replace(scenario, phi=Ieee(32))
        case Ieee(bits=32):
            return replace(scenario, phi=Ieee(16))
        case FixedPoint(integer_bits=i, fraction_bits=f):
            return replace(scenario, phi=FixedPoint(i, max(2, f - 1)))
    return scenario


def less_precise_score(scenario: Scenario, factor: Fraction) -> Scenario:
    match scenario.score_format:
        case Ieee(bits=64):
            return replace(scenario, score_phi=Ieee(32))
        case Ieee(bits=32):
            return replace(scenario, score_phi=Ieee(16))
        case FixedPoint(integer_bits=i, fraction_bits=f):
            return replace(scenario, score_phi=FixedPoint(i, max(1, f - 1)))
    return scenario


def smaller_budget(scenario: Scenario, factor: Fraction) -> Scenario:
    queries = scenario.queries
    return replace(scenario, queries=scenario.N if queries is None else int(queries / factor))


def surer(scenario: Scenario, factor: Fraction) -> Scenario:
    return replace(scenario, confidence=1 - (1 - scenario.confidence) / factor)


def certain(scenario: Scenario, factor: Fraction) -> Scenario:
    """Random noise allows no certainty, and the language does not accept it there."""
    if isinstance(scenario.noise, Uniform | Gaussian | Laplace | Subexponential):
        return scenario
    return replace(scenario, confidence=Fraction(1))


def polynomial(scenario: Scenario, factor: Fraction) -> Scenario:
    return replace(scenario, time=Time.POLYNOMIAL)


def planned_ahead(scenario: Scenario, factor: Fraction) -> Scenario:
    return replace(scenario, adaptive=False)


def whole_goal(scenario: Scenario, factor: Fraction) -> Scenario:
    return replace(scenario, goal=Fraction(1))


def longer_sum(scenario: Scenario, factor: Fraction) -> Scenario:
    return replace(scenario, summation=Summation.SEQUENTIAL)


def checked(scenario: Scenario, factor: Fraction) -> Scenario:
    return replace(scenario, checks=True)


def more_labels(scenario: Scenario, factor: Fraction) -> Scenario:
    """More labels of the same kind; a share of them to be recovered would round differently."""
    if scenario.goal != 1:
        return scenario
    return replace(scenario, N=max(scenario.N + 1, int(scenario.N * factor)))


Harder = Callable[[Scenario, Fraction], Scenario]
HARDER: tuple[Harder, ...] = (
    noisier,
    fewer_digits,
    larger_clip,
    less_precise,
    less_precise_score,
    smaller_budget,
    surer,
    certain,
    polynomial,
    planned_ahead,
    whole_goal,
    longer_sum,
    checked,
    more_labels,
)
