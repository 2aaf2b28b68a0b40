"""The pivot: rounded accuracy past N > 10^d, where rows may abstain."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from planner.attacks.attack import Attack
from planner.attacks.theorem import Proposal, Theorem
from planner.channel.channel import Channel
from planner.channel.conditions import ABSTAINS, ADAPTIVE, QUIET, RIGHT_ROWS, ROUNDED, TWO_CLASSES
from planner.model import Refusal

if TYPE_CHECKING:
    from planner.attacks.pivot.parameters import Pivot


class PivotRows(Theorem["Pivot"]):
    """A row a query, however few decimals there are."""

    id = "pivot"
    title = "A pivot at the edge of a rounded accuracy"
    cite = "accuracy, rounding as a comparator"
    statement = (
        "What is shown of an accuracy follows from the number of right rows. Where rows may name no class at all, the rows "
        "of one class, predicted one after the other, lead from no right row to half of them or more: some row on the way "
        "changes what is shown from 0 to more. Halving finds it. Then every other row tells its label by itself: added "
        "before that row, or taken away after it. N + 1 + ceil(log2 N) queries are enough at any number of decimals but 0."
    )
    conditions = (
        "metric = accuracy, abstain = yes",
        "rounded scores without noise, at least one decimal",
        "adaptive = yes",
    )

    def propose(self, channel: Channel) -> Proposal[Pivot] | tuple[Refusal, ...]:
        """As many rows as labels are wanted."""
        reasons = self.unmet(channel, TWO_CLASSES, RIGHT_ROWS, ABSTAINS, QUIET, ROUNDED, ADAPTIVE)
        if reasons:
            return reasons
        from planner.attacks.pivot.certify import most_asked
        from planner.attacks.pivot.parameters import Pivot

        queries = most_asked(channel, channel.wanted)
        return Proposal(
            Pivot(queries, channel.wanted),
            Fraction(channel.wanted, queries),
            precision_bits=4 * max(channel.digits.digits, 1),
            prediction_bits=2,
            operations=2 * queries * channel.rows,
            memory=16 * channel.rows,
            within=lambda asked: min(channel.wanted, max(0, asked - (queries - channel.wanted))),
        )

    def build(self, channel: Channel, parameters: Pivot) -> Attack:
        """A runnable attack."""
        from planner.attacks.pivot.run import PivotAttack

        return PivotAttack(self.id, channel, parameters)
