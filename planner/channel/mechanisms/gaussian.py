"""Gaussian noise: independent, normal."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from dsl.scenario import Gaussian
from planner.channel.mechanisms.base import Law, Reduction
from planner.numerics.reals import ball, bound, log2
from planner.numerics.tails import gaussian_upper

QUANTILE_BITS = 20  # to which a quantile is written down
TINY = 1e-300  # a chance below which its quantile is not looked for

RANDOM = Reduction(
    "random-noise",
    "Random noise as bounded noise",
    "Theorem 9 (appendix on random noise)",
    "M independent noises, recentred, all stay within tau with probability 1-δ when each exceeds it with probability at "
    "most δ/M; an attack certified for bounded(tau) then succeeds with probability 1-δ.",
    "E-RN",
)


class GaussianLaw(Law):
    """Normal of standard deviation sigma."""

    kind = Gaussian
    scales = (("sigma", 1),)
    known = True
    random = True
    normal = True
    tailed = True
    value: Gaussian
    reduction = RANDOM

    def within(self, delta: Fraction, queries: int) -> arb:
        """The quantile that each of the queries exceeds with probability delta/queries."""
        share = ball(delta / max(queries, 1))
        return ball(self.value.sigma) * arb(2).sqrt() * share.erfcinv()

    def tail_of_mean(self, count: int, x: arb) -> arb:
        """Exact: the mean is normal."""
        return (x / ball(self.value.sigma) * (ball(count) / 2).sqrt()).erfc() if x > 0 else arb(1)

    def cumulant(self, s: arb) -> arb:
        """σ^2 s^2/2."""
        return (ball(self.value.sigma) * s) ** 2 / 2

    def peak(self, count: int, s: arb) -> arb:
        """1/(σ sqrt(2 pi h)): tilting moves a normal law and leaves its shape."""
        return 1 / (ball(self.value.sigma) * (2 * arb.pi() * count).sqrt())

    def capacity(self, reach: arb) -> arb:
        """1/2 log2(1 + W^2/(4 s^2)): an input on an interval of length W has variance at most W^2/4."""
        return log2(1 + (reach / (2 * ball(self.value.sigma))) ** 2) / 2

    def variance(self) -> arb:
        """sigma^2."""
        return ball(self.value.sigma) ** 2

    def carries(self, variance: arb) -> arb:
        """1/2 log2(1 + V/s^2)."""
        return log2(1 + variance / self.variance()) / 2

    @property
    def concentrates(self) -> bool:
        """Its capacity is that of the input's variance."""
        return True

    def label_error(self, shift: arb, queries: int) -> arb:
        """Q(sqrt(M) shift/(2 s)): the best test of two normal laws."""
        return confusion(shift, ball(self.value.sigma), queries)

    def normal_deviation(self) -> arb | None:
        """sigma."""
        return ball(self.value.sigma)

    def mistaken(self, shift: arb, queries: int, delta: Fraction, point: Fraction) -> arb:
        """Q(sqrt(M) shift/s - z), Q(z) >= delta: the most powerful test, by Neyman and Pearson."""
        return taken_for(shift, ball(self.value.sigma), queries, delta, point)

    def mistaken_at(self, shift: arb, queries: int, delta: float) -> Fraction:
        """A little below the z of Q(z) = delta."""
        return quantile_below(delta)

    def explained(self, delta: Fraction, queries: int) -> str:
        """tau for all queries at once."""
        return all_within(self, delta, queries)


def taken_for(shift: arb, sigma: arb, queries: int, delta: Fraction, point: Fraction) -> arb:
    """Q(sqrt(M) shift/s - z), if Q(z) >= delta."""
    if not gaussian_upper(ball(point)) >= ball(delta):
        return arb(0)
    return gaussian_upper(ball(queries).sqrt() * shift / sigma - ball(point))


def quantile_below(delta: float) -> Fraction:
    """About the z of Q(z) = delta, 2^-20 below it at least."""
    from statistics import NormalDist  # a start without such noise is spared it

    return Fraction(int(-NormalDist().inv_cdf(max(delta, TINY)) * 2**QUANTILE_BITS) - 1, 2**QUANTILE_BITS)


def confusion(shift: arb, sigma: arb, queries: int) -> arb:
    """Q(sqrt(M) shift/(2 s))."""
    return gaussian_upper(ball(queries).sqrt() * shift / (2 * sigma))


def all_within(law: Law, delta: Fraction, queries: int) -> str:
    """The step of laws whose noises are all within a bound with some probability."""
    tau = bound(law.within(delta, queries))
    return f"all {queries:,} noises within τ = {tau} with probability 1 - {float(delta):g}"
