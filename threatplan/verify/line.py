"""Blocks of free predictions under squared error: a label of weight w is told from its opposite by w."""

from __future__ import annotations

from fractions import Fraction

from threatplan.verify import reading
from threatplan.verify.channel import Channel
from threatplan.verify.claims import Claim, Derived, count, room, two_classes
from threatplan.verify.intervals import Interval, real
from threatplan.verify.reading import Unreadable

MOST = 1024  # labels of a block


def derive(channel: Channel, data: reading.Data) -> Derived:
    """Weights g, 2g, 4g, ..: label 0 is charged ((1-w)/2)^2 and label 1 ((1+w)/2)^2, w apart."""
    reading.only(data, "kind", "queries", "labels", "m", "gap")
    queries, labels = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    m, gap = reading.whole(data, "m", 1), reading.rational(data, "gap")
    if m > MOST or gap <= 0 or gap.denominator.bit_length() + gap.numerator.bit_length() > 2**12:
        raise Unreadable("a block of absurd numbers")
    weights = [gap * 2**place for place in range(m)]
    written = sum(_double((1 - weight) / 2) for weight in weights)
    # Every label of the block is 1, and all other rows are at 1/2.
    charged = sum((((1 + weight) / 2) ** 2 for weight in weights), Fraction(max(channel.N - m, 0), 4))

    def error() -> Interval:
        return 2 * channel.sum_error(queries, real(charged / channel.N))

    claims = (
        count("labels of a block <= rows of a submission", m, "<=", channel.N),
        room(m * queries, labels),
        count("predictions that are float64", written, ">=", m),
        Claim("gap of sums > 2E", lambda: real(gap), ">", error),
    )
    free = ("predictions that may be any number", channel.metric == "mse" and channel.predictions == "real")
    doubles = all(one.name == "ieee" and one.bits == 64 for one in (channel.precision, channel.score_precision))
    fits = (two_classes(channel), free, ("predictions and scores in float64", doubles))
    return Derived(labels, queries, 2, claims, listed=-(-labels // m), fits=fits)


def _double(value: Fraction) -> bool:
    try:
        return Fraction(float(value)) == value
    except OverflowError:
        return False
