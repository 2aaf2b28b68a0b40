"""The pivot: a class of half of the rows is shown above 0, and so somewhere on the way one row makes the difference."""

from __future__ import annotations

from fractions import Fraction

from planner.attacks.inequalities import guarantee
from planner.attacks.pivot.parameters import Pivot
from planner.channel.channel import Channel
from planner.channel.metrics.counting import CountingMetric
from planner.numerics.inequality import Proof
from planner.numerics.reals import ball, compare

HALF = Fraction(1, 2)


def prove(channel: Channel, parameters: Pivot) -> Proof:
    """Half of the rows right is not shown as none, and there are queries for every step of the search.

    A class whose rows are shown as 0 has at most 2E of them; the other has more than half then, since 1/2 > 2E.
    """
    metric = channel.metric
    if not isinstance(metric, CountingMetric):
        raise ValueError("no metric that counts")
    asked = most_asked(channel, parameters.labels)
    return Proof(
        guarantee(channel),
        (
            compare(
                "half of the rows > 2E", lambda: ball(HALF), ">", lambda: 2 * metric.error(channel, parameters.queries)
            ),
            compare("queries >= labels and search", lambda: ball(parameters.queries), ">=", lambda: ball(asked)),
        ),
    )


def most_asked(channel: Channel, labels: int) -> int:
    """A row each, one class in all rows, and as many halvings as the rows take."""
    return labels + 1 + (channel.scored - 1).bit_length()
