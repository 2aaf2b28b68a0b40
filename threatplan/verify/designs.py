"""Designs from their records: how many labels they hold, how large their entries are, how large a row's together.

Component j of a Hermite-Lindström design, p = popcount(j), holds integers of size up to A 2^p, spread over the 2^p
queries that see it as floors that sum to them; its bits are read from a set with distinct subset sums. So the labels of
a design follow from the popcounts of its block numbers and the sizes of such sets.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import ceil, gcd
from typing import Any

from threatplan.verify import reading
from threatplan.verify.kary import kary
from threatplan.verify.reading import Unreadable
from threatplan.verify.sets import bit_set, conway_guy, largest_set, popcounts

LARGEST = 2**128  # number in a design
LARGEST_CORE = 18  # of sets in designs with real entries
STEEPEST = 24  # of skew functionals
FLOAT_LIMIT = 2**32  # measurements that a decoder of real entries takes
HADAMARD = {2: ((1, 1), (1, -1)), 4: ((1, 1, 1, 1), (1, -1, 1, -1), (1, 1, -1, -1), (1, -1, -1, 1))}
Vector = tuple[int, ...]


@dataclass(frozen=True)
class Design:
    """What a certificate needs to know of a design."""

    M: int
    K: int
    capacity: int
    amplitude: Fraction
    full_l1: Fraction  # of any row with all labels
    sound: bool = True  # whether sums determine the labels, and its decoder takes them

    def l1(self, labels: int) -> Fraction:
        """A bound on the sum of |entry| over any row of so many labels."""
        return min(self.full_l1, labels * self.amplitude)


@dataclass(frozen=True)
class Level:
    """What a component of one popcount holds: how many labels, and the sum of their largest entries, in units."""

    size: int
    l1: int


def butterfly_capacity(M: int, size: int) -> int:
    """Base labels of M components, and one more for each bit of each number below M."""
    return size * M + sum(p * count for p, count in enumerate(popcounts(M)))


def design_of(data: reading.Data) -> Design:
    """The design of a record."""
    if any(type(size) is int and abs(size) > LARGEST for size in data.values()):
        raise Unreadable("a design with absurd numbers")
    kind = reading.text_of(data, "type")
    if kind == "butterfly":
        return _butterfly(data)
    if kind == "lindstrom":
        return _lindstrom(data)
    if kind == "kary":
        found = kary(data)
        capacity, A = found.capacity, Fraction(found.A)
        return Design(found.M, found.K, capacity, A, capacity * A, found.sound)
    raise Unreadable(f"a design unknown to this checker: {kind[:40]!r}")


def _butterfly(data: reading.Data) -> Design:
    reading.only(data, "type", "M", "base")
    M, base = reading.whole(data, "M", 1), reading.record(data, "base")
    reading.only(base, "type", "core", "doublings")
    weights = bit_set(reading.whole(base, "core"), _short(base, "doublings"))
    if not weights:
        raise Unreadable("a butterfly without a base")
    top = Fraction(max(weights))
    return Design(M, 2, butterfly_capacity(M, len(weights)), top, Fraction(M * sum(weights) + M - 1))


def _short(data: reading.Data, name: str) -> int:
    value = reading.whole(data, name)
    if value > 10_000:
        raise Unreadable(f"`{name}` is {value:,}")
    return value


def _lindstrom(data: reading.Data) -> Design:
    reading.only(data, "type", "blocks", "seed")
    blocks, seed = reading.whole(data, "blocks", 1), _seed(reading.record(data, "seed"))
    levels = [(count, seed.level(p)) for p, count in enumerate(popcounts(blocks)) if count]
    singles = seed.singles
    capacity = sum(count * level.size for count, level in levels) + blocks * len(singles[0])
    l1 = sum(count * level.l1 for count, level in levels) + max(sum(map(abs, row)) for row in singles)
    largest = int(min(l1 * seed.unit, capacity * seed.amplitude)) + 1
    read = not seed.real or largest <= FLOAT_LIMIT
    return Design(blocks * seed.rows, 2, capacity, seed.amplitude, l1 * seed.unit, read)


# -- seeds ---------------------------------------------------------------------------------------------


class Seed(ABC):
    """One block of queries."""

    rows = 1
    unit = Fraction(1)
    amplitude: Fraction
    singles: tuple[Vector, ...] = ((),)  # entries of labels that live in one block alone
    real = False  # entries that are no integers

    @abstractmethod
    def level(self, p: int) -> Level:
        """What a component of popcount p holds."""


def _seed(data: dict[str, Any]) -> Seed:
    kind = reading.text_of(data, "type")
    if kind not in SEEDS:
        raise Unreadable(f"a seed unknown to this checker: {kind[:40]!r}")
    seed: Seed = SEEDS[kind](data)
    return seed


class Scalar(Seed):
    """One query a block: the largest set up to A 2^p, each weight's entries at most its 2^p-th part, rounded up."""

    def __init__(self, data: reading.Data) -> None:
        reading.only(data, "type", "A", "largest_core")
        self.A, self.core = reading.whole(data, "A", 1), reading.whole(data, "largest_core", 1)
        if self.A > LARGEST:
            raise Unreadable("a seed with an absurd amplitude")
        self.amplitude = Fraction(self.A)

    def level(self, p: int) -> Level:
        """The weights of one set."""
        weights = bit_set(*largest_set(self.A << p, self.core))
        return Level(len(weights), sum(-(-weight >> p) for weight in weights))


class Skew(Seed):
    """Two queries a block: b x + a y is read first, then the multiples of (a, -b), which that functional misses."""

    rows = 2
    singles = ((), ())

    def __init__(self, data: reading.Data) -> None:
        reading.only(data, "type", "A", "largest_core")
        self.A, self.core = reading.whole(data, "A", 1), reading.whole(data, "largest_core", 1)
        if self.A > LARGEST:
            raise Unreadable("a seed with an absurd amplitude")
        self.amplitude = Fraction(self.A)

    def level(self, p: int) -> Level:
        """Both sets, at the slope that holds most."""
        R = self.A << p
        a, b = _slope(R, self.core)
        first, second = (bit_set(*largest_set(limit, self.core)) for limit in _skew_limits(R, a, b))
        peaks = [self._peak(p, weight, a, b, kernel=False) for weight in first]
        peaks += [self._peak(p, weight, a, b, kernel=True) for weight in second]
        return Level(len(peaks), sum(peaks))

    def _peak(self, p: int, weight: int, a: int, b: int, kernel: bool) -> int:
        """The largest entry of a vector of that weight, on as few queries as it can be pushed to."""
        even = min(p, (weight & -weight).bit_length() - 1)
        for k in range(even, -1, -1):
            part, q = weight >> k, p - k
            largest = max(part * a, part * b) if kernel else _smallest(part, a, b)
            if largest <= self.A << q:
                return largest if largest <= self.A else -(-largest >> q)
        raise Unreadable("a weight beyond the reach of a skew pair")


def _skew_limits(R: int, a: int, b: int) -> tuple[int, int]:
    """Up to which both functionals of vectors with entries up to R take every value."""
    return R * (a + b) - b * (a - 1), R // a


@lru_cache(maxsize=4096)
def _slope(R: int, core: int) -> tuple[int, int]:
    """The coprime pair that holds most bits: of equals the least a, then the least b."""

    def held(a: int, b: int) -> int:
        return sum(sum(largest_set(limit, core)) for limit in _skew_limits(R, a, b))

    pairs = [(a, b) for a in range(1, min(STEEPEST, R) + 1) for b in range(max(a - 1, 1) + 1) if gcd(a, b) == 1]
    return max(pairs, key=lambda pair: (held(*pair), -pair[0], -pair[1]))


def _smallest(weight: int, a: int, b: int) -> int:
    """The least maximum of |x|, |y| over integers with b x + a y = weight."""
    x0 = weight * pow(b, -1, a) % a if a > 1 else 0
    x0 += (weight // (a + b) - x0) // a * a
    return min(max(abs(x), abs((weight - b * x) // a)) for x in (x0, x0 + a))


class Pair(Seed):
    """(y0, y1) = 3/2 H v + [[1, -1/2], [1/2, 1]] z: sets up to B 2^p in v0 and v1, and two bits z a block."""

    rows = 2
    unit = Fraction(1, 2)
    singles = ((2, -1), (1, 2))
    real = True

    def __init__(self, data: reading.Data) -> None:
        reading.only(data, "type", "B")
        self.B = reading.whole(data, "B", 1)
        if self.B > LARGEST:
            raise Unreadable("a seed with an absurd amplitude")
        self.amplitude = Fraction(3 * self.B, 2)

    def level(self, p: int) -> Level:
        """The same set twice."""
        weights = bit_set(*largest_set(self.B << p, LARGEST_CORE))
        return Level(2 * len(weights), 2 * sum(3 * -(-weight >> p) for weight in weights))


class Lattice(Seed):
    """c H (Z^s + Z glue/kappa), a lattice whose points differ by 1 in some coordinate."""

    real = True

    def __init__(self, data: reading.Data) -> None:
        reading.only(data, "type", "c", "kappa", "glue", "multiple")
        self.c, self.kappa = reading.rational(data, "c"), reading.whole(data, "kappa", 1)
        self.glue = tuple(reading.items(data, "glue"))
        self.multiple = reading.whole(data, "multiple", 1)
        if len(self.glue) not in HADAMARD or not all(type(g) is int and 0 <= g < self.kappa for g in self.glue):
            raise Unreadable("`glue` is no vector of two or four small integers")
        if self.c < 1 or self.multiple * self.kappa > 4096 or not self._apart():
            raise Unreadable("a lattice with points less than 1 apart, or too fine to check")
        self.rows = len(self.glue)
        self.unit, self.amplitude = self.c / self.kappa, self.c * self.multiple
        self.singles = ((),) * self.rows

    def _apart(self) -> bool:
        """Whether no point but 0 is nearer than 1: |H v| >= ||v||, so only v within (-1, 1) need be looked at."""
        H, s = HADAMARD[len(self.glue)], len(self.glue)
        for k in range(1, self.kappa):
            rest = [k * g % self.kappa for g in self.glue]
            for down in product((0, 1), repeat=s):
                v = [r - d * self.kappa for r, d in zip(rest, down, strict=True)]
                largest = max(abs(sum(h * x for h, x in zip(line, v, strict=True))) for line in H)
                if any(v) and self.c * largest < self.kappa:
                    return False
        return all(rest or not k for k in range(self.kappa) for rest in [any(k * g % self.kappa for g in self.glue)])

    def level(self, p: int) -> Level:
        """The largest set that steps of the glue can fill, and plain sets along the other axes."""
        first, rest = self._first_set(p), bit_set(*largest_set(self.multiple << p, LARGEST_CORE))
        size = len(first) + (self.rows - 1) * len(rest)
        return Level(size, size * self.multiple * self.kappa)

    def _first_set(self, p: int) -> tuple[int, ...]:
        limit = self.multiple * self.kappa << p
        found = [
            (core, doublings)
            for core in range(1, LARGEST_CORE + 1)
            for doublings in range((limit // conway_guy(core)[-1]).bit_length())
        ]
        for core, doublings in sorted(found, key=lambda pair: (-sum(pair), pair[0])):
            weights = bit_set(core, doublings)
            if all(self._fills(weight, 1 << p) for weight in weights):
                return weights
        return ()

    def _fills(self, weight: int, slots: int) -> bool:
        """Whether steps on that many slots sum to the weight: mostly the largest step, the rest as few as can be."""
        sums, largest = self._sums(), max(self._steps())
        full = max(0, ceil(Fraction(weight - 2 * largest + 1, largest)))
        rest = weight - full * largest
        needed = next((k for k, totals in enumerate(sums) if totals >> rest & 1), slots + 1)
        return full + needed <= slots

    @lru_cache(maxsize=8)  # noqa: B019 - a seed lives as long as the check of one report
    def _steps(self) -> tuple[int, ...]:
        """The multiples of the glue that one slot can hold, other coordinates moved so that entries stay small."""
        limit = self.multiple * self.kappa
        H = HADAMARD[self.rows]
        found = []
        for n in range(limit + 1):
            floors = [-(n * g // self.kappa) for g in self.glue[1:]]
            for nudge in product((0, -1), repeat=self.rows - 1):
                others = [f + d for f, d in zip(floors, nudge, strict=True)]
                # In steps of 1/kappa the point is n glue + kappa (0, others).
                v = [n * self.glue[0], *(n * g + self.kappa * o for g, o in zip(self.glue[1:], others, strict=True))]
                if all(abs(sum(h * x for h, x in zip(line, v, strict=True))) <= limit for line in H):
                    found.append(n)
                    break
        return tuple(found)

    @lru_cache(maxsize=8)  # noqa: B019 - see above
    def _sums(self) -> tuple[int, ...]:
        """Bit T of entry k: some k steps sum to T, for T below twice the largest step."""
        steps = self._steps()
        everything = (1 << 2 * max(steps)) - 1
        sums = [1]
        while sums[-1] != everything and len(sums) <= 2 * max(steps):
            further = 0
            for step in steps:
                further |= sums[-1] << step
            sums.append(further & everything)
        return tuple(sums)


SEEDS: dict[str, type[Any]] = {"scalar": Scalar, "skew": Skew, "pair": Pair, "lattice": Lattice}
