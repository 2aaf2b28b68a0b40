"""Searches and primes against their definitions: which places are asked, and both ends of every enclosure."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import mpmath as mp
import pytest
from flint import arb

from planner.numerics.primes import first_primes, log_primorial, nth_prime, primes_up_to, primorial
from planner.numerics.reals import lower, upper, working
from planner.numerics.search import first, first_above, first_between, largest, last_between


class From:
    """Holds from a place on; remembers what it was asked."""

    def __init__(self, start):
        self.start, self.asked = start, []

    def __call__(self, place):
        self.asked.append(place)
        return place >= self.start


class UpTo(From):
    """Holds up to a place."""

    def __call__(self, place):
        return not super().__call__(place)


# -- searches ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("low", [-1, 0, 3])
@pytest.mark.parametrize("width", [1, 2, 3, 8, 13])
def test_between_two_places_only_those_between_are_asked_by_halves(low, width):
    for start in range(low + 1, low + width + 1):
        holds, fails = From(start), UpTo(start)
        assert first_between(holds, low, low + width) == start
        assert last_between(fails, low, low + width) == start - 1
        assert holds.asked == fails.asked
        assert len(set(holds.asked)) == len(holds.asked) <= width.bit_length()
        assert all(low < place < low + width for place in holds.asked)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 7])
def test_the_first_of_some_places(count):
    for start in range(count + 2):
        holds = From(start)
        assert first(holds, count) == (start if start < count else None)
        assert len(set(holds.asked)) == len(holds.asked)
        assert set(holds.asked) <= set(range(count))


@pytest.mark.parametrize(
    ("low", "start", "most", "found", "asked"),
    [
        (0, 13, None, 13, [1, 2, 4, 8, 16, 12, 14, 13]),
        (0, 1, None, 1, [1]),
        (-1, 0, None, 0, [1, 0]),
        (2, 3, None, 3, [3]),
        (2, 8, None, 8, [3, 6, 12, 9, 7, 8]),
        (0, 4, 4, 4, [1, 2, 4, 3]),
        (0, 5, 4, None, [1, 2, 4]),
        (0, 3, 100, 3, [1, 2, 4, 3]),
    ],
)
def test_a_place_is_found_by_doubling(low, start, most, found, asked):
    holds = From(start)
    assert first_above(holds, low, most) == found
    assert holds.asked == asked


@pytest.mark.parametrize(
    ("last", "most", "found", "asked"),
    [
        (0, 9, 0, [1]),
        (1, 9, 1, [1, 2]),
        (5, 9, 5, [1, 2, 4, 8, 6, 5]),
        (50, 9, 9, [1, 2, 4, 8, 9]),
        (50, 8, 8, [1, 2, 4, 8]),
        (50, 1, 1, [1]),
        (50, 0, 0, []),
        (50, 11, 11, [1, 2, 4, 8, 10, 11]),
    ],
)
def test_the_largest_that_holds(last, most, found, asked):
    holds = UpTo(last + 1)
    assert largest(holds, most) == found
    assert holds.asked == asked


# -- primes --------------------------------------------------------------------------------------------


@cache
def by_division(limit):
    return tuple(n for n in range(2, limit + 1) if all(n % d for d in range(2, n)))


def test_primes_are_what_nothing_divides():
    for limit in range(-1, 400):
        assert primes_up_to(limit) == tuple(p for p in by_division(400) if p <= limit)
    product = 1
    for count, prime in enumerate((1, *by_division(400))):
        product *= prime
        assert first_primes(count) == by_division(400)[:count]
        assert primorial(count) == product


def ends(count):
    """Dusart's bounds on the prime of that count."""
    n = mp.mpf(count)
    a, b = mp.log(n), mp.log(mp.log(n))
    above = a + b - mp.mpf("0.9484") if count < 688_383 else a + b - 1 + (b - 2) / a
    return n * (a + b - 1 + (b - mp.mpf("2.1")) / a), n * above


def near(found, value):
    return abs(mp.mpf(found.numerator) / found.denominator - value) < abs(value) * mp.mpf(10) ** -9


@pytest.mark.parametrize("count", [60_001, 119_999, 688_382, 688_383, 1_000_000, 10**9])
def test_primes_that_are_not_listed_lie_between_two_bounds(count):
    with working(200), mp.workprec(200):
        found = nth_prime(count)
        assert all(near(*pair) for pair in zip((lower(found), upper(found)), ends(count), strict=True))
        known = {1_000_000: 15_485_863, 10**9: 22_801_763_489}.get(count)
        assert known is None or found.contains(arb(known))


def test_primes_are_listed_up_to_60000():
    with working(200):
        for count, prime in ((1, 2), (59_999, 746_749), (60_000, 746_773)):
            assert lower(nth_prime(count)) == upper(nth_prime(count)) == prime
        listed = log_primorial(60_000)
        total = float(listed.mid())
        assert float(listed.rad()) == pytest.approx(total * 1e-12, rel=1e-3)
        assert abs(total - sum(mp.log(p) for p in primes_up_to(746_773))) < total * 1e-14


@pytest.mark.parametrize("count", [60_001, 200_000, 255_000, 260_000, 400_000, 10**7])
def test_the_sum_of_logarithms_of_primes(count):
    """theta(x) is x but for x/(40 ln x), and from 3,594,641 on for 0.2 x/ln^2 x, at either end of what is known of x."""
    with working(200), mp.workprec(200):
        low, high = ends(count)
        found = log_primorial(count)
        for end, sign, x in ((lower(found), -1, low), (upper(found), 1, high)):
            slacks = [x / mp.log(x) / 40 if high < 3_594_641 else x / mp.log(x) ** 2 / 5 for x in (low, high)]
            off = (mp.mpf(Fraction(end).numerator) / Fraction(end).denominator - x) * sign
            # x over its logarithm is computed on an enclosure: a little wider than at the end itself
            assert min(slacks) * mp.mpf("0.97") < off < max(slacks) * mp.mpf("1.03")
