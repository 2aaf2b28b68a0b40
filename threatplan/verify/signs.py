"""Random signs: the chance that another labeling explains every score, over the attacker's coins.

A labeling that is wrong in k places moves each score by a sum of k random signs. Two signs more never bring such a sum nearer
to 0, so that many numbers of places are reckoned with at once.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from threatplan.verify import consistent, reading
from threatplan.verify.channel import Channel
from threatplan.verify.claims import Claim, Derived, count
from threatplan.verify.consistent import Averages
from threatplan.verify.intervals import (
    ONE,
    ZERO,
    Interval,
    exp,
    larger,
    log,
    log_factorial,
    power_of_two,
    real,
    smaller,
)
from threatplan.verify.scaled import unit_of

ALONE = 64  # numbers of places that are looked at one by one, and the part of a number by which later groups grow
FAR = 80  # bits: less is left of a score's chance to bear a shift that is too large
MOST = 2**12


def derive(channel: Channel, data: reading.Data) -> Derived:
    """The union over all sets of places, for every bit of a class."""
    p = consistent.read(channel, data)
    alone = int(p.rounds == 1 and p.base == 1 and not p.repairs and not p.tilt)
    claims = (
        *consistent.written_entries(channel, p),
        count("labels weighed by signs alone", alone, ">=", 1),
        count("queries >= signed queries * bits of a class", p.queries, ">=", p.order * p.passes),
        Claim("probability that another labeling explains every score <= δ", lambda: _failure(channel, p), "<=",
              lambda: real(channel.delta)),
    )  # fmt: skip
    fits = (
        *consistent.conditions(channel, p),
        ("scores rounded to decimals", unit_of(channel) > 0),
        ("no random noise", not channel.random),
        ("time for every labeling", channel.time == "exponential"),
    )
    return Derived(
        p.labels, p.queries, p.classes, claims, over=consistent.over(channel), listed=p.order * p.passes, fits=fits
    )


def _failure(channel: Channel, p: Averages) -> Interval:
    shares = _shares(channel, p)
    if shares is None:
        return ONE
    found, first = ZERO, 1
    while first <= p.labels:
        after = min(first + max(1, first // ALONE), p.labels + 1)
        likeliest = _borne(first, shares)
        if after > first + 1:
            likeliest = larger(likeliest, _borne(first + 1, shares))
        most = min(max(first, p.labels // 2), after - 1)
        found = found + (after - first) * exp(_log_comb(p.labels, most) + p.order * log(likeliest))
        first = after
    return smaller(p.passes * found, ONE)


def _shares(channel: Channel, p: Averages) -> list[Interval] | None:
    """Chances that a score bears shifts by 0, 1, 2, … gaps, to the first that is next to nothing."""
    gap, found = consistent.seen(channel, p), [ONE]
    while found[-1] > power_of_two(-FAR):
        if len(found) > MOST:
            return None
        found.append(consistent.inside(channel, p, len(found) * gap))
    return found


def _borne(signs: int, shares: list[Interval]) -> Interval:
    """What a score bears on average of a sum of so many signs: ±s has chance C(k, (k+s)/2) 2^-k each."""
    size = signs % 2
    here = exp(_log_comb(signs, (signs + size) // 2) - signs * log(real(2)))
    found = power_of_two(-FAR) + shares[-1].high
    while size <= signs and size < len(shares):
        found = found + (here if size == 0 else 2 * here) * shares[size]
        here = here * Fraction(signs - size, signs + size + 2)
        size += 2
    return found.high


def _log_comb(many: int, few: int) -> Interval:
    if many <= ALONE:
        return log(real(comb(many, few)))
    return log_factorial(many) - log_factorial(few) - log_factorial(many - few)
