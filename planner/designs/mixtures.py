"""The design for K classes with the fewest queries, over recipes, mixtures of digits and limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import prod

from dsl.records import dataclass
from planner.designs.base import DesignError
from planner.designs.costs import dearest_label
from planner.designs.kary import Kary
from planner.designs.popcounts import fewest_queries
from planner.designs.recipes import Filling, Recipe, fillings, mixture, recipes, spare_recipe


@dataclass(frozen=True, slots=True)
class _Plan:
    """A recipe for n labels, and the fillings to mix."""

    n: int
    A: int
    K: int
    recipe: Recipe
    choices: Sequence[Filling]

    def room(self, M: int) -> int:
        """Labels in M queries, were no label too dear."""
        return sum(mixture(self.recipe, self.choices, M).labels(self.recipe, self.K))

    def design(self, M: int) -> Kary | None:
        """The design of M queries, if it holds n labels and none is dearer than A."""
        mixed = mixture(self.recipe, self.choices, M)
        labels, spares = mixed.labels(self.recipe, self.K)
        if labels + spares < self.n:
            return None
        labels = min(labels, self.n)
        spares = self.n - labels
        spare = spare_recipe(self.recipe, self.K)
        if dearest_label(self.recipe, mixed.held, M, labels) > self.A:
            return None
        if spare and dearest_label(spare, mixed.held, M, spares) > self.A:
            return None
        return Kary(M, self.K, self.A, self.recipe, mixed.held, labels, spares)


@lru_cache(maxsize=256)
def best_kary(n: int, A: int, K: int) -> Kary:
    """The design for n labels of K classes with the fewest queries."""
    best: Kary | None = None
    for recipe in sorted(recipes(K), key=lambda recipe: prod(recipe.radices)):
        for bits_on_top in (False, True) if recipe.main else (True,):
            best = _better(best, recipe, n, A, K, bits_on_top)
    if best is None:
        raise DesignError(f"amplitude {A} holds no label of {K} classes")
    return best


def _better(best: Kary | None, recipe: Recipe, n: int, A: int, K: int, bits_on_top: bool) -> Kary | None:
    """The best of one recipe, if it beats the best so far.

    Lower limits on single digits hold fewer labels, but leave room for the other digits of a label: they are
    tried until all labels are affordable or there is no hope.
    """
    levels = n.bit_length() + K.bit_length() + 2
    for limit in _limits(A):
        plan = _Plan(n, A, K, recipe, fillings(recipe, K, limit, levels, bits_on_top))
        if plan.room(best.M - 1 if best else 1 << levels - 1) < n:
            return best
        M = fewest_queries(n, plan.room)
        design = plan.design(M)
        if design is not None:
            return design
        best = _affordable(plan, M, best) or best
    return best


def _limits(A: int) -> Iterator[int]:
    """A, and less and less, in growing steps."""
    yield A
    step = 1
    while A - step >= max(1, A // 3):
        yield A - step
        step = -(-step * 3 // 2)


def _affordable(plan: _Plan, M: int, best: Kary | None) -> Kary | None:
    """The plan at the fewest queries where all labels are affordable, if that beats the best so far."""
    low, high = M, 2 * M if best is None else best.M - 1
    if plan.design(high) is None:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if plan.design(middle) else (middle, high)
    return plan.design(high)
