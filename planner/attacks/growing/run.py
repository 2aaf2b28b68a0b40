"""Growing blocks, run: ask a block, learn it, predict it confidently from then on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import arb

from planner.attacks.block.run import BlockAttack
from planner.attacks.growing.certify import phase_loss
from planner.attacks.growing.parameters import GrowingBlocks
from planner.attacks.numbers import idle, is_float, prediction_array
from planner.attacks.scores import sums_of
from planner.channel.channel import Channel
from planner.numerics.reals import working

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, Query, ScoreFunction


class _Phase(BlockAttack):
    """A block reader whose other rows are partly known."""

    def __init__(self, channel: Channel, parameters: GrowingBlocks, rows: tuple[Fraction, ...], known: int) -> None:
        super().__init__("growing-block", channel, parameters.queries, channel.rows, rows)
        self.doubt = parameters.doubt
        self.known = known

    def _loss(self) -> arb:
        return phase_loss(self.channel, self.doubt, self.known, self.rows)

    def _constant(self, active: int) -> int:
        with working(self._bits):
            total = (self.channel.scored - self.known - active) * self.channel.neutral_charge()
            total += self.known * self.channel.metric.light(self.doubt)
            for p in self.rows[:active]:
                total += self.channel.metric.light(p)
            return self._integer(total)

    def read_one(self, labels: Labels, total: Fraction, active: int, start: int) -> None:
        """Decode one sum of charges into labels[start:start+active]."""
        self._read(labels, [(total.numerator << self.scale) // total.denominator], active, start)


class GrowingAttack:
    """Adaptive: each query depends on the labels read so far."""

    adaptive = True

    def __init__(self, id: str, channel: Channel, parameters: GrowingBlocks) -> None:
        self.id = id
        self.channel = channel
        self.parameters = parameters
        entries = [parameters.doubt, *(p for _, _, rows in parameters.phases for p in rows)]
        self.exact = not all(is_float(p) and is_float(1 - p) for p in entries[:1]) or not all(map(is_float, entries))

    def queries(self) -> Iterator[Query]:
        """Refused: a query depends on earlier scores."""
        raise TypeError("growing-block is adaptive: use recover(score)")

    def decode(self, scores: Iterable[Any]) -> Labels:
        """Refused: a query depends on earlier scores."""
        raise TypeError("growing-block is adaptive: use recover(score)")

    def recover(self, score: ScoreFunction) -> Labels:
        """Ask block after block."""
        import numpy as np

        labels = np.full(self.channel.rows, -1, dtype=np.int64)
        start = 0
        for _, blocks, rows in self.parameters.phases:
            for _ in range(blocks):
                active = min(len(rows), self.parameters.labels - start)
                if active <= 0:
                    return labels
                phase = _Phase(self.channel, self.parameters, rows, start)
                (total,) = sums_of(self.channel, [score(self._query(labels, start, rows[:active]))], 1)
                phase.read_one(labels, total, active, start)
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
