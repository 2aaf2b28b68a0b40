"""One row predicted 1 a query: what tells a label whatever the number of ones is."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from planner.attacks.attack import Attack
from planner.attacks.inequalities import alike
from planner.attacks.theorem import Proposal, Theorem
from planner.channel.channel import Channel
from planner.channel.metrics.counting import READ_BITS, CountingMetric
from planner.model import Refusal

if TYPE_CHECKING:
    from planner.attacks.one_row.parameters import OneRow


class SingleRows(Theorem["OneRow"]):
    """A query a label."""

    id = "one-row"
    title = "One row predicted 1 a query"
    cite = "counting, one row at a time"
    statement = (
        "With one row predicted 1 and all others 0, F1, precision, recall and the Jaccard index show 0 if its label is 0 "
        "and more if it is 1; balanced accuracy, the area under the ROC curve, the Matthews correlation and kappa show less "
        "or more than a number that does not depend on how many labels are 1. So N queries tell all labels, though nobody "
        "knows that."
    )
    conditions = ("the two scores of a label are more than 2E apart, however many labels are 1",)

    def propose(self, channel: Channel) -> Proposal[OneRow] | tuple[Refusal, ...]:
        """As many rows as labels are wanted."""
        from planner.attacks.one_row.certify import controlled
        from planner.attacks.one_row.parameters import OneRow

        metric = channel.metric
        assert isinstance(metric, CountingMetric)
        if metric.single(channel.scored) is None:
            need = "a metric of which one row tells its label, however many are 1"
            return (self.refuse(channel, "metric", need, metric.title),)
        if alike(channel) and not metric.one_class and not metric.control:
            return (self.refuse(channel, "positives", "labels of both classes", "one class"),)
        control = controlled(channel)
        parameters = OneRow(channel.wanted + control, channel.wanted, control)
        return Proposal(
            parameters,
            Fraction(channel.wanted, parameters.queries),
            precision_bits=2 * channel.scored.bit_length() + READ_BITS,
            prediction_bits=1,
            operations=2 * channel.wanted,
            memory=16 * channel.rows,
            within=lambda queries: min(channel.wanted, max(0, queries - control)),
        )

    def build(self, channel: Channel, parameters: OneRow) -> Attack:
        """A runnable attack."""
        from planner.attacks.one_row.run import OneRowAttack

        return OneRowAttack(self.id, channel, parameters)
