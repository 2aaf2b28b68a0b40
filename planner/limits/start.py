"""I8, the silent start: a Ladder that starts at ln K shows nothing at all to somebody who knows nothing.

A submission gives its row i the probabilities u_i, which sum to at most 1. For labels drawn uniformly the expected product
of u_i(label) is the product of the rows' means, at most K^-N. The log-loss is at most ln K - s only if that product is at
least e^(Ns) K^-N, so by Markov's inequality with probability e^(-Ns) at most. Until something is shown the queries are fixed
beforehand: in M of them anything is shown with probability M e^(-Ns) at most, whoever asks, by however many accounts.
"""

from __future__ import annotations

from flint import arb

from planner.channel.channel import Channel
from planner.channel.releases.ladder import Ladder
from planner.limits.common import Carried, LimitTheorem, rounding_slack
from planner.limits.transcripts import MOST_QUERIES, bits, shape_of
from planner.model import Limit
from planner.numerics.reals import ball, ceil_of, compare, log2, proved
from planner.numerics.search import first_between


class Start(LimitTheorem):
    """The Ladder from ln K."""

    id = "I8"
    title = "A Ladder that stays silent"
    cite = "I8"
    statement = (
        "Rows of probabilities that sum to at most 1 score ln K - s or less with probability e^(-Ns) at most, if labels are "
        "uniformly unknown. A Ladder that starts at R0 changes what it shows only for a score below R0 - eta, so within M "
        "queries of any number of accounts it shows anything with probability M e^(-Ns) at most, s = ln K - R0 + eta, less "
        "(K-1) clip for rows that are clipped and less the error of computing a score. Until then a goal is met with "
        "probability V/K^N at most. So recovery with probability 1-δ needs M e^(-Ns) + V/K^N >= 1-δ."
    )
    conditions = (
        "release = ladder(eta, start), start no more than a step below ln K",
        "metric = log_loss, no noise",
        "nothing is known of the labels",
        "one column, or rows that are divided by their sums",
    )
    releases = ("ladder",)

    def apply(self, channel: Channel) -> Limit:
        """How many queries it takes until anything is likely to be shown."""
        why = refused(channel)
        if why:
            return self.silent(why)

        def chance(queries: int) -> arb:
            return queries * shown(channel) + luck(channel)

        def wanted() -> arb:
            return 1 - ball(channel.delta)

        def too_few(queries: int) -> bool:
            return proved(lambda: chance(queries), "<", wanted)

        if not too_few(0):
            return self.silent("a guess meets the goal as often as is asked")
        if too_few(MOST_QUERIES):
            enough = MOST_QUERIES + 1
        elif shown(channel) * MOST_QUERIES < 1:  # a quotient of so many digits is not worth computing
            enough = first_between(lambda queries: not too_few(queries), 0, MOST_QUERIES)
        else:
            enough = ceil_of(lambda: (wanted() - luck(channel)) / shown(channel))
            enough -= not too_few(enough - 1)  # a whole quotient cannot be told from one a hair above it
        name = f"chance that {enough - 1} queries show anything, or are not needed < 1 - δ"
        record = compare(name, lambda: chance(enough - 1), "<", wanted)
        text = "until a score beats the start by a step, every answer is the start"
        return Limit(self.id, self.title, enough, False, text, (record,), self.cite, (("too_few", enough - 1),))

    def carried(self, channel: Channel, queries: int) -> Carried | None:
        """h(p) + p log2 T: a transcript is the silent one but with probability p = M e^(-Ns) <= 1/2."""
        shape = None if refused(channel) else shape_of(channel)
        if shape is None or not queries:
            return None

        def chance() -> arb:
            return queries * shown(channel)

        def told() -> arb:
            p = chance()
            return -(p * log2(p)) - (1 - p) * log2(1 - p) + p * bits(shape, queries)

        return Carried(told) if proved(chance, "<=", lambda: arb(1) / 2) else None


def refused(channel: Channel) -> str:
    """Why the proof does not apply; empty: it does."""
    ladder = channel.released
    if not isinstance(ladder, Ladder) or ladder.first is None:
        return "the board starts at infinity: the first score is shown"
    if not channel.metric.logarithmic or not channel.law.quiet:
        return "it is proved for log-loss without noise"
    if channel.secret.informed or channel.scored != channel.rows:
        return "something is known of the labels, or not all rows are scored"
    if not (channel.columns == 1 or channel.renormalises) or not (channel.checks or channel.confined):
        return "rows may sum to more than 1"
    first, eta = ball(ladder.first), ball(ladder.eta)
    if not first + eta > ball(channel.classes).log():
        return "a start below ln K is the score of a baseline: whoever has that knows more than nothing"
    return "" if rounding_slack(channel).is_finite() and margin(channel) > 0 else "the start is too far above ln K"


def shown(channel: Channel) -> arb:
    """e^(-Ns): the chance that one query shows anything, at most."""
    return (-channel.scored * margin(channel)).exp()


def luck(channel: Channel) -> arb:
    """V/K^N: the chance that what is named without a score meets the goal, at most."""
    return (-channel.secret.needed() * arb(2).log()).exp()


def margin(channel: Channel) -> arb:
    """s: by how much a score must be better than chance before anything is shown, rows and errors counted."""
    ladder = channel.released
    assert isinstance(ladder, Ladder)
    assert ladder.first is not None
    clip = arb(0) if channel.clip is None else ball(channel.clip)
    lost = (channel.classes - 1) * clip + rounding_slack(channel)
    return ball(channel.classes).log() - ball(ladder.first) + ball(ladder.eta) - lost
