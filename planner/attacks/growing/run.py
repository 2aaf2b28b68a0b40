"""Growing blocks, run: ask a block, learn it, predict it confidently from then on."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from planner.attacks.attack import Adaptive
from planner.attacks.block.run import BlockReader
from planner.attacks.growing.parameters import GrowingBlocks
from planner.attacks.numbers import idle, is_float, prediction_array
from planner.attacks.scores import sums_of
from planner.channel.channel import Channel

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, Query, ScoreFunction


class GrowingAttack(Adaptive):
    """Adaptive: each query depends on the labels read so far."""

    def __init__(self, id: str, channel: Channel, parameters: GrowingBlocks) -> None:
        self.id = id
        self.channel = channel
        self.parameters = parameters
        entries = [parameters.doubt, *(p for _, _, rows in parameters.phases for p in rows)]
        self.exact = not all(is_float(p) and is_float(1 - p) for p in entries[:1]) or not all(map(is_float, entries))

    def recover(self, score: ScoreFunction) -> Labels:
        """Ask block after block."""
        labels = np.full(self.channel.rows, -1, dtype=np.int64)
        start = 0
        for _, blocks, rows in self.parameters.phases:
            for _ in range(blocks):
                active = min(len(rows), self.parameters.labels - start)
                if active <= 0:
                    return labels
                p = self.parameters
                reader = BlockReader(self.channel, p.queries, rows, known=start, doubt=p.doubt)
                sums = sums_of(self.channel, [score(self._query(labels, start, rows[:active]))], 1)
                reader.read(labels, sums, active, start)
                start += active
        return labels

    def _query(self, labels: Labels, known: int, rows: tuple[Fraction, ...]) -> Query:
        """Known labels at (doubt, 1 - doubt), the block at its small probabilities, the rest uniform."""
        doubt, sure = prediction_array([self.parameters.doubt, 1 - self.parameters.doubt], exact=self.exact)
        query = idle(self.channel, exact=self.exact)
        ones = query if self.channel.columns == 1 else query[:, 1]
        found = labels[:known] == 1
        ones[:known][found] = sure
        ones[:known][~found] = doubt
        ones[known : known + len(rows)] = prediction_array(rows, exact=self.exact)
        if self.channel.columns > 1:
            query[:known, 0][found] = doubt
            query[:known, 0][~found] = sure
            query[known : known + len(rows), 0] = prediction_array([1 - p for p in rows], exact=self.exact)
        return query
