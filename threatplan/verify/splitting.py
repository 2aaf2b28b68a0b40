"""Splitting: which labels a guess has wrong, by counts in parts of the rows.

Rows weigh at most half the amplitude, in units, for the guessed class against all others. A count of c among r rows leaves at
most 1 + min(c, r/2) answers for one half of them; component j of a round's design holds more than log2(A 2^popcount(j)) bits
of such answers before it is full. Or c power sums modulo a prime, each in digits to the base A + 1, tell c rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from threatplan.verify import reading, secret
from threatplan.verify.channel import Channel
from threatplan.verify.claims import Claim, Derived, columns_for_classes, count, score_fits
from threatplan.verify.design import Stages, stages_of
from threatplan.verify.intervals import Interval, log2, real
from threatplan.verify.reading import Unreadable
from threatplan.verify.sets import popcounts

LONGEST = 2**64  # numbers of an attack that anybody runs
WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)  # that no composite below 2^64 deceives
FIELDS = ("kind", "queries", "labels", "radius", "amplitude", "unit", "prime", "design", "gap", "digits")


def derive(channel: Channel, data: reading.Data) -> Derived:
    """Counting and cutting, and for more classes than two a design on what was found."""
    reading.only(data, *FIELDS)
    queries, labels = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    radius, amplitude = reading.whole(data, "radius"), reading.whole(data, "amplitude", 2)
    unit, prime = reading.rational(data, "unit"), reading.whole(data, "prime")
    stages = _stages(data)
    if unit <= 0 or unit.denominator.bit_length() > 2**16 or max(queries, labels, radius, amplitude, prime) > LONGEST:
        raise Unreadable("a number that no attack has")
    largest, wrong = unit * amplitude / 2, min(radius, labels)
    weighed = Weighed(channel, queries, labels, wrong, largest)
    further = 0 if stages is None else stages.design.M * stages.digits
    enough = by_power_sums(wrong, amplitude, prime) if prime else by_halving(labels, wrong, amplitude)
    enough += further
    longest = max(2 * (amplitude + 1) * max(radius, 2 * queries), prime**2)
    claims = (
        Claim("W >= unit x amplitude / 2", weighed.reach, ">=", lambda: real(largest)),
        Claim("unit > 2 (E + dev)", lambda: real(unit), ">", lambda: 2 * weighed.error()),
        count("amplitude >= 2", amplitude, ">=", 2),
        count("wrong labels that are told >= wrong labels of the guess", radius, ">=", min(channel.radius, labels)),
        count("queries asked >= queries that suffice", queries, ">=", enough),
        count("integers of the decoder < 2^60", longest, "<", 2**60),
        *((numbered(prime, labels, radius),) if prime else ()),
        *score_fits(channel, queries, weighed.loss),
        *(() if stages is None else stages.claims(channel, queries, radius)),
    )
    fits = (
        ("a guess of all labels, or their count", secret.informed(channel)),
        columns_for_classes(channel),
        ("predictions in floating point", not channel.fixed),
        ("a design of bits, or one stage for all classes", stages is None or stages.suits(channel)),
    )
    return Derived(labels, queries, 2 if stages is None else stages.told, claims, adaptive=True, fits=fits)


@dataclass(frozen=True)
class Weighed:
    """Rows that weigh the guessed class against the others, none by more than `largest`, so many guesses wrong at most."""

    channel: Channel
    queries: int
    labels: int
    wrong: int
    largest: Fraction

    def reach(self) -> Interval:
        """What a row surely weighs."""
        return self.channel.charges.stage_reach(self.channel, self.channel.K, 1)

    def loss(self) -> Interval:
        """What no labeling is charged more than, on average: every row may have the largest weight against it."""
        return self.channel.charges.mean_loss(self.channel, real(self.largest), real(self.labels * self.largest))

    def error(self) -> Interval:
        """Of the scorer, and of what the wrong rows miss; right guesses are charged what was submitted."""
        metric, top = self.channel.charges, real(self.largest)
        moved = real(min(self.wrong + 1, self.labels) * self.largest)  # one more than promised, so that it is noticed
        scorer = self.channel.sum_error(self.queries, self.loss(), metric.heaviest(self.channel, top))
        # What is off midway between two sides is off by twice as much on one of them.
        return scorer + 2 * metric.missed(self.channel, top, moved, 2) + metric.own(self.channel, top, moved)


def numbered(prime: int, labels: int, radius: int) -> Claim:
    """Rows have different residues, and every count an inverse."""
    told = prime if _is_prime(prime) and prime >= max(labels, radius + 1) else 0
    return count("rows that power sums tell >= labels", told, ">=", labels)


def _stages(data: reading.Data) -> Stages | None:
    """The design on the wrong rows; a record for two classes has none, and says so."""
    if data["design"] is not None:
        return stages_of(data)
    if reading.rational(data, "gap") or reading.whole(data, "digits"):
        raise Unreadable("`gap` or `digits` of a design that is not there")
    return None


def by_halving(labels: int, wrong: int, amplitude: int) -> int:
    """A count, and level by level as many queries as the counts of all halves may fill."""
    queries, parts, rows = 1, 1, labels
    while rows >= 2 and wrong:
        some = min(parts, wrong)
        bits = some * log2(real(1 + min(Fraction(wrong, some), Fraction(rows // 2))))
        queries += _filled(bits, log2(amplitude))
        parts *= 2
        rows = -(-labels // parts)
    return queries


def _filled(bits: Interval, each: Interval) -> int:
    """The least number of components that surely hold more, a bit of the last one aside."""

    def more(M: int) -> bool:
        inside = sum(p * times for p, times in enumerate(popcounts(M)))
        return 1 + M * each + inside > bits

    most = 1
    while not more(most):
        most *= 2
    least = most // 2
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (least, middle) if more(middle) else (middle, most)
    return most


def by_power_sums(wrong: int, amplitude: int, prime: int) -> int:
    """A count, and the digits of a residue for each wrong label."""
    digits = 1
    while (amplitude + 1) ** digits < prime:
        digits += 1
    return 1 + wrong * digits


def _is_prime(n: int) -> bool:
    """Miller and Rabin's test."""
    if n < 2 or any(n % p == 0 for p in WITNESSES):
        return n in WITNESSES
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    return all(_passes(n, pow(witness, odd, n), twos) for witness in WITNESSES)


def _passes(n: int, power: int, twos: int) -> bool:
    """Whether squaring leads to 1 by way of -1."""
    if power == 1:
        return True
    for _ in range(twos):
        if power == n - 1:
            return True
        power = power * power % n
    return False
