"""Comparisons that are listed beforehand: idle rows put a boundary of the rounding between the two sums of one row."""

from __future__ import annotations

from fractions import Fraction

from threatplan.verify import reading
from threatplan.verify.block import fractions
from threatplan.verify.channel import WHOLE, Channel
from threatplan.verify.claims import NOISE, NOTHING, Claim, Derived, any_sums, count, logarithms, wide_scores
from threatplan.verify.intervals import Interval, larger, log, power_of_two, real

MOST_DECIMALS = 12
MOST_BOUNDARY = 10**30
QUARTER = Fraction(1, 4)


FIELDS = ("kind", "queries", "labels", "rows", "classes", "small", "large", "idle", "boundary")


def derive(channel: Channel, data: reading.Data) -> Derived:
    """One row that is asked, all others alike."""
    reading.only(data, *FIELDS)
    queries, labels = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    classes = reading.whole(data, "classes", 2)
    over = NOISE if channel.unbounded else NOTHING
    listed = labels * (classes - 1).bit_length()
    claims = comparison(channel, data, WHOLE)
    return Derived(labels, queries, classes, claims, over=over, listed=listed, fits=of_the_channel(channel, data))


def of_the_channel(channel: Channel, data: reading.Data) -> tuple[tuple[str, bool], ...]:
    """What is no inequality."""
    rows, classes = reading.whole(data, "rows", 1), reading.whole(data, "classes", 2)
    return (("rows and classes of the channel", (rows, classes) == (channel.N, channel.K)), *free_offset(channel))


def comparison(channel: Channel, data: reading.Data, share: Fraction) -> tuple[Claim, ...]:
    """Both sums of a row lie farther from the boundary than noise, but for a share of delta, and floats reach."""
    queries, rows = reading.whole(data, "queries", 1), reading.whole(data, "rows", 1)
    small, large, idle = fractions(channel, [data["small"], data["large"], data["idle"]])
    unit = unit_of(channel)
    # More units are shown above the middle between two of them, or above the next one where scores are cut off.
    place = channel.N * (
        (reading.whole(data, "boundary", -MOST_BOUNDARY) + Fraction(1, 2)) * unit - channel.subtracted()
    )

    def summed(entry: Fraction) -> Interval:
        return (rows - 1) * -log(idle) - log(entry)

    def error() -> Interval:
        worst = larger(-log(small), -log(idle))
        before = channel.score_error(queries, summed(small) / channel.N, worst, share) - unit / 2
        return channel.N * before

    def read() -> Interval:
        largest = (summed(small) + error()) / channel.N + abs(channel.subtracted())
        return largest * power_of_two(-51) / (unit or 1)

    fit = sum(map(channel.carries, (small, large, idle)))
    return (
        count("entries that the scorer takes as they are, idle rows' included", fit, ">=", 3),
        Claim("boundary - charge of a label that is favoured > error of a sum before it is rounded",
              lambda: place - summed(large), ">", error),
        Claim("charge of a label that pays W - boundary > error of a sum before it is rounded",
              lambda: summed(small) - place, ">", error),
        Claim("float error of a shown score, in its last decimal < 1/4", read, "<", lambda: real(QUARTER)),
    )  # fmt: skip


def unit_of(channel: Channel) -> Fraction:
    """The last decimal; 0 where scores are no multiples of one."""
    return channel.step


def free_offset(channel: Channel) -> tuple[tuple[str, bool], ...]:
    """A rounding that any amount can be added before."""
    return (*free_rows(channel), ("scores rounded to decimals", unit_of(channel) > 0))


def free_rows(channel: Channel) -> tuple[tuple[str, bool], ...]:
    """Scores that any amount can be added to."""
    return (
        logarithms(channel),
        any_sums(channel),
        ("at most 12 decimals", unit_of(channel) == 0 or unit_of(channel) * 10**MOST_DECIMALS >= 1),
        ("noise within a bound, be it but for δ", not channel.random or channel.delta > 0),
        wide_scores(channel),
    )
