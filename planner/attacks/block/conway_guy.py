"""Conway-Guy block: weights with distinct subset sums whose largest is smaller than a power of two."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from planner.attacks.block.parameters import BlockRecord, ListedBlock
from planner.attacks.block.theorem import Block, coarse, listed_cost, with_room
from planner.attacks.costs import queries_for
from planner.attacks.theorem import Proposal
from planner.certify import certify
from planner.channel.channel import Channel
from planner.channel.conditions import STEADY_NOISE, TWO_CLASSES
from planner.designs.sets import BitSet, largest_set
from planner.model import Refusal
from planner.numerics.reals import ball, floor_of, upper

MOST_IN_POWERS = 128  # labels a query beyond which two more are not worth the search
TRIED = 4  # sizes from the largest down; a smaller set holds no more labels than powers of two
ROOM = Fraction(1, 2**16)  # relative; what rounding the weights to the format may cost


class ConwayGuy(Block):
    """The Conway-Guy set, scaled to the gap: where W is what binds, it can fit one label more."""

    id = "conway-guy"
    title = "Block attack with a Conway-Guy set"
    cite = "Conway and Guy 1968; Theorem U"
    statement = (
        "The Conway-Guy set of m integers has distinct subset sums and a largest element below 2^(m-1) (1, 2, 4, 7, 13, "
        "24, 44, 84, 161, ...), and so has its double with 1 added. Scaled by a little over 2E it is a block of m labels "
        "wherever its largest weight is at most W, sometimes one label more than powers of two allow."
    )
    conditions = ("K = 2", "2E times the largest element < W", "noise that does not grow with the loss")

    def propose(self, channel: Channel) -> Proposal[BlockRecord] | tuple[Refusal, ...]:
        """The largest set below W/(2E)."""
        reasons = self.unmet(channel, TWO_CLASSES) or self.unmet(channel, STEADY_NOISE)
        if reasons:
            return reasons
        if channel.exact_scores or not channel.bounded:
            return (
                self.refuse(
                    channel, "phi", "a finite precision and bounded odds", "odds of any size: powers of two do as well"
                ),
            )
        powers = self._propose_listed(channel)
        most = powers.parameters.queries if isinstance(powers, Proposal) else None
        worth = most != 1 and not (isinstance(powers, Proposal) and powers.labels_per_query > MOST_IN_POWERS)
        found = _certified(coarse(channel)) if worth else None
        if found is None or (most is not None and most < found.queries):
            return powers
        return listed_cost(channel, with_room(channel, found))


def _certified(channel: Channel) -> ListedBlock | None:
    """The largest set that is certified, of the few that can hold more labels than powers of two."""
    levels = _largest_levels(channel)
    for size in range(levels.size, max(0, levels.size - TRIED), -1):
        parameters = _scaled(channel, _smallest(size, levels))
        if parameters is not None and certify(channel, parameters).holds:
            return parameters
    return None


def _gap(channel: Channel, queries: int) -> arb:
    loss = channel.neutral_charge() + 3 * channel.reach() / channel.scored
    return 2 * channel.errors(queries).sum_error(loss) * (1 + ball(ROOM))


def _largest_levels(channel: Channel) -> BitSet:
    gap = _gap(channel, 1)
    if not gap > 0 or not gap.is_finite():
        return BitSet(0)
    return largest_set(max(0, floor_of(lambda: channel.reach() / gap)))


def _smallest(size: int, levels: BitSet) -> BitSet:
    return BitSet(min(levels.core, size), max(0, size - levels.core))


def _scaled(channel: Channel, levels: BitSet) -> ListedBlock | None:
    if levels.size > channel.wanted:
        return None
    queries = queries_for(channel, levels.size)
    gap = _gap(channel, queries)
    rows = [channel.metric.prediction(channel, ball(upper(gap * level))) for level in levels.weights]
    if any(p is None for p in rows):
        return None
    return ListedBlock(queries, channel.wanted, tuple(p for p in rows if p is not None), levels.core)
