"""I6, energy: what all queries together can learn of the labels' variance is bounded, adaptively too.

Let e be the labels as indicators of their classes, and m_t what is expected of them after t scores: a martingale, so the
squares of its steps add up to no more than the trace of e's covariance, N (1 - 1/K). A score is L = <c, e>/N, c the charges
of its submission; less its mean, a row's charges have squares that add up to W^2 floor(K^2/4)/K at most. By Cauchy and
Schwarz the variances R_t of what each score tells of itself therefore add up to kappa W^2, whatever depends on what:
kappa = (K-1) floor(K^2/4)/K^2. A score on a grid of step q whose telling variance is R carries at most log2(1 + theta(l)) +
l R/q^2 log2 e bits, for every l > 0 (Gibbs' inequality), theta(l) the sum over all integers j of exp(-l j^2). That is
linear in R, so it adds up too.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import exp, inf, log, log1p, pi, sqrt

from flint import arb

from planner.channel.channel import Channel
from planner.limits.common import Carried, LimitTheorem, fano_bits, on_lattice, rounding_slack
from planner.model import Limit
from planner.numerics.reals import ball, compare, log2, proved
from planner.numerics.search import first_above

LEAST_SHARE = Fraction(1, 2**20)  # of the energy, that is left to the error of computing a score
FARTHEST = 600  # exp(-this) is next to nothing, and still a number
DUAL = 3  # below it theta is read from its Poisson sum, from it on as it stands: near pi both fall equally fast
STEPS = 80  # of a golden section: each leaves .618 of the interval
RATE_BITS = 32  # to which the best l is written down: any l gives a true bound
MOST_QUERIES = 2**200


class Energy(LimitTheorem):
    """The energy limit: on the grid that scores are bound to, or through random noise."""

    id = "I6"
    title = "Energy of all scores together"
    cite = "I6"
    statement = (
        "The variances of what each score tells add up to at most kappa W^2 over all queries of any adaptive attack, "
        "kappa = (K-1) floor(K^2/4)/K^2. On a grid of step q (the last decimal, 2 tau, the width of uniform noise, a "
        "fixed-point step) M scores therefore carry at most M log2(1 + theta(l)) + l kappa (W/q)^2 log2 e bits, for every "
        "l > 0, theta(l) the sum of exp(-l j^2) over all integers j; they must carry (1-δ)(N log2 K - log2 V) - h(δ). "
        "Through random noise of variance s^2 a score that tells a variance of R has one of at most v(R) = "
        "(R + sqrt(R^2 + 4 R s^2))/2 itself, and M scores carry at most M C(v(kappa W^2/M)) bits, C(v) what the noise lets "
        "through of a variance v. A non-adaptive score has a variance of at most W^2 floor(K^2/4)/(K^2 N) by itself."
    )
    conditions = ("scores bound to a grid, or random noise", "W is finite and no score is infinite")

    def apply(self, channel: Channel) -> Limit:
        """The strongest of the forms that apply."""
        if not channel.confined or not rounding_slack(channel).is_finite():
            return self.silent("a row can outweigh any noise, or show as an infinite score")
        if not fano_bits(channel) > 0:
            return self.silent("nothing has to be learned")
        if not channel.span() > 0:
            return self.silent("no row tells labels apart: counting says more")
        found = [one for one in (self._on_grid(channel), self._through_noise(channel)) if one is not None]
        if not found:
            return self.silent("scores are bound to no grid, and no random noise hides enough of them")
        return max(found, key=lambda one: one.queries or 0)

    # -- on a grid -------------------------------------------------------------------------------------

    def _on_grid(self, channel: Channel) -> Limit | None:
        step = coarsest_step(channel)
        if step is None:
            return None
        forms = [self._together(channel, step)]
        if not channel.adaptive:
            forms.append(self._each(channel, step))
        return max(forms, key=lambda one: one.queries or 0)

    def _together(self, channel: Channel, step: Fraction) -> Limit:
        """All queries share one energy; computing a score in floats may add to it."""
        rate, share = best_rate(channel, step)

        def need() -> arb:
            return fano_bits(channel) - ball(rate) * energy(channel, step) * (1 + ball(share)) / arb(2).log()

        def each() -> arb:
            return grid_bits(rate, error_in_steps(channel, step) ** 2 * (1 + 1 / ball(share)))

        why = "the scores of all queries share one variance"
        return self.at_least(need, each, "bits a score", why, step=step, rate=rate, share=share)

    def _each(self, channel: Channel, step: Fraction) -> Limit:
        """Every query by itself: a non-adaptive score's variance falls with N."""
        rate = single_rate(float(single_variance(channel, step).log()))
        why = "a sum of many labels concentrates"

        def each() -> arb:
            return grid_bits(rate, single_variance(channel, step))

        return self.at_least(lambda: fano_bits(channel), each, "bits a score", why, step=step, rate=rate)

    # -- through noise ---------------------------------------------------------------------------------

    def _through_noise(self, channel: Channel) -> Limit | None:
        if not channel.random or not carried(channel, 1).is_finite():
            return None

        def too_few(queries: int) -> bool:
            return proved(lambda: carried(channel, queries), "<", lambda: fano_bits(channel))

        enough = first_above(lambda queries: not too_few(queries), 0, MOST_QUERIES) or MOST_QUERIES + 1
        if enough == 1:
            return None
        record = compare(
            f"bits that {enough - 1} scores carry < bits needed",
            lambda: carried(channel, enough - 1),
            "<",
            lambda: fano_bits(channel),
        )
        why = f"{channel.law.name} noise hides all but a part of the variance that all queries share"
        return Limit(self.id, self.title, enough, False, why, (record,), self.cite, (("too_few", enough - 1),))

    # -- what is carried in all ------------------------------------------------------------------------

    def carried(self, channel: Channel, queries: int) -> Carried | None:
        """The least of what the forms that apply let through."""
        if not channel.confined or not rounding_slack(channel).is_finite() or not channel.span() > 0 or not queries:
            return None
        forms, step = [], coarsest_step(channel)
        if step is not None:
            forms.append(_together(channel, step, queries))
            if not channel.adaptive:
                forms.append(_one_by_one(channel, step, queries))
        if channel.random and carried(channel, queries).is_finite():
            forms.append(Carried(lambda: carried(channel, queries)))
        return min(forms, key=lambda one: float(one.bits()), default=None)


def _together(channel: Channel, step: Fraction, queries: int) -> Carried:
    rate, share = total_rate(channel, step, queries)

    def bits() -> arb:
        spent = ball(rate) * energy(channel, step) * (1 + ball(share)) / arb(2).log()
        return queries * grid_bits(rate, error_in_steps(channel, step) ** 2 * (1 + 1 / ball(share))) + spent

    return Carried(bits, (("step", step), ("rate", rate), ("share", share)))


def _one_by_one(channel: Channel, step: Fraction, queries: int) -> Carried:
    rate = single_rate(float(single_variance(channel, step).log()))
    return Carried(lambda: queries * grid_bits(rate, single_variance(channel, step)), (("step", step), ("rate", rate)))


def single_variance(channel: Channel, step: Fraction) -> arb:
    """Of one score that does not depend on others, in squares of the step, errors included."""
    return (single_deviation(channel) / ball(step) + error_in_steps(channel, step)) ** 2


def coarsest_step(channel: Channel) -> Fraction | None:
    """The largest step of a grid that scores are bound to, or that noise blurs as much as one would."""
    steps = [channel.law.grid(), channel.law.blur(), channel.digits.unit, channel.metric.lattice(channel)]
    if channel.scores.fixed:
        steps.append(Fraction(1, 2**channel.scores.fraction_bits))
    return max((step for step in steps if step is not None), default=None)


def energy(channel: Channel, step: Fraction) -> arb:
    """kappa (W/q)^2."""
    return ball(channel.secret.energy()) * (channel.breadth() / ball(step)) ** 2


def single_deviation(channel: Channel) -> arb:
    """The largest standard deviation of one score whose submission does not depend on the labels."""
    return channel.breadth() * ball(channel.secret.variance()).sqrt()


def error_in_steps(channel: Channel, step: Fraction) -> arb:
    """How far the exact score is at most, in root mean square, from the cell that it is shown as, in steps of the grid."""
    if on_lattice(channel, step):
        return arb(0)  # a whole number is what it is, however its score is computed and shown
    return (rounding_slack(channel) + edge_error(channel, step)) / ball(step)


def edge_error(channel: Channel, step: Fraction) -> arb:
    """How far the edges of a cell of shown digits are off: 0.29 * 100 is 28.999999999999996 in floats.

    Noise was added in the score's format before, and moves them with its own size.
    """
    if not channel.scores.floating or step != channel.digits.unit:
        return arb(0)
    largest = channel.metric.largest_charge(channel, channel.span()) + rounding_slack(channel)
    noise = channel.law.size() + channel.law.variance().sqrt()
    return ball(channel.scores.unit * (1 + channel.digits.roundings)) * (largest + noise)


def grid_bits(rate: Fraction, variance: arb) -> arb:
    """log2(1 + theta(l)) + l V log2 e: the most that a score of this variance, in squares of the step, carries."""
    return log2(1 + theta(rate)) + ball(rate) * variance / arb(2).log()


def theta(rate: Fraction) -> arb:
    """A bound on the sum over all integers j of exp(-l j^2), or of its Poisson sum. e + e^4 + e^9 + ... <= e/(1-e^3)."""
    if rate < DUAL:
        e = (-(arb.pi() ** 2 / ball(rate)).min(arb(FARTHEST))).exp()
        return (arb.pi() / ball(rate)).sqrt() * (1 + 2 * e / (1 - e**3))
    e = (-ball(rate).min(arb(FARTHEST))).exp()
    return 1 + 2 * e / (1 - e**3)


def carried(channel: Channel, queries: int) -> arb:
    """The bits that so many scores carry through the noise at most; it rises with their number.

    In floats a score may be off by s more: its telling deviation grows by as much (Minkowski).
    """
    slack, noise = rounding_slack(channel), channel.law.variance()
    telling = ((ball(channel.secret.energy()) / queries).sqrt() * channel.breadth() + slack) ** 2
    variance = (telling + (telling**2 + 4 * telling * noise).sqrt()) / 2
    if not channel.adaptive:
        variance = variance.min((single_deviation(channel) + slack) ** 2)
    return queries * channel.law.carries(variance)


# -- the best l, in floats: whatever is found gives a true bound ---------------------------------------------


def best_rate(channel: Channel, step: Fraction) -> tuple[Fraction, Fraction]:
    """l, and the share of the energy that is left to the error of computing scores."""
    bits = float(fano_bits(channel))
    log_energy = float(energy(channel, step).log())

    def queries(u: float) -> float:
        """With l = e^u over the energy: bits less what the energy gives, over the bits of one score."""
        return (bits - exp(u) / log(2)) / grid_bits_at(u - log_energy)

    best = golden(queries, -30.0, log(bits * log(2)))
    return rational(best - log_energy), _share(channel, step, log_energy, queries(best))


def total_rate(channel: Channel, step: Fraction, queries: int) -> tuple[Fraction, Fraction]:
    """The same for what a number of queries carries in all: at most a bit of energy for each of their bits is spent."""
    log_energy = float(energy(channel, step).log())

    def bits(u: float) -> float:
        return queries * grid_bits_at(u - log_energy) + exp(u) / log(2)

    best = golden(lambda u: -bits(u), -30.0, log(queries) + 5)
    return rational(best - log_energy), _share(channel, step, log_energy, queries)


def _share(channel: Channel, step: Fraction, log_energy: float, queries: float) -> Fraction:
    """What errors of so many scores are of the energy, in root mean square: leaving them as much costs least."""
    error = float(error_in_steps(channel, step))
    balanced = error * sqrt(max(queries, 1.0)) * exp(-max(min(log_energy, 1000.0), -1000.0) / 2)
    return max(LEAST_SHARE, rational(log(balanced))) if 0 < balanced < inf else LEAST_SHARE


def single_rate(log_variance: float) -> Fraction:
    """The best l for one score: at most 1/(2 V) for a variance V >= 1, and no less than a third of 1/V."""

    def bits(u: float) -> float:
        return grid_bits_at(u) + exp(u + log_variance) / log(2)

    low, high = (-log_variance - 3, -log_variance) if log_variance > 0 else (-3.0, log(FARTHEST))
    return rational(golden(lambda u: -bits(u), low, high))


def grid_bits_at(u: float) -> float:
    """log2(1 + theta(e^u))."""
    if u > log(DUAL):
        e = exp(-exp(min(u, log(FARTHEST))))
        return log1p(1 + 2 * e / (1 - e**3)) / log(2)
    e = exp(-min(pi**2 * exp(-u), FARTHEST) if u > -log(FARTHEST) else -FARTHEST)
    theta_log = (log(pi) - u) / 2 + log1p(2 * e / (1 - e**3))
    return (theta_log + log1p(exp(-theta_log))) / log(2)


def golden(value: Callable[[float], float], low: float, high: float) -> float:
    """Where a function of one peak is largest, by golden section."""
    part = (sqrt(5) - 1) / 2
    left, right = high - part * (high - low), low + part * (high - low)
    at_left, at_right = value(left), value(right)
    for _ in range(STEPS):
        if at_left > at_right:
            high, right, at_right = right, left, at_left
            left = high - part * (high - low)
            at_left = value(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + part * (high - low)
            at_right = value(right)
    return (low + high) / 2


def rational(u: float) -> Fraction:
    """About e^u, as a short number times a power of two."""
    exponent = int(u / log(2) // 1) - RATE_BITS
    return Fraction(round(exp(u - exponent * log(2)))) * Fraction(2) ** exponent
