"""How many queries splitting takes at most, whatever the labels are.

Halving. Cut every open part in two, level by level. At level i there are at most k = min(2^i, s) open parts, of at most
r = ceil(n/2^i) rows; a count of c wrong guesses leaves at most 1 + min(c, r/2) possibilities, whose logarithm is concave
in c. So level i asks for B = k log2(1 + min(s/k, r/2)) bits at most. A packed component holds more bits than log2 of its
limit A 2^popcount as long as a digit is left, and the last one holds a digit of at least one bit: level i takes no more
queries than the least M with 1 + sum over j < M of log2(A 2^popcount(j)) > B.

Power sums. Once s is known, the sums of the k-th powers of the wrong rows' numbers, k <= s, modulo a prime, determine
them (Newton). Each is as many queries as it has digits to the base A + 1.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpz

from planner.designs.popcounts import popcount_sum
from planner.numerics.reals import ball, log2, settled
from planner.numerics.search import first_above

WORD = 2**60  # the decoder's integers stay below


def halving(labels: int, radius: int, amplitude: int) -> int:
    """Queries that count and halve, at most: exact but for ties, which are taken for the worse."""
    queries, level = 1, 0
    with settled():
        bits = log2(ball(amplitude))
        while radius and (rows := -(-labels >> level)) >= 2:
            queries += components(level_bits(rows, radius, 2**level), bits)
            level += 1
    return queries


def level_bits(rows: int, radius: int, parts: int) -> arb:
    """The most bits that a level of so many parts, none with more rows, asks for."""
    open_parts = min(parts, radius)
    return open_parts * log2(1 + ball(min(Fraction(radius, open_parts), Fraction(rows // 2))))


def components(needed: arb, amplitude_bits: arb) -> int:
    """The most components that digits of so many bits fill."""
    found = first_above(lambda M: bool(1 + M * amplitude_bits + popcount_sum(M) > needed), 0)
    assert found is not None, "an amplitude of 2 holds a bit a query"
    return found


def power_sums(radius: int, prime: int, amplitude: int) -> int:
    """Queries that count, and then ask for a power sum a wrong label."""
    return 1 + radius * digits_of(prime, amplitude)


def digits_of(prime: int, amplitude: int) -> int:
    """Digits of a residue to the base that one query carries."""
    digits, reached = 1, amplitude + 1
    while reached < prime:
        digits, reached = digits + 1, reached * (amplitude + 1)
    return digits


def certain(labels: int, radius: int, amplitude: int, prime: int) -> int:
    """Queries that suffice for every labeling."""
    within = min(radius, labels)
    return power_sums(within, prime, amplitude) if prime else halving(labels, within, amplitude)


def usable(prime: int, labels: int, radius: int) -> bool:
    """Whether rows have different residues, and every number up to the count an inverse."""
    return prime >= max(labels, radius + 1) and bool(fmpz(prime).is_prime())


def least_prime(labels: int, radius: int) -> int:
    """The least prime whose residues number the rows."""
    found = max(labels, radius + 1, 2)
    while not fmpz(found).is_prime():
        found += 1
    return found
