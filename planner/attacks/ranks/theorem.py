"""Ranks: an area between two levels tells a count, one between many tells a block of labels."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from planner.attacks.attack import Attack
from planner.attacks.inequalities import alike
from planner.attacks.theorem import Proposal, Theorem
from planner.channel.channel import Channel
from planner.channel.conditions import ONES_TOLD, TWO_CLASSES
from planner.channel.metrics.counting import READ_BITS
from planner.channel.metrics.roc_auc import RocAuc
from planner.designs.popcounts import fewest_queries
from planner.model import Refusal
from planner.numerics.reals import floor_of

if TYPE_CHECKING:
    from planner.attacks.ranks.parameters import RankBlocks

POWERS = range(20)  # queries of a design that fill its largest component


class Ranks(Theorem["RankBlocks"]):
    """Blocks that grow with the number of known rows."""

    id = "ranks"
    title = "Blocks of ranks"
    cite = "ranks, known rows between unknown ones"
    statement = (
        "n0 n1 times the area under the ROC curve is the sum of the ranks of the rows whose label is 1, but for a constant, "
        "once it is told how many there are. Rows that are known part those that are not, whichever label they have: m "
        "rows of a block are ranked so that any two labelings of theirs differ by more than 2E, E = n0 n1 times the error "
        "of a score, and all other unknown rows are tied. The more rows are known, the larger a block may be; the first "
        "labels are told by a design of zeros and ones where that takes fewer queries. Submissions hang on how many rows "
        "are known and not on their labels, so that all of them are listed beforehand, whatever the labels are."
    )
    conditions = ("metric = roc_auc", "positives", "ranks of a block whose sums are more than 2E apart")

    def propose(self, channel: Channel) -> Proposal[RankBlocks] | tuple[Refusal, ...]:
        """The best place to change from counts to blocks."""
        if reasons := self.unmet(channel, TWO_CLASSES, ONES_TOLD):
            return reasons
        if alike(channel):
            return (self.refuse(channel, "positives", "labels of both classes", "one class"),)
        gap, found = _gap(channel), None
        if gap is not None:
            found = min(_ways(channel, gap), key=lambda one: one.queries, default=None)
        if found is None:
            need = "an error of n0 n1 areas below N/4"
            return (self.refuse(channel, self.deciding(channel), need, "a larger one"),)
        return Proposal(
            found,
            Fraction(channel.wanted, found.queries),
            precision_bits=2 * channel.scored.bit_length() + READ_BITS,
            prediction_bits=channel.scored.bit_length(),
            operations=found.queries * channel.rows,
            memory=16 * channel.rows,
            within=lambda queries: _within(channel, found, queries),
        )

    def build(self, channel: Channel, parameters: RankBlocks) -> Attack:
        """A runnable attack."""
        from planner.attacks.ranks.run import RanksAttack

        return RanksAttack(self.id, channel, parameters)


def _gap(channel: Channel) -> int | None:
    """The least whole number above 2E; None: two levels do not tell a count."""
    metric, N = channel.metric, channel.scored
    assert isinstance(metric, RocAuc)
    twice = 2 * channel.radius * (N - channel.radius) * metric.rank_error(channel, channel.wanted)
    return floor_of(lambda: twice) + 1 if 2 * twice < N else None


def _ways(channel: Channel, gap: int) -> Iterator[RankBlocks]:
    """From counts to blocks where blocks of some size find room, or where a component of the design is full."""
    from planner.attacks.ranks.parameters import RankBlocks
    from planner.designs.ones import Ones

    read, rooms = min(channel.wanted, channel.rows - 1), _rooms(channel.rows, gap)
    most = fewest_queries(read, lambda M: Ones(M).capacity()) if read else 0
    starts = {fewest_queries(room, lambda M: Ones(M).capacity()) for room in rooms if 0 < room < read}
    for counted in sorted({0, *starts, *(1 << power for power in POWERS)}):
        if counted < most:
            blocks = _blocks(Ones(counted).capacity() if counted else 0, read, rooms)
            yield RankBlocks(counted + sum(blocks), channel.wanted, counted, gap, blocks)


def _rooms(N: int, gap: int) -> tuple[int, ...]:
    """How many rows must be known for a block of one label, of two, and so on."""
    from planner.attacks.ranks.certify import least_apart
    from planner.attacks.ranks.parameters import MOST, offsets

    rooms = [0]
    for m in range(2, MOST + 1):
        places = gap * offsets(m)[-1] - m + 1
        # Sums of more and of fewer labels are half a rank farther apart for each row that is known.
        lacking = gap - least_apart(N, gap, 0, m)
        rooms.append(max(places, -(-2 * lacking // 1), rooms[-1]))
    return tuple(int(room) for room in rooms)


def _blocks(known: int, read: int, rooms: tuple[int, ...]) -> tuple[int, ...]:
    """As many blocks of each size as there are rows until the next size finds room."""
    blocks = []
    for m, until in enumerate((*rooms[1:], read), 1):
        blocks.append(max(0, -(-(min(until, read) - known) // m)))
        known += m * blocks[-1]
    while blocks and not blocks[-1]:
        blocks.pop()
    return tuple(blocks)


def _within(channel: Channel, found: RankBlocks, queries: int) -> int:
    """About how many labels so many queries tell."""
    from planner.designs.ones import Ones

    if queries < found.counted:
        return Ones(queries).capacity() if queries > 0 else 0
    known, left = found.designed(channel.rows), queries - found.counted
    for m, times in enumerate(found.blocks, 1):
        known += m * min(times, left)
        left -= min(times, left)
    return min(channel.wanted, known)
