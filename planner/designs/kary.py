"""K classes in one design: every label is a few digits, each in a component of a Hermite-Lindström design."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from planner.designs.base import DesignError, check_labels, check_query, labels_as
from planner.designs.costs import affordable, dearest_slot
from planner.designs.digits import Held
from planner.designs.lindstrom import Lindstrom
from planner.designs.popcounts import popcount_histogram
from planner.designs.recipes import Recipe, spare_recipe
from planner.designs.seeds import Group, Scalar
from planner.numerics.lockless import cached_property

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from planner.designs.base import IntArray


@dataclass(frozen=True, slots=True)
class Digits(Scalar):
    """One query a block; the component of level p holds the columns of held[p]."""

    held: tuple[Held, ...] = ()

    def groups(self, p: int) -> tuple[Group, ...]:
        """One group, read off directly."""
        return (Group((1,), 1, self.held[p]),)


@dataclass(frozen=True)
class Kary:
    """M queries for labels of K classes, made by the recipe, entries of a label spread at most A."""

    M: int
    K: int
    A: int
    recipe: Recipe
    held: tuple[Held, ...]
    labels: int
    spares: int

    @property
    def unit(self) -> Fraction:
        """Entries are integers."""
        return Fraction(1)

    @property
    def amplitude(self) -> Fraction:
        """The largest spread of a label's entries over its classes."""
        return Fraction(self.A)

    @property
    def name(self) -> str:
        """What a report calls the design."""
        digits = " x ".join(map(str, self.recipe.radices))
        return f"Hermite-Lindström for {self.K} classes as {digits}, amplitude {self.A}"

    def capacity(self) -> int:
        """Labels of the recipe, and of the bits that it leaves over."""
        return self.labels + self.spares

    def sound(self) -> bool:
        """Digits with distinct sums in every component, as many as the labels need, none of them too dear.

        Enough digits make a class of a label, and a label's digits together spread no wider than A.
        """
        recipe, spare = self.recipe, spare_recipe(self.recipe, self.K)
        counts = (recipe.main, recipe.bits, self.labels, self.spares)
        if min(self.M, recipe.radix - 1, self.K - 1) < 1 or min(counts) < 0:
            return False
        # Levels without a component, too: their columns are made, though nothing is read off them.
        if len(self.held) < len(popcount_histogram(self.M)) or not all(held.distinct() for held in self.held):
            return False
        if self.labels and (prod(recipe.radices) < self.K or not self._affords(recipe, self.labels)):
            return False
        return not self.spares or (spare is not None and self._affords(spare, self.spares))

    def _affords(self, recipe: Recipe, labels: int) -> bool:
        try:
            return affordable(recipe, self.held, self.M, labels, self.A)
        except DesignError:  # fewer digits than the labels need
            return False

    def row_l1_bound(self, n: int) -> Fraction:
        """Every label at the amplitude."""
        check_labels(self, n)
        return Fraction(n * self.A)

    def row(self, t: int, n: int) -> IntArray:
        """Entries of query t for the first n labels and every class."""
        import numpy as np

        check_query(self, t, n)
        entries = self._columns.row(t, self._columns.capacity())
        classes = np.arange(self.K)
        parts: list[IntArray] = []
        for part in self._parts:
            table: IntArray = np.zeros((len(part.starts), self.K), dtype=entries.dtype)
            for start, radix, place in part.slots():
                values = np.pad(entries[start[:, None] + np.arange(radix - 1)], ((0, 0), (1, 0)))
                table += values[:, classes // place % radix]
            parts.append(table)
        return np.concatenate(parts)[:n]

    def scores(self, x: IntArray) -> IntArray:
        """All measurements of the labeling x."""
        import numpy as np

        labels = labels_as(x, self.K)
        check_labels(self, len(labels))
        labels = np.pad(labels, (0, self.capacity() - len(labels)))
        switched = np.zeros(self._columns.capacity(), dtype=np.uint8)
        for part, own in zip(self._parts, np.split(labels, [self.labels]), strict=True):
            for start, radix, place in part.slots():
                digit = own // place % radix
                switched[(start + digit - 1)[digit > 0]] = 1
        return self._columns.scores(switched)

    def decode(self, y: IntArray, n: int) -> NDArray[Any]:
        """The first n labels; whatever no label uses must read 0, and no label a class beyond K."""
        import numpy as np

        check_labels(self, n)
        switched = self._columns.decode(y, self._columns.capacity())
        found: list[NDArray[Any]] = []
        for part in self._parts:
            labels = np.zeros(len(part.starts), dtype=np.int64)
            for start, radix, place in part.slots():
                columns = start[:, None] + np.arange(radix - 1)
                labels += place * (switched[columns] @ np.arange(1, radix))
                switched[columns] = 0
            found.append(labels)
        labels = np.concatenate(found)
        if switched.any() or labels[n:].any() or labels.max(initial=0) >= self.K:
            raise DesignError("an unused digit is switched on, or a label has no class: no labeling fits")
        return labels[:n].astype(np.uint8 if self.K <= 256 else np.int64)

    @cached_property
    def _columns(self) -> Lindstrom:
        """The binary design over one column for each class but the first of each digit."""
        return Lindstrom(self.M, Digits(self.A, held=self.held))

    @cached_property
    def _parts(self) -> list[_Part]:
        """The labels of the recipe, then those of the bits left over."""
        spare = spare_recipe(self.recipe, self.K)
        parts = [self._part(self.recipe, self.labels)]
        return [*parts, self._part(spare, self.spares) if spare else _Part(parts[0].starts[:0], ())]

    def _part(self, recipe: Recipe, labels: int) -> _Part:
        import numpy as np

        slots: list[NDArray[Any]] = []
        highest: list[int] = []
        for radix, count in ((recipe.radix, recipe.main), (2, recipe.bits)):
            starts, costs = self._pool(radix)
            for slot in range(count):
                slots.append(starts[slot * labels : (slot + 1) * labels])
                highest.append(int(costs[(slot + 1) * labels - 1]) if labels else 0)
        first = dearest_slot(highest)
        slots[first] = slots[first][::-1]
        return _Part(np.stack(slots, axis=1), recipe.radices)

    def _pool(self, radix: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """First columns and costs of all digits of one radix, cheapest first."""
        import numpy as np

        starts: list[NDArray[Any]] = []
        costs: list[NDArray[Any]] = []
        at = 0
        for p, count in enumerate(popcount_histogram(self.M)):
            if not count:
                continue
            size, column = self.held[p].size, at
            for kind, cost, start, end in self.held[p].digit_costs(p, count):
                if kind == radix:
                    starts.append(column + size * np.arange(start, end))
                    costs.append(np.full(end - start, cost))
                column += kind - 1
            at += size * count
        if not starts:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        order = np.argsort(np.concatenate(costs), kind="stable")
        return np.concatenate(starts)[order], np.concatenate(costs)[order]


class _Part(NamedTuple):
    """Labels of one recipe: the first column of each of their digits, shape (labels, digits)."""

    starts: NDArray[Any]
    radices: tuple[int, ...]

    def slots(self) -> Iterator[tuple[NDArray[Any], int, int]]:
        """For each digit of a label: its first columns, its radix, its place in the class number."""
        place = 1
        for slot, radix in enumerate(self.radices):
            yield self.starts[:, slot], radix, place
            place *= radix
