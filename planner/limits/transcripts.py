"""I7, transcripts: what a board can show in M queries, whatever is asked, tells no more labelings apart than that.

A deterministic attacker is a tree: its queries are the nodes, what is shown the branches, and a leaf names one labeling.
T(M) bounds the leaves over all trees. What a release that falls shows is a falling sequence of levels: C(M + L, L) of them;
if it changes at most B times, the sum over b <= B of C(M, b) C(L, b), whose terms rise up to b = B at least by factors of
1/q, q = B^2/((M-B+1)(L-B+1)), so that it is at most the last one over 1-q.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from flint import arb

from planner.channel.channel import Channel
from planner.channel.errors import growth
from planner.channel.releases import Each, Falling
from planner.channel.releases import Transcripts as Shape
from planner.limits.common import Carried, LimitTheorem, rounding_slack
from planner.model import Limit
from planner.numerics.reals import ball, compare, log2, proved, upper
from planner.numerics.search import first_above, first_between

MOST_QUERIES = 2**200
COUNTED = 10**12  # queries up to which the first number that suffices is found to the last one


class Transcripts(LimitTheorem):
    """The pigeonhole bound for boards that remember."""

    id = "I7"
    title = "Transcripts of a board that remembers"
    cite = "I7"
    statement = (
        "With its coins fixed an attack of M queries ends in one of T(M) transcripts, each of which names one labeling: "
        "recovery with probability 1-δ needs log2 T(M) >= log2 B - log2 V + log2(1-δ), B the number of labelings that are "
        "possible, V the number that count as right. A board that only falls through L levels has T = C(M + L, L): the "
        "Ladder from R0 has L = floor((R0 - eta)/eta + 1/2) + 1, from infinity floor(largest score/eta + 1/2) + 1, the best "
        "score on a grid of step q floor(largest score/q + 1/2) + 1. With at most B changes it is the sum over b <= B of "
        "C(M, b) C(L, b); scores above a level that are shown as the level have A^M, A the multiples of q up to it. It holds "
        "for every metric and scorer: only what is shown is counted. Accounts with a memory each have as many times L "
        "levels, and B changes: which of them asks next follows from what was shown."
    )
    conditions = ("release = best, ladder, capped or changes", "levels that can be counted")
    releases = ("best", "ladder", "capped", "changes")

    def apply(self, channel: Channel) -> Limit:
        """The fewest queries whose transcripts are as many as the labelings."""
        shape = shape_of(channel)
        if shape is None:
            return self.silent("the board can show any number of values")

        def need() -> arb:
            return needed(channel)

        if not need() > 0:
            return self.silent("nothing has to be learned")
        given = parameters(shape)
        if tells_nothing(shape):
            return self.excludes_all("the board shows the same whatever is submitted", **given)

        def too_few(queries: int) -> bool:
            return proved(lambda: bits(shape, queries), "<", need)

        enough = _first_enough(too_few, shape, float(need()))
        name = f"log2 of the transcripts of {enough - 1} queries < bits needed"
        record = compare(name, lambda: bits(shape, enough - 1), "<", need)
        given["too_few"] = enough - 1
        return Limit(self.id, self.title, enough, False, described(shape), (record,), self.cite, tuple(given.items()))

    def carried(self, channel: Channel, queries: int) -> Carried | None:
        """log2 T(M)."""
        shape = shape_of(channel)
        if shape is None:
            return None
        return Carried(lambda: bits(shape, queries), tuple(parameters(shape).items()))


def _first_enough(too_few: Callable[[int], bool], shape: Shape, need: float) -> int:
    """The first number of queries that is not proved to be too few: floats say where to look, proofs from there on.

    Floats are rounded up, so that what they call too few is; if they err, less is claimed and nothing false.
    """
    low = (first_above(lambda M: shape.bits(M) >= need, 0, MOST_QUERIES) or MOST_QUERIES + 1) - 1
    if not too_few(low):
        return first_between(lambda M: not too_few(M), 0, low) if low else 1
    width = 1 if low < COUNTED else 0
    while width and low + width <= MOST_QUERIES and too_few(low + width):
        low, width = low + width, 2 * width
    return first_between(lambda M: not too_few(M), low, low + max(1, width))


def needed(channel: Channel) -> arb:
    """Bits that transcripts must tell apart; none, where success is not asked for."""
    return channel.secret.needed() + log2(1 - ball(channel.delta)) if channel.delta < 1 else arb(0)


def shape_of(channel: Channel) -> Shape | None:
    """How many transcripts the channel's release has, of all accounts together; None: nothing is known of that."""
    found = channel.released.transcripts(channel.digits.unit, largest_score(channel))
    return found.together(channel.accounts) if isinstance(found, Falling) else found


def largest_score(channel: Channel) -> Fraction | None:
    """What no score that reaches the release exceeds; None: any may come, as under noise that is not told."""
    if not (channel.law.quiet and channel.confined):
        return None
    loss = channel.metric.largest_loss(channel, channel.span()) * growth(channel) + rounding_slack(channel)
    return upper(loss) if loss.is_finite() else None


def bits(shape: Shape, queries: int) -> arb:
    """log2 T(M), from above."""
    if isinstance(shape, Each):
        return queries * log2(ball(shape.answers))
    M, L, B = queries, shape.levels, shape.changes
    if not M or not L:
        return arb(0)
    if B is None or min(M, L) <= B or B * B >= (M - B + 1) * (L - B + 1):
        return log2_choose(M + L, L)
    q = Fraction(B * B, (M - B + 1) * (L - B + 1))
    return log2_choose(M, B) + log2_choose(L, B) - log2(1 - ball(q))


def log2_choose(n: int, k: int) -> arb:
    """log2 C(n, k)."""
    return (ball(n + 1).lgamma() - ball(k + 1).lgamma() - ball(n - k + 1).lgamma()) / arb(2).log()


def tells_nothing(shape: Shape) -> bool:
    """Whether there is one transcript only."""
    return shape.answers <= 1 if isinstance(shape, Each) else shape.levels == 0


def parameters(shape: Shape) -> dict[str, Any]:
    """What was counted, for whoever checks it."""
    if isinstance(shape, Each):
        return {"answers": shape.answers}
    return {"levels": shape.levels} | ({} if shape.changes is None else {"changes": shape.changes})


def described(shape: Shape) -> str:
    """What was counted, in words."""
    if isinstance(shape, Each):
        return f"A = {shape.answers:,} values can be shown"
    often = "" if shape.changes is None else f", {shape.changes:,} times at most"
    assert isinstance(shape, Falling)
    return f"what is shown falls through L = {shape.levels:,} levels{often}"
