"""Settling sums that are known up to a neighbouring integer, by exact comparisons of many at once.

The estimate of a sum is its nearest integer; the farther from it the measurement lies, the likelier is the next
one. A comparison asks whether any sum of a group is the next one, whichever way that lies. Groups double in size
with the odds that a sum is right, and a group with a wrong sum is halved until the first one is found.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.attacks.threshold.parameters import SETTLING_REACH

if TYPE_CHECKING:
    from planner.attacks.spread.blocks import Blocks
    from planner.attacks.threshold.comparator import Comparator, Offset


@dataclass(frozen=True)
class Seen:
    """A comparison of some sums: what it was charged if every label were 0, and what it showed."""

    block: NDArray[Any]
    t: NDArray[Any]
    step: NDArray[Any]
    gap: float
    charge: float
    shown: int
    deviation: float  # how far float64 leaves the weights from multiples of the gap, all rows together


class Sums:
    """The sums of all blocks, (order, rounds): estimates, and comparisons that correct them."""

    def __init__(self, comparator: Comparator, blocks: Blocks, offset: Offset, measured: NDArray[Any]) -> None:
        self.comparator = comparator
        self.blocks = blocks
        self.offset = offset
        self.values = np.rint(measured).astype(np.int64)
        residual = (measured - self.values)[: blocks.used]
        self.toward = np.where(residual < 0, -1, 1)
        self.doubt = 0.5 - np.abs(residual)
        self.reach = min(comparator.setting.reach, SETTLING_REACH)
        self._seen: list[Seen] = []

    def any_next(self, block: NDArray[Any], t: NDArray[Any], step: NDArray[Any]) -> bool:
        """Whether any of these sums exceeds its value in the direction of its step, if it can only do so."""
        entries = np.zeros((self.blocks.order, self.blocks.size), dtype=np.int64)
        np.add.at(entries, block, step[:, None] * self.blocks.matrix[t])
        most = max(int(np.abs(entries).max()), 1)
        gap = self.reach / most
        values = np.unique(np.append(entries, 0))
        levels, codes = self.blocks.levels(values, gap), self.blocks.codes(entries, values)
        expected = int((step * self.values[block, t]).sum())
        idle = (len(codes) - self.blocks.count - len(self.offset.rows)) * self.comparator.setting.even_charge
        charge = self.blocks.charge(levels, codes) + idle
        answer = self.comparator.compare(levels, codes, charge - gap * (expected + 0.5), self.offset)
        deviation = self.blocks.count * max(abs(e.weight - gap * int(v)) for v, e in zip(values, levels, strict=True))
        self._seen.append(Seen(block, t, step, gap, charge + answer.shift, answer.shown, deviation))
        return answer.cheaper

    def require_explained(self, labels: NDArray[Any]) -> None:
        """Every comparison that was made must have come out as these labels of the blocks would have it."""
        sums = self.blocks.sums(labels)
        for each in self._seen:
            weighed = each.gap * int((each.step * sums[each.block, each.t]).sum())
            self.comparator.require_explained(each.charge - weighed, each.shown, each.deviation)

    def measure_exactly(self, block: int) -> None:
        """Every sum of a block by comparisons alone, starting from what is known."""
        for t in range(self.blocks.rounds):
            where = np.array([block]), np.array([t])
            for step in (1, -1):
                while self.any_next(*where, np.array([step])):
                    self.values[block, t] += step


def settle(sums: Sums, step: float) -> None:
    """Correct every sum that is the next integer: groups of 2^i where the odds of being right are 2^i."""
    largest = max(sums.doubt.size - 1, 1).bit_length()
    bins = np.minimum(sums.doubt // step, largest).astype(np.int64)
    for size_bits in np.unique(bins):
        items = np.argwhere(bins == size_bits)
        items = items[np.argsort(sums.doubt[bins == size_bits], kind="stable")]
        _settle_bin(sums, items, 1 << int(size_bits))


def _settle_bin(sums: Sums, items: NDArray[Any], size: int) -> None:
    while len(items):
        first = _first_wrong(sums, items[:size])
        if first is None:
            items = items[size:]
            continue
        block, t = items[first]
        sums.values[block, t] += sums.toward[block, t]
        items = items[first + 1 :]


def _first_wrong(sums: Sums, group: NDArray[Any]) -> int | None:
    """The place of the first wrong sum in the group: the group is asked once, then halved."""

    def any_wrong(part: NDArray[Any]) -> bool:
        block, t = part.T
        return sums.any_next(block, t, sums.toward[block, t])

    if not any_wrong(group):
        return None
    low, high = 0, len(group)  # the first wrong one lies in group[low:high]
    while high - low > 1:
        middle = (low + high + 1) // 2
        low, high = (low, middle) if any_wrong(group[low:middle]) else (middle, high)
    return low
