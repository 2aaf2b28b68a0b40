"""Inequalities that are written when they are read, and records that are equal when their fields are."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction

import pytest
from flint import arb

from dsl.numbers import Real
from dsl.scenario import Bounded, Decimals, ExpectVerdict, Gaussian, Percentage
from planner.attacks.chunks.parameters import GrowingCounts
from planner.attacks.one_row.parameters import OneRow
from planner.numerics.inequality import Bound, Inequality
from planner.numerics.reals import ball, compare, working


def near() -> Inequality:
    """Two numbers that eight digits do not tell apart."""
    return compare("a > b", lambda: 1 + ball(Fraction(1, 10**20)), ">", lambda: arb(2).sqrt() ** 2 / 2)


def test_sides_are_written_to_as_many_digits_as_tell_them_apart():
    found = near()
    assert "left" not in vars(found)
    assert found.holds
    assert found.right.hi < found.left.lo
    with pytest.raises(AttributeError):
        _ = found.middle


def test_who_reads_first_makes_no_difference():
    early, late = near(), near()
    assert early.left
    with working(30):
        assert (late.left, late.right) == (early.left, early.right)
    assert early == late


def test_what_is_copied_or_pickled_is_written():
    for other in (copy.deepcopy(near()), pickle.loads(pickle.dumps(near()))):
        assert other == near()
        assert set(vars(other)) == {"name", "left", "relation", "right", "holds"}


def test_what_no_precision_decides_is_not_proved():
    undecided = compare("a > b", lambda: arb(2).sqrt() ** 2, ">", lambda: arb(2))
    assert not undecided.holds
    assert isinstance(undecided.left, Bound)


def test_records_are_equal_by_class_and_fields():
    one = Real.of(1)
    assert Bounded(one) == Bounded(Real.of(1)) != Bounded(Real.of(2))
    assert Bounded(one) != Gaussian(one)
    assert Decimals(2) != Percentage(2)
    assert hash(Bounded(one)) == hash(Bounded(Real.of(1)))
    assert len({Bounded(one), Bounded(Real.of(1)), Gaussian(one), Bounded(Real.of(2))}) == 3
    assert OneRow(3, 2, 1) == OneRow(3, 2, 1) != OneRow(3, 2, 0)
    assert OneRow(3, 2, 1) != GrowingCounts(3, 2, 1)


def test_fields_that_are_not_compared_are_left_out():
    assert ExpectVerdict("feasible", text="a", line=1) == ExpectVerdict("feasible", text="b", line=2)
    assert hash(ExpectVerdict("feasible", text="a")) == hash(ExpectVerdict("feasible", text="b"))
