"""How labels of K classes are made of digits, and which digits the components of a design should hold.

A recipe makes a label of `main` digits of one radix and `bits` bits. Different levels may hold different
mixtures: the price of a digit against a bit decides which, and the best price is found by trying them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import mul

from planner.designs.digits import Held, Option, Split, options
from planner.designs.popcounts import popcount_histogram
from planner.numerics.search import first_between

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


class Fillings:
    """For every price of a main digit, the best option of each level; entries of single digits are `limit` at most.

    Worked out as they are asked for: a search looks at few prices, and at few levels.
    """

    def __init__(self, recipe: Recipe, K: int, limit: int, bits_on_top: bool) -> None:
        self.recipe, self._limit, self._on_top = recipe, limit, bits_on_top
        self._values = _values(recipe, K)
        self._chosen: list[list[Option]] = [[] for _ in self._values]
        self._main: list[list[int]] = [[] for _ in self._values]
        self._bits: list[list[int]] = [[] for _ in self._values]

    @property
    def prices(self) -> int:
        """How many prices there are, rising."""
        return len(self._values)

    def filling(self, price: int, levels: int) -> list[Option]:
        """The option of every level below `levels`."""
        chosen = self._chosen[price]
        main, bit = self._values[price]
        while len(chosen) < levels:
            choices = _options(self._limit << len(chosen), self.recipe.radix, self._on_top)
            worth = [option.main * main + option.bits * bit for option in choices]
            best = choices[worth.index(max(worth))]
            chosen.append(best)
            self._main[price].append(best.main)
            self._bits[price].append(best.bits)
        return chosen[:levels]

    def totals(self, price: int, histogram: Sequence[int]) -> tuple[int, int]:
        """Main digits and bits in all components."""
        if len(self._chosen[price]) < len(histogram):
            self.filling(price, len(histogram))
        return sum(map(mul, self._main[price], histogram)), sum(map(mul, self._bits[price], histogram))

    def rich(self, histogram: Sequence[int]) -> int:
        """The first price with main digits to spare, or the number of prices: main digits never fall, bits never rise."""

        def spares(price: int) -> bool:
            main, bits = self.totals(price, histogram)
            return main * self.recipe.bits >= bits * self.recipe.main

        return first_between(spares, -1, self.prices)


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


def mixture(choices: Fillings, M: int) -> Mixture:
    """The best mixture of the fillings.

    Between the last filling with bits to spare and the first with main digits to spare, levels change over
    one by one, and the level where the balance tips is split.
    """
    recipe, histogram = choices.recipe, popcount_histogram(M)
    rich = choices.rich(histogram)
    if not 0 < rich < choices.prices:
        only = min(rich, choices.prices - 1)
        held = tuple(option.held for option in choices.filling(only, len(histogram)))
        return Mixture(held, *choices.totals(only, histogram))
    poor = choices.filling(rich - 1, len(histogram))
    main, bits = choices.totals(rich - 1, histogram)
    mixed: list[Held] = [option.held for option in poor]
    for p, (old, new, count) in enumerate(zip(poor, choices.filling(rich, len(histogram)), histogram, strict=True)):
        lacking = bits * recipe.main - main * recipe.bits
        gain = (new.main - old.main) * recipe.bits - (new.bits - old.bits) * recipe.main
        changed = min(count, lacking // gain) if gain else 0
        main += changed * (new.main - old.main)
        bits += changed * (new.bits - old.bits)
        mixed[p] = new.held if changed == count else Split(new.held, old.held, changed) if changed else old.held
    return Mixture(tuple(mixed), main, bits)
