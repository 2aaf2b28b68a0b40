"""Comparisons by a prefix code: those of listed ones, and the chance that coins ask for more of them."""

from __future__ import annotations

from fractions import Fraction

from threatplan.verify import reading
from threatplan.verify.channel import Channel
from threatplan.verify.claims import COINS, NOISE_AND_COINS, Claim, Derived, count
from threatplan.verify.intervals import ONE, ZERO, Interval, exp, log, real
from threatplan.verify.scaled import FIELDS, comparison, of_the_channel

HALF = Fraction(1, 2)  # of delta: for noise that has no bound


def derive(channel: Channel, data: reading.Data) -> Derived:
    """Every label by floor(log2 K) comparisons, some by one more."""
    reading.only(data, *FIELDS, "seed")
    reading.whole(data, "seed")
    queries, labels = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    classes = reading.whole(data, "classes", 2)
    depth = classes.bit_length() - 1
    deep = Fraction(2 * (classes - 2**depth), classes)
    left = channel.delta * (1 - HALF) if channel.unbounded else channel.delta
    further = queries - labels * depth
    claims = (
        *comparison(channel, data, HALF),
        count("queries >= labels * floor(log2 K)", further, ">=", 0),
        Claim("probability of needing more queries <= δ that is left to coins",
              lambda: above(labels, deep, further), "<=", lambda: real(left)),
    )  # fmt: skip
    over = NOISE_AND_COINS if channel.unbounded else COINS
    fits = of_the_channel(channel, data)
    return Derived(labels, queries, classes, claims, adaptive=True, over=over, fits=fits)


def above(n: int, share: Fraction, most: int) -> Interval:
    """P(Bin(n, share) > most), by Chernoff."""
    if most >= n or not share:
        return ZERO
    seen = Fraction(most + 1, n)
    if seen <= share:
        return ONE
    if seen == 1:
        return real(share) ** n
    return exp(-n * (seen * log(seen / share) + (1 - seen) * log((1 - seen) / (1 - share))))
