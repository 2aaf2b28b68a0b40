"""Seeds with real entries, for amplitudes between the integers.

Blocks of s = 2 or 4 queries measure c H (Z^s + glue), H the Hadamard matrix of order s: a few cosets of a
coarse lattice, so spaced that any two points differ by at least one gap in some query. A block's
measurements settle on the nearest point by trying every coset.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache, reduce
from itertools import product
from operator import or_
from typing import TYPE_CHECKING, Any, ClassVar

from dsl.alike import ByFields
from planner.designs.base import DesignError
from planner.designs.seeds import Group, Vector, halvings, spread
from planner.designs.sets import LARGEST_TABLE, BitSet, conway_guy, largest_set

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from planner.designs.base import IntArray

FLOAT_LIMIT = 2**32
"""Settling works in float64: measurements beyond this would lose a millionth of a gap and more to rounding."""

HADAMARD: dict[int, tuple[Vector, ...]] = {
    2: ((1, 1), (1, -1)),
    4: ((1, 1, 1, 1), (1, -1, 1, -1), (1, 1, -1, -1), (1, -1, -1, 1)),
}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PairStage(ByFields):
    """(y0, y1) = 3/2 H (v0, v1) + [[1, -1/2], [1/2, 1]] z: two bits z a block for half the amplitude more.

    Any two points with integer v and binary z differ by 1 in y0 or y1. v0 and v1 hold sets up to B 2^p.
    """

    B: int

    rows = 2
    unit = Fraction(1, 2)
    matrix: ClassVar[tuple[Vector, ...]] = ((3, 3), (3, -3))
    extras: ClassVar[tuple[Vector, ...]] = ((2, -1), (1, 2))

    @property
    def amplitude(self) -> Fraction:
        """Three halves of what v holds."""
        return Fraction(3 * self.B, 2)

    @property
    def name(self) -> str:
        """What a report calls it."""
        return f"pair stage over Hermite-Lindström, amplitude {self.amplitude}"

    def sound(self) -> bool:
        """Points are 1 apart whatever v holds."""
        return self.B >= 1

    def groups(self, p: int) -> tuple[Group, ...]:
        """v0, then v1."""
        bits = largest_set(self.B << p)
        return Group((1, 0), 1, bits), Group((0, 1), 1, bits)

    def slots(self, p: int, group: int, weight: int) -> list[Vector]:
        """Hermite's floors in one coordinate."""
        k = halvings(weight, p)
        return spread((weight >> k, 0) if group == 0 else (0, weight >> k), p - k)

    def peak(self, p: int, group: int, weight: int) -> int:
        """Three halves of the last slot."""
        return 3 * -(-weight >> p)

    def settle(self, y: IntArray, bound: int) -> tuple[IntArray, NDArray[Any]]:
        """The nearest of the four cosets z."""
        import numpy as np

        choices = list(product((0, 1), repeat=2))
        shifts = np.array(choices) @ np.array(self.extras).T / 2
        v, nearest = _nearest_coset(y, bound, Fraction(3, 2), shifts)
        return v, np.array(choices, dtype=np.uint8)[nearest]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Lattice(ByFields):
    """c H (Z^s + Z glue / kappa): a lattice of minimum 1 in the largest coordinate.

    Its points are n1 glue/kappa + n2 e2 + ... + ns es. The first group's bits weigh up to about
    multiple * kappa * 2^p in n1, the others up to multiple * 2^p in one of n2 .. ns.
    """

    c: Fraction
    kappa: int
    glue: Vector
    multiple: int = 1

    @property
    def rows(self) -> int:
        """The order of the Hadamard matrix."""
        return len(self.glue)

    @property
    def unit(self) -> Fraction:
        """One step of the glue."""
        return self.c / self.kappa

    @property
    def amplitude(self) -> Fraction:
        """What every slot stays within."""
        return self.c * self.multiple

    @property
    def name(self) -> str:
        """What a report calls it."""
        return f"Hermite-Lindström on a lattice of {self.rows} rows, amplitude {self.amplitude}"

    @property
    def extras(self) -> tuple[Vector, ...]:
        """None."""
        return ((),) * self.rows

    @property
    def matrix(self) -> tuple[Vector, ...]:
        """H times the basis, in steps of the glue."""
        return tuple(
            (sum(h * g for h, g in zip(line, self.glue, strict=True)), *(self.kappa * h for h in line[1:]))
            for line in HADAMARD[self.rows]
        )

    def sound(self) -> bool:
        """Only lattices whose minimum was looked through."""
        return self.multiple >= 1 and any(
            (one.c, one.kappa, one.glue) == (self.c, self.kappa, self.glue) for one in LATTICES
        )

    def groups(self, p: int) -> tuple[Group, ...]:
        """n1 first, whose slots also move the other coordinates; then those."""
        rest = largest_set(self.multiple << p)
        axes = [tuple(int(i == k) for i in range(self.rows)) for k in range(self.rows)]
        return Group(axes[0], 1, glue_set(self, p)), *(Group(axis, 1, rest) for axis in axes[1:])

    def slots(self, p: int, group: int, weight: int) -> list[Vector]:
        """Steps of the glue that fill the weight, or Hermite's floors along an axis."""
        k = halvings(weight, p)
        if group:
            return spread(tuple((weight >> k) * (i == group) for i in range(self.rows)), p - k)
        while (steps := _filled(self, weight >> k, 1 << p - k)) is None:
            k -= 1
        vectors = _steps(self)
        return [vectors[step] for step in steps]

    def peak(self, p: int, group: int, weight: int) -> int:
        """The amplitude: any slot may reach it."""
        return self.multiple * self.kappa

    def settle(self, y: IntArray, bound: int) -> tuple[IntArray, NDArray[Any]]:
        """The nearest of the kappa cosets."""
        import numpy as np

        glue, H = np.array(self.glue), np.array(HADAMARD[self.rows])
        shifts = float(self.unit) * np.arange(self.kappa)[:, None] * (H @ glue)
        v, nearest = _nearest_coset(y, bound, self.c, shifts)
        n1 = nearest + self.kappa * v[:, 0]
        rest = v[:, 1:] - v[:, :1] * glue[1:]
        return np.column_stack([n1, rest]), np.zeros((len(v), 0), dtype=np.uint8)


@lru_cache(maxsize=512)
def glue_set(lattice: Lattice, p: int) -> BitSet:
    """The largest set whose weights the steps of the glue can all fill on 2^p slots."""
    limit = lattice.multiple * lattice.kappa << p
    sets = [
        BitSet(core, doublings)
        for core in range(1, LARGEST_TABLE + 1)
        for doublings in range((limit // conway_guy(core)[-1]).bit_length())
    ]
    sets.sort(key=lambda bits: (-bits.size, bits.core))
    return next((bits for bits in sets if _fits(lattice, bits, p)), BitSet(0))


def _fits(lattice: Lattice, bits: BitSet, p: int) -> bool:
    return all(_filled(lattice, weight, 1 << p, listed=False) is not None for weight in bits.weights)


@cache
def _steps(lattice: Lattice) -> dict[int, Vector]:
    """For every n1 that one slot may hold, the coordinates that keep its entries within the amplitude."""
    found: dict[int, Vector] = {}
    limit, matrix = lattice.multiple * lattice.kappa, lattice.matrix
    for n1 in range(limit + 1):
        floors = [-(n1 * g // lattice.kappa) for g in lattice.glue[1:]]
        for nudge in product((0, -1), repeat=lattice.rows - 1):
            vector = (n1, *(f + d for f, d in zip(floors, nudge, strict=True)))
            if all(abs(sum(m * v for m, v in zip(line, vector, strict=True))) <= limit for line in matrix):
                found[n1] = vector
                break
    return found


@cache
def _reach(lattice: Lattice) -> tuple[int, ...]:
    """Bit T of entry k: some k steps sum to T. The last entry holds every T below twice the largest step."""
    steps = _steps(lattice)
    everything = (1 << 2 * max(steps)) - 1
    reach = [1]
    while reach[-1] != everything:
        reach.append(reduce(or_, (reach[-1] << step for step in steps)) & everything)
    return tuple(reach)


def _filled(lattice: Lattice, weight: int, slots: int, listed: bool = True) -> list[int] | None:
    """Steps on that many slots that sum to the weight: mostly the largest step, the rest as few as can be."""
    reach, largest = _reach(lattice), max(_steps(lattice))
    full = max(0, -((2 * largest - 1 - weight) // largest))
    rest = weight - full * largest
    needed = next(k for k, totals in enumerate(reach) if totals >> rest & 1)
    if full + needed > slots:
        return None
    if not listed:
        return []
    steps = [largest] * full
    for k in reversed(range(needed)):
        steps.append(next(s for s in _steps(lattice) if s <= rest and reach[k] >> rest - s & 1))
        rest -= steps[-1]
    return steps + [0] * (slots - len(steps))


def _nearest_coset(y: IntArray, bound: int, c: Fraction, shifts: NDArray[Any]) -> tuple[IntArray, NDArray[Any]]:
    """The point c H v + shift nearest to each y in the largest coordinate: v, and which shift."""
    import numpy as np

    if bound > FLOAT_LIMIT:
        raise DesignError("measurements too large for a seed with real entries")
    points = y.astype(np.float64)
    if not bool(np.all(np.abs(points) <= bound)):
        raise DesignError("a measurement is not finite or larger than any labeling gives")
    rows = points.shape[1]
    H = np.array(HADAMARD[rows])
    best = np.full(len(points), np.inf)
    vectors = np.zeros(points.shape, dtype=np.int64)
    nearest = np.zeros(len(points), dtype=np.int64)
    for k, shift in enumerate(shifts):
        v = np.rint((points - shift) @ H / (rows * float(c)))
        distance = np.abs(points - shift - float(c) * v @ H.T).max(axis=1)
        closer = distance < best
        best[closer], nearest[closer], vectors[closer] = distance[closer], k, v[closer]
    if bool(np.any(best >= 0.5)):
        raise DesignError("a block of measurements is half a gap from every point: no labeling fits")
    return vectors, nearest


LATTICES = (
    Lattice(Fraction(5, 4), 25, (1, 4, 6, 9)),
    Lattice(Fraction(35, 26), 35, (1, 7, 11, 16)),
    Lattice(Fraction(53, 37), 53, (1, 4, 14, 30)),
    Lattice(Fraction(61, 41), 61, (1, 4, 15, 37)),
    Lattice(Fraction(13, 5), 13, (1, 5)),
    Lattice(Fraction(25, 7), 25, (1, 7)),
)
"""Found by exhaustive search over the glue; the tests check each minimum."""
