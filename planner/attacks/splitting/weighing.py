"""Queries as integers: how many half units each row weighs, and what the answers say.

The answers of a round are those of one Hermite-Lindström design. In component j, p = popcount(j), a part of value v has in
query t the entry (-1)^popcount(t & j) floor((v + pext(t, j))/2^p), pext the bits of t that j selects. The entries of a node
lie within an amplitude of each other; how many wrong guesses it has is known, so all its entries are moved by their
middle, and the middle times the count is added to the answer.
"""

from __future__ import annotations

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
        nodes = [digit.node for digit in self.digits]
        self.starts = np.array([node.start for node in nodes], dtype=np.int64)
        self.rows = np.array([node.rows for node in nodes], dtype=np.int64)
        self.ones = np.array([node.ones for node in nodes], dtype=np.int64)
        self.parts = np.array([digit.parts for digit in self.digits], dtype=np.int64)
        self.components = np.array([digit.component for digit in self.digits], dtype=np.int64)
        self.populations = np.array([digit.component.bit_count() for digit in self.digits], dtype=np.int64)
        self.tops = np.array([digit.top for digit in self.digits], dtype=np.int64)

    def weighings(self) -> list[Weighing]:
        """One a query of the design."""
        return [Turn(self, t) for t in range(self.queries)]

    def places(self, positions: Positions) -> tuple[NDArray[Any], NDArray[Any]]:
        """For each row the number of its digit and its part's value; -1: the row is in none."""
        number = np.searchsorted(self.starts, positions, side="right") - 1
        offset = positions - self.starts[number]
        inside = (number >= 0) & (offset < self.rows[number])
        number = np.where(inside, number, -1)
        part = np.where(inside, ((offset + 1) * self.parts[number] - 1) // self.rows[number], 0)
        return number, self._values(number, part)

    def _values(self, number: NDArray[Any], part: NDArray[Any]) -> NDArray[Any]:
        places = np.array([digit.place for digit in self.digits], dtype=np.int64)
        values = part * places[number]
        for k, digit in enumerate(self.digits):
            if digit.node.ones > 1 and digit.parts > 2:
                table = np.array([digit.value(each) for each in range(digit.parts)], dtype=np.int64)
                mine = number == k
                values[mine] = table[part[mine]]
        return values

    def entries(self, t: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """For each digit in query t: the sign, what is added to a value before it is divided, twice the middle."""
        added = np.array([_extract(t, int(j)) for j in self.components], dtype=np.int64)
        signs = np.array([-1 if (t & int(j)).bit_count() & 1 else 1 for j in self.components], dtype=np.int64)
        middles = (self.tops + added) >> self.populations  # the least value is 0, and its entry 0
        return signs, added, middles

    # -- reading -----------------------------------------------------------------------------------------

    def read(self, answers: list[int]) -> list[Counts]:
        """Each digit's counts, from the answers in whole units; raises where none fit."""
        left = list(answers)
        counts: list[Counts] = [()] * len(self.digits)
        for component in reversed(range(self.queries)):
            mine = [k for k, digit in enumerate(self.digits) if digit.component == component]
            total = sum((-1) ** t.bit_count() * left[t] for t in _subsets(component))
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
                shares[inside] = int((entries * times).sum()) * (-1) ** inside.bit_count()
            left[t] -= shares[inside]


class Turn:
    """One query of a round."""

    def __init__(self, round_: RoundOfDigits, t: int) -> None:
        self.round, self.t = round_, t

    def weights(self, positions: Positions) -> NDArray[Any]:
        """Twice the entry less the node's middle."""
        number, values = self.round.places(positions)
        return self.of_values(number, values)

    def of_values(self, number: NDArray[Any], values: NDArray[Any]) -> NDArray[Any]:
        """The same where digits and values are known already."""
        signs, added, middles = self.round.entries(self.t)
        entries = (values + added[number]) >> self.round.populations[number]
        weighed: NDArray[Any] = np.where(number >= 0, signs[number] * (2 * entries - middles[number]), 0)
        return weighed

    @property
    def back(self) -> int:
        """Middles times counts."""
        signs, _, middles = self.round.entries(self.t)
        return int((signs * middles * self.round.ones).sum())


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
