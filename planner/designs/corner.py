"""Rows of three states: not scored, scored and of class 0, scored and of class 1.

A row that is not scored adds nothing to a sum, whatever it submits; a scored row adds an integer b, between `low` and
`high`, for the class that is dear in that query, and nothing for the other. Component j of a Hermite-Lindström design,
p = popcount(j) >= 1, sees its 2^p slots, half of them even and half odd. On even slots class 1 is dear, on odd ones class 0.
If the b of either half sum to m, the alternating sum over the slots is m for class 1, -m for class 0 and 0 for a row that
is not scored. With m = c 3^k, c no multiple of 3, the sums of a component are read modulo 3, from k = 0 up.

Where `high` is 1 every row is always at 1, and m is made by turning slots: on 2^(p-1) - m of the even ones class 0 is dear
instead. What class 1 pays and what class 0 pays then still have opposite alternating sums, since 1 has the sum 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from dsl.alike import ByFields
from planner.designs.base import DesignError
from planner.designs.seeds import Group, Vector, settle_integers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from planner.designs.base import IntArray

STATES = 3


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Places(ByFields):
    """The rows of a component by their m: two columns a row, m for class 1 and -m for class 0."""

    sums: tuple[int, ...]

    @property
    def size(self) -> int:
        """Two columns a row."""
        return 2 * len(self.sums)

    @property
    def weights(self) -> tuple[int, ...]:
        """What each column adds to the component's sum."""
        return tuple(value for m in self.sums for value in (m, -m))

    def digits(self, sums: IntArray, ranks: IntArray | None = None) -> NDArray[Any]:
        """The columns behind each sum, place by place: at place k only rows from k on are left, and all but one of these
        add multiples of 3^(k+1)."""
        import numpy as np

        columns = np.zeros((len(sums), self.size), dtype=np.uint8)
        place = 1
        for k, m in enumerate(self.sums):
            rest = (sums // place) % STATES
            columns[:, 2 * k] = rest == m // place % STATES
            columns[:, 2 * k + 1] = rest == -(m // place) % STATES
            sums = sums - m * (columns[:, 2 * k].astype(sums.dtype) - columns[:, 2 * k + 1].astype(sums.dtype))
            if bool(np.any(sums % (place * STATES))):
                raise DesignError("a component's sum lies off its lattice: no state fits")
            place *= STATES
        if bool(np.any(sums)):
            raise DesignError("a component's sum is none of its rows': no state fits")
        return columns


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Corner(ByFields):
    """The seed of such a design: integers of one class between `low` and `high` gaps."""

    high: int
    low: int

    rows = 1
    unit = Fraction(1)
    matrix = ((1,),)
    extras: ClassVar[tuple[Vector, ...]] = ((),)

    @property
    def amplitude(self) -> Fraction:
        """The largest integer."""
        return Fraction(self.high)

    @property
    def name(self) -> str:
        """What a report calls it."""
        return f"Hermite-Lindström for three states, {self.low} to {self.high} gaps"

    def sound(self) -> bool:
        """Every row has a dear class in every query, so every integer is at least 1."""
        return 1 <= self.low <= self.high

    def groups(self, p: int) -> tuple[Group, ...]:
        """One group, read modulo 3."""
        return (Group((1,), 1, places(self.high, self.low, p)),)

    def slots(self, p: int, group: int, weight: int) -> list[Vector]:
        """What a column adds on every slot, less the sign that the slot has."""
        half, m = 1 << p - 1, abs(weight)
        found: list[Vector] = []
        for slot in range(1 << p):
            odd = slot.bit_count() & 1
            if self.high == 1:
                one_is_dear, value = not odd and slot >> 1 >= half - m, 1
            else:
                one_is_dear, value = not odd, m // half + (slot >> 1 < m % half)
            pays = one_is_dear if weight > 0 else not one_is_dear
            found.append(((-value if odd else value) if pays else 0,))
        return found

    def peak(self, p: int, group: int, weight: int) -> int:
        """The largest integer of a row."""
        return 1 if self.high == 1 else -(-abs(weight) >> p - 1)

    def settle(self, y: IntArray, bound: int) -> tuple[IntArray, NDArray[Any]]:
        """The nearest integers."""
        return settle_integers(y, bound)


@lru_cache(maxsize=4096)
def places(high: int, low: int, p: int) -> Places:
    """The rows of a component: m_k the largest c 3^k up to high 2^(p-1), c no multiple of 3, while its parts reach `low`."""
    if p == 0:
        return Places(())  # one slot: rows of class 0 and rows that are not scored look alike
    limit, found, place = high << p - 1, [], 1
    while place <= limit:
        c = limit // place
        m = (c - (c % STATES == 0)) * place
        if high > 1 and m >> p - 1 < low:
            break
        found.append(m)
        place *= STATES
    return Places(tuple(found))
