"""Sets of digits with distinct sums: what a component holds when labels have more than two classes.

A digit of radix rho adds one of rho values, the first of them 0. Low digits stand in mixed radix; above them
stands a core, scaled by all radices below: a set found to have distinct sums with a smaller maximum than mixed
radix needs. Cores of bits are Conway-Guy's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache, reduce
from operator import or_
from typing import TYPE_CHECKING, Any

from planner.designs.base import DesignError
from planner.designs.sets import conway_guy
from planner.numerics.lockless import cached_property

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from planner.designs.base import IntArray

Core = tuple[tuple[int, ...], ...]
"""For every digit of the core, the values of its classes 1, 2, ..."""

MOST_SUMS = 2**16
"""Choices of a core's digits that are looked through; larger cores are not believed."""

LARGEST_BIT_CORE = 14
"""Larger Conway-Guy cores would need tables of many megabytes under other digits."""

FOUND: dict[int, tuple[Core, ...]] = {
    3: (
        ((6, 12), (7, 14), (11, 15)),
        ((4, 41), (19, 38), (20, 40), (26, 33)),
    ),
    4: (
        ((1, 9, 10), (3, 5, 7)),
        ((1, 10, 26), (4, 34, 38), (15, 17, 32)),
    ),
    5: (
        ((1, 2, 14, 15), (5, 8, 11, 16)),
        ((3, 49, 71, 77), (5, 25, 75, 80), (15, 30, 45, 60)),
    ),
    7: (((2, 4, 29, 31, 33, 35), (3, 13, 14, 21, 26, 37)),),
}
"""Cores found by search, by radix: the tests check their sums exhaustively."""


@dataclass(frozen=True)
class DigitSet:
    """Low digits of radices `low`, lowest place first, then the core."""

    low: tuple[int, ...]
    core: Core

    def distinct(self) -> bool:
        """Whether every choice of digits has a sum of its own: mixed radix does, and the core is looked through."""
        return all(radix >= 2 for radix in self.low) and has_distinct_sums(self.core)

    def digit_costs(self, p: int, count: int) -> Iterator[tuple[int, int, int, int]]:
        """For every digit on level p: radix, largest entry, and the first and past-the-last component."""
        for radix, largest in self._largest:
            yield radix, -(-largest >> p), 0, count

    @cached_property
    def _largest(self) -> tuple[tuple[int, int], ...]:
        """Every digit's radix and largest value."""
        return tuple((len(values) + 1, max(values)) for values in self.digits_values)

    def cost_counts(self, radix: int, p: int, count: int) -> Iterator[tuple[int, int]]:
        """How many digits of one radix have which cost in `count` components of level p."""
        if (radix, p) not in self._counted:
            costs = Counter(-(-largest >> p) for kind, largest in self._largest if kind == radix)
            self._counted[radix, p] = tuple(costs.items())
        return ((cost, number * count) for cost, number in self._counted[radix, p])

    @cached_property
    def _counted(self) -> dict[tuple[int, int], tuple[tuple[int, int], ...]]:
        """What `cost_counts` has counted so far: a search asks for the same sets again and again."""
        return {}

    @cached_property
    def digits_values(self) -> tuple[tuple[int, ...], ...]:
        """Every digit's values of the classes 1, 2, ..., lowest place first."""
        values: list[tuple[int, ...]] = []
        place = 1
        for radix in self.low:
            values.append(tuple(place * v for v in range(1, radix)))
            place *= radix
        return (*values, *(tuple(place * v for v in digit) for digit in self.core))

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """The values one after the other: one column for each class but the first of each digit."""
        return tuple(v for values in self.digits_values for v in values)

    @property
    def size(self) -> int:
        """Columns."""
        return len(self.weights)

    def digits(self, sums: IntArray, ranks: IntArray | None = None) -> NDArray[Any]:
        """The columns (uint8) that are switched on behind each sum; DesignError if some sum is none."""
        import numpy as np

        columns = np.zeros((len(sums), self.size), dtype=np.uint8)
        at = 0
        for radix in self.low:
            columns[:, at : at + radix - 1] = (sums % radix)[:, None] == np.arange(1, radix)
            sums = sums // radix
            at += radix - 1
        table, choices = _core_table(self.core)
        if len(sums) and not bool(np.all((sums >= 0) & (sums < len(table)))):
            raise DesignError("a component's sum is out of range: no labeling fits")
        chosen = table[sums.astype(np.int64)]
        if bool(np.any(chosen < 0)):
            raise DesignError("a component's sum is none of its digits': no labeling fits")
        columns[:, at:] = choices[chosen]
        return columns


@dataclass(frozen=True)
class Split:
    """A level whose first `at` components hold one set of digits and the others another."""

    first: DigitSet
    second: DigitSet
    at: int

    def distinct(self) -> bool:
        """Whether both sets have distinct sums."""
        return self.at >= 0 and self.first.distinct() and self.second.distinct()

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """The columns of both; a component uses its own."""
        return self.first.weights + self.second.weights

    @property
    def size(self) -> int:
        """Columns."""
        return len(self.weights)

    def digits(self, sums: IntArray, ranks: IntArray | None = None) -> NDArray[Any]:
        """The columns switched on, each component read by its own set."""
        import numpy as np

        assert ranks is not None
        early = ranks < self.at
        columns = np.zeros((len(sums), self.size), dtype=np.uint8)
        columns[early, : self.first.size] = self.first.digits(sums[early])
        columns[~early, self.first.size :] = self.second.digits(sums[~early])
        return columns

    def digit_costs(self, p: int, count: int) -> Iterator[tuple[int, int, int, int]]:
        """For every digit on level p: radix, largest entry, and the first and past-the-last component."""
        for radix, cost, _, _ in self.first.digit_costs(p, count):
            yield radix, cost, 0, self.at
        for radix, cost, _, _ in self.second.digit_costs(p, count):
            yield radix, cost, self.at, count

    def cost_counts(self, radix: int, p: int, count: int) -> Iterator[tuple[int, int]]:
        """How many digits of one radix have which cost in `count` components of level p."""
        yield from self.first.cost_counts(radix, p, self.at)
        yield from self.second.cost_counts(radix, p, count - self.at)


Held = DigitSet | Split
"""What the components of one level hold."""


@cache
def has_distinct_sums(core: Core) -> bool:
    """Whether all choices of one value a digit, or none, have different sums: all of them are formed.

    Sums are kept as the bits of one integer: a core of 14 bits has 16,384 of them.
    """
    sums, count = 1, 1
    for values in core:
        count *= len(values) + 1
        if not values or min(values) < 1 or max(values) > MOST_SUMS or count > MOST_SUMS:
            return False
        sums = reduce(or_, (sums << value for value in values), sums)
    return sums.bit_count() == count


@cache
def _core_table(core: Core) -> tuple[NDArray[Any], NDArray[Any]]:
    """choice[sum], -1 where there is none, and the columns that each choice switches on."""
    import numpy as np

    sums = np.zeros(1, dtype=np.int64)
    columns = np.zeros((1, 0), dtype=np.uint8)
    for values in core:
        steps = np.array((0, *values))
        switched = np.eye(len(steps), dtype=np.uint8)[:, 1:]
        columns = np.concatenate([np.tile(columns, (len(steps), 1)), np.repeat(switched, len(sums), axis=0)], axis=1)
        sums = (sums + steps[:, None]).ravel()
    table = np.full(int(sums.max()) + 1, -1, dtype=np.int64)
    table[sums] = np.arange(len(sums))
    return table, columns


@cache
def cores(radix: int) -> tuple[tuple[Core, int], ...]:
    """The cores of one radix, each with its largest value: a single digit, and those that beat mixed radix."""
    single: Core = (tuple(range(1, radix)),)
    found: tuple[Core, ...] = (single, *FOUND.get(radix, ()))
    if radix == 2:
        found = tuple(tuple((v,) for v in conway_guy(size)) for size in range(1, LARGEST_BIT_CORE + 1))
    return tuple((core, max(max(values) for values in core)) for core in found)


@dataclass(frozen=True, slots=True)
class Option:
    """One way to fill a component: how many digits of the main radix, how many bits, and the digits."""

    main: int
    bits: int
    held: DigitSet


@lru_cache(maxsize=4096)
def _digit_set(bits: int, radix: int, main: int, core: Core) -> DigitSet:
    """Low bits, main digits and a core: one object for one set, since most limits share theirs."""
    return DigitSet((2,) * bits + (radix,) * main, core)


def options(limit: int, radix: int, bits_on_top: bool) -> list[Option]:
    """The fillings with values up to `limit` that no other filling beats in digits of `radix` and bits.

    Whatever stands in a core is dear: with bits on top, at most one main digit does.
    """
    best: dict[int, tuple[int, int, Core]] = {}  # by main digits: bits, low main digits, core
    for kind in dict.fromkeys((2, radix) if bits_on_top else (radix, 2)):
        for core, top in cores(kind)[: 1 if bits_on_top and kind != 2 else None]:
            mains, bits = (0, len(core)) if kind == 2 else (len(core), 0)
            room, main = limit // top, mains
            while room:
                total, known = bits + room.bit_length() - 1, best.get(main)
                if known is None or total > known[0]:
                    best[main] = total, main - mains, core
                if radix == 2:
                    break
                room //= radix
                main += 1
    found: list[Option] = []
    for main in sorted(best, reverse=True):
        bits, low, core = best[main]
        if not found or bits > found[-1].bits:
            small = bits - len(core) if len(core[0]) == 1 else bits
            found.append(Option(main, bits, _digit_set(small, radix, low, core)))
    return found
