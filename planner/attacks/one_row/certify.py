"""One row predicted 1: whatever the number of ones, its label's two scores lie apart."""

from __future__ import annotations

from fractions import Fraction

from planner.attacks.counting.certify import promised
from planner.attacks.inequalities import alike
from planner.attacks.one_row.parameters import OneRow
from planner.channel.channel import Channel
from planner.channel.metrics.counting import CountingMetric
from planner.numerics.inequality import Proof
from planner.numerics.reals import ball, compare

CONTROLLED = Fraction(1, 2)  # all rows predicted 1 are scored 0, 1/2 or 1


def prove(channel: Channel, parameters: OneRow) -> Proof:
    """Scores of label 0 and of label 1 do not meet; the control is asked where the metric needs it."""
    metric = channel.metric
    if not isinstance(metric, CountingMetric):
        raise ValueError("no metric that counts")
    if parameters.control and not metric.control:
        # It would be read as 0, 1/2 or 1: scores near those of other metrics say nothing of labels that are all alike.
        raise ValueError("a control that tells nothing of this metric")
    if alike(channel) and not metric.one_class and not metric.control:
        raise ValueError("labels that are all alike, of which no score of this metric tells anything")
    zero, one = metric.single(channel.scored) or (Fraction(0), Fraction(0))
    apart = min(one - zero, CONTROLLED) if parameters.control else one - zero
    needed = int(controlled(channel))
    return Proof(
        promised(channel, metric),
        (
            compare(
                "score of label 1 - score of label 0 > 2E",
                lambda: ball(apart),
                ">",
                lambda: 2 * metric.error(channel, parameters.queries),
            ),
            compare("controls asked >= needed", lambda: ball(int(parameters.control)), ">=", lambda: ball(needed)),
        ),
    )


def controlled(channel: Channel) -> bool:
    """Whether labels that are all alike must be told by the control: nobody says that there are both classes."""
    both = channel.exactly and 0 < channel.radius < channel.scored
    return isinstance(channel.metric, CountingMetric) and channel.metric.control and not both
