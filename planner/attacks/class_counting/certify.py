"""Several classes: right rows are counted exactly, and counts tell every label."""

from __future__ import annotations

from fractions import Fraction

from planner.attacks.class_counting.parameters import ClassCounts
from planner.attacks.inequalities import enough_room, guarantee
from planner.channel.channel import Channel
from planner.channel.metrics.counting import CountingMetric
from planner.numerics.inequality import Proof
from planner.numerics.reals import ball, compare


def prove(channel: Channel, parameters: ClassCounts) -> Proof:
    """A number of right rows is not mistaken for the next, and the design holds all labels."""
    metric, design = channel.metric, parameters.design
    if not isinstance(metric, CountingMetric):
        raise ValueError("no metric that counts")
    fits = channel.classes == design.K and design.sound()
    return Proof(
        guarantee(channel),
        (
            compare("designs that hold what they say", lambda: ball(int(fits)), ">=", lambda: ball(1)),
            enough_room(design.capacity(), parameters.labels),
            compare(
                "step of right rows > 2E",
                lambda: ball(Fraction(1, channel.scored)),
                ">",
                lambda: 2 * metric.error(channel, parameters.queries, on_lattice=True),
            ),
        ),
    )
