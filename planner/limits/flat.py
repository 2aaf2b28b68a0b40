"""I9, the flat cell: rounded accuracy of balanced labels is 1/2 for almost every submission, and then it tells nothing.

While every answer is 1/2 the submissions are a fixed list. A submission of classes is right in k rows, and over all labelings
k is binomial: the share p of labelings that it shows another score than 1/2 for is P(|k/N - 1/2| >= q/2), whatever it is. So
M submissions tell at most M p of all labelings from one another, and of the rest, which all give the same answers, no more
than V come out right: M p + V/2^N >= 1 - δ.

Absolute errors of predictions within [0, 1] lie about 1/2 as well: a row at u charges |u - y|, 1/2 give or take |u - 1/2|,
by a fair coin. So the sum of N of them is N/2 and a sum of independent terms within 1/2 either way: by Hoeffding's inequality
it is N q/2 or more off with a chance of 2 exp(-N q^2/2) at most, which stands for p.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from dsl.scenario import Bounded, Decimals, NoNoise
from planner.channel.channel import Channel
from planner.limits.common import LimitTheorem, rounding_slack
from planner.model import Limit
from planner.numerics.reals import ball, ceil_of, compare

EDGE = Fraction(1, 2**40)  # by which the cell is taken narrower: far more than floats move its edges, or a score
TERMS = 64  # of the tail that are added up before the rest is bounded by a geometric series
MOST_QUERIES = 10**18


class FlatCell(LimitTheorem):
    """Balanced labelings that no submission moves out of one cell."""

    id = "I9"
    title = "The flat cell of rounded accuracy"
    cite = "I9"
    statement = (
        "Accuracy of two classes, rounded to d >= 1 decimals, of predictions that name one of both: for a labeling drawn at "
        "random every submission shows 1/2 but with probability p = P(|Bin(N, 1/2)/N - 1/2| >= q/2), q = 10^-d. While all "
        "answers are 1/2 the submissions are a fixed list, so M of them, adaptive or not, leave all but M p of the labelings "
        "alike: recovery with probability 1-δ needs M >= (1 - δ - V/2^N)/p, V the labelings that count as right. Of absolute "
        "errors of predictions within [0, 1] p is at most 2 exp(-N q^2/2)."
    )
    conditions = (
        "metric = accuracy, abstain = no; or metric = mae, predictions = probability",
        "rounded decimals, at least one",
        "no random noise",
        "nothing is known",
    )

    def apply(self, channel: Channel) -> Limit:
        """How many submissions it takes to leave the cell."""
        why = _silent(channel)
        if why:
            return self.silent(why)
        if channel.metric.counts and 2 * first_outside(channel) <= channel.scored:
            return self.silent("every other number of right rows is shown as another score")

        def needed() -> arb:
            return 1 - ball(channel.delta) - ((channel.secret.tolerated() - channel.scored) * arb(2).log()).exp()

        def share() -> arb:
            return outside(channel)

        if not needed() > 0:
            return self.silent("nothing has to be learned")
        if not channel.metric.counts and not share() < 1:
            return self.silent("a submission may leave the cell for any labeling")
        most = MOST_QUERIES if MOST_QUERIES * share() < needed() else ceil_of(lambda: needed() / share())
        record = compare(f"{most - 1} p < 1 - δ - V/2^N", lambda: (most - 1) * share(), "<", needed)
        if not record.holds:
            return self.silent("too close to tell")
        text = "balanced labels show a score of 1/2 for almost every submission"
        return Limit(self.id, self.title, most, False, text, (record,), self.cite)


def _silent(channel: Channel) -> str:
    """Why the proof says nothing, where it does not."""
    right_rows = channel.metric.lattice(channel) is not None and channel.metric.counts
    if not right_rows and not (channel.metric.about_half and channel.confined):
        return "scores are no number of right rows"
    if channel.classes > 2:
        return "of more than two classes a submission is right about fewer than half of the rows"
    if channel.uncertain:
        return "how many rows are scored is not known, and the cell may be left more often where they are fewer"
    if channel.abstain:
        return "a class that does not exist is taken: rows need not count"
    if not isinstance(channel.shown, Decimals) or not channel.shown.digits:
        return "1/2 does not lie in the middle of a cell of rounded scores"
    if not isinstance(channel.noise, NoNoise | Bounded):
        return "noise may move scores out of their cell"
    return "something is known of the labels" if channel.secret.informed else ""


def outside(channel: Channel) -> arb:
    """p, from above: the share of labelings that a submission may show another score than 1/2 for."""
    if channel.metric.counts:
        return 2 * upper_tail(channel.scored, first_outside(channel))
    cell = ball(Fraction(1, 10**channel.digits.digits)) - 2 * rounding_slack(channel)
    return 2 * (-channel.scored * cell**2 / 2).exp() if cell > 0 else arb(2)


def first_outside(channel: Channel) -> int:
    """The least number of right rows above half that may be shown as another score than 1/2."""
    N, edge = channel.scored, Fraction(1, 10**channel.digits.digits) - EDGE
    return -(-(N * (1 + edge)) // 2)


def upper_tail(N: int, first: int) -> arb:
    """P(Bin(N, 1/2) >= first), from above: a term follows the one before by (N-k)/(k+1), which falls with k."""
    log_term = ball(N + 1).lgamma() - ball(first + 1).lgamma() - ball(N - first + 1).lgamma() - N * arb(2).log()
    term = log_term.exp() if first <= N else arb(0)
    total, k = arb(0), first
    while k <= N and k < first + TERMS:
        total += term
        term = term * (N - k) / (k + 1)
        k += 1
    ratio = ball(Fraction(max(N - k, 0), k + 1))
    return total + term / (1 - ratio)
