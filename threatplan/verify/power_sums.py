"""Power sums: a count, and the sums of the powers of the wrong rows' numbers modulo a prime, digit by digit."""

from __future__ import annotations

from threatplan.verify import reading, secret
from threatplan.verify.channel import Channel
from threatplan.verify.claims import Claim, Derived, count, score_fits, two_classes
from threatplan.verify.intervals import real
from threatplan.verify.reading import Unreadable
from threatplan.verify.splitting import LONGEST, Weighed, by_power_sums, numbered


def derive(channel: Channel, data: reading.Data) -> Derived:
    """Weights are digits less half the base: the base is one more than twice the amplitude."""
    reading.only(data, "kind", "queries", "labels", "radius", "amplitude", "unit", "prime")
    queries, labels = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    radius, amplitude = reading.whole(data, "radius"), reading.whole(data, "amplitude", 1)
    unit, prime = reading.rational(data, "unit"), reading.whole(data, "prime", 2)
    if unit <= 0 or unit.denominator.bit_length() > 2**16 or max(queries, labels, radius, amplitude, prime) > LONGEST:
        raise Unreadable("a number that no attack has")
    largest, wrong = unit * amplitude, min(radius, labels)
    weighed = Weighed(channel, queries, labels, wrong, largest)
    claims = (
        Claim("W >= unit x amplitude", weighed.reach, ">=", lambda: real(largest)),
        Claim("unit > 2 (E + dev)", lambda: real(unit), ">", lambda: 2 * weighed.error()),
        count("amplitude >= 1", amplitude, ">=", 1),
        count("wrong labels that are told >= wrong labels of the guess", radius, ">=", min(channel.radius, labels)),
        numbered(prime, labels, radius),
        count("queries asked >= queries that suffice", queries, ">=", by_power_sums(wrong, 2 * amplitude, prime)),
        count("integers of the decoder < 2^60", max(2 * (2 * amplitude + 1) * max(radius, 1), prime**2), "<", 2**60),
        *score_fits(channel, queries, weighed.loss),
    )
    fits = (
        ("a guess of all labels, or their count", secret.informed(channel)),
        two_classes(channel),
        ("predictions in floating point", not channel.fixed),
    )
    return Derived(labels, queries, 2, claims, listed=by_power_sums(radius, 2 * amplitude, prime), fits=fits)
