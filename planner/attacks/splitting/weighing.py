"""Queries as integers: how many half units each row weighs, and what the answers say.

The answers of a round are those of one Hermite-Lindström design. In component j, p = popcount(j), a part of value v has in
query t the entry (-1)^popcount(t & j) floor((v + pext(t, j))/2^p), pext the bits of t that j selects. The entries of a node
lie within an amplitude of each other; how many wrong guesses it has is known, so all its entries are moved by their
middle, and the middle times the count is added to the answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from planner.attacks.attack import InconsistentScores
from planner.attacks.splitting.nodes import Counts, Digit

Positions = NDArray[Any]


class Weighing(Protocol):
    """One query."""

    def weights(self, positions: Positions) -> NDArray[Any]:
        """Half units that rows at these positions weigh; 0: the row is idle."""
        ...

    @property
    def back(self) -> int:
        """Half units that are known and left out of all answers."""
        ...


@dataclass(frozen=True)
class Count:
    """One unit a row: the answer is how many guesses are wrong."""

    def weights(self, positions: Positions) -> NDArray[Any]:
        """Two halves."""
        return np.full(len(positions), 2, dtype=np.int64)

    @property
    def back(self) -> int:
        """Nothing."""
        return 0


class RoundOfDigits:
    """The queries of one round, and how their answers are read."""

    def __init__(self, digits: list[Digit], queries: int) -> None:
        self.digits = sorted(digits, key=lambda digit: digit.node.start)
        self.queries = queries
        self.starts = _integers(digit.node.start for digit in self.digits)
        self.rows = _integers(digit.node.rows for digit in self.digits)
        self.ones = _integers(digit.node.ones for digit in self.digits)
        self.parts = _integers(digit.parts for digit in self.digits)
        self.places = _integers(digit.place for digit in self.digits)
        self.tops = _integers(digit.top for digit in self.digits)
        self.components = _integers(digit.component for digit in self.digits)
        self.populations = _integers(digit.component.bit_count() for digit in self.digits)
        self._asked: tuple[Positions, Positions, Positions] | None = None

    def weighings(self) -> list[Weighing]:
        """One a query of the design."""
        return [Turn(self, t) for t in range(self.queries)]

    def values(self, positions: Positions) -> tuple[Positions, Positions]:
        """For each row the number of its digit, -1: it is in none, and its part's value; kept from query to query."""
        if self._asked is None or self._asked[0] is not positions:
            number = np.searchsorted(self.starts, positions, side="right") - 1
            offset = positions - self.starts[number]
            inside = (number >= 0) & (offset < self.rows[number])
            part = np.where(inside, ((offset + 1) * self.parts[number] - 1) // self.rows[number], 0)
            self._asked = positions, np.where(inside, number, -1), self._worth(number, part)
        return self._asked[1:]

    def _worth(self, number: Positions, part: Positions) -> Positions:
        values: Positions = part * self.places[number]
        for k, digit in enumerate(self.digits):
            if digit.node.ones > 1 and digit.parts > 2:
                mine = number == k
                values[mine] = _integers(digit.value(each) for each in range(digit.parts))[part[mine]]
        return values

    # -- reading -----------------------------------------------------------------------------------------

    def read(self, answers: list[int]) -> list[Counts]:
        """Each digit's counts, from the answers in whole units; raises where none fit."""
        left = list(answers)
        counts: list[Counts] = [()] * len(self.digits)
        for component in reversed(range(self.queries)):
            mine = [k for k, digit in enumerate(self.digits) if digit.component == component]
            total = sum(-left[t] if t.bit_count() & 1 else left[t] for t in _subsets(component))
            self._read_component(total, mine, counts)
            self._take_off(left, mine, counts)
        if any(left):
            raise InconsistentScores("the answers fit no counts")
        return counts

    def _read_component(self, total: int, mine: list[int], counts: list[Counts]) -> None:
        """Mixed radix, from the top down."""
        total -= sum(self.digits[k].least * self.digits[k].place for k in mine)
        for k in sorted(mine, key=lambda k: -self.digits[k].place):
            number, total = divmod(total, self.digits[k].place)
            if not 0 <= number < self.digits[k].radix:
                raise InconsistentScores("the answers fit no counts")
            counts[k] = self.digits[k].read(number)

    def _take_off(self, left: list[int], mine: list[int], counts: list[Counts]) -> None:
        """What the component added to every answer."""
        pairs = [(self.digits[k].value(part), count) for k in mine for part, count in counts[k]]
        if not pairs:
            return
        values, times = (np.array(column, dtype=np.int64) for column in zip(*pairs, strict=True))
        component = self.digits[mine[0]].component
        shares: dict[int, int] = {}
        for t in range(self.queries):
            inside = t & component
            if inside not in shares:
                entries = (values + _extract(t, component)) >> component.bit_count()
                shared = int((entries * times).sum())
                shares[inside] = -shared if inside.bit_count() & 1 else shared
            left[t] -= shares[inside]


class Turn:
    """One query of a round."""

    def __init__(self, whole: RoundOfDigits, t: int) -> None:
        self.whole = whole
        components = range(whole.queries)
        self.signs = _integers(-1 if (t & j).bit_count() & 1 else 1 for j in components)[whole.components]
        self.added = _integers(_extract(t, j) for j in components)[whole.components]
        # The least value of a node is 0, and so is its entry: half the largest is the middle.
        self.twice_middle = (whole.tops + self.added) >> whole.populations

    def weights(self, positions: Positions) -> NDArray[Any]:
        """Twice the entry less the node's middle."""
        number, values = self.whole.values(positions)
        entries = (values + self.added[number]) >> self.whole.populations[number]
        weighed: NDArray[Any] = np.where(number >= 0, self.signs[number] * (2 * entries - self.twice_middle[number]), 0)
        return weighed

    @property
    def back(self) -> int:
        """Middles times counts."""
        return int((self.signs * self.twice_middle * self.whole.ones).sum())


def _integers(values: Iterable[int]) -> NDArray[Any]:
    return np.fromiter(values, dtype=np.int64)


def _extract(t: int, component: int) -> int:
    """The bits of t that the component selects, packed."""
    packed, place = 0, 1
    while component:
        low = component & -component
        packed += place if t & low else 0
        place, component = 2 * place, component ^ low
    return packed


def _subsets(component: int) -> list[int]:
    """All numbers whose bits the component has."""
    found, inside = [0], component
    while inside:
        found.append(inside)
        inside = (inside - 1) & component
    return found
