"""Bounded noise: an error of at most tau, chosen by an adversary."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from dsl.scenario import Bounded
from planner.channel.mechanisms.base import Law, Reduction
from planner.numerics.reals import Term, ball, bound, ceil_of


class BoundedLaw(Law):
    """|noise| <= tau."""

    kind = Bounded
    scales = (("tau", 1),)
    known = True
    certain = True
    value: Bounded
    reduction = Reduction(
        "bounded-noise",
        "Bounded noise as part of the error",
        "section 4, tau-robust inference",
        "Noise of at most tau a score, whatever it does, moves the sum of charges by at most N tau: that much of E is its.",
    )

    def within(self, delta: Fraction, queries: int) -> arb:
        """tau."""
        return ball(self.value.tau)

    def grid(self) -> Fraction | None:
        """An adversary can move every score to the middle of a cell of length 2 tau."""
        return 2 * self.value.tau.lo if self.value.tau.lo > 0 else None

    def snapped(self, spread: Term, least: Term | None, largest: Term) -> tuple[int, str] | None:
        """One answer for each cell of length 2 tau."""
        tau = self.value.tau.lo
        if not tau > 0:
            return None
        return max(1, ceil_of(lambda: spread() / (2 * ball(tau)))), "a noise adversary who snaps to a grid of 2τ"

    def explained(self, delta: Fraction, queries: int) -> str:
        """tau."""
        return f"bounded noise: τ = {bound(self.within(delta, queries))}"
