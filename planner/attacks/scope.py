"""Of which boards a family of attacks speaks: said once, in the family's `__init__.py`, for theorems and records alike.

A theorem refuses by it before it proposes, and the certifier asks it again of the record: neither can say more than the
other. Defaults are the safe ones: scores of all rows, each shown, of a metric whose rows weigh their labels.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

from planner.channel.channel import Channel
from planner.channel.conditions import ALL_SCORED, WEIGHS, Condition


class Scope(NamedTuple):
    """What the metric must be, under which releases a decoder was proved, and whether labels are read at all."""

    needs: Condition | None = WEIGHS  # of the metric; None: it may be any
    releases: tuple[str, ...] = ("plain",)  # those that it was proved for: a decoder knows no other
    of_a_part: bool = False  # whether a secret part of the rows is scored; others are right only of all rows
    reads: bool = True  # whether it reads labels off scores: those that are stored, be they flipped

    @property
    def rows(self) -> tuple[Condition, ...]:
        """What is asked of the scored rows."""
        return () if self.of_a_part else (ALL_SCORED,)

    def fits(self, channel: Channel) -> bool:
        """Whether the metric is of the kind that is needed."""
        return self.needs is None or self.needs.met(channel)

    def shown(self, channel: Channel) -> bool:
        """Whether scores are released in a way that is known here."""
        return channel.released.id in self.releases

    def read(self, channel: Channel) -> Channel:
        """The board as it is read: with the labels that are stored, where any are."""
        return channel.stored if self.reads else channel


def scope_of(kind: type) -> Scope:
    """What the family says in which a class stands; without a word on it no class is made."""
    family = kind.__module__.rpartition(".")[0]
    scope: Scope = sys.modules[family].SCOPE
    return scope
