"""How labels of K classes are made of digits, and which digits the components of a design should hold.

A recipe makes a label of `main` digits of one radix and `bits` bits. Different components may hold different
mixtures; the price of a digit against a bit decides which, and the best price is found by trying them. The
digits of a label lie in different components, so their costs (largest entries) add up and must stay within the
amplitude: the dearest digits are paired with the cheapest.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

from planner.designs.base import DesignError
from planner.designs.digits import DigitSet, Option, options
from planner.designs.popcounts import popcount_histogram

PRICES = tuple(Fraction(k, 32) for k in range(4, 32))
"""The prices of a main digit that are tried, for recipes that need bits as well."""

RADICES = (3, 4, 5, 7)
"""Radices of main digits, beside K itself where K is small."""

LARGEST_RADIX = 16
"""Digits of larger radix waste more at the top of a component than they save."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """A label is `main` digits of `radix` and `bits` bits."""

    radix: int
    main: int
    bits: int

    @property
    def radices(self) -> tuple[int, ...]:
        """One for each digit of a label."""
        return (self.radix,) * self.main + (2,) * self.bits


@dataclass(frozen=True, slots=True)
class Runs:
    """Digits of one radix sorted by cost: how many have which, as ends of runs."""

    costs: tuple[int, ...]
    ends: tuple[int, ...]

    @property
    def total(self) -> int:
        """How many digits there are."""
        return self.ends[-1] if self.ends else 0

    def cost(self, i: int) -> int:
        """The cost of digit i in ascending order."""
        return self.costs[bisect_right(self.ends, i)]


def recipes(K: int) -> list[Recipe]:
    """Recipes that waste little: no bit or digit could be left out."""
    found = [Recipe(2, 0, (K - 1).bit_length())]
    for radix in sorted({radix for radix in (*RADICES, K) if 2 < radix <= min(K, LARGEST_RADIX)}):
        main = 1
        while radix ** (main - 1) < K:
            bits = max(0, (-(-K // radix**main) - 1).bit_length())
            if radix ** (main - 1) * 2**bits < K:
                found.append(Recipe(radix, main, bits))
            main += 1
    return found


def spare_recipe(recipe: Recipe, K: int) -> Recipe | None:
    """Labels made of the bits that a recipe without bits leaves over."""
    return None if recipe.bits else Recipe(2, 0, (K - 1).bit_length())


@lru_cache(maxsize=4096)
def _options(limit: int, radix: int) -> tuple[Option, ...]:
    return tuple(options(limit, radix))


def fillings(recipe: Recipe, K: int, limit: int, levels: int) -> Iterator[tuple[Option, ...]]:
    """For every price, the best option of each level; entries of the digits up to `limit`."""
    choices = [_options(limit << p, recipe.radix) for p in range(levels)]
    seen: set[tuple[Option, ...]] = set()
    for price in PRICES if recipe.main and recipe.bits else (None,):
        main, bit = _values(recipe, K, price)
        filling = tuple(max(level, key=lambda o: o.main * main + o.bits * bit) for level in choices)
        if filling not in seen:
            seen.add(filling)
            yield filling


def _values(recipe: Recipe, K: int, price: Fraction | None) -> tuple[Fraction, Fraction]:
    """What a main digit and a bit are worth, in labels."""
    spare = Fraction(1, (K - 1).bit_length())
    if price is not None:
        return price / recipe.main, (1 - price) / recipe.bits
    return (Fraction(1, recipe.main) if recipe.main else Fraction(0)), spare


def labels_held(recipe: Recipe, K: int, filling: Sequence[Option], blocks: int) -> tuple[int, int]:
    """How many labels of the recipe, and how many of spare bits, that many blocks hold."""
    histogram = popcount_histogram(blocks)
    main = sum(count * filling[p].main for p, count in enumerate(histogram) if count)
    bits = sum(count * filling[p].bits for p, count in enumerate(histogram) if count)
    if not recipe.main:
        return bits // recipe.bits, 0
    if not recipe.bits:
        return main // recipe.main, bits // (K - 1).bit_length()
    return min(main // recipe.main, bits // recipe.bits), 0


def balanced(recipe: Recipe, K: int, limit: int, filling: tuple[Option, ...], blocks: int) -> tuple[Option, ...]:
    """The filling improved one level at a time until no change of a single level holds more labels."""
    best = sum(labels_held(recipe, K, filling, blocks))
    improved = True
    while improved:
        improved = False
        for p, level in enumerate(filling[: (blocks - 1).bit_length() + 1]):
            for option in _options(limit << p, recipe.radix):
                other = (*filling[:p], option, *filling[p + 1 :])
                held = sum(labels_held(recipe, K, other, blocks))
                if option != level and held > best:
                    best, filling, improved = held, other, True
    return filling


def digit_costs(held: DigitSet, p: int) -> Iterator[tuple[int, int]]:
    """For every digit of a component of level p: its radix and the largest entry it takes."""
    for values in held.digits_values:
        yield len(values) + 1, -(-max(values) >> p)


def runs(filling: Sequence[DigitSet], blocks: int, radix: int) -> Runs:
    """All digits of one radix in the design, by cost."""
    counts: dict[int, int] = {}
    for p, count in enumerate(popcount_histogram(blocks)):
        for kind, cost in digit_costs(filling[p], p) if count else ():
            if kind == radix:
                counts[cost] = counts.get(cost, 0) + count
    costs = sorted(counts)
    return Runs(tuple(costs), tuple(accumulate(counts[cost] for cost in costs)))


def dearest_label(recipe: Recipe, filling: Sequence[DigitSet], blocks: int, labels: int) -> int:
    """The largest sum of costs over the labels, the dearest digits meeting the cheapest."""
    if labels == 0:
        return 0
    slots = [
        (pool, slot * labels)
        for radix, slots in ((recipe.radix, recipe.main), (2, recipe.bits))
        for pool in [runs(filling, blocks, radix)]
        for slot in range(slots)
    ]
    if any(start + labels > pool.total for pool, start in slots):
        raise DesignError("fewer digits than the labels need")
    first = dearest_slot([pool.cost(start + labels - 1) for pool, start in slots])
    breaks = {0, labels - 1}
    for slot, (pool, start) in enumerate(slots):
        for end in pool.ends:
            at = start + labels - end if slot == first else end - start
            breaks.update(i for i in (at - 1, at) if 0 <= i < labels)
    return max(
        sum(
            pool.cost(start + labels - 1 - i if slot == first else start + i)
            for slot, (pool, start) in enumerate(slots)
        )
        for i in breaks
    )


def affordable(recipe: Recipe, filling: Sequence[DigitSet], blocks: int, most: int, A: int) -> int:
    """How many labels, `most` at most, can be made with no label dearer than A: fewer use cheaper digits."""
    if dearest_label(recipe, filling, blocks, most) <= A:
        return most
    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if dearest_label(recipe, filling, blocks, middle) <= A else (low, middle)
    return low


def dearest_slot(highest: Sequence[int]) -> int:
    """Which slot of a label is filled from dear to cheap while the others are filled from cheap to dear."""
    return max(range(len(highest)), key=lambda slot: highest[slot])
