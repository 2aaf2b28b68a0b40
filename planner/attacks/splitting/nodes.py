"""Parts of the rows whose number of wrong guesses is known, and the digits that a design reads of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from planner.attacks.attack import InconsistentScores


@dataclass(frozen=True, slots=True)
class Node:
    """A range of rows with so many wrong guesses among them."""

    start: int
    rows: int
    ones: int

    @property
    def settled(self) -> bool:
        """Whether no row is in doubt."""
        return self.ones in (0, self.rows)

    @property
    def halves(self) -> int:
        """How many counts are possible for the second half."""
        return min(self.ones, self.rows // 2, self.rows - self.ones) + 1


Counts = tuple[tuple[int, int], ...]
"""Parts that have wrong guesses, each with how many."""


@dataclass(frozen=True, slots=True)
class Digit:
    """A node cut into parts of nearly one size. Part k is worth `value(k)`, a multiple of the digit's place.

    One wrong guess: part k is worth k places. More: of two parts the second is worth a place, of several the k-th is
    worth base^(k-1) places, base one more than the largest count. The sum over the wrong guesses tells all counts.
    """

    node: Node
    parts: int
    place: int
    component: int

    @property
    def base(self) -> int:
        """One more than the largest count of a part, where there are several."""
        return min(self.node.ones, -(-self.node.rows // self.parts)) + 1

    @property
    def least(self) -> int:
        """The least sum, in places."""
        several = self.node.ones > 1 and self.parts == 2
        return max(0, self.node.ones - self.node.rows // 2) if several else 0

    @property
    def radix(self) -> int:
        """How many sums are possible, in places from the least on."""
        if self.node.ones == 1:
            return self.parts
        return self.node.halves if self.parts == 2 else int(self.base ** (self.parts - 1))

    @property
    def top(self) -> int:
        """The largest value of a part."""
        return self.value(self.parts - 1)

    @property
    def largest(self) -> int:
        """Rows of the largest part."""
        return -(-self.node.rows // self.parts)

    def edge(self, part: int) -> int:
        """Where a part starts."""
        return self.node.start + self.node.rows * part // self.parts

    def read(self, number: int) -> Counts:
        """The counts behind a sum, in places from the least on; parts without wrong guesses are left out."""
        ones = self.node.ones
        if ones == 1:
            return ((number, 1),)
        base = self.base if self.parts > 2 else ones + 1
        counts, left = [], number + self.least
        for part in range(1, self.parts):
            left, count = divmod(left, base)
            counts.append((part, count))
        counts.append((0, ones - sum(count for _, count in counts)))
        return tuple((part, count) for part, count in counts if count)

    def value(self, part: int) -> int:
        """What a wrong guess in a part is worth."""
        if self.node.ones == 1 or not part:
            return part * self.place
        worth: int = self.place * self.base ** (part - 1)
        return worth

    def pieces(self, counts: Counts) -> list[Node]:
        """The parts with wrong guesses as nodes; raises where a part has not as many rows."""
        found = [Node(self.edge(part), self.edge(part + 1) - self.edge(part), count) for part, count in counts]
        if not all(0 <= piece.ones <= piece.rows for piece in found):
            raise InconsistentScores("a part of the rows has more wrong guesses than rows, or fewer than none")
        return found


def unsettled(nodes: Iterable[Node]) -> list[Node]:
    """Those with rows in doubt."""
    return [node for node in nodes if not node.settled]
