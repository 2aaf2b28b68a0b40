"""The bounds on settling, term by term, against the checker's second statement of them: not only the least bound shows."""

from __future__ import annotations

from fractions import Fraction
from math import comb, erfc, isclose, sqrt

import numpy as np
import pytest
from flint import arb

from planner.attacks.dither.parameters import DitheredSpread
from planner.attacks.dither.settling import (
    CELLS,
    EDGE_SLACK,
    GENTLE,
    MANY,
    MOST_FAR,
    RATES,
    REST_BITS,
    SHARES,
    Settling,
    mean_square_tail,
    product_moment,
)
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
    assert (GENTLE, MANY, MOST_FAR, REST_BITS) == (second.GENTLE, second.MANY, second.MOST_FAR, second.REST_BITS)
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
        assert same(ours._as_independent(a), theirs._as_independent(b), 1e-6)
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


# -- errors as good as independent ------------------------------------------------------------------------


def test_exponential_moments_of_a_round(both):
    """Rates are quarter powers of two from 2^-9 to 4; each moment is that of both means at that rate."""
    ours, theirs = both
    assert len(ours._round_moments) == len(theirs._moments_of_round) > 30
    deviation = ours.spread / arb(3 * ours.p.order).sqrt()
    for place, (rate, found) in enumerate(ours._round_moments):
        assert isclose(float(rate), 2.0 ** (place / 4 - 9), rel_tol=1e-14)
        near, far = arb(0), arb(0)
        for (a, _), before, after in zip(ours.steps, ours.heights, ours.heights[1:], strict=False):
            x = (exact(a) - ours.slack).max(arb(0)) / deviation
            rise = (rate * exact(after - ours.heights[0])).exp() - (rate * exact(before - ours.heights[0])).exp()
            near += rise * (x / arb(2).sqrt()).erfc()
            far += rise * (2 * (-x * x / 2).exp()).min(arb(1))
        assert ours.p.order * far < 2**11
        assert abs(float(found / product_moment(ours.p.order, near, far)) - 1) < 1e-9
        assert same(found, theirs._moments_of_round[place][1], 1e-9)


@pytest.mark.parametrize(("order", "near", "far"), [(1, 0.2, 0.5), (4, 0.2, 0.3), (12, 0.01, 0.05), (60, 0.02, 0.1)])
def test_the_moment_of_a_product_term_by_term(order, near, far):
    """k factors at once: at most the mean of independent normals times (1 - 3k/h)^(-k/2), as long as 4k <= h."""
    total = 1.0
    for k in range(1, order + 1):
        each = near / sqrt(1 - 3 * k / order) if 4 * k <= order else far
        total += comb(order, k) * each**k
    found = float(product_moment(order, arb(near), arb(far)))
    assert total * (1 - 1e-12) < found < total * (1 + 1e-9)
    assert isclose(
        float(second.product_moment(order, real(Fraction(near)), real(Fraction(far))).most()), found, rel_tol=1e-9
    )


def test_what_is_left_of_a_product_is_counted():
    """A series that is broken off is no less than the whole of it."""
    with working(160), precision(160):
        order, near, far = 400, arb(0.0004), arb(0.002)
        whole = arb(1)
        for k in range(1, order + 1):
            whole += comb(order, k) * (far**k if 4 * k > order else (near / (1 - arb(3 * k) / order).sqrt()) ** k)
        assert whole < product_moment(order, near, far) < whole * (1 + arb(2) ** -39)
        assert second.product_moment(order, real(Fraction(0.0004)), real(Fraction(0.002))).most() > lower(whole)


def test_the_lemma_on_complex_sines():
    """|sinh(u + iy)/(u + iy)|^4 <= e^(2u^2/3)/(1 + 2y^2/3), hardly so near u^2 = 3 y^2 and nowhere false."""
    u, y = np.meshgrid(np.geomspace(1e-2, 12, 600), np.geomspace(1e-2, 300, 900))
    left = 2 * np.log((np.sinh(u) ** 2 + np.sin(y) ** 2) / (u * u + y * y)) + np.log1p(2 * y * y / 3)
    over = left - 2 * u * u / 3
    assert over.max() < 1e-12
    assert over[(y > 0.5) & (np.abs(u - sqrt(3) * y) < 0.05 * y)].max() > -0.02


@pytest.mark.parametrize(("order", "spread"), [(12, 1.0), (48, 2.6)])
def test_errors_of_a_round_are_as_good_as_independent(order, spread):
    """Pairs and triples of errors that are all large, counted, against the bound on the joint density."""
    from planner.designs.hadamard import transform

    coins, large, runs = np.random.default_rng(order), 0.45, 200_000
    sigma = spread / sqrt(3 * order)
    errors = np.abs(transform(coins.uniform(-spread, spread, (order, runs)), transposed=True)[:8] / order)
    beyond = errors >= large
    alone = erfc(large / sigma / sqrt(2))
    for k, sets in ((1, [(1,)]), (2, [(0, 1), (2, 7)]), (3, [(0, 1, 2), (3, 5, 6)])):
        bound = alone**k * (1 - 3 * k / order) ** (-k / 2)
        for one in sets:
            seen = beyond[list(one)].all(axis=0).mean()
            assert seen <= bound + 4 * sqrt(bound / runs)
    assert beyond[1].mean() > 0.6 * alone  # the bound is no idle one
