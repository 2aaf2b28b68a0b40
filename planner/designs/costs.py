"""What the digits of a label cost together, and how digits are dealt out to labels.

A digit's cost is the largest entry it ever takes. The digits of a label lie in different components, with signs
of their own, so the spread of the label's entries is at most the sum of their costs. The dearest digits are
therefore dealt to the same labels as the cheapest.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from planner.designs.base import DesignError
from planner.designs.digits import Held
from planner.designs.popcounts import popcount_histogram
from planner.designs.recipes import Recipe


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


def runs(held: Sequence[Held], blocks: int, radix: int) -> Runs:
    """All digits of one radix in the design, by cost."""
    counts: dict[int, int] = {}
    for p, count in enumerate(popcount_histogram(blocks)):
        for cost, number in held[p].cost_counts(radix, p, count) if count else ():
            counts[cost] = counts.get(cost, 0) + number
    costs = sorted(counts)
    return Runs(tuple(costs), tuple(accumulate(counts[cost] for cost in costs)))


def affordable(recipe: Recipe, held: Sequence[Held], blocks: int, labels: int, most: int) -> bool:
    """Whether no label's costs sum to more than `most`, the dearest digits meeting the cheapest."""
    if labels == 0:
        return True
    slots = [
        (pool, slot * labels)
        for radix, slots in ((recipe.radix, recipe.main), (2, recipe.bits))
        if slots
        for pool in [runs(held, blocks, radix)]
        for slot in range(slots)
    ]
    if any(start + labels > pool.total for pool, start in slots):
        raise DesignError("fewer digits than the labels need")
    first = dearest_slot([pool.cost(start + labels - 1) for pool, start in slots])

    def cost(i: int) -> int:
        return sum(
            pool.cost(start + labels - 1 - i if slot == first else start + i)
            for slot, (pool, start) in enumerate(slots)
        )

    # The ends tell most of what is too dear; between them costs change only where a run ends.
    return cost(labels - 1) <= most and cost(0) <= most and all(cost(i) <= most for i in _breaks(slots, first, labels))


def _breaks(slots: Sequence[tuple[Runs, int]], first: int, labels: int) -> set[int]:
    """The labels on either side of every end of a run."""
    breaks: set[int] = set()
    for slot, (pool, start) in enumerate(slots):
        inside = pool.ends[bisect_right(pool.ends, start) : bisect_right(pool.ends, start + labels)]
        for end in inside:
            at = start + labels - end if slot == first else end - start
            breaks.update(i for i in (at - 1, at) if 0 <= i < labels)
    return breaks


def dearest_slot(highest: Sequence[int]) -> int:
    """Which slot of a label is filled from dear to cheap while the others are filled from cheap to dear."""
    return max(range(len(highest)), key=lambda slot: highest[slot])
