"""Attacks by designs: every label in every query, and rounding to whole gaps."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from threatplan.verify import reading
from threatplan.verify.channel import Channel
from threatplan.verify.claims import Claim, Derived, columns_for_classes, count, room, score_fits
from threatplan.verify.designs import Design, design_of
from threatplan.verify.intervals import Interval, real
from threatplan.verify.reading import Unreadable


def derive(channel: Channel, data: reading.Data) -> Derived:
    """One stage, or one for each bit of the class."""
    reading.only(data, "kind", "queries", "labels", "design", "gap", "digits")
    queries, labels = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    stages = stages_of(data)
    design, digits = stages.design, stages.digits
    fits = (
        columns_for_classes(channel),
        ("predictions in floating point", not channel.fixed),
        ("a design of bits, or one stage for all classes", stages.suits(channel)),
    )
    claims = stages.claims(channel, queries, labels)
    return Derived(labels, queries, stages.told, claims, listed=design.M * digits, fits=fits)


@dataclass(frozen=True)
class Stages:
    """A design, asked once or for each bit of the class."""

    design: Design
    gap: Fraction
    digits: int

    @property
    def told(self) -> int:
        """Classes that are told apart."""
        return self.design.K if self.digits == 1 else 2**self.digits if self.design.K == 2 else 1

    def suits(self, channel: Channel) -> bool:
        """Whether its rows are those of the channel's classes."""
        return (2 if self.digits > 1 else channel.K) == self.design.K

    def claims(self, channel: Channel, queries: int, labels: int) -> tuple[Claim, ...]:
        """Reach, separation and capacity for so many labels, errors of so many queries."""
        return _claims(channel, queries, labels, self)


def stages_of(data: reading.Data) -> Stages:
    """The design of a record with its gap and digits."""
    design, gap = design_of(reading.record(data, "design")), reading.rational(data, "gap")
    digits = reading.whole(data, "digits", 1)
    if digits > 64 or gap <= 0 or gap.denominator.bit_length() > 2**16:
        raise Unreadable("`gap` or `digits` has a value that no design has")
    return Stages(design, gap, digits)


def _claims(channel: Channel, queries: int, labels: int, stages: Stages) -> tuple[Claim, ...]:
    metric, design, gap, digits = channel.charges, stages.design, stages.gap, stages.digits
    largest, spread = gap * design.amplitude, gap * design.l1(labels)

    def error() -> Interval:
        top, all_rows = real(largest), real(spread)
        scorer = channel.sum_error(queries, metric.mean_loss(channel, top, all_rows), metric.heaviest(channel, top))
        missed = metric.missed(channel, top, all_rows, design.K)
        return scorer + missed + metric.own(channel, top, all_rows)

    return (
        Claim(
            "W >= gap x amplitude", lambda: metric.stage_reach(channel, design.K, digits), ">=", lambda: real(largest)
        ),
        Claim("gap > 2 (E + dev)", lambda: real(gap), ">", lambda: 2 * error()),
        count("designs that hold what they say", int(design.sound), ">=", 1),
        room(design.capacity, labels),
        count("queries asked >= queries of the design", queries, ">=", design.M * digits),
        count("classes told apart >= K", stages.told, ">=", channel.K),
        *score_fits(channel, queries, lambda: metric.mean_loss(channel, real(largest), real(spread))),
    )
