"""Accuracy of three classes and more: a design of predicted classes."""

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
    from planner.attacks.class_counting.parameters import ClassCounts


class ClassCounting(Theorem["ClassCounts"]):
    """All labels at once."""

    id = "class-counting"
    title = "Counting right rows of several classes"
    cite = "Chvatal 1983; balanced counting design"
    statement = (
        "An accuracy tells how many rows are right. Give each of K classes a level: -h, .., h for K = 2h + 1, the same "
        "without 0 for K = 2h. In M queries a component for each j < M holds labels of weights 1, B, B^2, .., B = 2h + 1, "
        "as long as h(h+1)/2 times the weight is at most 2^(popcount(j)-1); a label is predicted so that the alternating sum "
        "of the right rows over all queries within j counts it by its weight times the level of its class. Read in balanced "
        "digits that tells every label: 300 labels of 3 classes in 149 queries, 1,000 of 10 in 1,502."
    )
    conditions = ("K >= 3, metric = accuracy", "numbers of right rows that differ by one are scored more than 2E apart")

    def propose(self, channel: Channel) -> Proposal[ClassCounts] | tuple[Refusal, ...]:
        """The smallest design."""
        reasons = self.unmet(channel, RIGHT_ROWS)
        if channel.classes < 3:
            return (*reasons, self.refuse(channel, "K", "three classes or more", f"K = {channel.classes}"))
        from planner.designs.balanced import MOST_CLASSES, Balanced

        if channel.classes > MOST_CLASSES:
            reasons = (
                *reasons,
                self.refuse(channel, "K", f"{MOST_CLASSES:,} classes at most", f"K = {channel.classes:,}"),
            )
        if reasons:
            return reasons
        from planner.attacks.class_counting.parameters import ClassCounts

        K = channel.classes

        def capacity(M: int) -> int:
            return Balanced(M, K).capacity() if M > 1 else 0

        M = fewest_queries(channel.wanted, capacity)
        return Proposal(
            ClassCounts(M, channel.wanted, Balanced(M, K)),
            Fraction(channel.wanted, M),
            precision_bits=channel.scored.bit_length() + READ_BITS,
            prediction_bits=(K - 1).bit_length(),
            operations=M * max(M.bit_length(), 1) ** 2 + channel.wanted,
            memory=8 * channel.rows * 4 + 64 * M,
            within=lambda queries: min(channel.wanted, capacity(queries)),
        )

    def build(self, channel: Channel, parameters: ClassCounts) -> Attack:
        """A runnable attack."""
        from planner.attacks.class_counting.run import ClassAttack

        return ClassAttack(self.id, channel, parameters)
