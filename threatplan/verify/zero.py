"""The zero test: a prediction of 0 for the true class shows as an infinite score, whatever the noise."""

from __future__ import annotations

from threatplan.verify import reading
from threatplan.verify.channel import Channel
from threatplan.verify.claims import NOISE, NOTHING, Derived, columns_for_classes, count, logarithms, stays_finite


def derive(channel: Channel, data: reading.Data) -> Derived:
    """One test for each label and bit of its class, what groups may cost beside, and a confirmation."""
    reading.only(data, "kind", "queries", "labels", "rows", "classes", "columns", "grouped", "reserve")
    queries, labels = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    classes, columns = reading.whole(data, "classes", 2), reading.whole(data, "columns", 1)
    rows, reserve, grouped = (
        reading.whole(data, "rows", 1),
        reading.whole(data, "reserve"),
        reading.truth(data, "grouped"),
    )
    asked = labels * (classes - 1).bit_length() + (reserve if grouped else 0) + 2
    told = classes if columns > 1 else 2
    claims = (
        count("zeros show as infinity", int(channel.charges.shows_infinity(channel)), ">=", 1),
        count("grouped tests only if queries may adapt", int(grouped), "<=", int(channel.adaptive)),
        count("classes that rows can tell >= K", told, ">=", channel.K),
        count("labels >= goal", labels, ">=", channel.target),
        count("queries >= labels * bits + reserve + 2", queries, ">=", asked),
        *([stays_finite(channel, queries, channel.even)] if channel.ieee_scores else []),
    )
    tails = channel.ieee_scores and channel.noise.name in ("gaussian", "laplace", "subexponential")
    fits = (
        logarithms(channel),
        columns_for_classes(channel),
        ("rows of a submission", rows == channel.N),
        ("classes of a row", classes == channel.K),
        ("columns of a submission", columns == channel.columns),
    )
    return Derived(labels, queries, classes, claims, adaptive=grouped, over=NOISE if tails else NOTHING, fits=fits)
