"""Attacks by designs: every label in every query, and rounding to whole gaps."""

from __future__ import annotations

from threatplan.verify import reading
from threatplan.verify.channel import Channel
from threatplan.verify.claims import Claim, Derived, columns_for_classes, count, room, score_fits
from threatplan.verify.designs import design_of
from threatplan.verify.intervals import Interval, real
from threatplan.verify.reading import Unreadable


def derive(channel: Channel, data: reading.Data) -> Derived:
    """One stage, or one for each bit of the class."""
    reading.only(data, "kind", "queries", "labels", "design", "gap", "digits")
    queries, labels = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    design, gap = design_of(reading.record(data, "design")), reading.rational(data, "gap")
    digits = reading.whole(data, "digits", 1)
    if digits > 64 or gap <= 0 or gap.denominator.bit_length() > 2**16:
        raise Unreadable("`gap` or `digits` has a value that no design has")
    metric = channel.charges
    largest, spread = gap * design.amplitude, gap * design.l1(labels)

    def error() -> Interval:
        top, all_rows = real(largest), real(spread)
        scorer = channel.sum_error(queries, metric.mean_loss(channel, top, all_rows), metric.heaviest(channel, top))
        missed = metric.missed(channel, top, all_rows, design.K)
        return scorer + missed + metric.own(channel, top, all_rows)

    told = design.K if digits == 1 else 2**digits if design.K == 2 else 1
    claims = (
        Claim(
            "W >= gap x amplitude", lambda: metric.stage_reach(channel, design.K, digits), ">=", lambda: real(largest)
        ),
        Claim("gap > 2 (E + dev)", lambda: real(gap), ">", lambda: 2 * error()),
        count("designs that hold what they say", int(design.sound), ">=", 1),
        room(design.capacity, labels),
        count("queries asked >= queries of the design", queries, ">=", design.M * digits),
        count("classes told apart >= K", told, ">=", channel.K),
        *score_fits(channel, queries, lambda: metric.mean_loss(channel, real(largest), real(spread))),
    )
    fits = (
        columns_for_classes(channel),
        ("predictions in floating point", not channel.fixed),
        ("a design of bits, or one stage for all classes", (2 if digits > 1 else channel.K) == design.K),
    )
    return Derived(labels, queries, told, claims, listed=design.M * digits, fits=fits)
