"""Gaussian noise: independent, normal."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from dsl.scenario import Gaussian
from planner.channel.mechanisms.base import Law, Reduction
from planner.numerics.reals import ball, bound, log2
from planner.numerics.tails import gaussian_upper

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

    def explained(self, delta: Fraction, queries: int) -> str:
        """tau for all queries at once."""
        return all_within(self, delta, queries)


def confusion(shift: arb, sigma: arb, queries: int) -> arb:
    """Q(sqrt(M) shift/(2 s))."""
    return gaussian_upper(ball(queries).sqrt() * shift / (2 * sigma))


def all_within(law: Law, delta: Fraction, queries: int) -> str:
    """The step of laws whose noises are all within a bound with some probability."""
    tau = bound(law.within(delta, queries))
    return f"all {queries:,} noises within τ = {tau} with probability 1 - {float(delta):g}"
