"""Growing chunks: a chunk of one row is sure whatever the number of ones is, and no chunk asks more queries than it has rows.

So labels take no more queries than there are of them: a group that is counted saves the query of its last row, and what else
is asked to learn the number of ones is asked only from what chunks have saved. That larger chunks and groups are sure is
worked out while the attack runs, before they are asked.
"""

from __future__ import annotations

from planner.attacks.chunks.parameters import GrowingCounts
from planner.attacks.one_row.certify import prove as of_one_row
from planner.attacks.one_row.parameters import OneRow
from planner.channel.channel import Channel
from planner.channel.metrics.counting import CountingMetric
from planner.numerics.inequality import Proof
from planner.numerics.reals import ball, compare


def prove(channel: Channel, parameters: GrowingCounts) -> Proof:
    """One row at a time is what can be promised."""
    if isinstance(channel.metric, CountingMetric) and channel.metric.ones_step(channel.scored) is not None:
        # Scores of chunks are compared over arrays of counts, and metrics that tell this number at once have no such formula.
        raise ValueError("a metric that tells at once how many labels are 1")
    asked = parameters.labels + parameters.control
    single = of_one_row(channel, OneRow(parameters.queries, parameters.labels, parameters.control))
    room = compare("queries >= labels and control", lambda: ball(parameters.queries), ">=", lambda: ball(asked))
    return Proof(single.guarantee, (*single.inequalities, room))
