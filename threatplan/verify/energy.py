"""I6: all scores together tell no more variance than the labels have, whatever depends on what.

Labels as indicators have a covariance of trace N (1 - 1/K), and what is expected of them moves by orthogonal steps: the
squares of the steps add up to no more. A row's charges within W have squares about their mean of at most
W^2 floor(K/2) ceil(K/2)/K, a score is a mean of N rows: by Cauchy and Schwarz the variances that the scores tell add up
to (K-1)/K floor(K/2) ceil(K/2)/K W^2. What a limit states beside the channel (a rate, a share) is free: any positive
number gives a true bound.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from threatplan.verify import secret
from threatplan.verify.channel import Channel
from threatplan.verify.claims import Claim
from threatplan.verify.intervals import (
    ZERO,
    Interval,
    bits,
    exp,
    hull,
    log,
    log2,
    pi,
    power_of_two,
    real,
    smaller,
    sqrt,
)
from threatplan.verify.limits import (
    SILENT,
    Bits,
    Exclusion,
    breadth_of,
    fano_bits,
    grid,
    reach_of,
    rows_of,
    slack,
    too_few,
)
from threatplan.verify.reading import Unreadable

TOGETHER, EACH, NOISY = {"step", "rate", "share"}, {"step", "rate"}, {"too_few"}
FARTHEST = 2000  # exp(-this) is next to nothing
MOST_TERMS = 64  # of a sum of exp(-l j^2), l >= 3
Given = Mapping[str, Fraction]


def energy(c: Channel, queries: int | None, given: Given) -> Exclusion:
    """What the form of the proof that is stated must show, or nothing where no form applies."""
    if c.reach_limit() is None or not slack(c).finite or not (step_of(c) or c.random) or not fano_bits(c) > 0:
        return SILENT
    if queries is None:
        return Exclusion()
    forms = {frozenset(TOGETHER): _together, frozenset(EACH): _each, frozenset(NOISY): _through_noise}
    form = forms.get(frozenset(given))
    if form is None or any(value <= 0 for value in given.values()):
        raise Unreadable("the parameters of I6 belong to no form of it")
    return form(c, queries, given)


def step_of(c: Channel) -> Fraction | None:
    """The coarsest grid that scores are bound to. Noise spread evenly over a width leaves its multiples alone to tell."""
    steps = [grid(c)]
    if c.noise.name == "uniform":
        steps.append(c.noise.b.lo - c.noise.a.hi)
    return max((step for step in steps if step is not None), default=None)


# -- on a grid -----------------------------------------------------------------------------------------


def _together(c: Channel, queries: int, given: Given) -> Exclusion:
    """Bits needed, less what all the energy pays for at this rate, against what is left for each score.

    An error e of a score x counts by (x + e)^2 <= (1 + share) x^2 + (1 + 1/share) e^2.
    """
    step, rate, share = step_of(c), given["rate"], given["share"]
    if step is None:
        return SILENT

    def need() -> Interval:
        return fano_bits(c) - nats(rate * total_variance(c) / step**2 * (1 + share))

    def each() -> Interval:
        return log2(1 + theta(rate)) + nats(rate * _square(edge(c, step) / step) * (1 + 1 / share))

    return too_few(queries, need, each, "bits a score")


def _each(c: Channel, queries: int, given: Given) -> Exclusion:
    """A submission that no score has changed: its score has the variance of N independent rows."""
    step, rate = step_of(c), given["rate"]
    if step is None or c.adaptive:
        return SILENT

    def each() -> Interval:
        deviation = (sqrt(listed_variance(c)) + edge(c, step)) / step
        return log2(1 + theta(rate)) + nats(rate * _square(deviation))

    return too_few(queries, lambda: fano_bits(c), each, "bits a score")


def in_all(c: Channel, queries: int, given: Given) -> Bits | None:
    """The bits that so many scores carry, by the form that the inputs belong to; None: it does not apply."""
    step = step_of(c)
    if any(value <= 0 for value in given.values()):
        return None
    if not given:
        return (lambda: carried(c, queries)) if c.random and queries else None
    if step is None:
        return None
    if set(given) == TOGETHER:
        rate, share = given["rate"], given["share"]
        error, spent = _square(edge(c, step) / step) * (1 + 1 / share), total_variance(c) / step**2 * (1 + share)
        return lambda: queries * (log2(1 + theta(rate)) + nats(rate * error)) + nats(rate * spent)
    if set(given) == EACH and not c.adaptive:
        rate = given["rate"]
        variance = _square((sqrt(listed_variance(c)) + edge(c, step)) / step)
        return lambda: queries * (log2(1 + theta(rate)) + nats(rate * variance))
    return None


def nats(value: Interval) -> Interval:
    """A number of natural units in bits."""
    return value / log(2)


def row_variance(c: Channel) -> Interval:
    """Of one row's charge under a label drawn evenly: half of the classes at either end of the range."""
    half = c.K // 2
    return Fraction(half * (c.K - half), c.K**2) * _square(reach_of(c))


def total_variance(c: Channel) -> Interval:
    """That all scores tell: what is expected of a label's indicator can move by no more than its covariance's trace.

    Where it is asked which rows are scored, n of N K indicators are 1: a trace of n (1 - n/(N K)). Charges less the middle
    of their range have squares of at most N K (B/2)^2 together, and a score is an n-th of them.
    """
    if c.membership:
        n = rows_of(c)
        return Fraction(c.K * c.N, 4 * n) * (1 - Fraction(n, c.N * c.K)) * _square(breadth_of(c))
    return secret.trace(c) * c.K * row_variance(c)


def listed_variance(c: Channel) -> Interval:
    """Of a score whose submission was fixed beforehand; rows drawn without replacement vary less than with it."""
    if c.membership:
        return _square(breadth_of(c)) / (4 * rows_of(c))
    return secret.spread(c) * _square(reach_of(c)) if secret.informed(c) else row_variance(c) / c.N


def edge(c: Channel, step: Fraction) -> Interval:
    """How far a score lies outside the cell that shows it, in root mean square.

    It is computed in floats; its digits are those of a rounded multiple, and of a rounded sum with the noise.
    """
    if step == c.charges.lattice(c):
        return ZERO  # whole numbers
    error = slack(c)
    if not c.ieee_scores or c.shown is None or c.shown.name == "significant":
        return error
    if step != c.step:
        return error
    score = c.charges.largest_charge(c, reach_of(c)) + slack(c)
    noise = abs(c.centre()) + sqrt(noise_variance(c)) if c.random else ZERO
    return error + (1 + c.shown_roundings) * c.score_unit * (score + noise)


def theta(rate: Fraction) -> Interval:
    """The sum of exp(-l j^2) over all integers: its Fourier transform is itself, sqrt(pi/l) times that at pi^2/l."""
    l = real(rate)  # noqa: E741
    return sqrt(pi() / l) * _summed(pi() * pi() / l) if rate < 3 else _summed(l)


def _summed(l: Interval) -> Interval:  # noqa: E741
    """1 + 2 exp(-l) + 2 exp(-4 l) + ... for l >= 3: what is left from some term on is at most twice that term.

    A rate beyond all size is taken as a smaller one, whose sum is larger.
    """
    rate = smaller(l, real(FARTHEST))
    found, j = real(1), 1
    while not exp(-rate * j * j) < power_of_two(-bits() - 4) and j < MOST_TERMS:
        found, j = found + 2 * exp(-rate * j * j), j + 1
    return found + hull(ZERO, 4 * exp(-rate * j * j))


# -- through noise -------------------------------------------------------------------------------------


def _through_noise(c: Channel, queries: int, given: Given) -> Exclusion:
    """One query less carries too few bits through the noise, and so do fewer: what is carried rises with their number."""
    if not c.random or queries < 2:
        return SILENT
    fewer = queries - 1
    name = f"bits that {fewer} scores carry < bits needed"
    return Exclusion((Claim(name, lambda: carried(c, fewer), "<", lambda: fano_bits(c)),))


def carried(c: Channel, queries: int) -> Interval:
    """The bits that so many scores carry: the more there are, the less variance is left for each to tell.

    The best linear estimate of a score of variance V from its noisy value tells V^2/(V + s^2) of it.
    """
    told = _square(sqrt(total_variance(c) / queries) + slack(c))
    variance = (told + sqrt(_square(told) + 4 * told * noise_variance(c))) / 2
    if not c.adaptive:
        variance = smaller(variance, _square(sqrt(listed_variance(c)) + slack(c)))
    return queries * let_through(c, variance)


def noise_variance(c: Channel) -> Interval:
    """Of the noise."""
    law = c.noise
    if law.name == "gaussian":
        return _square(law.sigma.interval)
    if law.name == "laplace":
        return 2 * _square(law.b.interval)
    if law.name == "uniform":
        return _square(law.b.interval - law.a.interval) / 12
    found: Interval = law.lambda2.interval
    return found


def _square(value: Interval) -> Interval:
    return value * value


def let_through(c: Channel, variance: Interval) -> Interval:
    """The entropy of a score of this variance with its noise, at most, less that of the noise alone, in bits."""
    signal = variance / noise_variance(c)
    normal = log2(1 + signal) / 2  # above the entropy of normal noise, if score and noise are normal
    if c.noise.name == "uniform":
        return normal + log2(pi() * exp(1) / 6) / 2
    if c.noise.name != "laplace":
        return normal
    scale = c.noise.b.interval
    absolute = log2(1 + sqrt(variance) / scale)
    return smaller(normal + log2(pi() / exp(1)) / 2, log2(1 + signal), absolute)
