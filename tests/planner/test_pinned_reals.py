"""How numbers are printed and compared: digits, exponents and the moment at which a decision falls, exactly."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from flint import arb, fmpq

from dsl.numbers import Real
from planner.numerics import reals
from planner.numerics.reals import (
    ball,
    bound,
    ceil_of,
    compare,
    digits_apart,
    floor_of,
    lower,
    midpoint,
    proved,
    upper,
    working,
)


def shown(value, digits=reals.SHOWN_DIGITS):
    found = bound(value, digits)
    return found.lo, found.hi


def third(scale=1):
    return arb(fmpq(1, 3)) * scale


def test_bounds_are_rounded_outward_to_eight_digits():
    with working(200):
        assert shown(third()) == ("0.33333333", "0.33333334")
        assert shown(-third()) == ("-0.33333334", "-0.33333333")
        assert shown(third(), 3) == ("0.333", "0.334")
        assert shown(arb(7)) == ("7", "7")
        assert shown(arb(10**29)) == (str(10**29), str(10**29))
        assert shown(arb(10**30)) == ("1.0000000e+30", "1.0000000e+30")
        assert shown(arb.pos_inf()) == ("∞", "∞")
        assert shown(arb(0.5)) == ("0.5", "0.5")
        low, high = shown(arb(3, 0.25))
        assert (float(low), float(high)) == pytest.approx((2.75, 3.25), abs=1e-6)


@pytest.mark.parametrize("exponent", [-6, -5, -4, -3, 1, 11, 12, 13, 14])
def test_where_decimals_give_way_to_exponents(exponent):
    """A number 0.333... * 10^exponent has its first digit one place below."""
    with working(200):
        found = shown(third() * arb(10) ** exponent, 20)[0]
    assert Decimal(found) == Decimal("0." + "3" * 20).scaleb(exponent)
    assert ("e" in found) == (not -5 < exponent - 1 < 12)


def test_numbers_too_far_from_1_are_short_integers_times_powers_of_two():
    with working(200):
        low, high = shown(arb(fmpq(5, 3)) * arb(2) ** 20_000)
        left, right = (text.split("*2^") for text in (low, high))
        assert int(left[0]) + 1 == int(right[0])
        assert left[1] == right[1]
        assert int(left[0]).bit_length() == reals.SHOWN_BITS == 27
        assert shown(arb(3) * arb(2) ** 20_000) == ("3*2^20000", "3*2^20000")
        more = shown(arb(fmpq(5, 3)) * arb(2) ** 20_000, 9)[0].split("*2^")
        assert int(more[0]).bit_length() == 2 * reals.SHOWN_BITS
        small = shown(arb(3) * arb(2) ** -20_000)
        assert small == ("3*2^-20000", "3*2^-20000")


def test_the_exponent_from_which_they_are():
    with working(200):
        for sign in (1, -1):
            assert "*" not in shown(arb(2) ** (sign * reals.LARGEST_SHOWN_EXPONENT - 1))[0]
            assert "*" in shown(arb(2) ** (sign * (reals.LARGEST_SHOWN_EXPONENT + 1) - 1))[0]
        long = arb(2) ** 199 + 1  # of 200 digits: its size decides, not its last place
        assert "*" not in shown(long * arb(2) ** -(reals.LARGEST_SHOWN_EXPONENT + 100))[0]
        assert "*" in shown(long * arb(2) ** (reals.LARGEST_SHOWN_EXPONENT - 199))[0]
    assert reals.LARGEST_SHOWN_EXPONENT == 10_000
    assert reals.LARGEST_EXACT == 10**30


def test_digits_that_tell_two_numbers_apart():
    with working(400):
        one = arb(1)
        for places in (3, 12, 30, 60):
            near = 1 + arb(10) ** -places
            digits = digits_apart(one, near)
            assert digits == max(8, places + 2 + (places > 0 and 0))
            assert Decimal(bound(one, digits).hi) < Decimal(bound(near, digits).lo)
            assert digits_apart(near, one) == digits
            assert digits_apart(-near, -one) == digits
        assert digits_apart(arb(10) ** 20, arb(10) ** 20 + 1) == 22
        assert digits_apart(arb(1000), arb(10) ** -20) == 8
        assert digits_apart(arb.pos_inf(), one) == 8
        assert digits_apart(third(), third()) == 8
        assert digits_apart(one, one) == 8
        assert digits_apart(arb(3) / 2**40, arb(3) / 2**40) == 42
        assert digits_apart(arb(2) ** -5000, arb(2) ** -5000) == 2000


def test_digits_follow_the_largest_end_of_wide_balls():
    with working(200):
        wide, narrow = (1 + arb(10) ** -7).union(arb(9)), arb(0.5).union(arb(1))
        assert digits_apart(wide, narrow) == digits_apart(narrow, wide) == 10
        assert digits_apart(-wide, -narrow) == digits_apart(-narrow, -wide) == 10


def test_a_comparison_is_decided_at_whatever_precision_it_takes():
    close = Fraction(1, 10**500)
    made = []

    def left():
        made.append(reals._thread.bits)
        return ball(Fraction(1, 3) + close)

    found = compare("x", left, ">", lambda: ball(Fraction(1, 3)))
    assert found.holds
    assert made == [96, 192, 384, 768, 1536, 3072][: len(made)]
    assert len(made) == 6
    assert Decimal(found.left.lo) > Decimal(found.right.hi)
    assert proved(lambda: arb(2), ">=", lambda: arb(2))
    assert not proved(lambda: arb(2), ">", lambda: arb(2))
    assert proved(lambda: arb(1), "<", lambda: arb(2))
    assert not proved(lambda: arb(2), "<", lambda: arb(2))
    assert proved(lambda: arb(2), "<=", lambda: arb(2))
    assert not proved(lambda: arb(3), "<=", lambda: arb(2))
    assert not proved(lambda: arb.nan(), "<", lambda: arb(2))
    assert not proved(lambda: arb(2), ">", lambda: arb.nan())


def test_what_nothing_decides_is_not_proved():
    made = []

    def root():
        made.append(reals._thread.bits)
        return arb(2).sqrt() ** 2

    assert not compare("x", root, ">", lambda: arb(2)).holds
    assert made[-1] == reals.CAP_BITS == 6144
    made.clear()
    assert not compare("x", root, ">=", lambda: arb(2)).holds
    assert floor_of(lambda: arb(2).sqrt() ** 2) == 1
    assert ceil_of(lambda: arb(2).sqrt() ** 2) == 3


def test_integer_parts():
    assert floor_of(lambda: arb(7) / 2) == 3
    assert ceil_of(lambda: arb(7) / 2) == 4
    assert floor_of(lambda: arb(-7) / 2) == -4
    assert ceil_of(lambda: arb(5)) == floor_of(lambda: arb(5)) == 5
    assert floor_of(lambda: arb(10) ** 40 + third()) == 10**40


def test_rationals_at_the_ends_of_a_ball():
    with working(100):
        value = arb(3, 0.25)
        assert lower(value) <= Fraction(11, 4) < Fraction(3) == midpoint(value) < Fraction(13, 4) <= upper(value)
        assert upper(arb(2) ** 70) == 2**70
        assert lower(arb(2) ** -70) == Fraction(1, 2**70)
        assert upper(ball(Fraction(3, 4))) == Fraction(3, 4)
        assert reals.upper_end(Fraction(3, 4)) == Fraction(3, 4)
        between = Real(Fraction(1, 3), Fraction(1, 2))
        assert reals.upper_end(between) == Fraction(1, 2)
        assert lower(ball(between)) <= Fraction(1, 3) < Fraction(1, 2) <= upper(ball(between))
        assert ball(between).contains(ball(Fraction(2, 5)))


def test_values_are_kept_for_one_precision_only():
    class Record:
        made = 0

        @reals.per_precision
        def value(self):
            Record.made += 1
            return ball(Fraction(1, 3))

    record = Record()
    with working(100):
        first = record.value()
        assert record.value() is first
    with working(200):
        assert record.value().rad() < first.rad()
    with working(100):
        assert record.value() is first
    assert Record.made == 2
    assert record.value() is record.value()
    assert Record.made == 3


def test_sections_leave_the_precision_as_they_found_it():
    from flint import ctx

    before = ctx.prec
    with working(333):
        with working(77):
            assert ctx.prec == reals._thread.bits == 77
        assert ctx.prec == reals._thread.bits == 333
        with reals.settled():
            assert ctx.prec == 333
    assert ctx.prec == before
    assert reals._thread.bits == 0
    with reals.settled():
        assert ctx.prec == reals.START_BITS == 96
    assert reals._owner.acquire(blocking=False)
    reals._owner.release()
