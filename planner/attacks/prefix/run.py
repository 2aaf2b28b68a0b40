"""Comparisons by a prefix code, as they run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.attacks.attack import Adaptive
from planner.attacks.prefix.parameters import PrefixThresholds
from planner.attacks.scaled.run import Comparisons
from planner.channel.channel import Channel

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, ScoreFunction


class PrefixAttack(Adaptive):
    """Row by row: half of what is left of its classes is asked against the other half."""

    def __init__(self, id: str, channel: Channel, parameters: PrefixThresholds) -> None:
        self.id = id
        self.parameters = parameters
        self.comparisons = Comparisons(channel, parameters)

    def recover(self, score: ScoreFunction) -> Labels:
        """The labels; InconsistentScores where neither side of a comparison explains its score."""
        p = self.parameters
        coins = np.random.default_rng(p.seed)
        labels = np.full(p.rows, -1, dtype=np.int64)
        for row in range(p.labels):
            labels[row] = self._label(row, coins.permutation(p.classes), score)
        return labels

    def _label(self, row: int, order: NDArray[Any], score: ScoreFunction) -> int:
        """The class that answers leave, by a code of its place in the order."""
        p = self.parameters
        left = [(int(place), word) for place, word in enumerate(codewords(p.classes))]
        at = 0
        while len(left) > 1:
            sides = np.zeros(p.classes, dtype=bool)
            sides[[order[place] for place, word in left if word[at]]] = True
            answer = self.comparisons.side(score(self.comparisons.query(row, sides.tolist())))
            left = [(place, word) for place, word in left if word[at] == answer]
            at += 1
        return int(order[left[0][0]])


def codewords(classes: int) -> list[tuple[int, ...]]:
    """A prefix code of equally likely places: the first ones by floor(log2 K) bits, the others by one more."""
    depth = classes.bit_length() - 1
    short = (2 << depth) - classes
    return [_bits(place, depth) if place < short else _bits(place + short, depth + 1) for place in range(classes)]


def _bits(number: int, count: int) -> tuple[int, ...]:
    return tuple(number >> bit & 1 for bit in range(count - 1, -1, -1))
