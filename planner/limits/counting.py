"""I1, counting: M scores of A possible values each tell at most A^M labelings apart, adaptively or not."""

from __future__ import annotations

from math import prod

from flint import arb

from planner.channel.channel import Channel
from planner.channel.errors import growth
from planner.channel.metrics.counting import CountingMetric
from planner.limits.common import Carried, LimitTheorem, spread
from planner.model import Limit
from planner.numerics.reals import Term, ball, log2

LARGEST_WRITTEN = 10**40  # a number of answers that is written out in full
SMALLEST_POWER = 10**9  # a number of answers that says less than its logarithm does


class Counting(LimitTheorem):
    """The pigeonhole bound."""

    id = "I1"
    title = "Counting"
    cite = "I1"
    statement = (
        "For each submission the score lies in an interval of length W, of length 2s W/N if a guess has at most s labels "
        "wrong. Rounding leaves at most A values in it, b-bit scores at most 2^b, and a noise adversary who snaps the score "
        "to a grid of step 2 tau leaves one for each step of the interval. So M adaptive queries tell at most A^M labelings "
        "apart: recovery with probability 1-δ needs M log2 A >= log2 B - log2 V + log2(1-δ), B the number of labelings that "
        "are possible (K^N, or those within s of the guess), V the number that count as right. A metric of predicted classes "
        "has no more scores than its table has counts: N + 1 for accuracy. Of several scores that come back together A is "
        "the product of what each has, or the number of tables that all of them are read off. Noise does not help: an "
        "adversary may add none, and random noise, were it told to the attacker, would only shift the interval."
    )
    conditions = ("a finite number of answers", "release = plain, best or capped(level)")
    needs = None
    joint = True
    # What these show of a score follows from the digits that would be shown of it: no more transcripts than A^M.
    releases = ("plain", "best", "capped")

    def apply(self, channel: Channel) -> Limit:
        """The bound for the fewest answers that can be argued for."""
        found = fewest_answers(channel)
        if found is None:
            return self.silent("a score can take any number of values")
        answers, why = found

        def need() -> arb:
            return channel.secret.needed() + log2(1 - ball(channel.delta)) if channel.delta < 1 else arb(0)

        if answers <= 1 and need() > 0:
            return self.excludes_all(f"every score is the same: {why}", answers=answers)
        if answers <= 1:
            return self.silent("nothing has to be learned")
        text = f"{_text(answers)} answers a query: {why}"
        return self.at_least(need, lambda: log2(ball(answers)), "log2 A bits", text, answers=answers)

    def carried(self, channel: Channel, queries: int) -> Carried | None:
        """M log2 A."""
        found = fewest_answers(channel)
        if found is None:
            return None
        answers, _ = found
        return Carried(lambda: queries * log2(ball(answers)), (("answers", answers),))


def _text(answers: int) -> str:
    if answers >= LARGEST_WRITTEN:
        return f"A < 2^{answers.bit_length()}"
    power = answers.bit_length() - 1
    return f"A = 2^{power}" if answers > SMALLEST_POWER and answers == 1 << power else f"A = {answers:,}"


def fewest_answers(channel: Channel) -> tuple[int, str] | None:
    """The smallest provable number of different answers to one submission, and why."""
    if channel.beside:
        return _joint(channel)
    found = [one for one in (_format(channel), _shown(channel), _snapped(channel), *_counted(channel)) if one]
    return min(found) if found else None


def _joint(channel: Channel) -> tuple[int, str] | None:
    """Answers of several scores: as many as each has, multiplied; or as the table has counts, where all are made of it."""
    each = [fewest_answers(one.alone) for one in channel.readings]
    counts = [_table(one) for one in channel.readings]
    found = [] if None in each else [(prod(one[0] for one in each if one), "those of all scores, multiplied")]
    if None not in counts:
        found.append((max(one for one in counts if one), "all scores are functions of the same counts of labels"))
    return min(found, default=None)


def _table(channel: Channel) -> int | None:
    """How many tables of right and wrong predictions a submission may have; None: the score is made of more than that."""
    metric = channel.metric
    if not isinstance(metric, CountingMetric) or metric.values(channel) is None or channel.abstain:
        return None
    return CountingMetric.values(metric, channel)


def _format(channel: Channel) -> tuple[int, str] | None:
    """Scores of a format: those of bounded rows, none of which charges less than 0, lie between the least and the largest."""
    nothing = arb(0)
    if not channel.confined or not spread(channel).is_finite():
        return channel.scores.answers(None, lambda: nothing, None)

    def least() -> arb:
        # Dividing a row by its sum, and rounding, may take half of the least charge, and hardly more.
        found = channel.metric.least_loss(channel)
        return found / 4 if found is not None else nothing

    def largest() -> arb:
        return channel.metric.largest_loss(channel, channel.span()) * growth(channel)

    def interval() -> arb:
        # Without a span all rows are charged alike, whatever is submitted, and rounded alike.
        return nothing if channel.breadth() == 0 else spread(channel)

    # Of a sum, what lies in so many times as long an interval, so many times as far out.
    n = channel.parts
    most = (lambda: n * largest()) if channel.metric.nonnegative else None
    return channel.scores.answers(lambda: n * interval(), lambda: n * least(), most)


def _shown(channel: Channel) -> tuple[int, str] | None:
    if channel.shown is None or not spread(channel).is_finite():
        return None

    def largest() -> arb:
        return channel.metric.largest_loss(channel, channel.span()) * growth(channel)

    # Random noise can bring a score as near to 0 as it likes, and charges below 0 too: there is no least one.
    least = _least(channel) if channel.metric.nonnegative and not channel.random else None
    return channel.digits.answers(lambda: spread(channel), largest, least)


def _snapped(channel: Channel) -> tuple[int, str] | None:
    """A noise adversary who moves every score to one of a few."""
    if not spread(channel).is_finite():
        return None

    def largest() -> arb:
        return channel.metric.largest_loss(channel, channel.span())

    return channel.law.snapped(lambda: spread(channel), _least(channel), largest)


def _counted(channel: Channel) -> tuple[tuple[int, str] | None, ...]:
    """Scores that are functions of counts: as many as there are counts, or as their range has digits or snapped cells."""
    metric = channel.metric
    held, within = metric.values(channel), metric.scores_within(channel)
    counts = None if held is None else (held, "each is a function of counts of labels")
    if within is None or metric.adds:
        return (counts,)

    def interval() -> arb:
        return metric.scores_within(channel) or arb.pos_inf()

    digits = None if channel.shown is None else channel.digits.answers(interval, interval, None)
    found = digits, channel.law.snapped(interval, None, interval)
    # A score that is no number is shown as it is: one answer more, to a noise adversary too.
    more = int(metric.undefined(channel))
    return counts, *(None if one is None else (one[0] + more, one[1]) for one in found)


def _least(channel: Channel) -> Term | None:
    """The least loss above 0, at any working precision, if there is one."""
    if channel.metric.least_loss(channel) is None:
        return None

    def least() -> arb:
        return channel.metric.least_loss(channel) or arb(0)

    return least
