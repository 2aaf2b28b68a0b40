"""Multiplicative noise: the score is off by a factor between 1 - alpha and 1 + alpha, chosen by an adversary."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from flint import arb

from dsl.scenario import Multiplicative
from planner.channel.mechanisms.base import Law, Reduction
from planner.numerics.reals import Term, ball, ceil_of


class MultiplicativeLaw(Law):
    """An error that grows with the loss."""

    kind = Multiplicative
    scales: ClassVar[tuple[tuple[str, int], ...]] = (("alpha", 0),)
    known = True
    certain = True
    grows = True
    value: Multiplicative
    reduction = Reduction(
        "multiplicative-noise",
        "Multiplicative noise as an error that grows with the loss",
        "Theorem 11 (appendix on multiplicative noise)",
        "Sums X < Y with Y - X >= gap stay apart under factors 1 +- alpha when (1+alpha) gap > 2 alpha Y + 2E.",
        "E-MN",
    )

    def within(self, delta: Fraction, queries: int) -> arb:
        """No part of it is constant."""
        return arb(0)

    def factor(self) -> arb:
        """alpha."""
        return ball(self.value.alpha)

    @property
    def tilt(self) -> Fraction:
        """alpha from above."""
        return self.value.alpha.hi

    def snapped(self, spread: Term, least: Term | None, largest: Term) -> tuple[int, str] | None:
        """Scores between the smallest and the largest loss, snapped to a geometric grid of ratio (1+α)/(1-α)."""
        lowest = self.value.alpha.lo
        if least is None or not lowest > 0:
            return None

        def cells() -> arb:
            alpha = ball(lowest)
            return (largest() / least() * 2).log() / ((1 + alpha) / (1 - alpha)).log()

        return ceil_of(cells) + 2, "a noise adversary who snaps to a geometric grid"

    def explained(self, delta: Fraction, queries: int) -> str:
        """The factor."""
        return f"factor 1 ± {self.value.alpha}: an error that grows with the loss"
