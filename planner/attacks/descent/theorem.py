"""Boards that only fall give a label a query, if a row weighs more than their step."""

from __future__ import annotations

from fractions import Fraction

from dsl.scenario import LadderOf
from planner.attacks.attack import Attack
from planner.attacks.costs import block_cost
from planner.attacks.descent.parameters import Descent
from planner.attacks.theorem import Proposal, Theorem
from planner.channel.channel import Channel
from planner.model import Refusal
from planner.numerics.reals import upper_end

GRID = 2**53  # 1 - p is a float64 if p is a multiple of 1/this
UNCLIPPED = 2**-40
TRIES = 4


class FallingBoard(Theorem[Descent]):
    """The Ladder as published, and boards that show the best score."""

    id = "descent"
    title = "Rows turned one at a time on a board that only falls"
    cite = "descent"
    statement = (
        "All rows are predicted for one class, as surely as the scorer takes it, and turned one at a time: a row that was "
        "wrong lowers the score by W/N, and the board shows it; any other raises it, and the board shows nothing. N + 1 "
        "queries for every labeling, on a Ladder that starts at infinity if W/N > 3/2 eta, on a board that shows the best "
        "score if W/N is more than a unit of the last decimal; errors of computing a score come on top."
    )
    conditions = (
        "release = best, or ladder(eta) from infinity",
        "K = 2, log_loss, no noise, adaptive = yes",
        "W/N > 3/2 eta, or a unit of the last decimal",
    )
    releases = ("best", "ladder")

    def propose(self, channel: Channel) -> Proposal[Descent] | tuple[Refusal, ...]:
        """The least p of which the scorer takes both sides."""
        probe = Descent(channel.wanted + 1, channel.wanted, Fraction(1, 2))
        reasons = self.unmet(channel, *probe.conditions)
        if reasons:
            return reasons
        doubt = next((p for p in _candidates(channel) if _taken(channel, p)), None)
        if doubt is None:
            return (self.refuse(channel, "clip", "a prediction whose two sides are taken as they are", "none"),)
        parameters = Descent(channel.wanted + 1, channel.wanted, doubt)
        return block_cost(channel, parameters, 1, _precision(channel), doubt.denominator.bit_length())

    def deciding(self, channel: Channel) -> str:
        """What is shown."""
        return "release" if isinstance(channel.release, LadderOf) else "decimals"

    def build(self, channel: Channel, parameters: Descent) -> Attack:
        """A runnable adaptive attack."""
        from planner.attacks.descent.run import DescentAttack

        return DescentAttack(self.id, channel, parameters)


def _candidates(channel: Channel) -> list[Fraction]:
    least = Fraction(UNCLIPPED) if channel.clip is None else upper_end(channel.clip)
    first = -(-least * GRID // 1)
    return [Fraction(int(first) + more, GRID) for more in range(TRIES)]


def _taken(channel: Channel, p: Fraction) -> bool:
    return p < Fraction(1, 2) and channel.metric.takes(channel, p) and channel.metric.takes(channel, 1 - p)


def _precision(channel: Channel) -> int:
    """Bits after the point of a score that tell a row: those of its share of the mean."""
    return channel.rows.bit_length() + 1
