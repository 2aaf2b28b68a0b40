"""Blocks of ranks, read off areas under the curve."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from threatplan.verify import reading
from threatplan.verify.channel import Channel
from threatplan.verify.claims import Claim, Derived, count, room, two_classes
from threatplan.verify.intervals import Interval, real
from threatplan.verify.metrics.counting import RocAuc
from threatplan.verify.reading import Unreadable
from threatplan.verify.sets import conway_guy, popcounts

LARGEST = 18  # labels of a block


def derive(channel: Channel, data: reading.Data) -> Derived:
    """Weights are ranks above the tied rows' own; n0 n1 areas are sums of them, so that a score is off by n0 n1 errors."""
    metric, N = channel.charges, channel.N
    if not isinstance(metric, RocAuc):
        raise Unreadable(f"{channel.metric} is no score of ranks")
    reading.only(data, "kind", "queries", "labels", "counted", "gap", "blocks")
    queries, labels = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    counted, gap = reading.whole(data, "counted", 0), reading.whole(data, "gap", 1)
    blocks = [_times(one, N) for one in reading.items(data, "blocks")]
    if len(blocks) > LARGEST or sum(blocks) > N:
        raise Unreadable("blocks of absurd numbers")
    wanted = min(labels, N - 1)  # of all labels the last one follows from the number of ones
    designed = min(wanted, 1 + sum(p * held for p, held in enumerate(popcounts(counted)))) if counted else 0
    asked = list(_blocks(blocks, designed, wanted))
    if any(m < 1 for _, m in asked):
        raise Unreadable("a block without labels")
    ranked = [_weights(N, gap, known, m) for known, m in asked]
    crossing = min((_crossing(weights) for weights in ranked), default=Fraction(N, 2))

    def twice() -> Interval:
        return 2 * channel.radius * (N - channel.radius) * metric.rank_error(channel, queries)

    claims = (
        room(designed + sum(m for _, m in asked), wanted),
        # The lowest row of a block is above all that are tied.
        count(
            "blocks that find their places >= blocks",
            sum(
                min(weights) >= Fraction(N - known - m + 1, 2)
                for weights, (known, m) in zip(ranked, asked, strict=True)
            ),
            ">=",
            len(asked),
        ),
        Claim("step of a count > 2E", lambda: real(Fraction(N, 2)), ">", twice),
        Claim("gap of ranks > 2E", lambda: real(gap), ">", twice),
        Claim("least sum of k + 1 labels - largest of k > 2E", lambda: real(crossing), ">", twice),
    )
    fits = (
        two_classes(channel),
        ("ones that are counted", channel.exactly and channel.counted),
        ("labels of both classes", 0 < channel.radius < N),
    )
    return Derived(labels, queries, 2, claims, listed=counted + sum(blocks), fits=fits)


def _times(value: object, N: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= N:
        raise Unreadable("`blocks` holds no whole numbers")
    return value


def _blocks(blocks: list[int], known: int, wanted: int) -> Iterator[tuple[int, int]]:
    """Rows that are known before each block, and its own; the last block takes what is left."""
    for size, times in enumerate(blocks, 1):
        for _ in range(times):
            m = min(size, wanted - known)
            yield known, m
            known += m


def _weights(N: int, gap: int, known: int, m: int) -> list[Fraction]:
    """From the top rank N down by gap times u(i), u(m) - u(i) a Conway-Guy set; less the mean rank of N - known - m rows."""
    held = conway_guy(m)
    mean = Fraction(N - known - m + 1, 2)
    return sorted(N - gap * (held[-1] - one) - mean for one in held)


def _crossing(weights: list[Fraction]) -> Fraction:
    """The lightest k + 1 rows against the heaviest k."""
    low, high, least = Fraction(0), Fraction(0), weights[0]
    for light, heavy in zip(weights, (Fraction(0), *reversed(weights)), strict=False):
        low, high = low + light, high + heavy
        least = min(least, low - high)
    return least
