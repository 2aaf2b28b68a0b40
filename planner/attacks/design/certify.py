"""Designs: every label in every query. Rounding to whole gaps is right while the error stays below half a gap."""

from __future__ import annotations

from flint import arb

from planner.attacks.design.parameters import DesignStages
from planner.attacks.inequalities import enough_room, guarantee, score_fits
from planner.channel.channel import Channel
from planner.numerics.inequality import Inequality, Proof
from planner.numerics.reals import ball, compare


def prove(channel: Channel, parameters: DesignStages) -> Proof:
    """Reach, capacity and separation."""
    design, sound = parameters.design, _sound(parameters)
    if not sound.holds:
        return Proof("nothing: the design is none", (sound,))
    name = "gap > 2 (E + dev)"
    return Proof(
        guarantee(channel),
        (
            _reach(channel, parameters),
            compare(name, lambda: ball(parameters.gap), ">", lambda: 2 * design_error(channel, parameters)),
            sound,
            enough_room(design.capacity(), parameters.labels),
            compare(
                "queries asked >= queries of the design",
                lambda: ball(parameters.queries),
                ">=",
                lambda: ball(design.M * parameters.digits),
            ),
            _classes(channel, parameters),
            *score_fits(channel, parameters.queries, lambda: largest_loss(channel, parameters)),
        ),
    )


def _sound(parameters: DesignStages) -> Inequality:
    """The design is one whose sums determine its labels, whoever wrote the record."""
    sound = parameters.design.sound()
    return compare("designs that hold what they say", lambda: ball(int(sound)), ">=", lambda: ball(1))


def _classes(channel: Channel, parameters: DesignStages) -> Inequality:
    """A design of K classes tells K classes; binary stages tell 2^digits."""
    told = parameters.design.K**parameters.digits
    return compare("classes told apart >= K", lambda: ball(told), ">=", lambda: ball(channel.classes))


def _reach(channel: Channel, parameters: DesignStages) -> Inequality:
    def limit() -> arb:
        return channel.metric.stage_reach(channel, parameters.design.K, parameters.digits)

    largest = parameters.gap * parameters.design.amplitude
    return compare("W >= gap x amplitude", limit, ">=", lambda: ball(largest))


def largest_loss(channel: Channel, parameters: DesignStages) -> arb:
    """What no labeling of a query exceeds on average."""
    return channel.metric.mean_loss(channel, *_spreads(parameters))


def design_error(channel: Channel, parameters: DesignStages) -> arb:
    """E, and how far predictions and the attacker's own arithmetic miss what the design wants."""
    return spread_error(channel, parameters.queries, *_spreads(parameters), parameters.design.K)


def _spreads(parameters: DesignStages) -> tuple[arb, arb]:
    """The largest spread of a row, and the most that all rows of a query have together."""
    gap, design = parameters.gap, parameters.design
    return ball(gap * design.amplitude), ball(gap * design.row_l1_bound(parameters.labels))


def spread_error(channel: Channel, queries: int, largest: arb, spread: arb, classes: int) -> arb:
    """The error for rows of spread at most `largest` each and `spread` together."""
    metric = channel.metric
    loss = metric.mean_loss(channel, largest, spread)
    scorer = channel.errors(queries).sum_error(loss, heaviest=metric.heaviest(channel, largest))
    missed = metric.deviation(channel, largest, spread, classes) + metric.own_error(channel, largest, spread)
    return scorer + missed
