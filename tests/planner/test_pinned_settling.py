"""The bounds on settling, term by term, against the checker's second statement of them: not only the least bound shows."""

from __future__ import annotations

from fractions import Fraction
from math import isclose

import pytest
from flint import arb

from planner.attacks.dither.parameters import DitheredSpread
from planner.attacks.dither.settling import CELLS, EDGE_SLACK, RATES, SHARES, Settling, mean_square_tail
from planner.attacks.spread.parameters import base_set
from planner.channel.metrics.log_loss import LOG_LOSS
from planner.numerics.reals import lower, upper, working
from planner.numerics.tails import uniform_mean_tail
from threatplan.verify import settling as second
from threatplan.verify.intervals import precision, real

SHAPES = {  # order, rounds, base, rows, unit, exponent of the smallest probability
    "many rounds": (16, 40, 2, 900, Fraction(1, 100), 20),
    "few rounds of many sums": (96, 2, 1, 200, Fraction(1, 10), 12),
    "one sum a round": (1, 30, 3, 60, Fraction(1, 1000), 40),
    "much doubt": (8, 6, 1, 64, Fraction(1), 6),
    "little doubt": (32, 10, 2, 400, Fraction(1, 1000), 30),
    "far apart": (64, 8, 4, 600, Fraction(1, 50), 45),
    "wide cells": (64, 4, 1, 300, Fraction(1, 5), 8),
    "one pair": (2, 12, 1, 24, Fraction(1, 10), 3),
}
ROOMS = (7, 130, 1500)


def shaped(name, moved):
    order, rounds, base, rows, unit, exponent = SHAPES[name]
    small = Fraction(1, 2**exponent)
    p = DitheredSpread(
        1, rows, rows, 2, "log_loss", 2, unit, False, small, 2, small, Fraction(1, 2**40), Fraction(1), Fraction(0),
        order, rounds, base, 1, 1,
    )  # fmt: skip
    top = base_set(base).maximum
    assert p.gap == LOG_LOSS.strength_float(small, 2) / top
    ours = Settling(p, arb(2) ** -moved)
    theirs = second.Settling(order, rounds, p.cell, second.log(1 / small - 1) / top, p.gap, real(Fraction(2) ** -moved))
    return ours, theirs


@pytest.fixture(params=SHAPES)
def both(request):
    with working(160), precision(160):
        yield shaped(request.param, 7)


def same(ball, interval, digits=1e-12):
    """Whether two enclosures are of one number, to so many digits."""
    ends = float(lower(ball)), float(upper(ball)), float(interval.least()), float(interval.most())
    return all(isclose(a, b, rel_tol=digits, abs_tol=1e-24) for a in ends[:2] for b in ends[2:])


def test_where_the_cost_of_a_sum_rises(both):
    ours, theirs = both
    assert (SHARES, RATES, CELLS, EDGE_SLACK) == (second.SHARES, second.RATES, second.CELLS, second.EDGE)
    assert (ours.eta, ours.deepest, ours.bins) == (theirs.eta, theirs.deepest, theirs.deepest + 1)
    assert ours.steps == theirs.steps
    assert ours.heights == theirs.heights
    assert same(ours.spread, theirs.spread)
    assert same(ours.slack, theirs.slack)
    assert ours.sums == theirs.sums


def test_moments_of_the_cost(both):
    ours, theirs = both
    assert all(same(a, b) for a, b in zip(ours.moments, theirs._moments, strict=True))
    assert same(ours._least_mean, theirs._least_mean)
    assert same(ours._variance_of_round, theirs._variance, 1e-5)
    assert same(ours.exceeds(Fraction(1)), theirs.exceeds(Fraction(1)))
    if ours.p.order > 1:
        assert same(ours._joint_moment, theirs._joint, 1e-12)


def test_each_bound_by_itself(both):
    ours, theirs = both
    for room in ROOMS:
        a, b = arb(room), real(room)
        assert same(ours._chernoff(a), theirs._chernoff(b), 1e-9)
        assert same(ours._cantelli(a), theirs._cantelli(b), 1e-5)
        for share in SHARES:
            found = ours._bennett(a, share)
            if not found.is_nan():
                assert same(found, theirs._bennett(b, share), 1e-4)


def test_exponential_moments(both):
    """E exp(rate cost) where each step is exceeded by a Gaussian tail, at quarter powers of two."""
    ours, _ = both
    variance = ours.spread**2 / (3 * ours.p.order)
    assert len(ours._log_moments) == 25
    for place, (rate, found) in enumerate(ours._log_moments):
        assert isclose(float(rate), 2.0 ** ((place - 12) / 4), rel_tol=1e-14)
        total = (rate * arb(str(float(ours.heights[0])))).exp()
        for (a, _), before, after in zip(ours.steps, ours.heights, ours.heights[1:], strict=False):
            reduced = (exact(a) - ours.slack).max(arb(0))
            chance = (2 * (-(reduced**2) / (2 * variance)).exp()).min(arb(1))
            total += chance * ((rate * exact(after)).exp() - (rate * exact(before)).exp())
        assert abs(float(found - total.log())) < 1e-12 * max(1.0, abs(float(found)))


def test_the_least_mean_is_a_lower_bound(both):
    ours, _ = both
    mean = exact(ours.heights[0])
    for a, rise in ours.steps:
        beyond = (exact(a) + ours.slack) / ours.spread + arb(2) ** -31
        mean += exact(rise) * uniform_mean_tail(ours.p.order, beyond)
    found = ours._least_mean
    assert lower(found) == upper(found) == lower(mean)


def exact(value):
    return arb(value.numerator) / value.denominator


def test_the_most_that_a_round_can_cost(both):
    ours, theirs = both
    for share in SHARES:
        assert same(ours._most_a_round[share], theirs._most_of_a_round(share))


def test_the_least_of_all_bounds(both):
    ours, theirs = both
    for comparisons in ROOMS:
        chance = ours.probability_above(comparisons)
        assert same(chance, theirs.above(comparisons), 1e-6)
        assert ours.suffices(comparisons, chance.upper() * 1.001)
        assert not chance > 0 or not ours.suffices(comparisons, chance.lower() * 0.999)


def test_nothing_is_claimed_where_measurements_move_by_a_quarter():
    with working(160):
        still, moving = (shaped("many rounds", moved)[0] for moved in (8, -1))
        assert still.slack < arb(0.25) < moving.slack
        assert still.probability_above(5000) < 1
        assert moving.probability_above(5000) == 1
        assert not moving.suffices(5000, arb(0.9))


def test_up_to_a_quarter_something_is_claimed():
    with working(160):
        p, gap = shaped("many rounds", 8)[0].p, arb(2**20 - 1).log() / 2
        for share, claimed in ((0.24, True), (0.26, False)):
            ours = Settling(p, share * gap)
            assert bool(list(ours._bounds(5000))) == claimed


@pytest.mark.parametrize("count", [1, 12, 300])
@pytest.mark.parametrize("share", SHARES)
def test_the_mean_of_squares(count, share):
    with working(160), precision(160):
        assert same(mean_square_tail(count, share), second.mean_square_tail(count, share))


@pytest.mark.parametrize("name", [name for name in SHAPES if name != "one sum a round"])
def test_cells_hold_all_of_a_law(name):
    """Their masses and what lies beyond sum to 1, a little above; cells reach as far as a sum of errors matters."""
    with working(160):
        ours, _ = shaped(name, 20)
        width, masses, rest = ours._cells()
        assert len(masses) == 192
        assert 1 - 1e-12 < sum(masses) + rest < 1 + 1e-9
        half = float(ours.spread) / 2
        assert width * 192 == pytest.approx(min(half, 1.0), rel=2e-3)


def test_the_cost_of_an_error_is_that_of_the_steps_below_it():
    with working(160):
        ours, _ = shaped("many rounds", 40)
        for place, (a, _) in enumerate(ours.steps):
            assert ours._cost_within(float(a) - 1e-6) == float(ours.heights[place])
            assert ours._cost_within(float(a) + 1e-6) == float(ours.heights[place + 1])
            assert ours._cost_within(float(a) - float(ours.slack) - 5e-13) == float(ours.heights[place + 1])
