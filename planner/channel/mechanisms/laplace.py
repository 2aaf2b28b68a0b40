"""Laplace noise: independent, two-sided exponential."""

from __future__ import annotations

from fractions import Fraction
from math import erfc, inf, log, sqrt

from flint import arb

from dsl.scenario import Laplace
from planner.channel.mechanisms.base import Law
from planner.channel.mechanisms.gaussian import RANDOM, TINY, all_within
from planner.numerics.reals import ball, log2
from planner.numerics.tails import gaussian_upper, two_sided

BERRY_ESSEEN = arb(1) / 2
POINTS = 16  # to a deviation, of a search


class LaplaceLaw(Law):
    """Of scale b."""

    kind = Laplace
    scales = (("b", 1),)
    known = True
    random = True
    tailed = True
    value: Laplace
    reduction = RANDOM

    def within(self, delta: Fraction, queries: int) -> arb:
        """The quantile that each of the queries exceeds with probability delta/queries."""
        return -ball(self.value.b) * ball(delta / max(queries, 1)).log()

    def tail_of_mean(self, count: int, x: arb) -> arb:
        """Exact for one; Chernoff's bound with the exact moment generating function for more, and what lies beyond."""
        if not x > 0:
            return arb(1)
        if count == 1:
            return (-x / ball(self.value.b)).exp()
        t = _best_tilt(ball(self.value.b), x)
        return two_sided(count, t * x - self.cumulant(t), self.peak(count, t) / t)

    def cumulant(self, s: arb) -> arb:
        """-ln(1 - b^2 s^2), as long as b s < 1."""
        kept = 1 - (ball(self.value.b) * s) ** 2
        return -(kept.log()) if kept > 0 else arb.pos_inf()

    def peak(self, count: int, s: arb) -> arb:
        """1/(d sqrt(pi (2h-3))), d^2 = b^2 (1/(1-bs)^2 + 1/(1+bs)^2) the tilted variance of one.

        A tilted noise is the difference of two exponential ones, its characteristic function at most (1 + d^2 u^2)^(-1/2).
        That of h of them has an integral of sqrt(pi) G((h-1)/2)/G(h/2)/d, G the gamma function, and
        G(y + 1/2) >= sqrt(y - 1/4) G(y).
        """
        scaled = ball(self.value.b) * s
        if count < 2 or not scaled < 1:
            return arb.pos_inf()
        variance = ball(self.value.b) ** 2 * (1 / (1 - scaled) ** 2 + 1 / (1 + scaled) ** 2)
        return 1 / (variance * arb.pi() * (2 * count - 3)).sqrt()

    def capacity(self, reach: arb) -> arb:
        """log2(1 + W/(2b)): the largest entropy of a given mean absolute value is Laplace's own."""
        return log2(1 + reach / (2 * ball(self.value.b)))

    def variance(self) -> arb:
        """2 b^2."""
        return 2 * ball(self.value.b) ** 2

    def carries(self, variance: arb) -> arb:
        """The least of three bounds on the entropy of score and noise together, less that of the noise, log2(2 e b).

        By the mean absolute value, E|x + n| = E(|x| + b e^(-|x|/b)) <= b + E x^2/(2b) and <= b + E|x|; by the variance.
        """
        b = ball(self.value.b)
        signal = variance / self.variance()
        by_square, by_value = log2(1 + signal), log2(1 + variance.sqrt() / b)
        return by_square.min(by_value).min(log2(arb.pi() / arb(1).exp() * (1 + signal)) / 2)

    @property
    def concentrates(self) -> bool:
        """Its capacity is that of the input's mean absolute value."""
        return True

    def label_error(self, shift: arb, queries: int) -> arb:
        """Bretagnolle and Huber's inequality with the divergence of two shifted laws."""
        scaled = shift / ball(self.value.b)
        divergence = scaled + (-scaled).exp() - 1
        return (1 - (1 - (-queries * divergence).exp()).sqrt()) / 2

    def mistaken(self, shift: arb, queries: int, delta: Fraction, point: Fraction) -> arb:
        """exp(-G) (P(L <= G) - delta): a test accepts all but delta of the scores whose log-likelihood ratio L is small.

        L is a sum of M independent terms, G lies `point` deviations below its mean, and the central limit theorem is off
        by at most half of a term's third absolute moment over its deviation's cube and sqrt(M) (Berry and Esseen; their
        constant is known to be below 0.4748).
        """
        mean, variance, most = _log_ratio(shift / ball(self.value.b))
        deviation, scores, z = variance.sqrt(), ball(queries), ball(point)
        if not deviation > 0:
            return arb(0)
        below = gaussian_upper(z) - BERRY_ESSEEN * (most + mean) / (deviation * scores.sqrt())
        chance = below - ball(delta)
        return (z * deviation * scores.sqrt() - scores * mean).exp() * chance if chance > 0 else arb(0)

    def mistaken_at(self, shift: arb, queries: int, delta: float) -> Fraction:
        """The best of a grid, in floats; 0 where scores are too few for the central limit theorem to say anything."""
        mean, variance, most = map(float, _log_ratio(shift / ball(self.value.b)))
        deviation = sqrt(max(variance, TINY) * queries)
        off = float(BERRY_ESSEEN) * (most + mean) / deviation

        def exponent(at: int) -> float:
            chance = erfc(at / POINTS / sqrt(2)) / 2 - off - delta
            return deviation * at / POINTS + log(chance) if chance > 0 else -inf

        return Fraction(max(range(4 * POINTS), key=exponent), POINTS)

    def explained(self, delta: Fraction, queries: int) -> str:
        """tau for all queries at once."""
        return all_within(self, delta, queries)


def _log_ratio(x: arb) -> tuple[arb, arb, arb]:
    """Mean, variance and largest size of ln f(n)/f(n + b x), n of Laplace's law: it is x for n > 0, -x below -b x.

    E L = x + e^-x - 1 and E L^2 = x^2 - 2x + 4 - (2x + 4) e^-x.
    """
    fade = (-x).exp()
    mean = x + fade - 1
    return mean, x**2 - 2 * x + 4 - (2 * x + 4) * fade - mean**2, x


def _best_tilt(b: arb, x: arb) -> arb:
    """Where t x - ln E exp(t X) = t x + ln(1 - b^2 t^2) is largest; any t below 1/b gives a valid bound."""
    return (((1 + (x / b) ** 2).sqrt() - 1) / x).mid()
