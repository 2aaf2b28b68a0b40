"""XT, threshold splitting: wrong labels of a guess, found by comparisons of many rows at once."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.attacks.attack import Adaptive, InconsistentScores, Informed, WorseGuess
from planner.attacks.hunting.parameters import Hunt, group_bits
from planner.attacks.threshold.comparator import Comparator, Offset
from planner.attacks.threshold.parameters import known_rows_needed
from planner.attacks.threshold.run import Verification, bootstrap, offset_labels

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, ScoreFunction
    from planner.channel.channel import Channel


class HuntingAttack(Informed, Adaptive):
    """Counts the offset, hunts the wrong labels of all other rows, then those of the offset's own."""

    id = "threshold-splitting"

    def __init__(self, channel: Channel, parameters: Hunt) -> None:
        super().__init__(channel)
        self.parameters = parameters

    def recover(self, score: ScoreFunction) -> Labels:
        """Every label; raises WorseGuess where the promised queries end first, as they do for no guess that is as good."""
        p = self.parameters
        comparator = Comparator(p, self._within_promise(score))
        labels = self.guess.copy()
        outside, offset_rows = np.split(np.arange(p.rows), [p.rows - p.offset_rows])
        offset = bootstrap(comparator, offset_rows)
        found = correct(comparator, labels, outside, offset, p.wrong)
        if p.splits_offset:
            needed = outside[: known_rows_needed(p)]
            correct(comparator, labels, offset_rows, Offset.known(needed, labels[needed]), max(0, p.wrong - found))
        else:
            labels[offset_rows] = offset_labels(comparator, outside, labels[outside], offset)
        if int(labels[offset_rows].sum()) != offset.ones:
            raise InconsistentScores("the offset's labels do not add up to the count that was found: is there noise?")
        return labels

    def _within_promise(self, score: ScoreFunction) -> ScoreFunction:
        """The scorer for as many queries as a guess with no more wrong labels than assumed can take."""
        p, asked = self.parameters, count(1)

        def ask(submission: NDArray[Any]) -> Any:
            if next(asked) > p.queries:
                raise WorseGuess(p.wrong + 1, p.wrong, or_more=True)
            return score(submission)

        return ask


def correct(comparator: Comparator, labels: NDArray[Any], rows: NDArray[Any], offset: Offset, most: int) -> int:
    """Turn every wrong label of `rows`, and say how many there were; every score must be that of the right ones."""
    missed: list[Verification] = []

    def any_wrong(some: NDArray[Any]) -> bool:
        asked = Verification(comparator, some, labels, offset)
        if not asked.holds:
            missed.append(asked)
        return not asked.holds

    found = hunt(rows, most, any_wrong)
    labels[found] = 1 - labels[found]
    for asked in missed:
        asked.require_explained(labels)
    return len(found)


def hunt(rows: NDArray[Any], most: int, any_wrong: Callable[[NDArray[Any]], bool]) -> NDArray[Any]:
    """The wrong ones among rows, few of which are: groups of 2^a, halved down to the first wrong row of a group.

    Once `most` are found one test verifies the rest. If it fails, the guess is worse than assumed: the hunt goes on, as
    long as somebody answers.
    """
    found: list[int] = []
    start = 0
    while start < len(rows):
        if len(found) >= most:
            if not any_wrong(rows[start:]):
                break
            most = len(found) + 1
        end = start + (1 << group_bits(len(rows) - start, most - len(found)))
        if not any_wrong(rows[start:end]):
            start = end
            continue
        while end - start > 1:
            middle = (start + end) // 2
            start, end = (start, middle) if any_wrong(rows[start:middle]) else (middle, end)
        found.append(int(rows[start]))
        start += 1
    return np.array(found, dtype=np.intp)
