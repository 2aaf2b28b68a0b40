from __future__ import annotations

import math
from fractions import Fraction

import pytest
from flint import arb

from backends.shown import show
from dsl.scenario import Decimals, Significant


@pytest.mark.parametrize(
    ("score", "shown", "expected"),
    [
        (0.693147, None, 0.693147),
        (0.693147, Decimals(3), 0.693),
        (0.6935, Decimals(3), round(0.6935, 3)),
        (2.5, Decimals(0), 2.0),  # a true tie goes to the even neighbour
        (3.5, Decimals(0), 4.0),
        (0.125, Decimals(2), 0.12),
        (1.005, Decimals(2), 1.0),  # the float lies below 1.005
        (34.538776, Significant(4), 34.54),
        (0.00012345, Significant(2), 0.00012),
        (99.96, Significant(3), 100.0),
        (0.0, Significant(3), 0.0),
        (math.inf, Decimals(2), math.inf),
        (Fraction(1, 3), Decimals(2), Fraction(33, 100)),
        (Fraction(1, 8), Decimals(2), Fraction(12, 100)),
        (Fraction(2, 3), Significant(2), Fraction(67, 100)),
        (Fraction(999, 1000), Significant(2), Fraction(1)),
        (Fraction(12345), Significant(2), Fraction(12000)),
        (Fraction(0), Significant(2), Fraction(0)),
        (arb(2).log(), Decimals(5), Fraction(69315, 100000)),
    ],
)
def test_digits(score, shown, expected):
    assert show(score, shown) == expected
    assert type(show(score, shown)) is type(expected)


def test_a_ball_finer_than_float64_is_rounded_by_all_its_bits():
    from flint import ctx

    with ctx.workprec(300):
        above = arb("0.5") + arb(2) ** -200
    assert show(above, Decimals(0)) == 1
