"""No noise: scores are reported as computed."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from dsl.scenario import NoNoise
from planner.channel.mechanisms.base import Law


class Quiet(Law):
    """Nothing is added."""

    kind = NoNoise
    scales = ()
    known = True
    certain = True
    quiet = True

    @property
    def name(self) -> str:
        """What the language calls it."""
        return "none"

    @property
    def text(self) -> str:
        """As facts are compared."""
        return "none"

    def within(self, delta: Fraction, queries: int) -> arb:
        """Nothing."""
        return arb(0)
