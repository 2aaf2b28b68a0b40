"""One label a query: the vectors [k, 1, ..., 1] that the paper mentions after its lower bound."""

from __future__ import annotations

from planner.attacks.block.parameters import BlockRecord
from planner.attacks.block.theorem import Block, coarse, exact_block, geometric, listed, listed_cost, modest, with_room
from planner.attacks.costs import geometric_cost
from planner.attacks.theorem import Proposal
from planner.certify import certify
from planner.channel.channel import Channel
from planner.channel.conditions import TWO_CLASSES
from planner.model import Claim, Refusal


class OneLabel(Block):
    """N queries with one active row each."""

    id = "one-label"
    title = "One label a query"
    cite = "section 4.1, after the lower bound on robust vectors"
    statement = "N queries with odds [k, 1, ..., 1], k > exp(2 N tau), recover one label each, whatever the precision."
    conditions = ("K = 2", "2E < W")

    def claim(self, channel: Channel) -> Claim | None:
        """N queries."""
        return Claim(1, channel.rows) if channel.classes == 2 else None

    def propose(self, channel: Channel) -> Proposal[BlockRecord] | tuple[Refusal, ...]:
        """A block of one."""
        reasons = self.unmet(channel, TWO_CLASSES)
        if reasons:
            return reasons
        if channel.exact_scores and channel.metric.logarithmic:
            return exact_block(channel, 1)
        alone = geometric(channel, 1, 2) if not channel.bounded else None
        if alone is not None and certify(channel, alone).holds:
            return geometric_cost(channel, alone)
        bounded = modest(channel) if not channel.bounded else coarse(channel)
        block = listed(bounded, 1)
        if block is None:
            return self._too_noisy(bounded)
        return listed_cost(channel, with_room(bounded, block))
