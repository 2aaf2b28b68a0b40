"""I10, response: labels that were flipped before they were scored are hidden by that for ever, whatever is asked.

Whoever knows every stored label, and nothing else, has each true one right with probability 1 - pi at most, one independently
of the other: pi <= (K-1)/K, so that the stored one is the best guess. Scores tell no more than the stored labels. So more
than r labels are wrong at least as often as more than r of them were flipped.

An attacker with a guess may be told all but s labels, as far as the guess may be wrong; of those the same holds.
"""

from __future__ import annotations

from math import isqrt

from flint import arb

from planner.channel.channel import Channel
from planner.channel.releases import RELEASES
from planner.channel.response import chance_from, flip_chance
from planner.limits.common import Carried, LimitTheorem
from planner.model import Limit
from planner.numerics.reals import ball, compare, log2, lower

FINE = 24  # blocks of a tail to a standard deviation
WIDE = 2  # standard deviations below the mean at which a tail is begun: what is left out is small beside it


class Response(LimitTheorem):
    """Randomised response, drawn once."""

    id = "I10"
    title = "Labels flipped once"
    cite = "I10"
    statement = (
        "Each label was flipped once with probability π = (K-1)/(e^ε + K-1), before anything was scored. Who knows all of "
        "them as stored still has each true one wrong with probability π at least, one by one, if nothing else is "
        "known; scores of any metric, in any number and by any accounts tell no more. So r wrong labels are not enough for "
        "probability 1-δ if P(Bin(N, π) > r) > δ. Beside a guess that may have s labels wrong, N is s: others may be told. "
        "On average a share of π of the labels is wrong, whatever is asked: N (log2 K - h(π) - π log2(K-1)) bits are all "
        "that stored labels tell of the true ones."
    )
    conditions = ("response = epsilon", "no count of ones is known")
    needs = None
    endless = True
    releases = tuple(one.id for one in RELEASES)

    def apply(self, channel: Channel) -> Limit:
        """Whether more labels were flipped than may be wrong, oftener than is allowed."""
        if channel.response is None:
            return self.silent("the labels that are scored are the true ones")
        if channel.exactly:
            return self.silent("how many labels are 1 is known, and labels are not independent")
        open_labels, needed = doubtful(channel), channel.wrong_allowed + 1
        if needed > open_labels:
            return self.silent("as many labels may be wrong as are not known")
        first, block = tail(channel)

        def chance() -> arb:
            return chance_from(open_labels, first, block, least_chance(channel))

        name = f"chance that {needed} of {open_labels} labels were flipped > δ"
        record = compare(name, chance, ">", lambda: ball(channel.delta))
        if not record.holds:
            return self.silent("as many labels stay what they are as are wanted, often enough")
        text = "scores tell nothing but labels that were flipped once, and too many of these are not the true ones"
        return self.excludes_all(text, record, first=first, block=block)

    def carried(self, channel: Channel, queries: int) -> Carried | None:
        """What the stored labels tell of the true ones: N times the capacity of a flip."""
        if channel.response is None:
            return None

        def bits() -> arb:
            p, K = least_chance(channel), channel.classes
            unknown = -(p * log2(p)) - (1 - p) * log2(1 - p) + p * log2(ball(K - 1))
            return channel.scored * (log2(ball(K)) - unknown)

        return Carried(bits)


def doubtful(channel: Channel) -> int:
    """Labels of which nothing is known but what scores tell: all, or as many as a guess may have wrong."""
    return min(channel.radius, channel.rows) if channel.secret.informed else channel.rows


def least_chance(channel: Channel) -> arb:
    """pi, where epsilon is known between two ends: the smaller one flips fewer labels."""
    assert channel.response is not None
    return ball(lower(flip_chance(channel.response, channel.classes)))


def tail(channel: Channel) -> tuple[int, int]:
    """From where and in what blocks a tail is added up: any will do, and some are sharper."""
    p, n = lower(least_chance(channel)), doubtful(channel)
    deviation = isqrt(int(n * p * (1 - p)))
    first = max(channel.wrong_allowed + 1, int(n * p) - WIDE * deviation)
    return first, max(1, deviation // FINE)
