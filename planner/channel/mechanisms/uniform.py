"""Uniform noise: independent, on an interval."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from dsl.scenario import Uniform
from planner.channel.mechanisms.base import Law
from planner.channel.mechanisms.gaussian import RANDOM
from planner.numerics.reals import ball, bound, log2
from planner.numerics.tails import uniform_mean_tail


class UniformLaw(Law):
    """Uniform on [a, b]; an attacker subtracts the middle."""

    kind = Uniform
    scales = (("a", 1), ("b", 1))
    known = True
    random = True
    flat = True
    value: Uniform
    reduction = RANDOM

    @property
    def centre(self) -> Fraction:
        """The middle of the lower ends of what encloses a and b."""
        return (self.value.a.lo + self.value.b.lo) / 2

    def size(self) -> arb:
        """The middle."""
        return ball(abs(self.centre))

    def within(self, delta: Fraction, queries: int) -> arb:
        """The farther end."""
        centre = ball(self.centre)
        return (ball(self.value.b) - centre).max(centre - ball(self.value.a))

    def off_centre(self) -> arb:
        """Ends that are no rationals are known to an enclosure only."""
        a, b = self.value.a, self.value.b
        return (abs(ball(a) - ball(a.lo)) + abs(ball(b) - ball(b.lo))) / 2

    def tail_of_mean(self, count: int, x: arb) -> arb:
        """Exact, by the Irwin-Hall sum or its Fourier series."""
        return uniform_mean_tail(count, 2 * x / (ball(self.value.b) - ball(self.value.a))) if x > 0 else arb(1)

    def cumulant(self, s: arb) -> arb:
        """ln(sinh x/x), x = s (b - a)/2: of the law about its own middle."""
        x = s * (ball(self.value.b) - ball(self.value.a)) / 2
        return (x.sinh() / x).log()

    def peak(self, count: int, s: arb) -> arb:
        """1 over the sum's deviation, as of every log-concave law.

        The tilted variance of one is (1/x^2 - 1/sinh(x)^2) (w/2)^2, x = s w/2, w the width.
        """
        half = (ball(self.value.b) - ball(self.value.a)) / 2
        x = s * half
        variance = (1 / x**2 - 1 / x.sinh() ** 2) * half**2
        return 1 / (count * variance).sqrt() if variance > 0 else arb.pos_inf()

    def capacity(self, reach: arb) -> arb:
        """log2(1 + W/(2 tau)): a score shares its cell of 2 tau with all that lies within it."""
        return log2(1 + reach / (ball(self.value.b) - ball(self.value.a)))

    def blur(self) -> Fraction | None:
        """The width: score and noise modulo it are uniform, whatever the score is."""
        width = self.value.b.lo - self.value.a.hi
        return width if width > 0 else None

    def variance(self) -> arb:
        """width^2/12."""
        return (ball(self.value.b) - ball(self.value.a)) ** 2 / 12

    def carries(self, variance: arb) -> arb:
        """By the entropy of a normal law of the same variance: 1/2 log2((pi e/6)(1 + V/s^2))."""
        return log2(arb.pi() * arb(1).exp() / 6 * (1 + variance / self.variance())) / 2

    def label_error(self, shift: arb, queries: int) -> arb:
        """Scores say nothing while none falls where only one of the two laws reaches."""
        silent = 1 - shift / (ball(self.value.b) - ball(self.value.a))
        return silent**queries / 2 if silent > 0 else arb(0)

    def explained(self, delta: Fraction, queries: int) -> str:
        """tau once recentred."""
        return f"uniform noise, recentred: τ = {bound(self.within(delta, queries))}"
