"""Attacks by designs: every label in every query, and rounding to whole gaps."""

from __future__ import annotations

from fractions import Fraction

from threatplan.verify import reading
from threatplan.verify.channel import Channel, pairwise_additions
from threatplan.verify.claims import Claim, Derived, columns_for_classes, count, room, score_fits
from threatplan.verify.designs import Design, design_of
from threatplan.verify.intervals import MINUS_INFINITY, Interval, exp, larger, log, power_of_two, real
from threatplan.verify.reading import Unreadable
from threatplan.verify.sides import sizes

RATIO_ROUNDINGS = 6  # exp and two divisions between the entries of a row
EXACT_ROUNDINGS = 4  # of a complement, 1/K or the row sum of two groups, which an exact scorer does not make
OWN_ROUNDINGS = 2  # of the attacker's logarithm of a mantissa
FLOAT64 = Fraction(1, 2**53)


def derive(channel: Channel, data: reading.Data) -> Derived:
    """One stage, or one for each bit of the class."""
    reading.only(data, "kind", "queries", "labels", "design", "gap", "digits")
    queries, labels = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    design, gap = design_of(reading.record(data, "design")), reading.rational(data, "gap")
    digits = reading.whole(data, "digits", 1)
    if digits > 64 or gap <= 0 or gap.denominator.bit_length() > 2**16:
        raise Unreadable("`gap` or `digits` has a value that no design has")
    largest, spread = gap * design.amplitude, gap * design.l1(labels)

    def error() -> Interval:
        top, all_rows = real(largest), real(spread)
        heaviest = log(channel.K) + top
        scorer = channel.sum_error(queries, _loss(channel, top, all_rows), heaviest)
        own = FLOAT64 * (OWN_ROUNDINGS * channel.N + all_rows + top)
        return scorer + _deviation(channel, top, all_rows, design.K) + own

    told = design.K if digits == 1 else 2**digits if design.K == 2 else 1
    claims = (
        Claim("W >= gap x amplitude", lambda: _reach(channel, design, digits), ">=", lambda: real(largest)),
        Claim("gap > 2 (E + dev)", lambda: real(gap), ">", lambda: 2 * error()),
        count("designs that hold what they say", int(design.sound), ">=", 1),
        room(design.capacity, labels),
        count("queries asked >= queries of the design", queries, ">=", design.M * digits),
        count("classes told apart >= K", told, ">=", channel.K),
        *score_fits(channel, queries, lambda: _loss(channel, real(largest), real(spread))),
    )
    fits = (
        columns_for_classes(channel),
        ("predictions in floating point", not channel.fixed),
        ("a design of bits, or one stage for all classes", (2 if digits > 1 else channel.K) == design.K),
    )
    return Derived(labels, queries, told, claims, listed=design.M * digits, fits=fits)


def _reach(channel: Channel, design: Design, digits: int) -> Interval:
    """W for rows of two groups of classes, or of classes each with its own level; the attacker writes float64."""
    floor, least = channel.floor(), power_of_two(-1022)
    p = least if floor is None else larger(least, floor)
    if channel.K == 2:
        return log((1 - p) / p)
    if design.K > 2:
        return -log(p) - log(channel.K)
    group = max(max(pair) for pair in [*sizes(channel.K), (0, channel.K)][:digits])
    odds = (1 / p - group) / group
    return log(odds) if odds > 0 else MINUS_INFINITY


def _loss(channel: Channel, largest: Interval, spread: Interval) -> Interval:
    """The most that a query costs on average: x + ln(1 + e^-x) for two classes, below its chord; else ln K + x."""
    nothing = log(channel.K)
    if channel.K > 2 or not largest > 0:
        return nothing + spread / channel.N
    heaviest = largest + log(1 + exp(-largest))
    return nothing + spread / channel.N * (heaviest - nothing) / largest


def _deviation(channel: Channel, largest: Interval, spread: Interval, classes: int) -> Interval:
    """How far charges miss what the design wants: ratios by roundings, small entries by absolute steps.

    An absolute step costs exp(x) times as much in a row of spread x, at most as if as many rows as can be had the
    largest spread.
    """
    spent = channel.N + spread / largest * exp(largest)
    if channel.fixed:
        step = power_of_two(-int(channel.precision.fraction_bits))
        return 2 * step * channel.K * (channel.N + spent)
    unit = channel.unit if channel.ieee else FLOAT64
    ratios = RATIO_ROUNDINGS * channel.N + 2 * spread
    if channel.columns == 1:
        ratios = ratios + spent
    missed = ratios / 2 if classes == 2 else ratios
    if channel.ieee:
        return unit * missed
    # What the attacker loses in adding up the entries of many classes an exact scorer finds when it renormalises.
    summed = pairwise_additions(channel.K) if channel.renormalises and classes > 2 else 0
    return unit * (missed + (EXACT_ROUNDINGS + summed) * channel.N)
