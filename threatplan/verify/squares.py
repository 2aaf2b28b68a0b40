"""Blocks of free predictions, read off the root of a sum of squares or off what share it is of the labels' own."""

from __future__ import annotations

from fractions import Fraction

from threatplan.verify import reading
from threatplan.verify.channel import Channel
from threatplan.verify.claims import Claim, Derived, count, room, two_classes
from threatplan.verify.intervals import real
from threatplan.verify.metrics.squares import Squares
from threatplan.verify.reading import Unreadable

MOST = 1024  # labels of a block


def derive(channel: Channel, data: reading.Data) -> Derived:
    """Weights g, 2g, 4g, ..: label 0 is charged ((1-w)/2)^2 and label 1 ((1+w)/2)^2, w apart."""
    metric = channel.charges
    if not isinstance(metric, Squares):
        raise Unreadable(f"{channel.metric} is no function of a sum of squares")
    reading.only(data, "kind", "queries", "labels", "m", "gap", "t", "before")
    queries, labels = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    m, gap, t = reading.whole(data, "m", 1), reading.rational(data, "gap"), reading.rational(data, "t")
    before = reading.whole(data, "before", 0)
    if (
        m > MOST
        or before > 2
        or gap <= 0
        or t < 0
        or max(one.denominator.bit_length() + one.numerator.bit_length() for one in (gap, t)) > 2**12
    ):
        raise Unreadable("a block of absurd numbers")
    weights = [gap * 2**place for place in range(m)]
    written = [*((1 - weight) / 2 for weight in weights), *(t, 1 - t)[:before]]
    # Every label of the block is 1, and all other rows are at 1/2.
    charged = sum((((1 + weight) / 2) ** 2 for weight in weights), Fraction(max(channel.N - m, 0), 4))
    claims = (
        count("labels of a block <= rows of a submission", m, "<=", channel.N),
        room(m * (queries - before), labels),
        count(
            "predictions that are taken as they are", sum(_taken(channel, one) for one in written), ">=", len(written)
        ),
        Claim(
            "scores of neighbouring sums apart > 2E",
            lambda: metric.apart(channel, gap, charged),
            ">",
            lambda: 2 * metric.error(channel, queries, charged),
        ),
        *(_ones(channel, queries, t, before) if metric.ones_first and not channel.exactly else ()),
    )
    doubles = all(one.name == "ieee" and one.bits == 64 for one in (channel.precision, channel.score_precision))
    one_class = channel.N == 1 or (channel.exactly and channel.radius in (0, channel.N))
    fits = (
        two_classes(channel),
        ("predictions and scores in float64", doubles),
        ("rows at t only in queries that ask it", bool(before) == bool(t)),
        ("labels that may be of both classes", not (metric.ones_first and one_class)),
    )
    return Derived(labels, queries, 2, claims, listed=-(-labels // m) + before, fits=fits)


def _ones(channel: Channel, queries: int, t: Fraction, before: int) -> tuple[Claim, ...]:
    """One score, or the difference of two."""
    return _off_one(channel, queries, t) if before == 1 else _off_two(channel, queries, t, before)


def _off_one(channel: Channel, queries: int, t: Fraction) -> tuple[Claim, ...]:
    """All rows at t: N (t^2/a + (t-1)^2/b) of a ones, b = N - a, is told from that of any other number of ones.

    At t = 1 it is N/a, whose steps N/(a(a+1)) are above 1/N, and at least 1/(2a+1) of the sum of both. Two numbers
    a and a', y and z more than half of N, differ by |y-z| N (2t-1) |h(y+z) - N^2/4 - yz| / (a b a' b'), h >= N (2t-1)/4.
    With 2t - 1 >= 2N the bars hold ab if y + z = 0 and N^2/4 or more if not; ab is at most N^2/4, |y-z| at least 1. So
    the step is 4 (2t-1)/N or more, and (2t-1)/(2 N t^2) of the sum of both. Scores are off by c + r (1 + what it is).
    """
    significant = channel.shown is not None and channel.shown.name == "significant"
    reach, N = 2 * t - 1, channel.scored
    return (
        count(
            "a submission that tells the number of ones",
            int((t == 1 or reach >= 2 * N) and not significant),
            ">=",
            1,
        ),
        Claim(
            "(2t - 1)/(4N) > error of a score",
            lambda: real(reach / (4 * N)),
            ">",
            lambda: channel.constant(queries) + channel.relative(),
        ),
        Claim("2t - 1 > 4 N t^2 relative error", lambda: real(reach), ">", lambda: 4 * N * t * t * channel.relative()),
    )


def _off_two(channel: Channel, queries: int, t: Fraction, before: int) -> tuple[Claim, ...]:
    """All rows at t, then at 1 - t: the difference N (2t-1)(1/a - 1/b) of the scores tells a, the ones, b = N - a.

    The next a is N (2t-1) times 1/(a(a+1)) + 1/(b(b-1)) away: 8/N^2 of that at least, and 1/N of 1/a + 1/b or of what that is
    for the next a. Scores are off by c + r (1 + N t^2 (1/a + 1/b)), two of them, for either a.
    """
    significant = channel.shown is not None and channel.shown.name == "significant"
    reach, N = 2 * t - 1, channel.scored
    return (
        count("submissions that tell the number of ones", int(before == 2 and t >= 1 and not significant), ">=", 1),
        Claim(
            "(2t - 1)/N > error of a score",
            lambda: real(reach / N),
            ">",
            lambda: channel.constant(queries) + channel.relative(),
        ),
        Claim("2t - 1 > 8 N t^2 relative error", lambda: real(reach), ">", lambda: 8 * N * t * t * channel.relative()),
    )


def _taken(channel: Channel, value: Fraction) -> bool:
    """A double, and a probability where others are refused."""
    if channel.predictions == "probability" and not 0 <= value <= 1:
        return False
    try:
        return Fraction(float(value)) == value
    except OverflowError:
        return False
