"""How labels of K classes are made of digits, and which digits the components of a design should hold.

A recipe makes a label of `main` digits of one radix and `bits` bits. Different levels may hold different
mixtures: the price of a digit against a bit decides which, and the best price is found by trying them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from dsl.records import dataclass
from planner.designs.digits import Held, Option, Split, options
from planner.designs.popcounts import popcount_histogram

PRICES = 32
"""How finely the price of a main digit is tried, for recipes that need bits as well."""

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
def _options(limit: int, radix: int, bits_on_top: bool) -> tuple[Option, ...]:
    return tuple(options(limit, radix, bits_on_top))


Filling = tuple[Option, ...]
"""The option of every level."""


def fillings(recipe: Recipe, K: int, limit: int, levels: int, bits_on_top: bool) -> list[Filling]:
    """For every price, the best option of each level, entries of single digits being `limit` at most."""
    choices = [_options(limit << p, recipe.radix, bits_on_top) for p in range(levels)]
    found: dict[Filling, None] = {}
    for main, bit in _values(recipe, K):
        found[tuple(max(level, key=lambda o: o.main * main + o.bits * bit) for level in choices)] = None
    return list(found)


def _values(recipe: Recipe, K: int) -> list[tuple[int, int]]:
    """What a main digit and a bit may be worth, in some unit."""
    if not recipe.main:
        return [(0, 1)]
    if not recipe.bits:
        return [((K - 1).bit_length(), recipe.main)]
    return [(price * recipe.bits, (PRICES - price) * recipe.main) for price in range(PRICES // 8, PRICES)]


@dataclass(frozen=True, slots=True)
class Mixture:
    """What the levels of a design hold, and how many main digits and bits that is."""

    held: tuple[Held, ...]
    main: int
    bits: int

    def labels(self, recipe: Recipe, K: int) -> tuple[int, int]:
        """How many labels of the recipe, and how many of spare bits."""
        if not recipe.main:
            return self.bits // recipe.bits, 0
        if not recipe.bits:
            return self.main // recipe.main, self.bits // (K - 1).bit_length()
        return min(self.main // recipe.main, self.bits // recipe.bits), 0


def mixture(recipe: Recipe, choices: Sequence[Filling], M: int) -> Mixture:
    """The best mixture of the fillings, which come in order of rising price of main digits.

    Between the last filling with bits to spare and the first with main digits to spare, levels change over
    one by one, and the level where the balance tips is split.
    """
    histogram = popcount_histogram(M)
    totals = [_totals(filling, histogram) for filling in choices]
    rich = next((k for k, (main, bits) in enumerate(totals) if main * recipe.bits >= bits * recipe.main), -1)
    if rich <= 0:
        return Mixture(tuple(o.held for o in choices[rich][: len(histogram)]), *totals[rich])
    main, bits = totals[rich - 1]
    held: list[Held] = [option.held for option in choices[rich - 1][: len(histogram)]]
    for p, (old, new, count) in enumerate(zip(choices[rich - 1], choices[rich], histogram, strict=False)):
        lacking = bits * recipe.main - main * recipe.bits
        gain = (new.main - old.main) * recipe.bits - (new.bits - old.bits) * recipe.main
        changed = min(count, lacking // gain) if gain else 0
        main += changed * (new.main - old.main)
        bits += changed * (new.bits - old.bits)
        held[p] = new.held if changed == count else Split(new.held, old.held, changed) if changed else old.held
    return Mixture(tuple(held), main, bits)


def _totals(filling: Filling, histogram: Sequence[int]) -> tuple[int, int]:
    """Main digits and bits in all components."""
    pairs = list(zip(filling, histogram, strict=False))
    return sum(o.main * count for o, count in pairs), sum(o.bits * count for o, count in pairs)
