"""The design for K classes with the fewest queries, over recipes, mixtures of digits and limits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import prod

from planner.designs.base import DesignError
from planner.designs.costs import affordable
from planner.designs.kary import Kary
from planner.designs.recipes import Fillings, Recipe, mixture, recipes, spare_recipe
from planner.numerics.search import first_between


@dataclass(frozen=True, slots=True)
class _Plan:
    """A recipe for n labels, and the fillings to mix."""

    n: int
    A: int
    K: int
    choices: Fillings

    @property
    def most(self) -> int:
        """Queries that surely hold all labels."""
        return int(2 ** (self.n.bit_length() + self.K.bit_length() + 1))

    def holds(self, M: int) -> bool:
        """Whether M queries hold all labels, were no label too dear."""
        return sum(mixture(self.choices, M).labels(self.choices.recipe, self.K)) >= self.n

    def design(self, M: int) -> Kary | None:
        """The design of M queries, if it holds n labels and none is dearer than A."""
        recipe, mixed = self.choices.recipe, mixture(self.choices, M)
        labels, spares = mixed.labels(recipe, self.K)
        if labels + spares < self.n:
            return None
        labels = min(labels, self.n)
        spares = self.n - labels
        spare = spare_recipe(recipe, self.K)
        if not affordable(recipe, mixed.held, M, labels, self.A):
            return None
        if spare and not affordable(spare, mixed.held, M, spares, self.A):
            return None
        return Kary(M, self.K, self.A, recipe, mixed.held, labels, spares)


@lru_cache(maxsize=256)
def best_kary(n: int, A: int, K: int) -> Kary:
    """The design for n labels of K classes with the fewest queries."""
    best: Kary | None = None
    kinds = [
        (recipe, bits_on_top)
        for recipe in sorted(recipes(K), key=lambda recipe: prod(recipe.radices))
        if len(recipe.radices) <= A  # every digit of a label costs at least 1
        for bits_on_top in ((False, True) if recipe.main else (True,))
    ]
    for recipe, bits_on_top in kinds:
        best = _better(best, _plans(recipe, n, A, K, bits_on_top))
    if best is None:
        raise DesignError(f"amplitude {A} holds no label of {K} classes")
    return best


def _plans(recipe: Recipe, n: int, A: int, K: int, bits_on_top: bool) -> Iterator[_Plan]:
    return (_Plan(n, A, K, Fillings(recipe, K, limit, bits_on_top)) for limit in _limits(A))


def _better(best: Kary | None, plans: Iterable[_Plan]) -> Kary | None:
    """The best of one recipe under several limits on single digits, if it beats the best so far.

    Lower limits hold fewer labels, but leave room for the other digits of a label: they are tried until there is no
    hope.
    """
    tried = None
    for plan in plans:
        recipe, high = plan.choices.recipe, best.M - 1 if best else plan.most
        at_most = mixture(plan.choices, high)
        if sum(at_most.labels(recipe, plan.K)) < plan.n:
            return best
        if at_most == tried:
            continue  # neighbouring limits mostly hold the same digits
        tried = at_most
        least = first_between(plan.holds, 0, high)
        best = plan.design(least) or _affordable(plan, least, best) or best
    return best


def _affordable(plan: _Plan, M: int, best: Kary | None) -> Kary | None:
    """The plan at the fewest queries where all labels are affordable, if that beats the best so far."""
    high = 2 * M if best is None else best.M - 1
    if plan.design(high) is None:
        return None
    return plan.design(first_between(lambda middle: plan.design(middle) is not None, M, high))


def _limits(A: int) -> Iterator[int]:
    """A, and less and less, in growing steps."""
    yield A
    step = 1
    while A - step >= max(1, A // 3):
        yield A - step
        step = -(-step * 3 // 2)
