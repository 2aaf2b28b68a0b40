"""Z: the unclipped zero. No noise hides an infinite score."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from planner.attacks.attack import Attack
from planner.attacks.theorem import Proposal, Theorem
from planner.channel.channel import Channel
from planner.channel.conditions import COLUMN_A_CLASS, LOGARITHMIC, ZEROS_SHOW
from planner.model import Refusal

if TYPE_CHECKING:
    from planner.attacks.zero.parameters import ZeroTests


class Zero(Theorem["ZeroTests"]):
    """Adaptive group tests by exact zeros."""

    id = "zero"
    title = "Zero test against a scorer that does not clip"
    cite = "attack Z"
    statement = (
        "A prediction of exactly 0 for the true class makes the score infinite, and no additive or multiplicative noise "
        "hides that. Halving the classes tells a label in ceil(log2 K) queries; groups of labels that are probably all of "
        "the commonest class are tested at once, as far as earlier savings pay for their worst case. So no additive-noise "
        "impossibility holds against such a scorer. Two further queries confirm all labels."
    )
    conditions = ("no clip", "K columns if K > 2")

    def propose(self, channel: Channel) -> Proposal[ZeroTests] | tuple[Refusal, ...]:
        """One test a label and bit, grouped where queries may adapt."""
        reasons = self.unmet(channel, LOGARITHMIC) or self.unmet(channel, ZEROS_SHOW, COLUMN_A_CLASS)
        if reasons:
            return reasons
        from planner.attacks.zero.parameters import ZeroTests, reserve_for

        bits = (channel.classes - 1).bit_length()
        reserve = reserve_for(channel.wanted) if channel.adaptive else 0
        if channel.budget is not None:
            reserve = max(0, min(reserve, channel.budget - channel.wanted * bits - 2))
        queries = channel.wanted * bits + reserve + 2
        parameters = ZeroTests(
            queries, channel.wanted, channel.rows, channel.classes, channel.columns, channel.adaptive, reserve
        )
        return Proposal(
            parameters,
            Fraction(channel.wanted, queries),
            precision_bits=0,
            prediction_bits=1,
            operations=channel.rows * queries,
            memory=16 * channel.rows * channel.columns,
            within=lambda asked: max(0, min(channel.wanted, (asked - reserve - 2) // bits)),
        )

    def build(self, channel: Channel, parameters: ZeroTests) -> Attack:
        """A runnable zero test."""
        from planner.attacks.zero.run import GroupedZeros, ListedZeros

        return GroupedZeros(parameters, channel) if parameters.grouped else ListedZeros(parameters, channel)
