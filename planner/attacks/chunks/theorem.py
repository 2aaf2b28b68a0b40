"""Growing chunks: where all rows predicted 1 say nothing of how many labels are 1, and nobody tells."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from planner.attacks.attack import Attack
from planner.attacks.theorem import Proposal, Theorem
from planner.channel.channel import Channel
from planner.channel.conditions import ADAPTIVE
from planner.channel.metrics.counting import READ_BITS, CountingMetric
from planner.model import Refusal

if TYPE_CHECKING:
    from planner.attacks.chunks.parameters import GrowingCounts


class GrowingChunks(Theorem["GrowingCounts"]):
    """No more queries than labels for certain, and most often far fewer."""

    id = "chunks"
    title = "Counting in chunks that grow"
    cite = "counting, the number of ones read on the way"
    statement = (
        "One row predicted 1 tells its label however many labels are 1, and with that about how many they are. Then a group "
        "of rows is counted, as many as leave no count that could be mistaken for another: that pins the number down, and "
        "all rows that are left are read by a design of counts. A group's last label follows from its count, a chunk asks no "
        "more queries than it has rows, and others are asked only from what these have saved: N queries are enough for "
        "certain, and most often about as many do as if the number of ones were told."
    )
    conditions = ("adaptive = yes", "the two scores of a label are more than 2E apart, however many labels are 1")

    def propose(self, channel: Channel) -> Proposal[GrowingCounts] | tuple[Refusal, ...]:
        """As many queries as labels; the control beside them."""
        from planner.attacks.chunks.parameters import GrowingCounts
        from planner.attacks.one_row.certify import controlled

        metric = channel.metric
        assert isinstance(metric, CountingMetric)
        if metric.ones_step(channel.scored) is not None or metric.single(channel.scored) is None:
            need = "a metric of which all rows predicted 1 do not tell how many labels are 1 (see counting)"
            return (self.refuse(channel, "metric", need, metric.title),)
        if reasons := self.unmet(channel, ADAPTIVE):
            return reasons
        control = controlled(channel)
        parameters = GrowingCounts(channel.wanted + control, channel.wanted, control)
        return Proposal(
            parameters,
            Fraction(channel.wanted, parameters.queries),
            precision_bits=2 * channel.scored.bit_length() + READ_BITS,
            prediction_bits=1,
            operations=channel.scored * channel.scored,
            memory=16 * channel.rows * min(channel.rows, 1000),
            within=lambda queries: min(channel.wanted, max(0, queries - control)),
        )

    def build(self, channel: Channel, parameters: GrowingCounts) -> Attack:
        """A runnable attack."""
        from planner.attacks.chunks.run import ChunksAttack

        return ChunksAttack(self.id, channel, parameters)
