"""T, the threshold attack: every label exactly, at any number of decimals, one comparison a label."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.attacks.attack import Adaptive, InconsistentScores
from planner.attacks.threshold.comparator import Comparator, Offset
from planner.attacks.threshold.parameters import Thresholds, direct_boundary, known_rows_needed, verifying_weight

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, ScoreFunction


class ThresholdAttack(Adaptive):
    """Compares one label at a time; the offset's own labels last, and one query that verifies."""

    id = "threshold"

    def __init__(self, parameters: Thresholds) -> None:
        self.parameters = parameters

    def recover(self, score: ScoreFunction) -> Labels:
        """Every label, in N + ceil(log2(j+1)) queries with j offset rows, N + 1 without; so for each bit of a class."""
        return bit_by_bit(self.parameters, lambda bit: self._bits(Comparator(self.parameters, score, bit)))

    def _bits(self, comparator: Comparator) -> NDArray[Any]:
        p = self.parameters
        labels = np.zeros(p.rows, dtype=np.int64)
        outside, offset_rows = np.split(np.arange(p.rows), [p.rows - p.offset_rows])
        asked = outside[: p.labels]
        offset = bootstrap(comparator, offset_rows) if p.offset_rows else None
        labels[asked] = compare_each(comparator, asked, offset)
        if offset:
            right = Verification(comparator, asked, labels, offset).holds
        else:
            right = all_right_directly(comparator, labels) if p.whole else True  # each score was explained by itself
        if not right:
            raise InconsistentScores("the labels found do not explain the verifying score: is there noise?")
        if offset and p.labels > len(asked):
            labels[offset_rows] = offset_labels(comparator, asked, labels[asked], offset, p.labels - len(asked))
        return labels


def bit_by_bit(parameters: Thresholds, ask: Callable[[int], NDArray[Any]]) -> Labels:
    """Labels from the bits of their classes."""
    labels = np.zeros(parameters.rows, dtype=np.int64)
    for bit in range(parameters.bits):
        labels += ask(bit) << bit
    if int(labels.max()) >= parameters.classes:
        raise InconsistentScores("the bits spell a class that does not exist: is there noise?")
    labels[parameters.labels :] = -1
    return labels


def bootstrap(comparator: Comparator, rows: NDArray[Any]) -> Offset:
    """The offset rows with the number of ones among them, found by bisection: "at most a?" is one comparison.

    A fictitious count a + 1/2 is put on a boundary; the true count then lies at least w/2 away from it.
    """
    p = comparator.setting
    even = np.zeros(p.rows, dtype=np.intp)
    rest = (p.rows - len(rows)) * p.even_charge
    low, high = 0, len(rows)
    seen = []
    while low < high:
        middle = (low + high) // 2
        offset = Offset.counted(rows, middle + 0.5)
        answer = comparator.compare([comparator.level(0)], even, rest, offset)
        fewer_ones = answer.cheaper if offset.turned[0] else not answer.cheaper
        low, high = (low, middle) if fewer_ones else (middle + 1, high)
        seen.append(answer)
    for answer in seen:
        shift = answer.offset.with_ones(low).realised(answer.up, answer.down)
        comparator.require_explained(rest + shift, answer.shown)
    return Offset.counted(rows, low)


def compare_each(comparator: Comparator, rows: NDArray[Any], offset: Offset | None) -> NDArray[Any]:
    """Each label of `rows` by one comparison, all other rows even but for the offset."""
    p = comparator.setting
    levels = [comparator.level(0), comparator.level(p.reach)]
    top = levels[1]
    rest = (p.rows - 1 - (len(offset.rows) if offset else 0)) * p.even_charge
    middle = rest + (top.zero + top.one) / 2
    boundary = p.boundary_above(middle + comparator.least(offset)) if offset else direct_boundary(p)[0]
    labels = np.zeros(len(rows), dtype=np.int64)
    codes = np.zeros(p.rows, dtype=np.intp)
    for at, row in enumerate(rows):
        codes[row] = 1
        shown, shift = comparator.ask(levels, codes, offset, p.boundary(boundary) - middle)
        codes[row] = 0
        labels[at] = shown <= boundary
        if not comparator.explains(rest + shift + (top.one if labels[at] else top.zero), shown):
            raise InconsistentScores(f"neither label of row {row} explains its score: is there noise?")
    return labels


class Verification:
    """Asks whether all labels of `rows` are right: a wrong one costs W, and none makes up for another."""

    def __init__(self, comparator: Comparator, rows: NDArray[Any], labels: NDArray[Any], offset: Offset) -> None:
        p = comparator.setting
        self.comparator = comparator
        self.rows, self.labels = rows, labels[rows]
        self.levels = [comparator.level(0), comparator.level(-p.reach), comparator.level(p.reach)]
        self.rest = (p.rows - len(rows) - len(offset.rows)) * p.even_charge
        codes = np.zeros(p.rows, dtype=np.intp)
        codes[rows] = 1 + self.labels
        right = self.predicted(labels)
        self.answer = comparator.compare(self.levels, codes, right + p.reach / 2, offset)
        self.holds = self.answer.cheaper
        if self.holds:
            self.require_explained(labels)

    def predicted(self, labels: NDArray[Any]) -> float:
        """The charge of all rows outside the offset if the labels were these."""
        _, zero, one = self.levels
        held, now = self.labels == 1, labels[self.rows] == 1
        found = [int((held & now).sum()), int((held & ~now).sum()), int((~held & now).sum()), int((~held & ~now).sum())]
        charged = (one.one, one.zero, zero.one, zero.zero)
        return self.rest + sum(count * charge for count, charge in zip(found, charged, strict=True))

    def require_explained(self, labels: NDArray[Any]) -> None:
        """The score seen must be that of these labels."""
        self.comparator.require_explained(self.predicted(labels) + self.answer.shift, self.answer.shown)


def all_right_directly(comparator: Comparator, labels: NDArray[Any]) -> bool:
    """The same for all rows at once without an offset: one wrong label crosses the first boundary of all."""
    p = comparator.setting
    weight, _ = verifying_weight(p)
    levels = [comparator.level(-weight), comparator.level(weight)]
    shown, _ = comparator.ask(levels, labels)
    ones = int(labels.sum())
    return shown <= 0 and comparator.explains((p.rows - ones) * levels[0].zero + ones * levels[1].one, shown)


def offset_labels(
    comparator: Comparator, rows: NDArray[Any], labels: NDArray[Any], offset: Offset, wanted: int | None = None
) -> NDArray[Any]:
    """The offset's own labels, once those of other `rows` are known and can make up an offset in turn.

    The first `wanted` of them are asked one by one; the last one of all follows from how many ones there are. None: all.
    """
    needed = known_rows_needed(comparator.setting)
    known = Offset.known(rows[:needed], labels[:needed])
    if wanted is not None and wanted < len(offset.rows):
        some = compare_each(comparator, offset.rows[:wanted], known)
        return np.append(some, np.zeros(len(offset.rows) - wanted, dtype=np.int64))
    found = compare_each(comparator, offset.rows[:-1], known)
    last = offset.ones - int(found.sum())
    if last not in (0, 1):
        raise InconsistentScores("the offset's labels do not add up to the count that was found: is there noise?")
    return np.append(found, int(last))
