"""Blocks among rows of ones: Theorem U, with a loss that does not grow with the number of rows."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from planner.attacks.digits.certify import smallest_step
from planner.attacks.inequalities import enough_room, guarantee, score_fits, separation
from planner.attacks.ones.parameters import OnesBlock
from planner.channel.channel import Channel
from planner.numerics.inequality import Inequality, Proof
from planner.numerics.reals import ball, compare


def prove(channel: Channel, parameters: OnesBlock) -> Proof:
    """Sums that are farther apart than both errors, every entry being charged as it was written."""
    rows, idle = parameters.rows, parameters.idle

    def loss() -> arb:
        return largest_loss(channel, parameters)

    return Proof(
        guarantee(channel),
        (
            _carried(channel, parameters),
            separation(
                channel,
                parameters,
                lambda: smallest_step(rows),
                loss,
                heaviest=lambda: heaviest(rows, idle),
            ),
            enough_room(len(rows) * parameters.queries, parameters.labels),
            *score_fits(channel, parameters.queries, loss),
        ),
    )


def largest_loss(channel: Channel, parameters: OnesBlock) -> arb:
    """Every active row charges its least entry, all others what they give each class."""
    rows = parameters.rows
    worst = sum((charge(min(row)) for row in rows), arb(0))
    return ((channel.scored - len(rows)) * charge(parameters.idle) + worst) / channel.scored


def heaviest(rows: tuple[tuple[Fraction, ...], ...], idle: Fraction) -> arb:
    """No row charges more."""
    return charge(min((min(row) for row in rows), default=idle)).max(charge(idle))


def charge(entry: Fraction) -> arb:
    """-ln u."""
    return -(ball(entry).log())


def _carried(channel: Channel, parameters: OnesBlock) -> Inequality:
    """Neither the clip nor the format moves an entry: none is 1 itself, which the clip would."""
    entries = [parameters.idle, *(p for row in parameters.rows for p in row)]
    full = all(len(row) == channel.classes for row in parameters.rows)
    fit = sum(channel.metric.takes(channel, p) for p in entries) if full else 0
    name = "entries that the scorer takes as they are, idle rows' included"
    return compare(name, lambda: ball(fit), ">=", lambda: ball(len(entries)))
