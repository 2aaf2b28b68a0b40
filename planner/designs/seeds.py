"""Seeds with integer entries: what one component of a Hermite-Lindström design may hold.

A seed fills blocks of `rows` queries. Each block of measurements is a vector of Z^d. The component of level p
holds groups of bits: a group's bits have vectors in Z^d on which its functional takes the weights of a set
with distinct subset sums, and they are subtracted before the next group is read. A vector m of level p is
spread over 2^p corners as floor((m + s) / 2^p), s = 0 .. 2^p - 1, which sum to m (Hermite) and stay
within the amplitude A as long as |m| <= A 2^p.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import gcd
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from dsl.alike import ByFields
from planner.designs.base import nearest_integers
from planner.designs.sets import LARGEST_TABLE, largest_set, set_size

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from planner.designs.base import IntArray

Vector = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Group(ByFields):
    """Bits read together: functional(vector) / divisor is the subset sum of `bits`."""

    functional: Vector
    divisor: int
    bits: Columns


class Columns(Protocol):
    """0/1 columns that a component's sum determines."""

    @property
    def size(self) -> int:
        """How many columns."""
        ...

    @property
    def weights(self) -> tuple[int, ...]:
        """What each column adds to the sum."""
        ...

    def digits(self, sums: IntArray, ranks: IntArray | None = None) -> NDArray[Any]:
        """The columns behind each sum, for components with these ranks in their level."""
        ...


class Seed(Protocol):
    """One block of queries and the components over it."""

    def __hash__(self) -> int: ...

    @property
    def rows(self) -> int:
        """Queries a block."""
        ...

    @property
    def unit(self) -> Fraction:
        """The fraction that entries are counted in."""
        ...

    @property
    def amplitude(self) -> Fraction:
        """Largest |entry|, in gaps."""
        ...

    @property
    def name(self) -> str:
        """What a report calls it."""
        ...

    @property
    def matrix(self) -> tuple[Vector, ...]:
        """Measurements of a block, in units, from its vector in Z^d: shape (rows, d)."""
        ...

    @property
    def extras(self) -> tuple[Vector, ...]:
        """Entries, in units, of labels that live in one block alone: shape (rows, labels)."""
        ...

    def sound(self) -> bool:
        """Whether its numbers are ones that the proof speaks of."""
        ...

    def groups(self, p: int) -> tuple[Group, ...]:
        """The groups of a component of popcount p, in the order they are read."""
        ...

    def slots(self, p: int, group: int, weight: int) -> list[Vector]:
        """The vectors of one bit on 2^q slots, q <= p; they sum to 2^(q-p) times its whole vector."""
        ...

    def peak(self, p: int, group: int, weight: int) -> int:
        """An upper bound on |entry| of that bit, in units."""
        ...

    def settle(self, y: IntArray, bound: int) -> tuple[IntArray, NDArray[Any]]:
        """Measurements in gaps (blocks, rows) to exact vectors (blocks, d) and the bits of the extras."""
        ...


def spread(vector: Vector, q: int) -> list[Vector]:
    """floor((m + s) / 2^q) for every slot s: integers that sum to m.

    Negative coordinates mirror positive ones, so that small ones, too, touch the last slots alone.
    """
    return [tuple((m + s) >> q if m >= 0 else -((s - m) >> q) for m in vector) for s in range(1 << q)]


def halvings(weight: int, p: int) -> int:
    """How often a weight of level p can be halved and pushed down a level."""
    return min(p, (weight & -weight).bit_length() - 1)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Scalar(ByFields):
    """One query a block: component p holds the largest set with weights up to A 2^p."""

    A: int
    largest_core: int = LARGEST_TABLE

    rows = 1
    unit = Fraction(1)
    matrix = ((1,),)
    extras: ClassVar[tuple[Vector, ...]] = ((),)

    @property
    def amplitude(self) -> Fraction:
        """The largest entry."""
        return Fraction(self.A)

    @property
    def name(self) -> str:
        """What a report calls it."""
        return f"Hermite-Lindström, amplitude {self.A}"

    def sound(self) -> bool:
        """Hermite's identity holds for every amplitude; sets of any size have distinct sums."""
        return self.A >= 1 and 1 <= self.largest_core <= LARGEST_TABLE

    def groups(self, p: int) -> tuple[Group, ...]:
        """One group, read off directly."""
        return (Group((1,), 1, largest_set(self.A << p, self.largest_core)),)

    def slots(self, p: int, group: int, weight: int) -> list[Vector]:
        """Hermite's floors, on no more slots than the weight needs."""
        k = halvings(weight, p)
        return spread((weight >> k,), p - k)

    def peak(self, p: int, group: int, weight: int) -> int:
        """The last slot's entry."""
        return -(-weight >> p)

    def settle(self, y: IntArray, bound: int) -> tuple[IntArray, NDArray[Any]]:
        """The nearest integers."""
        return settle_integers(y, bound)


STEEPEST = 24
"""Skews beyond this were never better in any amplitude tried."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Skew(ByFields):
    """Two queries a block: components read b x + a y first, then the multiples of (a, -b).

    With entries up to R = A 2^p the first functional takes every value up to R (a + b) - b (a - 1), and the
    second group weights up to R / a. The pair a, b is chosen so that both limits lie just above the maximum
    of a Conway-Guy set; a = b = 1 is the plain butterfly.
    """

    A: int
    largest_core: int = LARGEST_TABLE

    rows = 2
    unit = Fraction(1)
    matrix = ((1, 0), (0, 1))
    extras: ClassVar[tuple[Vector, ...]] = ((), ())

    @property
    def amplitude(self) -> Fraction:
        """The largest entry."""
        return Fraction(self.A)

    @property
    def name(self) -> str:
        """What a report calls it."""
        return f"Hermite-Lindström on skew pairs, amplitude {self.A}"

    def sound(self) -> bool:
        """The skew is worked out from the amplitude."""
        return self.A >= 1 and 1 <= self.largest_core <= LARGEST_TABLE

    def groups(self, p: int) -> tuple[Group, ...]:
        """The skew functional, then its kernel."""
        a, b = best_skew(self.A << p, self.largest_core)
        first, second = (largest_set(limit, self.largest_core) for limit in _skew_limits(self.A << p, a, b))
        return (Group((b, a), 1, first), Group((1, 0), a, second))

    def slots(self, p: int, group: int, weight: int) -> list[Vector]:
        """Hermite's floors of a vector with that weight; a small one goes to the last slot, which decodes faster."""
        vector, q = self._vector(p, group, weight)
        if max(map(abs, vector)) <= self.A:
            return [(0, 0)] * ((1 << q) - 1) + [vector]
        return spread(vector, q)

    def peak(self, p: int, group: int, weight: int) -> int:
        """The largest slot of the vector's larger coordinate."""
        vector, q = self._vector(p, group, weight)
        largest = max(map(abs, vector))
        return largest if largest <= self.A else -(-largest >> q)

    def _vector(self, p: int, group: int, weight: int) -> tuple[Vector, int]:
        """A vector with that weight, pushed down to the lowest level q where it fits."""
        a, b = best_skew(self.A << p, self.largest_core)
        for k in range(halvings(weight, p), -1, -1):
            part = weight >> k
            vector = _smallest(part, a, b) if group == 0 else (part * a, -part * b)
            if max(map(abs, vector)) <= self.A << (p - k):
                return vector, p - k
        raise AssertionError("a weight within the skew's limits has a vector")

    def settle(self, y: IntArray, bound: int) -> tuple[IntArray, NDArray[Any]]:
        """The nearest integers."""
        return settle_integers(y, bound)


def _skew_limits(R: int, a: int, b: int) -> tuple[int, int]:
    return R * (a + b) - b * (a - 1), R // a


@lru_cache(maxsize=4096)
def best_skew(R: int, largest_core: int = LARGEST_TABLE) -> tuple[int, int]:
    """The coprime pair a >= b that holds most bits with vectors up to R; of equals, the one of smallest numbers."""

    def bits(a: int, b: int) -> int:
        return sum(set_size(limit, largest_core) for limit in _skew_limits(R, a, b))

    best, most = (1, 0), -1
    for a in range(1, min(STEEPEST, R) + 1):
        # The limits never fall as b grows: the last b of an a says whether any can be better.
        steepest = max(a - 1, 1)
        if bits(a, steepest) > most:
            most = bits(a, steepest)
            best = next((a, b) for b in range(steepest + 1) if gcd(a, b) == 1 and bits(a, b) == most)
    return best


def _smallest(weight: int, a: int, b: int) -> Vector:
    """The vector (x, y) with b x + a y = weight and least maximum: the best two lie around x = y."""
    x0 = weight * pow(b, -1, a) % a if a > 1 else 0
    x0 += (weight // (a + b) - x0) // a * a
    return min(((x, (weight - b * x) // a) for x in (x0, x0 + a)), key=lambda v: max(map(abs, v)))


def settle_integers(y: IntArray, bound: int) -> tuple[IntArray, NDArray[Any]]:
    """Measurements of integer entries: the nearest integers, and no extras."""
    import numpy as np

    return nearest_integers(y, bound), np.zeros((len(y), 0), dtype=np.uint8)
