"""Parameters of averages in passes by a prefix code."""

from __future__ import annotations

from dataclasses import dataclass

from planner.attacks.consistent.parameters import ConsistentSpread
from planner.channel.conditions import ADAPTIVE, Condition


@dataclass(frozen=True, eq=False, repr=False)
class PassedSpread(ConsistentSpread):
    """Averages as in `consistent`, each row's classes in an order that coins choose: a pass for each bit of a prefix code.

    All labels take floor(log2 K) passes; at most `deep` of them take one more, of `deep_rounds` rounds.
    """

    kind = "prefix_passes"
    adaptive = True  # which labels are asked once more is known after the other passes
    listed = None  # made up on the way
    deep: int
    deep_rounds: int

    @property
    def all_rounds(self) -> int:
        """Of all passes."""
        return self.rounds * self.depth + self.deep_rounds

    @property
    def depth(self) -> int:
        """Passes that all labels take."""
        return self.classes.bit_length() - 1

    @property
    def deep_places(self) -> int:
        """Places of an order of the classes that take one more."""
        return 2 * (self.classes - (1 << self.depth))

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The last pass depends on the others."""
        return (*super().conditions, ADAPTIVE)
