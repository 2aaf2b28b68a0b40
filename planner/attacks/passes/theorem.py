"""CD in passes: classes that are no power of two, in an order that coins choose, by a prefix code."""

from __future__ import annotations

from dataclasses import fields, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from planner.attacks.attack import Attack
from planner.attacks.consistent.theorem import LARGEST_BASE, Consistent, least_order
from planner.attacks.costs import average_cost
from planner.attacks.spread.shapes import rounds_for
from planner.attacks.theorem import Proposal, Theorem, unasked
from planner.channel.channel import Channel
from planner.channel.conditions import ADAPTIVE, NO_POWER_OF_TWO
from planner.model import Refusal
from planner.numerics.reals import ball
from planner.numerics.search import first_between

if TYPE_CHECKING:
    from planner.attacks.consistent.parameters import ConsistentSpread
    from planner.attacks.passes.parameters import PassedSpread

DEEP_SHARE = Fraction(1, 8)  # of delta: that more labels take the last pass


class PrefixPasses(Theorem["PassedSpread"]):
    """Averages of all labels at once, classes by a prefix code."""

    id = "passes"
    title = "Consistency decoding in passes by a prefix code"
    cite = "attack CD, rows that need not sum to 1, a prefix code"
    statement = (
        "Averages as in `consistent` ask on which side of its classes every label lies. Put the classes of every row in a "
        "random order: each place is equally likely then, whatever the labels are. A prefix code of the places takes "
        "a = floor(log2 K) passes over all labels and one more over a share 2 - 2^(a+1)/K of them, 5/3 of a pass for three "
        "classes and 3.4 for ten. Which labels take the last pass the others tell, so queries are adaptive."
    )
    compares = True
    conditions = (*Consistent.conditions, "K no power of two", "adaptive queries")

    def propose(self, channel: Channel) -> Proposal[PassedSpread] | tuple[Refusal, ...]:
        """The fewest queries over all bases, each with the order that suits a pass over all labels."""
        reasons = self.unmet(channel, ADAPTIVE) or self.unmet(channel, NO_POWER_OF_TWO, see="consistent")
        if reasons:
            return reasons
        plain = Consistent().propose(channel)
        if isinstance(plain, tuple):
            return tuple(replace(one, cite=self.cite) for one in plain)
        best = _best(unasked(channel), channel.wanted)
        if best is None:
            return (self.refuse(channel, "confidence", "a shape whose averages are sharp enough", "none"),)
        return average_cost(channel, best, best.block * best.rounds)

    def build(self, channel: Channel, parameters: PassedSpread) -> Attack:
        """A runnable attack."""
        from planner.attacks.passes.run import PassesAttack

        return PassesAttack(self.id, channel, parameters)


@lru_cache(maxsize=16)
def _best(channel: Channel, labels: int) -> PassedSpread | None:
    """Shapes whose averages leave room for coins that ask more labels once more."""
    stricter = replace(channel, delta=channel.delta * (1 - DEEP_SHARE))
    found = [least_order(stricter, labels, base) for base in range(1, LARGEST_BASE + 1)]
    passed = (passes_of(channel, one) for one in found if one is not None)
    return min(passed, key=lambda one: one.queries, default=None)


def passes_of(channel: Channel, p: ConsistentSpread) -> PassedSpread:
    """The same shape in passes by a prefix code."""
    from planner.attacks.consistent.parameters import ConsistentSpread
    from planner.attacks.passes.parameters import PassedSpread
    from planner.attacks.prefix.certify import more_deep

    bare = PassedSpread(
        **{each.name: getattr(p, each.name) for each in fields(ConsistentSpread)}, deep=0, deep_rounds=0
    )
    share, chance = Fraction(bare.deep_places, bare.classes), ball(channel.delta * DEEP_SHARE)
    deep = first_between(lambda m: bool(more_deep(bare.labels, share, m) <= chance), -1, bare.labels)
    sized = replace(bare, deep=deep, deep_rounds=rounds_for(max(1, -(-deep // bare.order)), bare.base))
    return replace(sized, queries=sized.order * sized.all_rounds)
