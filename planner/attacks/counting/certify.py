"""Counts are read off scores exactly: neighbouring ones are farther apart than both of their errors together."""

from __future__ import annotations

from fractions import Fraction

from planner.attacks.counting.parameters import Counts
from planner.attacks.inequalities import enough_room, guarantee
from planner.channel.channel import Channel
from planner.channel.metrics.counting import CountingMetric
from planner.designs.ones import Ones
from planner.numerics.inequality import Inequality, Proof
from planner.numerics.reals import ball, compare


def prove(channel: Channel, parameters: Counts) -> Proof:
    """Capacity, and a reading for every query."""
    metric = channel.metric
    if not isinstance(metric, CountingMetric):
        raise ValueError("no metric that counts")
    design, sound = parameters.design, _sound(parameters)
    if not sound.holds:
        return Proof("nothing: the design is none", (sound,))
    readings = _matches(channel, metric, parameters) if parameters.neutral else _counts(channel, metric, parameters)
    return Proof(promised(channel, metric), (sound, enough_room(design.capacity(), parameters.labels), *readings))


def promised(channel: Channel, metric: CountingMetric) -> str:
    """Labels that are all alike have no score, or none that tells them, in some metrics."""
    kept = guarantee(channel)
    return (
        kept
        if metric.one_class or metric.control
        else kept.replace("every labeling", "every labeling with both classes", 1)
    )


def _sound(parameters: Counts) -> Inequality:
    """Zeros and ones where there is no neutral row, entries up to 1 where there is."""
    design = parameters.design
    fits = design.K == 2 and design.amplitude == design.unit == 1 and design.sound()
    kind = isinstance(design, Ones) != parameters.neutral and not (parameters.neutral and parameters.first)
    return compare("designs that hold what they say", lambda: ball(int(fits and kind)), ">=", lambda: ball(1))


def _matches(channel: Channel, metric: CountingMetric, parameters: Counts) -> tuple[Inequality, ...]:
    """A row that names its class is right or wrong by itself: right rows are counted to 1/N.

    That the scorer takes a class that does not exist is a fact which the record fixes: it is held against the channel before.
    """
    step = Fraction(1, channel.scored)
    error = "step of right rows > 2E"
    return (
        compare(error, lambda: ball(step), ">", lambda: 2 * metric.error(channel, parameters.queries, on_lattice=True)),
    )


def _counts(channel: Channel, metric: CountingMetric, parameters: Counts) -> tuple[Inequality, ...]:
    """How many labels are 1 is told, or read first; then every count of ones among rows predicted 1."""
    N, queries = channel.scored, parameters.queries
    told = (channel.radius, N - channel.radius) if channel.exactly else (None,)
    step = min(metric.step(N, n1) for n1 in told)
    reading = compare("step of a count > 2E", lambda: ball(step), ">", lambda: 2 * metric.error(channel, queries))
    if channel.exactly:
        return (reading,)
    asked = parameters.first or parameters.labels == channel.rows
    of_ones = (metric.ones_step(N) or Fraction(0)) if asked else Fraction(0)
    return (
        compare(
            "step of the number of ones > 2E",
            lambda: ball(of_ones),
            ">",
            lambda: 2 * metric.error(channel, queries, on_lattice=metric.ones_on_lattice),
        ),
        reading,
    )
