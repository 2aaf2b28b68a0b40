"""Boards that only fall give as many labels a query as weights fit between their step and what a row weighs."""

from __future__ import annotations

from fractions import Fraction
from math import exp, log, log1p
from typing import TYPE_CHECKING

from dsl.scenario import LadderOf
from planner.attacks.attack import Attack
from planner.attacks.costs import block_cost
from planner.attacks.parameters import blocks_of
from planner.attacks.surest import surest
from planner.attacks.theorem import Proposal, Theorem
from planner.channel.channel import Channel
from planner.model import Refusal

if TYPE_CHECKING:
    from planner.attacks.descent.parameters import Descent

MOST_ROWS = 40  # of a block
FINEST = 2.0**-40  # no gap of falls is made finer, whatever the error
SPARE = 1.001  # times the proved bounds, for what floats lose
ROUNDS = 200  # until the rows' rises settle


class FallingBoard(Theorem["Descent"]):
    """The Ladder as published, and boards that show the best score."""

    id = "descent"
    title = "Rows put right block by block on a board that only falls"
    cite = "descent"
    statement = (
        "All rows are predicted for one class, as surely as the scorer takes it; the first score tells how many are wrong. "
        "Then m rows a query are made less sure, by weights of which each exceeds all before it together: a wrong one lowers "
        "the score, which the board shows, and by how much tells which ones are; they are turned. One row a query, turned at "
        "once, is N + 1 queries for every labeling on a Ladder that starts at infinity if W/N > 3/2 eta, and on a board that "
        "shows the best score if W/N is more than a unit of the last decimal; finer boards give m labels a query, N/m + 1. "
        "Errors of computing a score come on top."
    )
    conditions = (
        "release = best, or ladder(eta) from infinity",
        "K = 2, log_loss, no noise, adaptive = yes",
        "W/N > 3/2 eta, or a unit of the last decimal",
    )

    def propose(self, channel: Channel) -> Proposal[Descent] | tuple[Refusal, ...]:
        """The least p of which the scorer takes both sides, and as many rows a block as there is room for."""
        from planner.attacks.descent.certify import shown_within
        from planner.attacks.descent.parameters import Descent

        probe = Descent(channel.wanted + 1, channel.wanted, Fraction(1, 2), (Fraction(1, 2),))
        reasons = self.unmet(channel, *probe.conditions)
        if reasons:
            return reasons
        doubt = surest(channel)
        if doubt is None:
            return (self.refuse(channel, "clip", "a prediction whose two sides are taken as they are", "none"),)
        weaker = _weaker(channel, doubt)
        parameters = Descent(blocks_of(channel.wanted, len(weaker)) + 1, channel.wanted, doubt, weaker)
        gap = max(float(2 * shown_within(channel, parameters)), FINEST)
        return block_cost(channel, parameters, len(weaker), _precision(channel, gap), doubt.denominator.bit_length())

    def deciding(self, channel: Channel) -> str:
        """What is shown."""
        return "release" if isinstance(channel.release, LadderOf) else "decimals"

    def build(self, channel: Channel, parameters: Descent) -> Attack:
        """A runnable adaptive attack."""
        from planner.attacks.descent.run import DescentAttack

        return DescentAttack(self.id, channel, parameters)


def _weaker(channel: Channel, doubt: Fraction) -> tuple[Fraction, ...]:
    """The longest block of which every weight is as small as it may be; one row is turned."""
    from planner.attacks.descent.certify import seen_from, shown_within
    from planner.attacks.descent.parameters import Descent

    bare = Descent(1, channel.wanted, doubt, (1 - doubt,))
    first, gap = float(seen_from(channel, bare)) * SPARE, float(2 * shown_within(channel, bare)) * SPARE
    found: tuple[Fraction, ...] = (1 - doubt,)
    for m in range(2, min(MOST_ROWS, channel.wanted) + 1):
        longer = _block(m, float(doubt), max(first, FINEST), max(gap, FINEST))
        rows = tuple(Fraction(one) for one in longer)
        if not longer or not all(channel.metric.takes(channel, one) for one in rows):
            break
        found = rows
    return found


def _block(m: int, p: float, first: float, gap: float) -> list[float]:
    """Predictions whose weights are first + D, and then all before and the gap; D hangs on them. Empty: no room."""
    weight, rise = log1p(-p) - log(p), 0.0
    for _ in range(ROUNDS):
        falls = [first + rise]
        for _ in range(m - 1):
            falls.append(sum(falls) + gap)
        if not falls[-1] < weight:  # beyond 1/2 a row that is right adds as much as one that is wrong takes off
            return []
        rows = [1 / (1 + exp(weight - one)) for one in falls]
        needed = sum(log1p(-p) - log1p(-one) for one in rows)
        if needed <= rise:
            return rows
        rise = needed * SPARE
    return []


def _precision(channel: Channel, gap: float) -> int:
    """Bits after the point of a score that leave a sixteenth of the gap of falls, in its share of the mean."""
    return channel.rows.bit_length() + 4 + max(0, -int(log(gap) / log(2)) + 1)
