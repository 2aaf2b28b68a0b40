"""Growing blocks: every phase is a block whose known labels cost next to nothing."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from planner.attacks.block.certify import block_loss, smallest_gap
from planner.attacks.growing.parameters import GrowingBlocks
from planner.attacks.inequalities import enough_room, guarantee, score_fits, separation
from planner.channel.channel import Channel
from planner.numerics.inequality import Inequality, Proof
from planner.numerics.reals import ball, compare


def prove(channel: Channel, parameters: GrowingBlocks) -> Proof:
    """Separation phase by phase; what a phase calls known must have been recovered before it."""
    checks: list[Inequality] = [_carried(channel, parameters)]
    recovered = asked = 0
    for known, blocks, rows in parameters.phases:
        checks.append(enough_room(recovered, known))
        checks += phase_checks(channel, parameters, known, rows)
        recovered += blocks * len(rows)
        asked += blocks
    checks.append(enough_room(recovered, parameters.labels))
    checks.append(compare("queries >= blocks asked", lambda: ball(parameters.queries), ">=", lambda: ball(asked)))
    return Proof(guarantee(channel), tuple(checks))


def phase_checks(
    channel: Channel, parameters: GrowingBlocks, known: int, rows: tuple[Fraction, ...]
) -> tuple[Inequality, ...]:
    """One phase: the gap of its weights against the error at its own largest loss."""

    def loss() -> arb:
        return block_loss(channel, rows, known, parameters.doubt)

    gap = separation(channel, parameters, lambda: smallest_gap(channel.metric, rows, 0), loss)
    return (gap, *score_fits(channel, parameters.queries, loss))


def _carried(channel: Channel, parameters: GrowingBlocks) -> Inequality:
    entries = [parameters.doubt, 1 - parameters.doubt, *(p for _, _, rows in parameters.phases for p in rows)]
    fit = sum(channel.metric.takes(channel, p) for p in entries)
    name = "probabilities that the scorer takes as they are"
    return compare(name, lambda: ball(fit), ">=", lambda: ball(len(entries)))
