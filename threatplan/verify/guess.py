"""The guess: right but for as many labels as it may have wrong, and no score is asked for."""

from __future__ import annotations

from threatplan.verify import reading, secret
from threatplan.verify.channel import RELEASES, Channel
from threatplan.verify.claims import NOTHING, Derived, count


def derive(channel: Channel, data: reading.Data) -> Derived:
    """All labels, no query, and no more of them wrong than the guess has wrong."""
    reading.only(data, "kind", "queries", "labels", "classes", "wrong")
    labels, wrong = reading.whole(data, "labels", 1), reading.whole(data, "wrong")
    claims = (
        count("labels that may come out wrong >= labels that the guess may have wrong", wrong, ">=", channel.radius),
        count("labels >= rows", labels, ">=", channel.N),
    )
    fits = (("a guess of all labels, or their count", secret.informed(channel)),)
    return Derived(
        labels,
        reading.whole(data, "queries"),
        reading.whole(data, "classes", 2),
        claims,
        wrong=wrong,
        over=NOTHING,
        listed=0,
        releases=tuple(RELEASES),
        reads=False,
        fits=fits,
    )
