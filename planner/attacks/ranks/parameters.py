"""Parameters of blocks of ranks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, repeat

from planner.attacks.parameters import Parameters
from planner.channel.conditions import ONES_TOLD, TWO_CLASSES, Condition
from planner.designs.ones import Ones
from planner.designs.sets import LARGEST_TABLE, conway_guy

MOST = LARGEST_TABLE  # labels of a block: their sums are looked up


@dataclass(frozen=True, eq=False, repr=False)
class RankBlocks(Parameters):
    """A few labels by a design of zeros and ones, all others in blocks whose rows known ones part.

    Of N rows a block of m, after F known ones, leaves N - F - m that are tied at the bottom. All others are ranked above
    them, at places 1 to F + m: the block's rows at F + m - gap u, u = 0, 1, 2, 4, 7, 13, .. of Conway and Guy, and known
    ones at all others. Where every label is wanted, the last one follows from the number of ones.
    """

    kind = "rank_blocks"
    told = 2  # whether a label is 1
    counted: int  # queries of a design of zeros and ones before the blocks
    gap: int
    blocks: tuple[int, ...]  # how many of one label follow, how many of two, and so on

    @property
    def listed(self) -> int | None:
        """The design, and one for each block: where rows are ranked hangs on how many are known, not on their labels."""
        return self.counted + sum(self.blocks)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The ones are counted."""
        return (TWO_CLASSES, ONES_TOLD)

    def read(self, rows: int) -> int:
        """Labels that are read off scores."""
        return min(self.labels, rows - 1)

    def designed(self, rows: int) -> int:
        """Labels of the design."""
        return min(Ones(self.counted).capacity(), self.read(rows)) if self.counted else 0

    def placed(self, rows: int) -> Iterator[tuple[int, int]]:
        """For each block how many rows are known before it, and how many are its own: of the last, those that are left."""
        known = self.designed(rows)
        for m in chain.from_iterable(repeat(m, times) for m, times in enumerate(self.blocks, 1)):
            size = min(m, self.read(rows) - known)
            yield known, size
            known += size


def offsets(m: int) -> tuple[int, ...]:
    """0, 1, 2, 4, 7, 13, ..: no two sets of equally many have one sum, since u(m) less these have distinct subset sums."""
    weights = conway_guy(m)
    return tuple(weights[-1] - weight for weight in reversed(weights))
