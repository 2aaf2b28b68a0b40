"""What the planner certifies, the backends must be able to demonstrate: no certified attack may ever fail.

Random scenarios, every certified candidate of each, through the arithmetic that the scenario describes, with
adversarial noise at its full bound.
"""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from backends.labels import KINDS
from backends.noise import MEMBERS, MODES
from backends.resources import Limits, ResourceRefusal
from backends.simulate import simulate
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
    NoNoise,
    Scenario,
    Significant,
    Subexponential,
    Summation,
    Time,
    Uniform,
)
from planner import plan

GROUPS, PER_GROUP, FEW = 30, 100, 5  # a campaign draws without end
SURE = 1 - Fraction(1, 10**9)  # random noise may break a promise this often
SMALL = Limits(bytes=2**28, seconds=1.0)


def real(draw: random.Random, low: float, high: float) -> Real:
    """A rational of random magnitude between 10^low and 10^high."""
    return Real.of(Fraction(round(10 ** draw.uniform(low, high), 9)).limit_denominator(10**9))


def random_noise(draw: random.Random) -> Any:
    return draw.choice(
        [
            NoNoise(),
            NoNoise(),
            Bounded(real(draw, -6, 0.5)),
            Uniform(real(draw, -6, -3), real(draw, -2.9, 0)),
            Gaussian(real(draw, -6, -1)),
            Laplace(real(draw, -6, -1)),
            Subexponential(real(draw, -6, -2), real(draw, -5, -1)),
            Multiplicative(real(draw, -6, -0.1)),
        ]
    )


def random_scenario(draw: random.Random) -> Scenario:
    K = draw.choice([2, 2, 2, 2, 3, 4, 5, 10])
    f = draw.randint(4, 40)
    precision = [Arbitrary(), FixedPoint(draw.randint(2, 40), f), Ieee(16), Ieee(32), Ieee(64), Ieee(64)]
    clip = draw.choice([None, Real.of(Fraction(1, 10**15)), Real.of(Fraction(1, 2**52)), real(draw, -9, -1)])
    return Scenario(
        name="random",
        N=draw.choice([1, 2, 3, draw.randint(4, 30), draw.randint(4, 60), draw.randint(60, 120)]),
        K=K,
        phi=draw.choice(precision),
        noise=random_noise(draw),
        shown=draw.choice([None, None, Decimals(draw.randint(0, 8)), Significant(draw.randint(1, 8))]),
        clip=clip,
        columns=draw.choice([1, 2]) if K == 2 else K,
        summation=draw.choice(list(Summation)),
        renormalises=draw.random() < 0.2,
        queries=draw.choice([None, None, 1, 5, 50]),
        time=draw.choice(list(Time)),
        adaptive=draw.random() < 0.7,
        goal=draw.choice([Fraction(1), Fraction(1), Fraction(9, 10)]),
        confidence=SURE,
    )


@pytest.mark.parametrize("group", range(GROUPS))
def test_certified_attacks_never_fail(group, thorough):
    draw, size = random.Random(group), PER_GROUP if thorough else FEW
    ran = 0
    for _ in range(size):
        scenario = random_scenario(draw)
        report = plan(scenario)
        for candidate in report.candidates:
            if candidate.certified is None:
                continue
            how = {
                "attack": candidate.attack,
                "seed": draw.randrange(2**32),
                "labels": draw.choice([*KINDS]),
                "noise_mode": draw.choice(MODES),
                "noise_member": draw.choice(MEMBERS),
            }
            try:
                run = simulate(report, limits=SMALL, **how)
            except ResourceRefusal:
                continue
            # Averaging promises at most so many wrong labels, where the goal allows any; all others promise none.
            allowed = getattr(candidate.certified.certificate.parameters, "wrong", 0)
            assert run.wrong_labels <= allowed, (scenario, how, run)
            assert run.queries <= candidate.certified.queries, (scenario, how, run)
            ran += 1
    assert ran > size // 2  # a sample in which nothing is certified would prove nothing
