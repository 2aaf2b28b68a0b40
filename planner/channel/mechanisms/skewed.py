"""Multiplicative noise of two bounds: a factor between 1 - alpha and 1 + beta, chosen by an adversary.

Attacks take it for a factor within the larger of both, either way: that is no less noise. An adversary snaps scores to a grid
of ratio (1 + beta)/(1 - alpha), whichever is larger.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from dsl.scenario import Skewed
from planner.channel.mechanisms.multiplicative import MultiplicativeLaw
from planner.numerics.reals import Term, ball, ceil_of


class SkewedLaw(MultiplicativeLaw):
    """An error that grows with the loss, more one way than the other."""

    kind = Skewed  # type: ignore[assignment]
    scales = (("alpha", 0), ("above", 0))
    value: Skewed

    def factor(self) -> arb:
        """The larger of both."""
        return ball(self.value.alpha).max(ball(self.value.above))

    @property
    def tilt(self) -> Fraction:
        """The same from above."""
        return max(self.value.alpha.hi, self.value.above.hi)

    def snapped(self, spread: Term, least: Term | None, largest: Term) -> tuple[int, str] | None:
        """Scores x to x (1+beta)/(1-alpha) may all be shown as x (1+beta)."""
        below, above = self.value.alpha.lo, self.value.above.lo
        if least is None or not max(below, above) > 0:
            return None

        def cells() -> arb:
            return (largest() / least() * 2).log() / ((1 + ball(above)) / (1 - ball(below))).log()

        return ceil_of(cells) + 2, "a noise adversary who snaps to a geometric grid"

    def explained(self, delta: Fraction, queries: int) -> str:
        """Both bounds."""
        return f"factor 1 - {self.value.alpha} to 1 + {self.value.above}: an error that grows with the loss"
