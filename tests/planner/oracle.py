"""The planner's figures derived again from the definitions, in mpmath and with none of the planner's code."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

from mpmath import mp, mpf

from dsl.numbers import Real
from dsl.scenario import (
    Bounded,
    Decimals,
    FixedPoint,
    Gaussian,
    Ieee,
    Laplace,
    Multiplicative,
    Scenario,
    Significant,
    Subexponential,
    Summation,
    Uniform,
)

mp.dps = 60
SIGNIFICAND = {16: 11, 32: 24, 64: 53}
LEAST_NORMAL = {16: -14, 32: -126, 64: -1022}


def number(value: Real | Fraction | int) -> mpf:
    exact = value.lo if isinstance(value, Real) else Fraction(value)
    return mpf(exact.numerator) / exact.denominator


def smallest(scenario: Scenario) -> mpf | None:
    """The smallest probability that reaches the logarithm as it was submitted."""
    floors = [number(scenario.clip)] if scenario.clip is not None else []
    if isinstance(scenario.phi, FixedPoint):
        floors.append(mpf(2) ** -scenario.phi.fraction_bits)
    if isinstance(scenario.phi, Ieee):
        floors.append(mpf(2) ** LEAST_NORMAL[scenario.phi.bits])
    return max(floors) if floors else None


def W(scenario: Scenario) -> mpf | None:
    """The largest log-odds that an attacker can count on."""
    p = smallest(scenario)
    return None if p is None else mp.log((1 - p) / p)


def most(scenario: Scenario) -> mpf:
    """The largest spread of charges that a row can ever have, a clip as rounded as can be."""
    if scenario.clip is None:
        f = scenario.phi.fraction_bits  # a fixed grid without a clip refuses 0; in several columns 1 may stand beside h
        return mp.log(mpf(2) ** f - 1) if scenario.columns == 1 else f * mp.log(2)
    c = number(scenario.clip)
    if not isinstance(scenario.phi, Ieee):
        return mp.log((1 - c) / c)
    unit = mpf(2) ** -SIGNIFICAND[scenario.phi.bits]
    near_one = mp.nint((1 - c) / unit) * unit
    low = min(c * (1 - unit), 1 - near_one if near_one < 1 else c)
    return -mp.log(low)


def tau(scenario: Scenario, queries: int) -> mpf:
    """All noises stay within it, with probability 1 - delta by the union bound."""
    share = number(1 - scenario.confidence) / max(queries, 1)
    match scenario.noise:
        case Bounded(tau=bound):
            return number(bound)
        case Uniform(a=a, b=b):
            return (number(b) - number(a)) / 2
        case Gaussian(sigma=sigma):
            return number(sigma) * mp.sqrt(2) * mp.erfinv(1 - share)
        case Laplace(b=b):
            return number(b) * mp.log(1 / share)
        case Subexponential(lambda2=lambda2, nu=nu):
            log_term, v, deviation = mp.log(2 / share), number(nu), mp.sqrt(number(lambda2))
            if v * mp.sqrt(2 * log_term) <= deviation:
                return deviation * mp.sqrt(2 * log_term)
            return v * log_term + number(lambda2) / (2 * v)
    return mpf(0)


def additions(N: int, summation: Summation) -> int:
    """Roundings on the longest path of the sum."""
    if summation is Summation.SEQUENTIAL:
        return N - 1
    return min(N - 1, 26 + max(0, int(mp.ceil(mp.log(mpf(-(-N // 128)), 2)))))


def float_share(scenario: Scenario) -> mpf:
    """Relative error of a floating-point mean of logarithms that are right to 4 units in the last place."""
    score = scenario.score_phi or scenario.phi
    if not isinstance(score, Ieee):
        return mpf(0)
    steps = additions(scenario.N, scenario.summation) + 1 + (scenario.shown is not None)
    fewest = min(SIGNIFICAND[scenario.phi.bits], SIGNIFICAND[score.bits])  # logarithms may be taken in either format
    share = steps * mpf(2) ** -SIGNIFICAND[score.bits] + 8 * mpf(2) ** -fewest
    return share / (1 - share) if share < mpf(1) / 2 else mp.inf


def relative(scenario: Scenario) -> mpf:
    """The part of the error that grows with the loss."""
    alpha = number(scenario.noise.alpha) if isinstance(scenario.noise, Multiplicative) else mpf(0)
    return alpha + float_share(scenario) * (1 + alpha)


def centre(scenario: Scenario) -> mpf:
    """How far from 0 the noise lies on average."""
    noise = scenario.noise
    return abs(number(noise.a) + number(noise.b)) / 2 if isinstance(noise, Uniform) else mpf(0)


def prepared(scenario: Scenario) -> int:
    """Roundings of an entry before its logarithm: written down; the row's sum, its miss of 1, and a division."""
    return 2 + scenario.renormalises * (2 * additions(scenario.K, scenario.summation) + 3)


def score_error(scenario: Scenario, queries: int, loss: mpf) -> mpf:
    """The most by which a score shown differs from a loss of at most `loss`."""
    alpha = number(scenario.noise.alpha) if isinstance(scenario.noise, Multiplicative) else mpf(0)
    error = tau(scenario, queries) + relative(scenario) * loss
    score = scenario.score_phi or scenario.phi
    if isinstance(scenario.phi, Ieee):
        error += prepared(scenario) * mpf(2) ** -SIGNIFICAND[scenario.phi.bits] * (1 + alpha)
        unit = mpf(2) ** -SIGNIFICAND[score.bits]
        if isinstance(scenario.noise, Uniform | Gaussian | Laplace | Subexponential):
            error += (1 if scenario.shown is None else 2) * unit * (centre(scenario) + tau(scenario, queries))
    if isinstance(score, FixedPoint):
        error += mpf(2) ** -(score.fraction_bits + 1)
    if isinstance(scenario.shown, Decimals):
        error += mpf(10) ** -scenario.shown.digits / 2
    if isinstance(scenario.shown, Significant):
        largest = loss + error + centre(scenario)
        if not 0 < largest < mp.inf:
            return error
        places = int(mp.floor(mp.log10(largest))) + 1  # 10^(places-1) <= largest shown < 10^places
        error += mpf(10) ** (places - scenario.shown.digits) / 2
    return error


# -- limits --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Need:
    """What has to be learned, in bits."""

    N: int
    K: int
    wrong: int
    delta: mpf

    @classmethod
    def of(cls, scenario: Scenario) -> Need:
        target = ceil(scenario.goal * scenario.N)
        return cls(scenario.N, scenario.K, scenario.N - target, number(1 - scenario.confidence))

    def labels(self) -> mpf:
        ball = sum(mp.binomial(self.N, j) * mpf(self.K - 1) ** j for j in range(self.wrong + 1))
        return self.N * mp.log(self.K, 2) - mp.log(ball, 2)

    def counting(self) -> mpf:
        return self.labels() + mp.log(1 - self.delta, 2)

    def fano(self) -> mpf:
        d = self.delta
        entropy = -(d * mp.log(d, 2) + (1 - d) * mp.log(1 - d, 2)) if 0 < d < 1 else mpf(0)
        return (1 - d) * self.labels() - entropy


def answers(scenario: Scenario) -> int | None:
    """I1's A where it is a matter of grids alone; None: a score may take any number of values."""
    found = []
    if isinstance(scenario.phi, Ieee):
        found.append(2**scenario.phi.bits)
    if isinstance(scenario.phi, FixedPoint):
        whole, fraction = scenario.phi.integer_bits, scenario.phi.fraction_bits
        found += [2 ** (whole + fraction + 1), int(mp.ceil(most(scenario) * 2**fraction)) + 1]
    if has_reach(scenario) and mp.isfinite(slack(scenario)):
        spread = most(scenario) + 2 * slack(scenario)
        if isinstance(scenario.shown, Decimals):
            found.append(int(mp.ceil(spread * 10**scenario.shown.digits)) + 1)
        if isinstance(scenario.noise, Bounded):
            found.append(max(1, int(mp.ceil(spread / (2 * number(scenario.noise.tau))))))
    return min(found) if found else None


def has_reach(scenario: Scenario) -> bool:
    """Whether rows are bounded at all: a fixed grid, or a clip that the format does not round away."""
    if scenario.clip is None or not isinstance(scenario.phi, Ieee):
        return scenario.clip is not None or isinstance(scenario.phi, FixedPoint)
    c = number(scenario.clip)
    vanishes = scenario.columns == 1 and c <= mpf(2) ** -(SIGNIFICAND[scenario.phi.bits] + 1)
    return not vanishes and c >= mpf(2) ** LEAST_NORMAL[scenario.phi.bits]


def slack(scenario: Scenario) -> mpf:
    """How far a computed score can be from the exact one, whatever is submitted."""
    score = scenario.score_phi or scenario.phi
    if isinstance(score, FixedPoint):
        return mpf(2) ** -score.fraction_bits
    if isinstance(scenario.phi, Ieee):
        return (
            float_share(replace(scenario, shown=None)) * (most(scenario) + mp.log(scenario.K) + 1)
            + 4 * mpf(2) ** -SIGNIFICAND[scenario.phi.bits]
        )
    return mpf(0)


def entropy_bits(scenario: Scenario, step: mpf) -> mpf:
    """I3's bits a score."""
    spread = (most(scenario) / (2 * mp.sqrt(scenario.N)) + slack(scenario)) / step + mpf(1) / 2
    return mp.log(2 * mp.pi * mp.e * (spread**2 + mpf(1) / 12), 2) / 2


def capacity(scenario: Scenario) -> mpf:
    """I4's bits a score."""
    reach = most(scenario) + 2 * slack(scenario)
    if not scenario.adaptive and not isinstance(scenario.noise, Uniform):
        reach = reach / mp.sqrt(scenario.N) + 2 * slack(scenario)
    match scenario.noise:
        case Gaussian(sigma=sigma):
            return mp.log(1 + (reach / (2 * number(sigma))) ** 2, 2) / 2
        case Subexponential(lambda2=lambda2):
            return mp.log(1 + reach**2 / (4 * number(lambda2)), 2) / 2
        case Laplace(b=b):
            return mp.log(1 + reach / (2 * number(b)), 2)
        case Uniform(a=a, b=b):
            return mp.log(1 + reach / (number(b) - number(a)), 2)
    raise ValueError("no random noise")


def label_error(scenario: Scenario, queries: int) -> mpf:
    """I5: a label is wrong at least this often after so many scores."""
    shift = most(scenario) / scenario.N + 2 * slack(scenario)
    match scenario.noise:
        case Gaussian(sigma=sigma):
            return mp.erfc(mp.sqrt(queries) * shift / (2 * number(sigma)) / mp.sqrt(2)) / 2
        case Subexponential(lambda2=lambda2):
            return mp.erfc(mp.sqrt(queries) * shift / (2 * mp.sqrt(number(lambda2))) / mp.sqrt(2)) / 2
        case Laplace(b=b):
            x = shift / number(b)
            return (1 - mp.sqrt(1 - mp.exp(-queries * (x + mp.exp(-x) - 1)))) / 2
        case Uniform(a=a, b=b):
            return max(mpf(0), 1 - shift / (number(b) - number(a))) ** queries / 2
    raise ValueError("no random noise")


def tolerated(scenario: Scenario) -> mpf:
    """The share of a single label's failures that the goal and the confidence allow."""
    rho, d = mpf(Need.of(scenario).wrong) / scenario.N, number(1 - scenario.confidence)
    return rho + d - rho * d
