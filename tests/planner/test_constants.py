"""The constants of docs/theory/errors.md: what is measured stays within each, and each is as near to it as its reason."""

from __future__ import annotations

from fractions import Fraction
from math import log, log1p

import mpmath as mp
import numpy as np
import pytest
from flint import arb

import planner.attacks.block.certify as block
import planner.attacks.design.run as design_attack
import planner.attacks.explained as explained
import planner.attacks.primes.certify as primes
import planner.attacks.spread.certify as spread
import planner.attacks.threshold.certify as rounded
import planner.channel.metrics.brier as brier
import planner.channel.metrics.log_loss as log_loss
import planner.limits.common as limits
import planner.numerics.tails as tails
from dsl.numbers import Real
from dsl.scenario import (
    Arbitrary,
    Bounded,
    Decimals,
    FixedPoint,
    Gaussian,
    Ieee,
    Multiplicative,
    Percentage,
    Scenario,
    Summation,
    Truncated,
    Uniform,
)
from planner.attacks.block.parameters import DyadicWeights
from planner.attacks.block.run import dyadic_rows
from planner.attacks.design.parameters import DesignStages
from planner.attacks.primes.parameters import PrimePowers
from planner.attacks.promise import NOISE, NOTHING
from planner.attacks.spread.parameters import base_set
from planner.attacks.threshold.parameters import CHARGE_BITS, Thresholds
from planner.channel.channel import channel_of
from planner.channel.errors import accumulated, float_error, growth
from planner.channel.formats.ieee import SIGNIFICAND
from planner.channel.formats.summation import BLOCK, PAIRWISE_BASE, REMAINDER, additions
from planner.channel.mechanisms import digits_of
from planner.channel.metrics.brier_classes import BRIER
from planner.channel.metrics.log_loss import LOG_LOSS, _exact_units, _odds, _prepared_units, _softplus
from planner.channel.sides import BINARY, sides_of
from planner.designs.butterfly import Butterfly
from planner.designs.hadamard import transform
from planner.numerics.reals import working

UNIT = 2.0**-53
CLIP = Real.of(Fraction(1, 10**15))


def a_channel(N=100, **fields):
    return channel_of(Scenario(name="c", N=N, **{"clip": CLIP, "phi": Ieee(64), **fields}))


def exact_log(value):
    """ln of a rational, far more precisely than float64."""
    with mp.workprec(400):
        fraction = Fraction(value)
        return mp.log(mp.mpf(fraction.numerator)) - mp.log(mp.mpf(fraction.denominator))


def exact(value):
    """A rational, far more precisely than float64."""
    with mp.workprec(400):
        return mp.mpf(value.numerator) / value.denominator


def between(ball, low, high):
    """Whether a ball lies in an open interval."""
    return low < float(ball.lower()) and float(ball.upper()) < high


# -- the scorer ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_a_logarithm_is_within_its_ulps(kind):
    """numpy's float32 needs almost all of them."""
    coins = np.random.default_rng(3)
    values = np.concatenate([10 ** coins.uniform(-4, 0, 20_000), 1 - 10 ** coins.uniform(-7, -0.3, 20_000)])
    values = values.astype(kind)
    values = values[(values > 0) & (values < 1)]
    found = np.log(values)
    exact = np.log(values.astype(np.longdouble))
    ulps = np.abs(found.astype(np.longdouble) - exact) / np.spacing(np.abs(found)).astype(np.longdouble)
    assert float(ulps.max()) <= log_loss.LOG_ULPS
    share = Fraction(2 * log_loss.LOG_ULPS, 2**53)
    with working(200):
        alone = float_error(a_channel(phi=Arbitrary(), clip=None))
        assert alone == 0
        counted = float_error(a_channel(N=1), added=0) - accumulated(Fraction(1, 2**53) + share)
        assert abs(counted) < arb(2) ** -150
    assert log_loss.LOG_ULPS == 4


def test_an_entry_is_written_down_with_two_roundings():
    """As float64, and in the scorer's own format."""
    worst = 0.0
    for k in range(3, 1500):
        exact = Fraction(1, k)
        for kind, digits in ((np.float16, 11), (np.float32, 24)):
            if kind is np.float16 and k > 2**13:
                continue
            off = abs(exact_log(Fraction(float(kind(1 / k))) / exact))
            worst = max(worst, float(off * 2**digits))
    assert 0.9 < worst < log_loss.WRITTEN_UNITS
    assert _prepared_units(a_channel()) == log_loss.WRITTEN_UNITS == 2


def test_a_renormalised_row_is_added_up_twice_and_divided():
    coins = np.random.default_rng(1)
    for K in (3, 7, 20):
        rows = coins.dirichlet(np.ones(K), 100)
        rows = rows / rows.sum(axis=1, keepdims=True)
        shown = rows / rows.sum(axis=1, keepdims=True)
        ideal = [[Fraction(x) / sum(map(Fraction, row)) for x in row] for row in rows]
        worst = max(
            abs(float(Fraction(x) / y - 1))
            for found, row in zip(shown, ideal, strict=True)
            for x, y in zip(found, row, strict=True)
        )
        units = _prepared_units(a_channel(K=K, columns=K, renormalises=True))
        assert worst < units * UNIT
        assert units == 2 + 2 * (K - 1) + 3


def test_roundings_compound_no_faster_than_a_geometric_series():
    for count in (1, 10, 1000, 10**6):
        share = Fraction(count, 2**53)
        with working(300):
            grown = (1 + arb(2) ** -53) ** count - 1
            assert grown < accumulated(share) < grown * (1 + 2 * count * arb(2) ** -53)
    assert not accumulated(Fraction(1, 2)).is_finite()
    assert accumulated(Fraction(499, 1000)).is_finite()


def test_a_mean_of_charges_is_within_its_relative_error():
    coins = np.random.default_rng(5)
    for kind, bits in ((np.float32, 32), (np.float64, 64)):
        worst = 0.0
        for N in (2, 127, 128, 1000, 4099):
            p = coins.random(N).astype(kind)
            found = float(np.mean(-np.log(p)))
            exact = -mp.fsum(mp.log(mp.mpf(float(x))) for x in p) / N
            limit = float(float_error(a_channel(N=N, phi=Ieee(bits))).upper())
            worst = max(worst, float(abs(found - exact) / exact) / limit)
        assert 0.001 < worst < 1


def test_decimals_are_one_rounding_and_what_is_cut_off_is_two():
    assert [digits_of(one).roundings for one in (None, Decimals(2), Percentage(2), Truncated(2))] == [0, 1, 2, 2]
    assert Fraction(round(0.285, 2)) != Fraction(285, 1000)  # the nearest decimal is written as the nearest float64
    assert 0.29 * 100 < 29


def test_growth_bounds_every_product_of_roundings():
    for N in (10, 10**4):
        with working(200):
            found = growth(a_channel(N=N, summation=Summation.SEQUENTIAL))
            product = (1 + arb(2) ** -53) ** (N - 1 + 2 + 8)
            assert product < found < product * (1 + arb(2) ** -80)


def test_the_longest_path_through_a_block():
    """15 additions in a running sum of 16 rows, 3 that join the eight sums, 7 for the rest, and 1 for uneven halves."""
    assert PAIRWISE_BASE == BLOCK // 8 - 1 + 3 + REMAINDER + 1
    assert additions(BLOCK, Summation.PAIRWISE) == PAIRWISE_BASE
    assert additions(BLOCK + 1, Summation.PAIRWISE) == PAIRWISE_BASE + 1


# -- designs -------------------------------------------------------------------------------------------


def test_the_ratio_of_two_entries():
    """The attacker's exponentials and quotients, with what the charges themselves are rounded by."""
    coins = np.random.default_rng(7)
    worst = 0.0
    for _ in range(60):
        gap = Fraction(int(coins.integers(2**60, 2**61)), 2**60)
        levels = coins.integers(-12, 13, (10, 4))
        entries = LOG_LOSS.class_entries(np, float(gap), levels)
        for row, wanted in zip(entries, levels.tolist(), strict=True):
            spread_of_row = float((max(wanted) - min(wanted)) * gap)
            for k in range(1, 4):
                ratio = exact_log(Fraction(row[0]) / Fraction(row[k]))
                missed = abs(ratio - exact((wanted[k] - wanted[0]) * gap))
                worst = max(worst, float(missed) / UNIT / (log_loss.RATIO_UNITS + 2 * spread_of_row))
    assert 0.3 < worst < 1


def test_what_a_design_counts_in_unit_roundoffs():
    """Every unit of the deviation and of the attacker's own error, read off two channels that differ in one thing."""
    wide = a_channel(N=10, columns=2)
    with working(300):
        two, many = arb(2), arb(30)
        unit = arb(2) ** -53
        assert LOG_LOSS.deviation(wide, two, many, 2) == unit * (log_loss.RATIO_UNITS * 10 + 2 * many) / 2
        assert LOG_LOSS.deviation(wide, two, many, 3) == unit * (log_loss.RATIO_UNITS * 10 + 2 * many)
        narrow = a_channel(N=10, columns=1)
        spent = LOG_LOSS.deviation(narrow, two, many, 2) - LOG_LOSS.deviation(wide, two, many, 2)
        assert abs(spent - unit * (10 + 15 * two.exp()) / 2) < arb(2) ** -280
        exact = a_channel(N=10, columns=2, phi=Arbitrary())
        assert (
            LOG_LOSS.deviation(exact, two, many, 2) - LOG_LOSS.deviation(wide, two, many, 2)
            == unit * log_loss.EXACT_UNITS * 10
        )
        assert LOG_LOSS.own_error(wide, two, many) == unit * (log_loss.LOG_UNITS * 10 + 32)
    assert (log_loss.RATIO_UNITS, log_loss.EXACT_UNITS, log_loss.LOG_UNITS) == (6, 4, 2)


def test_an_exact_scorer_that_renormalises_finds_the_attackers_row_sums():
    coins = np.random.default_rng(2)
    for K in (3, 10, 40):
        levels = coins.integers(0, 9, (300, K))
        entries = LOG_LOSS.class_entries(np, 0.37, levels)
        worst = max(abs(float(sum(map(Fraction, row)) - 1)) for row in entries) / UNIT
        exact = a_channel(N=10, K=K, columns=K, phi=Arbitrary(), renormalises=True)
        units = _exact_units(exact, K)
        assert worst < units
        assert units == log_loss.EXACT_UNITS + min(K - 1, 26)
        assert _exact_units(exact, 2) == log_loss.EXACT_UNITS
        assert _exact_units(a_channel(K=K, columns=K, phi=Arbitrary()), K) == log_loss.EXACT_UNITS


def test_the_attackers_logarithms_of_mantissas():
    coins = np.random.default_rng(4)
    values = coins.random(4000) / 2 + 0.5
    found = LOG_LOSS.total(np, values)
    with mp.workprec(200):
        exact = -mp.fsum(mp.log(mp.mpf(float(x))) for x in values)
        missed = abs(mp.mpf(found.numerator) / found.denominator - exact)
    assert float(missed) / UNIT < log_loss.LOG_UNITS * len(values)


def test_a_measurement_of_labels_is_rounded_three_times():
    assert design_attack.AGAIN_ROUNDED == 4 * UNIT
    coins = np.random.default_rng(6)
    worst = 0.0
    for _ in range(3000):
        whole, unit = int(coins.integers(2**53, 2**54)), Fraction(int(coins.integers(1, 10**9)), 10**9 + 7)
        again = Fraction(float(whole) * float(unit))
        worst = max(worst, abs(float(again / (whole * unit) - 1)))
    assert worst / UNIT < 3 < design_attack.AGAIN_ROUNDED / UNIT


# -- blocks --------------------------------------------------------------------------------------------


def missed_steps(bits):
    (p,) = dyadic_rows(1, bits, 0)
    with mp.workprec(bits + 60):
        return float(abs(mp.log(mp.mpf((1 - p).numerator) / p.numerator) - 1) * mp.mpf(2) ** bits)


def test_a_dyadic_weight_misses_more_than_five_steps_and_never_six():
    found = [missed_steps(bits) for bits in range(4, 500)]
    assert 5 < max(found) < 16 / 3 < block.MISSED_STEPS == 6


def test_the_largest_dyadic_weight_and_what_its_rows_charge():
    heaviest, charged = 0.0, 0.0
    for shift in range(4):
        for m in range(1, 7):
            for bits in range(shift + 4, 40):
                rows = dyadic_rows(m, bits, shift)
                if 12 * m * 2.0**-bits < 2.0 ** (1 - m - shift):
                    assert min(rows) >= Fraction(1, 4)
                    heaviest = max(heaviest, float(exact_log((1 - rows[-1]) / rows[-1])) * 2**shift)
                    charged = max(charged, sum(-log(2 * p) for p in rows))
    assert 1 < heaviest <= log(3) * (1 + 1e-15) < block.LARGEST_DYADIC == Fraction(9, 8)
    assert charged < 2 * block.LARGEST_DYADIC < block.CHARGED_ABOVE == 3


def test_the_figures_of_dyadic_weights():
    """Both sides of every inequality, from the formulas of the theory."""
    noise = Multiplicative(Real.of(Fraction(1, 10**9)))
    channel = a_channel(N=50, phi=Arbitrary(), noise=noise)
    proof = block.prove(channel, DyadicWeights(10, 50, 5, 12, 1))
    clip, gap, _ = proof.inequalities
    with mp.workprec(200):
        assert abs(mp.mpf(clip.right.hi) - mp.mpf(9) / 16) < 1e-7
        assert abs(mp.mpf(gap.left.hi) / (mp.mpf(2) ** -5 - 12 * 5 * mp.mpf(2) ** -12) - 1) < 1e-6
        assert abs(mp.mpf(gap.right.hi) / (2 * 50 * mp.mpf(10) ** -9 * (mp.log(2) + mp.mpf(3) / 50)) - 1) < 1e-6


# -- primes --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "bits"), [(np.float32, 32), (np.float64, 64)])
def test_the_odds_of_primes_are_rounded_four_times(kind, bits):
    worst = 0.0
    for prime in (2, 3, 5, 7, 11, 13, 9973, 104_729):
        for power in (1, 2, 3):
            total = 1 + prime**power
            entries = [Fraction(float(kind(value / total))) for value in (1, prime**power)]
            worst = max(worst, abs(float(exact_log(entries[1] / entries[0] / prime**power))))
    unit = 2.0 ** -SIGNIFICAND[bits]
    p = PrimePowers(1, 5, m=5, powers=1, class_blocks=1, exact=False, decoder="nearest")
    with working(200):
        assert primes.prime_deviation(a_channel(N=10, phi=Ieee(bits)), p) == 4 * 5 * arb(unit)
    assert 0.1 < worst / unit < primes.ODDS_UNITS == 4


def test_the_odds_of_primes_on_a_grid():
    """q + 2 + 1/q times half a step, and less than (2q + K) whole ones."""
    for prime in (2, 3, 101):
        for f in (20, 40):
            exact = Fraction(1, 1 + prime)
            on_grid = Fraction(round(exact * 2**f), 2**f)
            moved = abs(exact_log((1 - on_grid) / on_grid / prime))
            assert float(moved) * 2**f <= (prime + 2 + 1 / prime) / 2 * 1.001 < 2 * prime + 2
    p = PrimePowers(1, 3, m=3, powers=1, class_blocks=1, exact=False, decoder="nearest")
    with working(200):
        one = primes.prime_deviation(a_channel(N=10, phi=FixedPoint(20, 40), columns=1), p)
        two = primes.prime_deviation(a_channel(N=10, phi=FixedPoint(20, 40), columns=2), p)
        steps = arb(2) ** -40 * (2 * (2 + 3 + 5) + 3 * 2)
        assert one == steps
        assert two == 4 * steps


# -- averages and comparisons --------------------------------------------------------------------------


@pytest.mark.parametrize("classes", [2, 5])
def test_the_log_odds_of_a_row(classes):
    """Against exact multiples of the exact gap."""
    worst = highest = 0.0
    coins = np.random.default_rng(8)
    for _ in range(300):
        small = Fraction(max(1, int(10 ** coins.uniform(-15.9, -1.1) * 2**53)), 2**53)
        base = int(coins.integers(1, 9))
        amplitude = base_set(base).maximum
        gap, exact = LOG_LOSS.strength_float(small, classes) / amplitude, exact_log(_odds(small, classes)) / amplitude
        limit = float(LOG_LOSS.level_deviation(2, small, amplitude).upper())
        for entry in base_set(base).weights:
            found = LOG_LOSS.level(-gap * entry, 2, sides_of(classes, 0))
            if classes == 2:
                p = Fraction(found.small)
                realised = exact_log((1 - p) / p)
            else:
                realised = exact_log(Fraction(found.off) / Fraction(found.on))
            off = float(abs(realised - exact * entry))
            worst, highest = max(worst, off / limit), max(highest, off)
    assert 0.1 < worst < 1
    assert highest > 2.0**-48  # which was the bound once


@pytest.mark.parametrize("base", [1, 3, 8])
def test_the_log_odds_of_a_row_of_one_column(base):
    """Predictions near 1 are multiples of 2^-53: the largest entry is one, the others need not be."""
    amplitude = base_set(base).maximum
    for steps in (9, 1001, 10**7 + 1, 10**12 + 1):
        small = Fraction(steps, 2**53)
        gap, exact = LOG_LOSS.strength_float(small, 2) / amplitude, exact_log(_odds(small, 2)) / amplitude
        limit = float(LOG_LOSS.level_deviation(1, small, amplitude).upper())
        for entry in base_set(base).weights:
            for sign in (1, -1):
                p = Fraction(LOG_LOSS.level(sign * gap * entry, 1, BINARY).small)
                assert float(abs(exact_log((1 - p) / p) - exact * entry)) < limit


def test_the_deviation_of_a_row_in_its_two_forms():
    small = Fraction(1, 2**20)
    with working(200):
        weight = (arb(2) ** 20 - 1).log()
        rounding = (1 + weight) * arb(2) ** -50
        assert abs(LOG_LOSS.level_deviation(2, small, 4) - rounding) < arb(2) ** -180
        assert abs(LOG_LOSS.level_deviation(1, small, 1) - rounding) < arb(2) ** -180
        beside = LOG_LOSS.level_deviation(1, small, 4) - rounding
        assert abs(beside * (-weight * 3 / 4).exp() / 2 * arb(2) ** 53 - 1) < arb(2) ** -90
        off_grid = Fraction(1, 10**6)
        beside = LOG_LOSS.level_deviation(1, off_grid, 1) - (1 + arb(10**6 - 1).log()) * arb(2) ** -50
        assert abs(beside / (2 * 10**6 * arb(2) ** -53) - 1) < arb(2) ** -90
    assert log_loss.ROW_BITS == 50


@pytest.mark.parametrize("order", [252, 256, 1008])
def test_a_transform_loses_less_than_the_attackers_own_error(order):
    coins = np.random.default_rng(order)
    values = coins.random((order, 2))
    found = transform(transform(values), transposed=True) / order
    lost = float(np.abs(found - values).max()) / 2
    assert 2.0**-56 < lost < 2.0**-spread.OWN_BITS
    # The worst case: each of the 256 products of Paley's part and of the doublings, means of 2^40 repeats, 10 others.
    assert 256 + 10 + 26 + 33 + 10 < 2 ** (53 - spread.OWN_BITS) == 512


def test_the_log_odds_of_a_comparison():
    worst = 0.0
    for weight in [*np.linspace(0.01, 36, 400).tolist(), 1e-3]:
        for sides in (sides_of(2, 0), sides_of(5, 0)):
            found = LOG_LOSS.level(-weight, len(sides), sides)
            ratio = (
                Fraction(found.off) / Fraction(found.on)
                if len(sides) > 2
                else (1 - Fraction(found.on)) / Fraction(found.on)
            )
            worst = max(worst, float(abs(exact_log(ratio) - mp.mpf(weight))))
    assert 2.0**-53 < worst < 2.0**-log_loss.STEP_BITS == 8 * UNIT


def setting(**fields):
    plain = {
        "queries": 101, "labels": 100, "rows": 100, "classes": 2, "metric": "log_loss",
        "columns": 2, "unit": Fraction(1, 1000),
        "truncates": False, "small": Fraction(1, 10**6), "offset_rows": 0, "offset_small": Fraction(1, 10**6),
        "error": Fraction(1, 10**9), "least": Fraction(1), "noise_centre": Fraction(0),
    }  # fmt: skip
    return Thresholds(**{**plain, **fields})


def test_the_figures_of_comparisons():
    p = setting()
    heaviest = mp.log(10**6)
    with working(200):
        assert between(rounded.tolerance(p) / float(100 * (1e-9 + heaviest * 2.0**-48)), 1 - 1e-12, 1 + 1e-12)
        assert between(rounded.reading_error(p) / float((heaviest + 1e-9) * 1000 * 2.0**-51), 1 - 1e-12, 1 + 1e-12)
        assert between(p.scored_by.level_step(2, Fraction(1, 8)) * 2**50, 1 - 1e-12, 1 + 1e-12)
        near_one = p.scored_by.level_step(1, Fraction(1, 8)) * 2**53
        assert between(near_one, 16 - 1e-9, 16 + 1e-9)
        channel = a_channel(noise=Bounded(Real.of(Fraction(1, 100))), shown=Decimals(3))
        noisy = rounded.float_error_of_score(channel, p.queries, p.smallest, Fraction(1), Fraction(0))
        assert between(noisy, 0.01, 0.01 + 1e-12)
    assert p.tolerance == pytest.approx(100 * (1e-9 + float(heaviest) * 2.0**-48), rel=1e-14)
    assert (CHARGE_BITS, rounded.SHOWN_BITS) == (48, 51)


def test_rows_of_the_offset_may_be_the_heaviest():
    lighter, heavier = setting(), setting(offset_small=Fraction(1, 10**12))
    with working(200):
        own = rounded.tolerance(heavier) - rounded.tolerance(lighter)
        assert between(own / float(100 * mp.log(10**6) * 2.0**-48), 1 - 1e-9, 1 + 1e-9)
        assert between(rounded.heaviest(heavier) / rounded.heaviest(lighter), 2 - 1e-12, 2 + 1e-12)
    assert heavier.tolerance > lighter.tolerance


def test_the_centre_of_noise_moves_every_boundary():
    """Noise is added before a score is rounded: a boundary lies lower by N times its centre, for both who reckon with it."""
    centred, moved = setting(), setting(noise_centre=Fraction(1, 8))
    drift = 100 / 8
    assert moved.drift == drift
    for shown in (0, 3, 1000):
        with working(200):
            assert abs(rounded.boundary_at(centred, shown) - rounded.boundary_at(moved, shown) - drift) < arb(2) ** -180
        assert centred.boundary(shown) - moved.boundary(shown) == pytest.approx(drift)
        assert centred.centre(shown) - moved.centre(shown) == pytest.approx(drift)
    assert [moved.boundary_above(total) for total in (0.02, 7.77)] == [
        centred.boundary_above(total + drift) for total in (0.02, 7.77)
    ]


def test_a_centre_that_is_not_the_noises_own_is_a_part_of_the_error():
    noise = Uniform(Real.of(Fraction(1, 100)), Real.of(Fraction(3, 100)))
    channel = a_channel(noise=noise, shown=Decimals(3))

    def error(centre):
        return rounded.float_error_of_score(channel, 101, Fraction(1, 10**6), Fraction(1), centre)

    with working(200):
        right = error(Fraction(2, 100))
        assert between(right, 0.01, 0.01 + 1e-12)
        for centre in (Fraction(1, 100), Fraction(3, 100)):
            assert abs(error(centre) - right - arb(1) / 100) < arb(2) ** -150


def test_comparisons_leave_to_chance_what_noise_without_a_bound_may_do():
    gaussian, bounded = Gaussian(Real.of(Fraction(1, 1000))), Bounded(Real.of(Fraction(1, 1000)))
    uniform = Uniform(Real.of(Fraction(-1, 1000)), Real.of(Fraction(1, 1000)))
    found = [setting().over(a_channel(noise=noise, shown=Decimals(3))) for noise in (gaussian, bounded, uniform, None)]
    assert found == [NOISE, NOTHING, NOTHING, NOTHING]


@pytest.mark.parametrize("digits", range(1, 13))
def test_a_shown_score_over_its_unit_is_near_a_whole_number(digits):
    coins = np.random.default_rng(digits)
    unit, worst = float(Fraction(1, 10**digits)), 0.0
    for whole in coins.integers(1, 40 * 10**digits, 2000).tolist():
        shown = round(float(Fraction(whole, 10**digits)), digits)
        worst = max(worst, abs(shown / unit - whole) / whole)
    assert worst < 3 * UNIT < 2.0**-rounded.SHOWN_BITS


# -- decoders and tails --------------------------------------------------------------------------------


def test_a_decimal_is_read_within_its_bits():
    worst = max(abs(float(Fraction(float(Fraction(k, 10**7))) / Fraction(k, 10**7) - 1)) for k in range(1, 4000))
    assert UNIT / 2 < worst < 2.0**-explained.READ_BITS == 2 * UNIT
    assert 1 + Fraction(1, 2**48) == explained.FLOAT_ROOM
    assert explained.SHARE_BITS == 128


@pytest.mark.parametrize("count", [49, 64, 300])
def test_terms_that_a_series_leaves_out(count):
    """They come to less than is added to the radius, and the series ends where its terms no longer matter."""
    with working(tails.SERIES_BITS):
        length, kept = tails._series(count)
        radius = float(tails._series_tail(count, arb(0.1)).rad())
    with mp.workprec(200):
        half = 12 * mp.sqrt(mp.mpf(count) / 3)
        assert abs(float(length.mid()) - float(half)) < 1e-12
        left = mp.mpf(0)
        for n in range(len(kept) + 1, len(kept) + 2000):
            t = mp.pi * n / half
            left += 2 / (mp.pi * n) * abs(mp.sin(t) / t) ** count
        assert left < mp.mpf(2) ** -tails.LEFT_OUT_BITS
        t = mp.pi * (len(kept) - 2) / half
        assert count * t * t / 6 < tails.LAST_EXPONENT == 72
    assert 2.0**-84 < radius < 2.0**-83


@pytest.mark.parametrize("w", [-700, -40, -1e-3, 0, 1e-3, 1, 40, 800])
def test_the_charge_of_a_row_by_its_weight(w):
    """ln(1 + e^w), of weights whose exponentials no float holds, too."""
    with mp.workprec(2400):
        exact = mp.log1p(mp.exp(mp.mpf(w)))
    assert abs(_softplus(w) - exact) <= exact * mp.mpf(4) * UNIT


def test_limits_grant_entries_twice_what_attacks_reckon_with():
    plain, renormalised = a_channel(N=10), a_channel(N=10, K=3, columns=3, renormalises=True)
    assert log_loss.LEAST_MOVED == 2 * log_loss.WRITTEN_UNITS
    with working(300):
        for channel, units in ((plain, 4), (renormalised, 9)):
            reach = channel.span() + arb(channel.classes).log() + 1
            rest = limits.rounding_slack(channel) - float_error(channel) * reach
            assert abs(rest - units * arb(2) ** -53) < arb(2) ** -200


def test_a_softplus_is_below_ln_2_and_its_weight():
    """The step behind the charge of dyadic and geometric rows."""
    for weight in np.linspace(0, 40, 200).tolist():
        assert weight + log1p(np.exp(-weight)) <= log(2) + weight


# -- the Brier score -----------------------------------------------------------------------------------


def brier_charges(u, y, form):
    """What a row charges in the arithmetic of u: both columns' differences, or the one of class 1."""
    one, half = u.dtype.type(1), u.dtype.type(0.5)
    if form == "one column":
        return (u.dtype.type(y) - u) ** 2
    complement = one - u
    differences = (-complement, one - u) if y else (one - complement, -u)
    return (differences[0] ** 2 + differences[1] ** 2) * half


def exact_brier(u, y):
    return (Fraction(float(u)) - y) ** 2


def test_brier_is_computed_from_one_hot_columns():
    """Bit by bit what scikit-learn returns, of one row in two."""
    metrics = pytest.importorskip("sklearn.metrics")
    coins = np.random.default_rng(11)
    for kind in (np.float32, np.float64):
        for u in coins.random(40).astype(kind):
            for y in (0, 1):
                known = kind(1 - y)  # a second row of the other label that is charged nothing
                found = metrics.brier_score_loss([y, 1 - y], np.array([u, known]), pos_label=1)
                assert found in {float(brier_charges(u, y, form)) / 2 for form in ("two columns", "one column")}


@pytest.mark.parametrize("form", ["two columns", "one column"])
def test_a_brier_charge_in_every_float16(form):
    """Relative where label 1 is charged; where 1 - (1 - u) stands for u, or a square underflows, absolute, too."""
    unit, every = Fraction(1, 2**11), np.arange(0x3C01, dtype=np.uint16).view(np.float16)
    relative = absolute = Fraction(0)
    for y in (0, 1):
        found = brier_charges(every, y, form)
        for u, charge in zip(every, found, strict=True):
            ideal = exact_brier(u, y)
            missed = abs(Fraction(float(charge)) - ideal)
            if y and ideal > Fraction(1, 2**12):
                relative = max(relative, missed / ideal / unit)
            again = Fraction(float(u.dtype.type(1) - (u.dtype.type(1) - u)))
            absolute = max(absolute, abs(again - Fraction(float(u))) * Fraction(float(u)) / unit)
            assert missed <= unit * (brier.CHARGE_UNITS * ideal + brier.PREPARED_UNITS)
    assert 2 < relative < 3.01 < brier.CHARGE_UNITS == 4
    assert 0.2 < absolute <= 0.25 < brier.PREPARED_UNITS == 1
    tiny = np.float16(1.03 * 2.0**-8)  # no relative error bounds what 1 - u leaves of it
    lost = abs(Fraction(float(brier_charges(tiny, 0, "two columns"))) - exact_brier(tiny, 0))
    assert lost > brier.CHARGE_UNITS * unit * exact_brier(tiny, 0)


def test_a_mean_brier_score_is_within_its_error():
    coins = np.random.default_rng(12)
    for kind, bits in ((np.float32, 32), (np.float64, 64)):
        worst = 0.0
        for N in (2, 127, 128, 1000, 4099):
            u, y = coins.random(N).astype(kind) ** 3, coins.integers(0, 2, N)
            charges = np.where(y == 1, brier_charges(u, 1, "two columns"), brier_charges(u, 0, "two columns"))
            ideal = sum(exact_brier(*row) for row in zip(u, y.tolist(), strict=True)) / N
            with working(200):
                errors = brier_channel(N=N, phi=Ieee(bits)).errors(1)
                limit = float(errors.score_error(arb(ideal.numerator) / ideal.denominator).upper())
            worst = max(worst, abs(float(Fraction(float(np.mean(charges))) - ideal)) / limit)
        assert 0.001 < worst < 1


def brier_channel(N=100, **fields):
    plain = {"metric": "brier", "clip": None, "columns": 1, "phi": Ieee(64)}
    return channel_of(Scenario(name="c", N=N, **{**plain, **fields}))


@pytest.mark.parametrize("bits", [16, 32, 64])
def test_what_a_brier_score_counts_in_unit_roundoffs(bits):
    """Of predictions and of scores; limits count as much as attacks."""
    unit = Fraction(1, 2 ** SIGNIFICAND[bits])
    channel = brier_channel(phi=Ieee(bits))
    assert BRIER.charge_error(channel) == 4 * unit
    assert BRIER.prepared(channel) == BRIER.moved(channel) == unit
    assert BRIER.written(channel) == 0
    coarse = brier_channel(phi=Ieee(64), score_phi=Ieee(bits))
    assert BRIER.charge_error(coarse) == 4 * unit
    assert BRIER.prepared(coarse) == Fraction(1, 2**53)
    with working(200):
        for one in (channel, coarse):
            roundings = Fraction(4 + 26 + 1) * unit
            assert abs(float_error(one) - accumulated(roundings)) < 1e-40
            assert abs(growth(one) - (arb((roundings + unit).numerator) / (roundings + unit).denominator).exp()) < 1e-40


@pytest.mark.parametrize(("kind", "bits"), [(np.float32, 32), (np.float64, 64), (None, None)])
def test_the_predictions_of_a_brier_design(kind, bits):
    """The step and its product by 2|w|, the difference by one, and what the submission's own format takes."""
    channel = brier_channel(N=40, phi=Ieee(bits) if bits else Arbitrary())
    unit, worst = 2.0 ** -SIGNIFICAND[bits] if bits else UNIT, 0.0
    coins = np.random.default_rng(13)
    for _ in range(200):
        gap = Fraction(int(coins.integers(1, 2**60)), 4 * 2**60)
        parameters = DesignStages(16, 40, design=Butterfly(16, base_set(3)), gap=gap, digits=1)
        attack = design_attack.DesignAttack("design", channel, parameters)
        levels = attack._levels(attack.stages[0], int(coins.integers(16)))
        for u, level in zip(attack._entries(attack.stages[0], levels)[:, 1], levels.tolist(), strict=True):
            missed = abs(1 - 2 * Fraction(float(u)) - gap * level)
            worst = max(worst, float(missed) / unit / float(brier.WRITTEN_UNITS + abs(gap * level)))
    assert 0.2 < worst < 0.8
    with working(200):
        found = BRIER.deviation(channel, arb(1), arb(30), 2)
        assert found == arb(unit) * (4 * 40 + 30) / 2
        assert BRIER.own_error(channel, arb(1), arb(30)) == arb(2) ** -53 * (6 * 40 + 31)
    assert (brier.WRITTEN_UNITS, brier.OWN_UNITS) == (4, 6)


def test_the_attackers_own_brier_charges():
    """A difference, a square and the exactly rounded sum, for either label."""
    coins = np.random.default_rng(14)
    for u in (coins.random(4000), coins.random(4000) * 2.0**-6, 1 - coins.random(4000) * 2.0**-6):
        ideal = [sum(exact_brier(one, y) for one in u) for y in (0, 1)]
        found = BRIER.total(np, 1 - u), BRIER.total(np, u)
        missed = sum(abs(float(a - b)) for a, b in zip(found, ideal, strict=True))
        assert missed < brier.OWN_UNITS * UNIT * len(u) / 2
    alone = [float(abs(BRIER.total(np, np.array([one])) - exact_brier(one, 1))) for one in coins.random(4000) * 0.02]
    assert 1 < max(alone) / UNIT < brier.OWN_UNITS / 2


@pytest.mark.parametrize("base", [1, 3, 8])
def test_the_weight_of_a_brier_level(base):
    """Against exact multiples of the exact gap, as predicted and as charged."""
    amplitude, worst = base_set(base).maximum, 0.0
    coins = np.random.default_rng(base)
    for _ in range(300):
        small = Fraction(float(coins.random() * 2.0 ** -coins.integers(2, 40)))
        gap = BRIER.strength_float(small, 2) / amplitude
        for entry in base_set(base).weights:
            for sign in (1, -1):
                found = BRIER.level(sign * gap * entry, 1, BINARY)
                wanted = sign * (1 - 2 * small) * entry / amplitude
                assert found.off == 1 - found.on
                realised = 2 * Fraction(found.on) - 1
                charged = Fraction(found.zero) - Fraction(found.one)
                worst = max(worst, *(float(abs(one - wanted)) for one in (realised, charged)))
                assert float(abs(Fraction(found.zero) - Fraction(found.on) ** 2)) <= UNIT
                assert float(abs(Fraction(found.one) - (1 - Fraction(found.on)) ** 2)) <= 1.5 * UNIT
    assert 0.9 * UNIT < worst < 6 * UNIT < 2.0**-brier.LEVEL_BITS == 8 * UNIT
    with working(100):
        assert BRIER.level_step(1, small) == BRIER.level_deviation(1, small, amplitude) == arb(2) ** -50
