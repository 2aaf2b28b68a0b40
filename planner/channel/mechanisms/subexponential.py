"""Subexponential noise: any independent, centred noise whose moment generating function is bounded near 0."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from dsl.scenario import Subexponential
from planner.channel.mechanisms.base import Law, Reduction
from planner.channel.mechanisms.gaussian import all_within, confusion, quantile_below, taken_for
from planner.numerics.reals import ball, log2
from planner.numerics.tails import two_sided


class SubexponentialLaw(Law):
    """E exp(sX) <= exp(lambda2 s^2/2) for |s| < 1/nu. It may be Gaussian of variance lambda2: limits rest on that."""

    kind = Subexponential
    scales = (("lambda2", 2), ("nu", 1))
    known = True
    random = True
    tailed = True
    value: Subexponential
    reduction = Reduction(
        "subexponential-noise",
        "Subexponential noise as bounded noise",
        "Theorem 10 (appendix on random noise)",
        "With l = ln(2M/δ), tau = lambda sqrt(2l) if nu sqrt(2l) <= lambda, else nu l + lambda^2/(2 nu).",
        "E-SE",
    )

    def within(self, delta: Fraction, queries: int) -> arb:
        """Chernoff's bound at its best admissible point; the larger of the two forms where the case is not decided."""
        log_term = (2 / ball(delta / max(queries, 1))).log()
        deviation, nu = ball(self.value.lambda2).sqrt(), ball(self.value.nu)
        gaussian_part = deviation * (2 * log_term).sqrt()
        linear_part = nu * log_term + ball(self.value.lambda2) / (2 * nu)
        return gaussian_part if nu * (2 * log_term).sqrt() <= deviation else linear_part

    def tail_of_mean(self, count: int, x: arb) -> arb:
        """Chernoff's bound at the best t that the definition admits."""
        if not x > 0:
            return arb(1)
        variance = ball(self.value.lambda2)
        t = (x / variance).mid().min((1 / ball(self.value.nu)).lower())
        return two_sided(count, t * x - variance * t * t / 2)

    def cumulant(self, s: arb) -> arb:
        """λ^2 s^2/2, as long as ν s < 1: the definition."""
        return ball(self.value.lambda2) * s**2 / 2 if ball(self.value.nu) * s < 1 else arb.pos_inf()

    def capacity(self, reach: arb) -> arb:
        """That of Gaussian noise of the same variance."""
        return log2(1 + reach**2 / (4 * ball(self.value.lambda2))) / 2

    def variance(self) -> arb:
        """lambda2, where the noise is Gaussian."""
        return ball(self.value.lambda2)

    def carries(self, variance: arb) -> arb:
        """That of Gaussian noise of the same variance."""
        return log2(1 + variance / self.variance()) / 2

    @property
    def concentrates(self) -> bool:
        """Its capacity is that of the input's variance."""
        return True

    def label_error(self, shift: arb, queries: int) -> arb:
        """That of Gaussian noise of the same variance."""
        return confusion(shift, ball(self.value.lambda2).sqrt(), queries)

    def normal_deviation(self) -> arb | None:
        """lambda: it may be Gaussian."""
        return ball(self.value.lambda2).sqrt()

    def mistaken(self, shift: arb, queries: int, delta: Fraction, point: Fraction) -> arb:
        """That of Gaussian noise of the same variance."""
        return taken_for(shift, ball(self.value.lambda2).sqrt(), queries, delta, point)

    def mistaken_at(self, shift: arb, queries: int, delta: float) -> Fraction:
        """That of Gaussian noise."""
        return quantile_below(delta)

    def explained(self, delta: Fraction, queries: int) -> str:
        """tau for all queries at once."""
        return all_within(self, delta, queries)
