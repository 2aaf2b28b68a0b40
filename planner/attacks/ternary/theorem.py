"""Accuracy of three classes: a design of predicted classes."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from planner.attacks.attack import Attack
from planner.attacks.theorem import Proposal, Theorem
from planner.channel.channel import Channel
from planner.channel.conditions import RIGHT_ROWS
from planner.channel.metrics.counting import READ_BITS
from planner.designs.popcounts import fewest_queries
from planner.model import Refusal

if TYPE_CHECKING:
    from planner.attacks.ternary.parameters import TernaryCounts


class TernaryCounting(Theorem["TernaryCounts"]):
    """All labels at once."""

    id = "ternary"
    title = "Counting right rows of three classes"
    cite = "Chvatal 1983; ternary counting design"
    statement = (
        "An accuracy tells how many rows are right. In M queries a component for each j < M holds labels of weights 1, 3, 9, "
        ".. up to 2^(popcount(j)-1); a label is predicted 2, 0 or 1 so that the alternating sum of the right rows over all "
        "queries within j counts it by its weight if it is 2, by the negative of that if it is 0, and not at all if it is 1. "
        "Read in balanced ternary that tells every label: 300 labels in 149 queries."
    )
    conditions = ("K = 3, metric = accuracy", "numbers of right rows that differ by one are scored more than 2E apart")

    def propose(self, channel: Channel) -> Proposal[TernaryCounts] | tuple[Refusal, ...]:
        """The smallest design."""
        reasons = self.unmet(channel, RIGHT_ROWS)
        if channel.classes != 3:
            reasons = (*reasons, self.refuse(channel, "K", "three classes", f"K = {channel.classes}"))
        if reasons:
            return reasons
        from planner.attacks.ternary.parameters import TernaryCounts
        from planner.designs.ternary import Ternary

        M = fewest_queries(channel.wanted, lambda M: Ternary(M).capacity() if M > 1 else 0)
        return Proposal(
            TernaryCounts(M, channel.wanted, Ternary(M)),
            Fraction(channel.wanted, M),
            precision_bits=channel.scored.bit_length() + READ_BITS,
            prediction_bits=2,
            operations=M * max(M.bit_length(), 1) ** 2 + channel.wanted,
            memory=8 * channel.rows * 4 + 64 * M,
            within=lambda queries: min(channel.wanted, Ternary(queries).capacity() if queries > 1 else 0),
        )

    def build(self, channel: Channel, parameters: TernaryCounts) -> Attack:
        """A runnable attack."""
        from planner.attacks.ternary.run import TernaryAttack

        return TernaryAttack(self.id, channel, parameters)
