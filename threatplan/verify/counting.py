"""Attacks that read counts of labels off metrics of predicted classes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from threatplan.verify import reading
from threatplan.verify.channel import STEPPED, Channel
from threatplan.verify.claims import Claim, Derived, count, room
from threatplan.verify.designs import Design, design_of
from threatplan.verify.intervals import Interval, real
from threatplan.verify.metrics.counting import Counting
from threatplan.verify.reading import Unreadable
from threatplan.verify.sets import popcounts

MOST_CLASSES = 1024  # of a design of right rows


def derive(channel: Channel, data: reading.Data) -> Derived:
    """A design of counts, or one row after the other."""
    metric = channel.charges
    if not isinstance(metric, Counting):
        raise Unreadable(f"{channel.metric} counts nothing")
    if data["kind"] == "class_counts":
        return _classes(channel, metric, data)
    if data["kind"] == "pivot":
        return _pivot(channel, metric, data)
    if data["kind"] == "growing_counts":
        return _chunks(channel, metric, data)
    return _rows(channel, metric, data) if data["kind"] == "one_row" else _designed(channel, metric, data)


def _rows(channel: Channel, metric: Counting, data: reading.Data) -> Derived:
    """A row a query, and before them all rows where labels that are all alike are told by that alone."""
    reading.only(data, "kind", "queries", "labels", "control")
    queries, labels = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    control = reading.truth(data, "control")
    zero, one = metric.single(channel.N) or (Fraction(0), Fraction(0))
    if control and not metric.control:
        raise Unreadable("all rows predicted 1 are no control of this metric")
    apart = min(one - zero, Fraction(1, 2)) if control else one - zero
    both = channel.exactly and 0 < channel.radius < channel.N
    name = "score of label 1 - score of label 0 > 2E"
    claims = (
        Claim(name, lambda: real(apart), ">", lambda: 2 * metric.error(channel, queries, False)),
        count("controls asked >= needed", int(control), ">=", int(metric.control and not both)),
    )
    return Derived(labels, queries, 2, claims, listed=labels + control)


def _classes(channel: Channel, metric: Counting, data: reading.Data) -> Derived:
    """Right rows of K classes, of levels up to h either way: 1 + .. + h predictions of a sign for a label of weight 1.

    A component of p bits has 2^(p-1) of either sign, and weights are powers of 2h + 1.
    """
    reading.only(data, "kind", "queries", "labels", "design")
    queries, labels = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    design = reading.record(data, "design")
    reading.only(design, "type", "M", "K")
    M, K = reading.whole(design, "M", 2), reading.whole(design, "K", 3)
    if K > MOST_CLASSES:
        raise Unreadable("more classes than a design of right rows tells")
    each = sum(range(1, K // 2 + 1))
    sizes = [sum(2 * each * (K // 2 * 2 + 1) ** i <= 2**p for i in range(p)) for p in range(M.bit_length() + 1)]
    capacity = sum(size * times for size, times in zip(sizes, popcounts(M), strict=True))
    sound = design["type"] == "balanced" and channel.K == K
    step = Fraction(1, channel.scored) if metric.lattice(channel) is not None else Fraction(0)
    claims = (
        count("designs that hold what they say", int(sound), ">=", 1),
        room(capacity, labels),
        Claim("step of right rows > 2E", lambda: real(step), ">", lambda: 2 * metric.error(channel, queries, True)),
    )
    return Derived(labels, queries, K, claims, listed=M)


def _pivot(channel: Channel, metric: Counting, data: reading.Data) -> Derived:
    """Rows of one class or none, shown as no right row or as some: the class of half of them, halvings, then a row each."""
    reading.only(data, "kind", "queries", "labels")
    queries, labels = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    halvings = len(bin(channel.scored - 1)) - 2 if channel.scored > 1 else 0
    stepped = channel.shown is not None and channel.shown.name in STEPPED
    fits = (
        ("scores that are numbers of right rows", metric.lattice(channel) is not None),
        ("neutral rows where they are taken", channel.abstain and metric.abstains),
        ("no noise, and scores in steps", channel.noise.name == "none" and stepped),
    )
    claims = (
        Claim(
            "half of the rows > 2E",
            lambda: real(Fraction(1, 2)),
            ">",
            lambda: 2 * metric.error(channel, queries, False),
        ),
        count("queries >= labels and search", queries, ">=", labels + 1 + halvings),
    )
    return Derived(labels, queries, 2, claims, adaptive=True, fits=fits)


def _chunks(channel: Channel, metric: Counting, data: reading.Data) -> Derived:
    """Chunks that are as large as is sure: one row is, a chunk asks no more than it has rows, and nothing else is owed."""
    if metric.ones_step(channel.N):
        raise Unreadable(
            f"all rows predicted 1 tell how many labels are 1 in {channel.metric}: no chunks of it are read"
        )
    single = _rows(channel, metric, data)
    owed = count("queries >= labels and control", single.queries, ">=", single.listed or 0)
    return replace(single, claims=(*single.claims, owed), listed=None, adaptive=True)


def _designed(channel: Channel, metric: Counting, data: reading.Data) -> Derived:
    """Every label in a design of counts."""
    reading.only(data, "kind", "queries", "labels", "design", "neutral", "first")
    queries, labels = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    neutral, first = reading.truth(data, "neutral"), reading.truth(data, "first")
    design, plain = _design(reading.record(data, "design"))
    fits = (("neutral rows where they are taken", channel.abstain or not neutral),)
    sound = design.sound and design.K == 2 and design.amplitude == 1 and plain != neutral and not (neutral and first)
    claims = (
        count("designs that hold what they say", int(sound), ">=", 1),
        room(design.capacity, labels),
        *(_right_rows(channel, metric, queries) if neutral else _counts(channel, metric, queries, labels, first)),
    )
    return Derived(labels, queries, 2, claims, listed=design.M + first, fits=fits)


def _design(data: reading.Data) -> tuple[Design, bool]:
    """A design, and whether its entries are 0 and 1 alone.

    Zeros and ones: a component for each j < M, with as many labels as j has bits, of weights 1, 2, 4, .. up to half of the
    queries within j; and one label in all queries.
    """
    if data.get("type") != "ones":
        design = design_of(data)
        # Entries of designs with real seeds are no whole numbers of gaps.
        whole = data.get("type") == "butterfly" or reading.record(data, "seed").get("type") in ("scalar", "skew")
        if not whole:
            raise Unreadable("entries that are no whole numbers count nothing")
        return design, False
    reading.only(data, "type", "M")
    M = reading.whole(data, "M", 1)
    capacity = 1 + sum(p * held for p, held in enumerate(popcounts(M)))
    return Design(M, 2, capacity, Fraction(1), Fraction(capacity)), True


def _right_rows(channel: Channel, metric: Counting, queries: int) -> tuple[Claim, ...]:
    """With neutral rows, those that name a class are right or wrong by themselves."""
    step = Fraction(1, channel.N) if channel.abstain and metric.abstains else Fraction(0)
    name = "step of right rows > 2E"
    return (Claim(name, lambda: real(step), ">", lambda: 2 * metric.error(channel, queries, True)),)


def _counts(channel: Channel, metric: Counting, queries: int, labels: int, first: bool) -> tuple[Claim, ...]:
    """How many labels are 1, told or read where all rows are predicted 1; then how many of some rows."""
    N = channel.N
    told: tuple[int | None, ...] = (channel.radius, N - channel.radius) if channel.exactly else (None,)
    step = min(metric.count_step(N, n1) for n1 in told)
    of_rows = Claim("step of a count > 2E", lambda: real(step), ">", lambda: 2 * metric.error(channel, queries, False))
    if channel.exactly:
        return (of_rows,)
    asked = metric.ones_step(N) if first or labels == N else Fraction(0)

    def error() -> Interval:
        return 2 * metric.error(channel, queries, metric.ones_over_rows)

    return (Claim("step of the number of ones > 2E", lambda: real(asked), ">", error), of_rows)
