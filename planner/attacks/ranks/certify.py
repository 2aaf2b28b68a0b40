"""Blocks of ranks: the sums of a block's labels are told apart, by how many of them are 1, and then by which.

With n1 ones among N labels, n0 n1 times the area is the sum of the ones' ranks, ties sharing their mean, less n1 (n1 + 1)/2.
Of known rows the part is known. B rows that are neither known nor of the block are tied at (B + 1)/2, and it is known how
many ones they have but for those of the block. So a row of the block at place p, rank B + p, counts for B + p - (B + 1)/2
if its label is 1: W - gap u with W = (N + F + m - 1)/2 at place F + m - gap u. Sums of equally many labels are multiples of
the gap apart, and no two are alike. A score's error eps is one of E = n0 n1 eps.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from flint import arb

from planner.attacks.inequalities import enough_room, guarantee
from planner.attacks.ranks.parameters import MOST, RankBlocks, offsets
from planner.channel.channel import Channel
from planner.channel.metrics.roc_auc import RocAuc
from planner.numerics.inequality import Inequality, Proof
from planner.numerics.reals import Term, ball, compare


def prove(channel: Channel, parameters: RankBlocks) -> Proof:
    """Room, places, and three distances: of counts, of sums of equally many labels, and of sums of more and fewer."""
    metric, N = channel.metric, channel.scored
    if not isinstance(metric, RocAuc):
        raise ValueError("no score of ranks")
    if not 0 < channel.radius < N:
        raise ValueError("labels that are all alike, of which there is no area")
    if len(parameters.blocks) > MOST or min(parameters.counted, parameters.gap - 1, *parameters.blocks, 0) < 0:
        raise ValueError("blocks of absurd numbers")
    placed = tuple(parameters.placed(channel.rows))
    if not all(size for _, size in placed):
        raise ValueError("a block without labels")

    def twice() -> arb:
        """2E."""
        return 2 * channel.radius * (N - channel.radius) * metric.rank_error(channel, parameters.queries)

    read = parameters.designed(channel.rows) + sum(size for _, size in placed)
    fitting = sum(parameters.gap * offsets(m)[-1] < F + m for F, m in placed)
    apart = min((least_apart(N, parameters.gap, F, m) for F, m in placed), default=Fraction(N, 2))
    return Proof(
        guarantee(channel),
        (
            enough_room(read, parameters.read(channel.rows)),
            compare("blocks that find their places >= blocks", lambda: ball(fitting), ">=", lambda: ball(len(placed))),
            _counted(N, twice),
            compare("gap of ranks > 2E", lambda: ball(parameters.gap), ">", twice),
            compare("least sum of k + 1 labels - largest of k > 2E", lambda: ball(apart), ">", twice),
        ),
    )


def _counted(N: int, twice: Term) -> Inequality:
    """Rows at two levels: a one among those above counts for N/2, however many they are."""
    return compare("step of a count > 2E", lambda: ball(Fraction(N, 2)), ">", twice)


def least_apart(N: int, gap: int, F: int, m: int) -> Fraction:
    """From the largest sum of k labels of a block to the least of k + 1, at the least: W less gap times `crossing`."""
    return Fraction(N + F + m - 1, 2) - gap * crossing(m)


@cache
def crossing(m: int) -> int:
    """The most by which k + 1 offsets exceed k others, for any k < m."""
    u = offsets(m)
    return max(sum(u[m - k - 1 :]) - sum(u[:k]) for k in range(m))
