"""Terms of certificates and limits that a report shows only as part of a sum: each by itself, against its formula."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil, log, log2
from types import SimpleNamespace

import mpmath as mp
import pytest
from flint import arb

import planner.attacks.block.certify as block
import planner.attacks.design.certify as stages
import planner.attacks.dither.certify as dither
import planner.attacks.spread.certify as spread
import planner.attacks.threshold.certify as rounded
import planner.attacks.zero.certify as zero
from dsl import loads
from dsl.numbers import Real
from dsl.scenario import (
    Arbitrary,
    Bounded,
    Decimals,
    FixedPoint,
    Gaussian,
    Ieee,
    Laplace,
    Multiplicative,
    Scenario,
    Significant,
    Subexponential,
    Summation,
    Truncated,
    Uniform,
)
from planner.attacks.block.certify import block_loss, smallest_gap
from planner.attacks.block.certify import prove as prove_block
from planner.attacks.block.parameters import GeometricOdds, ListedBlock
from planner.attacks.descent.certify import smallest_gap as gap_of_sums
from planner.attacks.design.certify import spread_error
from planner.attacks.design.parameters import DesignStages
from planner.attacks.digits.certify import prove as prove_digits
from planner.attacks.digits.certify import smallest_step
from planner.attacks.digits.parameters import DigitBlock
from planner.attacks.dither.parameters import DitheredSpread
from planner.attacks.dither.settling import Settling
from planner.attacks.growing.certify import prove as prove_growing
from planner.attacks.growing.parameters import GrowingBlocks
from planner.attacks.inequalities import score_fits, stays_finite, widening
from planner.attacks.primes.parameters import PrimePowers
from planner.attacks.primes.run import PrimeAttack, _finer_than_floats, _rounded, _valuation
from planner.attacks.spread.parameters import HadamardMean, Spread, base_set
from planner.attacks.zero.parameters import ZeroTests
from planner.catalogue import BY_ID
from planner.certify import _asked, _shape, certify
from planner.channel.channel import channel_of
from planner.channel.formats.summation import pairwise_depth
from planner.channel.mechanisms import law_of
from planner.channel.mechanisms.digits import SignificantDigits
from planner.channel.metrics.log_loss import FLOAT_BITS, LOG_LOSS, _largest_spread, _may_show_infinity
from planner.considering import consider
from planner.designs.butterfly import Butterfly
from planner.limits.common import fano_bits, rounding_slack
from planner.limits.counting import Counting, _shown, fewest_answers
from planner.limits.entropy import Entropy, _grid
from planner.limits.fano import capacity
from planner.limits.neighbour_random import label_error
from planner.numerics.reals import working
from planner.planning import _unknown_why

CLIP = Real.of(Fraction(1, 10**15))


def a_channel(N=20, **fields):
    return channel_of(Scenario(name="c", N=N, **{"clip": CLIP, "phi": Ieee(64), **fields}))


def near(ball, value, digits=1e-12):
    """Whether a ball is this number."""
    return abs(float(ball) - float(value)) <= digits * abs(float(value))


@pytest.fixture(autouse=True)
def _many_digits():
    with working(300), mp.workprec(300):
        yield


# -- certificates --------------------------------------------------------------------------------------


def averaging(kind=Spread, **fields):
    plain = {
        "queries": 16, "labels": 20, "rows": 20, "classes": 2, "metric": "log_loss",
        "columns": 2, "small": Fraction(1, 1000), "order": 4, "rounds": 4,
        "base": 1, "repeats": 1, "centre": Fraction(0), "tolerance": Fraction(1, 2), "seed": 1,
    }  # fmt: skip
    return kind(**{**plain, **fields})


@pytest.mark.parametrize("repeats", [1, 3])
@pytest.mark.parametrize("classes", [2, 3])
def test_the_failure_of_averages(repeats, classes):
    noise = Gaussian(Real.of(Fraction(1, 5)))
    channel = a_channel(K=classes, columns=classes, noise=noise, confidence=Fraction(9, 10))
    p = averaging(classes=classes, columns=classes, repeats=repeats, queries=16 * repeats)
    error = spread.fixed_error(channel, p)
    threshold = spread.gap(p) / 40 - error
    assert near(spread.gap(p), log(999) if classes == 2 else log(499))
    sums = 16 * (classes - 1).bit_length()
    alarm = sums * law_of(noise).tail_of_mean(repeats, arb(0.5) - error)
    wrong = sums * law_of(noise).tail_of_mean(4 * repeats, threshold)
    assert near(spread.alarm(channel, p), alarm)
    assert near(spread.failure(channel, p), wrong + alarm)
    mean = averaging(HadamardMean, classes=classes, columns=classes, repeats=repeats, order=20, rounds=1, wrong=4)
    each = (classes - 1).bit_length() * law_of(noise).tail_of_mean(20 * repeats, threshold) / 2
    share = 0.25
    chance, limit = float(each), min(1.0, 20 * float(each) / 5)
    if 0 < chance < share:
        divergence = share * log(share / chance) + (1 - share) * log((1 - share) / (1 - chance))
        limit = min(limit, float(mp.exp(-20 * divergence)))
    assert near(spread.too_many_wrong(channel, mean), limit, 1e-9)
    markov = replace(channel, noise=Laplace(Real.of(Fraction(1, 5))))
    each = (
        (classes - 1).bit_length()
        * markov.law.tail_of_mean(20 * repeats, spread.gap(mean) / 40 - spread.fixed_error(markov, mean))
        / 2
    )
    assert near(spread.too_many_wrong(markov, mean), min(1.0, 20 * float(each) / 5), 1e-9)


def test_noise_above_what_its_own_rounding_is_reckoned_for_is_counted():
    """The rounding of noise was bounded by what noise exceeds with probability delta, and averages had delta, too."""
    for text, kind in (("gaussian(0.01); clip = 1e-3", "spread"), ("laplace(0.01); clip = 1e-3", "hadamard")):
        (scenario,) = loads(f"scenario s {{ N = 12; noise = {text} }}")
        there = channel_of(scenario)
        proof = consider(BY_ID[kind], there).certified.certificate
        chance = next(one for one in proof.inequalities if "tolerance - e) <= δ" in one.name)
        share = Fraction(1, 2**20)
        assert near(spread.left_to_means(there), there.delta * (1 - share))
        assert float(chance.right.hi) < float(there.delta)
        p = proof.parameters
        tau = there.law.within(there.delta * share, p.queries)
        assert near(spread.score_error(there, p), tau, 1e-6), "noise far above all else: its bound is that of the share"


def test_averages_of_some_labels_are_of_all_rows():
    """The margin of a sum is that of a mean over all rows; only labels that are asked for can come out wrong."""
    noise = Gaussian(Real.of(Fraction(1, 5)))
    channel = replace(a_channel(N=50, noise=noise, confidence=Fraction(9, 10)), wanted=20)
    p = averaging(rows=50)
    threshold = spread.gap(p) / 100 - spread.fixed_error(channel, p)
    assert near(spread.failure(channel, p) - spread.alarm(channel, p), 16 * law_of(noise).tail_of_mean(4, threshold))
    mean = averaging(HadamardMean, rows=50, order=20, rounds=1, wrong=0)
    each = law_of(noise).tail_of_mean(20, threshold) / 2
    assert near(spread.wrong_chance(channel, mean), each)
    assert near(spread.too_many_wrong(channel, mean), min(1.0, 20 * float(each)), 1e-9)
    bounded = replace(channel, noise=Bounded(Real.of(Fraction(1, 4))))
    error = 50 * spread.score_error(bounded, mean) + 50 * LOG_LOSS.level_deviation(2, p.small, 1)
    assert near(spread.wrong_limit(bounded, mean), 4 * (float(error) / log(999)) ** 2)


def test_a_record_for_other_rows_proves_nothing():
    noise = Gaussian(Real.of(Fraction(1, 10**6)))
    channel = replace(a_channel(N=50, columns=2, noise=noise, confidence=Fraction(9, 10)), wanted=20)
    some = averaging(rows=50, small=Fraction(1, 1024))
    assert certify(channel, some).holds
    assert not certify(channel, replace(some, rows=20)).holds
    assert not certify(channel, replace(some, rows=49)).holds
    assert not all(one.holds for one in spread.prove(channel, replace(some, rows=49)).inequalities)
    assert not certify(replace(channel, wanted=21), some).holds


def test_what_is_no_noise():
    """A centre and ends that are known inexactly, beside what rounding leaves."""
    third, half = Real(Fraction(33, 100), Fraction(34, 100)), Real(Fraction(1, 2), Fraction(51, 100))
    channel = a_channel(noise=Uniform(third, half))
    p = averaging(centre=channel.centre)
    exact = replace(channel, noise=Uniform(Real.of(third.lo), Real.of(half.lo)))
    for noise in (Uniform(third, Real.of(half.lo)), Uniform(Real.of(third.lo), half), Uniform(third, half)):
        vague = replace(channel, noise=noise)
        known = spread.score_error(vague, p) - law_of(noise).within(vague.delta, p.queries)
        ends = sum(1 for end in (noise.a, noise.b) if not end.exact)
        expected = float(known.upper()) + float(LOG_LOSS.level_deviation(2, p.small, 1)) + ends * 0.005
        assert near(spread.fixed_error(vague, p), expected, 1e-6)
    moved = averaging(centre=channel.centre + Fraction(1, 8))
    assert near(spread.fixed_error(exact, moved) - spread.fixed_error(exact, p), 0.125)


def test_a_score_with_the_attackers_own_error():
    channel = a_channel(noise=Bounded(Real.of(Fraction(1, 4))))
    p = averaging()
    loss = arb(1000).log()
    own = spread.score_error(channel, p) - channel.errors(16).score_error(loss)
    assert near(own, (1 + log(1000) + 0.25) * 2.0**-44)
    error = 20 * spread.score_error(channel, p) + 20 * LOG_LOSS.level_deviation(2, p.small, 1)
    assert near(spread.wrong_limit(channel, p), 4 * (float(error) / log(999)) ** 2)
    three = averaging(classes=3, columns=3)
    wide = a_channel(K=3, columns=3, noise=Bounded(Real.of(Fraction(1, 4))))
    error = 20 * spread.score_error(wide, three) + 20 * LOG_LOSS.level_deviation(3, p.small, 1)
    assert near(spread.wrong_limit(wide, three), 8 * (float(error) / log(499)) ** 2)


@pytest.mark.parametrize("noise", [Bounded(Real.of(Fraction(1, 10**6))), Gaussian(Real.of(Fraction(1, 10**6)))])
def test_the_inequalities_of_averages(noise):
    """Bounded errors by Parseval, random ones by their chance."""
    channel = a_channel(noise=noise, confidence=Fraction(9, 10), goal=Fraction(3, 4))
    p = averaging(HadamardMean, order=20, rounds=1, queries=20, wrong=5)
    proof = spread.prove(channel, p)
    names = [one.name for one in proof.inequalities]
    assert ("4 (E/W)^2 * bits of a class < wrong labels + 1" in names) == isinstance(noise, Bounded)
    assert any("P(more wrong labels)" in name for name in names) == isinstance(noise, Gaussian)
    assert ("probability" in proof.guarantee) == isinstance(noise, Gaussian)
    wrong = next(one for one in proof.inequalities if one.name == "wrong labels <= wrong labels allowed")
    assert (wrong.left.hi, wrong.right.hi) == ("5", "5")


def test_the_heavier_and_the_lighter_of_two_rows():
    smalls = [Fraction(1, 4), Fraction(1, 3)]
    for order in (smalls, smalls[::-1]):
        assert near(rounded._most(order, LOG_LOSS.light), -log(2 / 3))
        assert near(rounded._least(order, LOG_LOSS.light), -log(3 / 4))
        assert near(rounded._most(order, LOG_LOSS.heavy), log(4))
        assert near(rounded._least(order, LOG_LOSS.heavy), log(3))


def test_the_gaps_of_blocks():
    rows = (Fraction(1, 3), Fraction(1, 6), Fraction(1, 50))
    weights = [log(2), log(5), log(49)]
    assert near(
        smallest_gap(LOG_LOSS, rows, 0), min(weights[0], weights[1] - weights[0], weights[2] - weights[0] - weights[1])
    )
    levels = (Fraction(1, 3), Fraction(1, 5), Fraction(1, 20))  # near 1, 2, 4
    unit = log(19) / 4
    missed = abs(log(2) - unit) + abs(log(4) - 2 * unit)
    assert near(smallest_gap(LOG_LOSS, levels, 1), unit - 2 * missed, 1e-9)
    assert smallest_gap(LOG_LOSS, (), 0) == arb.neg_inf()
    digits = ((Fraction(6, 9), Fraction(2, 9), Fraction(1, 9)), (Fraction(90, 100), Fraction(9, 100), Fraction(1, 100)))
    assert near(smallest_step(digits), min(log(3), log(2), log(10) - log(6), log(9) - log(6)))


def test_the_figures_of_geometric_odds():
    noise = Multiplicative(Real.of(Fraction(1, 1000)))
    proof = block.prove(a_channel(noise=noise, phi=Arbitrary()), GeometricOdds(7, 20, 3, 2, 2))
    clip, gap, room = proof.inequalities
    assert near(arb(clip.right.hi), 8 * log(2), 1e-7)
    assert near(arb(gap.left.hi), 1.001 * 2 * log(2), 1e-7)
    assert near(arb(gap.right.hi), 2 * 20 * 0.001 * (log(2) + 14 * log(2) / 20), 1e-7)
    assert (room.left.hi, room.right.hi) == ("21", "20")
    assert FLOAT_BITS == 53  # 1 - 2^-53 is a float64, and 1 - 2^-54 is none
    assert (1 - Fraction(1, 2**53), 1) == (1 - 2.0**-FLOAT_BITS, 1 - 2.0 ** -(FLOAT_BITS + 1))
    assert widening(a_channel(noise=noise), False) == 1
    assert near(widening(a_channel(noise=noise), True), 1.001)
    assert widening(a_channel(noise=Bounded(Real.of(Fraction(1, 9)))), True) == 1


def test_the_loss_of_rows():
    channel = a_channel()
    assert near(block_loss(channel, (Fraction(1, 4), Fraction(1, 8)), 5, Fraction(1, 10)),
                (13 * log(2) - 5 * log(0.9) + log(4) + log(8)) / 20)  # fmt: skip
    assert near(block_loss(channel, (Fraction(1, 4), Fraction(1, 8)), 19, Fraction(1, 10)),
                (-19 * log(0.9) + log(4) + log(8)) / 20)  # fmt: skip
    heaviest = 2 + log(1 + mp.exp(-2))
    assert near(LOG_LOSS.mean_loss(channel, arb(2), arb(10)), log(2) + 0.5 * (heaviest - log(2)) / 2)
    assert near(LOG_LOSS.mean_loss(channel, arb(0), arb(0)), log(2))
    assert near(LOG_LOSS.mean_loss(a_channel(K=3, columns=3), arb(2), arb(10)), log(3) + 0.5)


def test_scores_that_a_format_can_hold():
    grid = a_channel(phi=FixedPoint(5, 30), noise=Uniform(Real.of(1), Real.of(4)), clip=None)
    (one,) = score_fits(grid, 3, lambda: arb(4))
    assert (one.left.hi, one.right.hi, one.holds) == ("6.5", "32", True)
    assert score_fits(a_channel(), 3, lambda: arb(4)) == ()
    assert score_fits(a_channel(phi=Arbitrary()), 3, lambda: arb(4)) == ()
    half = a_channel(N=3, phi=Ieee(16), clip=Real.of(Fraction(1, 100)), summation=Summation.SEQUENTIAL)
    (one,) = score_fits(half, 3, lambda: arb(4))
    grown = 4 * mp.exp(mp.mpf(2 + 2 + 8) / 2**11)
    assert near(arb(one.left.hi), max(3 * grown, 4 * grown + 2), 1e-7)
    assert one.right.hi == "65504"
    noisy = replace(half, noise=Uniform(Real.of(-1), Real.of(5)))
    many = stays_finite(replace(noisy, rows=1000, scored=1000), 3, lambda: arb(1))
    assert near(arb(many.left.hi), 1000 * mp.exp(mp.mpf(999 + 2 + 8) / 2**11), 1e-7)
    few = stays_finite(noisy, 3, lambda: arb(1))
    assert near(arb(few.left.hi), 4 * grown / 4 + 2 * (2 + 3) + 2, 1e-7)


@pytest.mark.parametrize("grouped", [False, True])
def test_the_figures_of_zero_tests(grouped):
    p = ZeroTests(50, 20, 20, 3, 3, grouped, 7)
    proof = zero.prove(a_channel(K=3, columns=3, clip=None), p)
    shows, groups, classes, labels, asked, finite = proof.inequalities
    assert (shows.left.hi, groups.left.hi, groups.right.hi) == ("1", str(int(grouped)), "1")
    assert (classes.left.hi, classes.right.hi, labels.left.hi, labels.right.hi) == ("3", "3", "20", "20")
    assert (asked.left.hi, asked.right.hi) == ("50", str(20 * 2 + (7 if grouped else 0) + 2))
    assert finite.holds
    clipped = zero.prove(a_channel(K=3, columns=3), p).inequalities[0]
    assert (clipped.left.hi, clipped.holds) == ("0", False)
    steps = zero.prove(a_channel(K=3, columns=3, clip=None, phi=FixedPoint(5, 20)), p).inequalities[0]
    assert (steps.left.hi, steps.holds) == ("0", False)


@pytest.mark.parametrize("columns", [1, 2])
def test_where_a_clip_may_show_infinity(columns):
    """float16 rounds 1 - 2^-13 to 1, whose complement is 0: one column has it."""
    narrow = a_channel(phi=Ieee(16), clip=Real.of(Fraction(1, 2**13)), columns=columns)
    assert _may_show_infinity(narrow) == (columns == 1)
    wide = a_channel(phi=Ieee(16), clip=Real.of(Fraction(1, 2**10)), columns=columns)
    assert not _may_show_infinity(wide)
    assert _may_show_infinity(a_channel(phi=Ieee(16), clip=Real.of(Fraction(1, 2**15)), columns=columns))
    assert _may_show_infinity(a_channel(clip=None, columns=columns))
    logarithms = replace(narrow, clip_of="logarithm")
    assert not _may_show_infinity(logarithms)


def test_sums_that_float16_may_not_hold_bound_no_row():
    """10,000 rows of ln 999 + ln 2 + 1 are more than 65,504, as few as 7,000 are not."""
    for N, bounded in ((7000, True), (10_000, False)):
        channel = a_channel(N=N, phi=Ieee(16), clip=Real.of(Fraction(1, 1000)), columns=2)
        assert channel.confined == bounded
        assert channel.sum_overflows(LOG_LOSS.largest_charge(channel, _largest_spread(channel))) == (not bounded)
        assert near(LOG_LOSS.largest_charge(channel, arb(5)), 6 + log(2))
        assert channel.sum_overflows(_largest_spread(channel) + arb(2).log() + 1) == (not bounded)
    assert a_channel(N=10**9, clip=Real.of(Fraction(1, 1000))).confined


@pytest.mark.parametrize(("phi", "fits"), [(Ieee(64), 0), (Ieee(16), 1)])
def test_the_inequalities_of_designs(phi, fits):
    design = Butterfly(4, base_set(2))
    channel = a_channel(N=10, phi=phi, clip=Real.of(Fraction(1, 1000)), columns=2)
    proof = stages.prove(channel, DesignStages(4, 10, design=design, gap=Fraction(1), digits=1))
    names = [one.name for one in proof.inequalities]
    assert names[:6] == [
        "W >= gap x amplitude", "gap > 2 (E + dev)", "designs that hold what they say",
        "capacity of the queries >= labels", "queries asked >= queries of the design", "classes told apart >= K",
    ]  # fmt: skip
    assert len(names) == 6 + fits
    reach, gap, _, room, asked, classes = proof.inequalities[:6]
    assert near(arb(reach.left.hi), log(999), 1e-6)
    assert (reach.right.hi, gap.left.hi, room.left.hi, room.right.hi) == ("2", "1", "12", "10")
    assert (asked.left.hi, asked.right.hi, classes.left.hi, classes.right.hi) == ("4", "4", "2", "2")


@pytest.mark.parametrize("alpha", [0, Fraction(1, 5)])
def test_what_entries_lose_in_being_written_down(alpha):
    """Two roundings, and noise that grows with them; in one column the scorer makes them, exact scorers make none."""
    noise = Multiplicative(Real.of(alpha))
    two = 2 * (1 + alpha) * mp.mpf(2) ** -53
    assert near(a_channel(columns=2, noise=noise).errors(1)._written(), two)
    assert a_channel(columns=1, noise=noise).errors(1)._written() == 0
    assert a_channel(columns=2, phi=Arbitrary(), noise=noise).errors(1)._written() == 0
    for columns in (1, 2):
        errors = a_channel(columns=columns, noise=noise, summation=Summation.SEQUENTIAL).errors(1)
        known = errors.score_error(arb(2)) - errors.score_error(arb(2), heaviest=arb(10) ** 30)
        assert abs(float(known) - (float(two) if columns == 2 else 0)) < 1e-25


def test_how_far_dithered_sums_are_moved():
    unit, small, offset_small, error = Fraction(1, 10), Fraction(1, 2**20), Fraction(1, 2**10), Fraction(1, 10**9)
    p = DitheredSpread(
        500,
        30,
        30,
        2,
        "log_loss",
        1,
        unit,
        False,
        small,
        6,
        offset_small,
        error,
        Fraction(1),
        Fraction(0),
        4,
        3,
        2,
        9,
        1,
    )
    weight = mp.log(2**20 - 1)
    tolerance = 30 * (mp.mpf(10) ** -9 + 20 * mp.log(2) * mp.mpf(2) ** -48)
    offset = 6 * (mp.mpf(2) ** -50 + mp.mpf(2) ** -43)
    row = (1 + weight) * mp.mpf(2) ** -50 + mp.mpf(2) ** -53 / (mp.exp(-weight / 2) / 2)
    assert near(dither.moved(p), tolerance + offset + 30 * (row + (1 + weight) * mp.mpf(2) ** -44))
    assert near(dither.jumps(a_channel(), p), 2 * 12 * (tolerance + offset) / 3)
    tiny = replace(p, error=Fraction(0), columns=2)
    own = 30 * ((1 + weight) * (mp.mpf(2) ** -50 + mp.mpf(2) ** -44) + 20 * mp.log(2) * mp.mpf(2) ** -48)
    assert near(dither.moved(tiny), own + 6 * mp.mpf(2) ** -50)


def test_every_bit_of_a_class_may_take_more_queries():
    fields = (Fraction(1, 10), False, Fraction(1, 2**20), 6, Fraction(1, 2**10), Fraction(1, 10**9))
    p = DitheredSpread(500, 30, 30, 5, "log_loss", 5, *fields, Fraction(1), Fraction(0), 4, 3, 2, 9, 1)
    settling = Settling(p, dither.moved(p))
    once = dither.jumps(a_channel(), p) + 12 * settling.exceeds(Fraction(1)) + settling.probability_above(p.settle)
    assert 0 < float(once) < 10
    assert near(dither.failure(a_channel(), p), 3 * once)


def unmet(proof):
    """How many inequalities of a proof do not hold."""
    return sum(not one.holds for one in proof.inequalities)


QUIET = {"phi": Arbitrary(), "noise": Bounded(Real.of(Fraction(1, 1000)))}
TWO = (Fraction(1, 4), Fraction(1, 20))


@pytest.mark.parametrize(("labels", "failing"), [(6, 0), (7, 1)])
def test_a_block_has_room_for_as_many_labels_as_rows_in_all_its_queries(labels, failing):
    assert unmet(prove_block(a_channel(**QUIET), ListedBlock(3, labels, TWO))) == failing


@pytest.mark.parametrize(("known", "failing"), [(2, 0), (3, 1)])
def test_a_phase_knows_no_more_labels_than_were_recovered_before_it(known, failing):
    phases = ((0, 2, (Fraction(1, 4),)), (known, 1, (Fraction(1, 4),)))
    assert unmet(prove_growing(a_channel(**QUIET), GrowingBlocks(3, 3, Fraction(1, 2**20), phases))) == failing


@pytest.mark.parametrize(("off", "failing"), [(Fraction(0), 0), (Fraction(1, 2**20), 1)])
def test_rows_of_digits_sum_to_1(off, failing):
    rows = ((Fraction(7, 8), Fraction(3, 32), Fraction(1, 32) + off),)
    assert unmet(prove_digits(a_channel(K=3, columns=3), DigitBlock(20, 20, rows))) == failing


def test_listed_queries_are_at_least_one():
    for listed, queries, holds in ((0, 0, False), (3, 3, True), (3, 2, False), (None, 1, True), (None, 0, False)):
        assert _asked(SimpleNamespace(listed=listed, fewest=1), SimpleNamespace(queries=queries)).holds == holds
    assert _asked(SimpleNamespace(listed=0, fewest=0), SimpleNamespace(queries=0)).holds


def test_additions_of_every_size():
    """The depth is the worst of all sizes so far, and no more."""

    def depth(n):
        if n < 8:
            return max(n - 1, 0)
        left = n // 2 - n // 2 % 8
        return n // 8 + 2 if n <= 128 else 1 + max(depth(left), depth(n - left))

    worst = 0
    for n in range(1, 3000):
        worst = max(worst, depth(n))
        assert pairwise_depth(n) == worst


def test_the_heaviest_row_of_a_design_counts_where_numpy_adds_the_last_ones():
    """The seven rows that numpy adds last, of at most 128 that weigh ln K and the largest spread each."""
    for K in (2, 3):
        channel = a_channel(N=100_000, K=K, columns=K)
        loss = LOG_LOSS.mean_loss(channel, arb(30), arb(1000))
        scorer = channel.errors(4).sum_error(loss, heaviest=arb(K).log() + 30)
        lighter = channel.errors(4).sum_error(loss, heaviest=arb(30))
        found = spread_error(channel, 4, arb(30), arb(1000), K)
        own = LOG_LOSS.deviation(channel, arb(30), arb(1000), K) + LOG_LOSS.own_error(channel, arb(30), arb(1000))
        assert near(found, scorer + own)
        assert scorer > lighter
        unit = mp.mpf(2) ** -53
        added = channel.scored * (128 * log(K) / channel.scored) * 8 * unit / (1 - 8 * unit)
        assert near(scorer - lighter, added, 1e-9)


# -- primes --------------------------------------------------------------------------------------------


def prime_attack(**fields):
    p = PrimePowers(5, 20, m=4, powers=1, class_blocks=1, exact=False, decoder="nearest")
    return PrimeAttack("primes-fpa", a_channel(**fields), p)


@pytest.mark.parametrize("bits", [9, 20])
def test_entries_are_rounded_to_the_nearest_step(bits):
    attack = prime_attack(phi=FixedPoint(5, bits), clip=None)
    for powers in ([1, 2], [1, 3], [1, 7, 49]):
        row = attack._on_grid([Fraction(one) for one in powers])
        assert sum(row) == 1
        for found, power in list(zip(row, powers, strict=True))[:-1]:
            assert abs(found - Fraction(power, sum(powers))) <= Fraction(1, 2 ** (bits + 1))
    assert attack.exact is False


@pytest.mark.parametrize(("phi", "exact"), [
    (FixedPoint(5, 53), False), (FixedPoint(5, 54), True), (Ieee(64), False), (Arbitrary(), True)])  # fmt: skip
def test_which_entries_are_exact(phi, exact):
    clip = None if isinstance(phi, FixedPoint) else CLIP
    attack = prime_attack(phi=phi, clip=clip)
    assert attack.exact == exact
    assert _finer_than_floats(a_channel(phi=phi, clip=clip)) == (exact and isinstance(phi, FixedPoint))


def test_an_integer_from_its_logarithm():
    for value in (1, 2, 30, 2310):
        for off in (-0.4, 0.0, 0.4):
            assert _rounded((arb(value) + off).log()) == value
    for value, prime, most, exponent in ((1, 2, 3, 0), (2, 2, 3, 1), (4, 2, 3, 2), (0, 2, 3, 3), (18, 3, 3, 2)):
        assert _valuation(value, prime, most) == exponent


# -- limits --------------------------------------------------------------------------------------------


def test_labelings_that_count_as_right():
    for N, goal, K in ((20, Fraction(9, 10), 2), (20, Fraction(9, 10), 4), (100, Fraction(3, 4), 3)):
        channel = a_channel(N=N, goal=goal, K=K, columns=K)
        r = channel.wrong_allowed
        assert r == N - ceil(goal * N)
        q = mp.mpf(r) / ((N - r + 1) * (K - 1))
        last = mp.log(mp.binomial(N, r) * mp.mpf(K - 1) ** r / (1 - q), 2)
        true = mp.log(mp.fsum(mp.binomial(N, j) * mp.mpf(K - 1) ** j for j in range(r + 1)), 2)
        assert near(channel.secret.tolerated(), last)
        assert true <= last
        assert near(channel.secret.needed(), N * mp.log(K, 2) - last)
        doubt = replace(channel, delta=Fraction(1, 10))
        entropy = -(mp.mpf("0.1") * mp.log(mp.mpf("0.1"), 2) + mp.mpf("0.9") * mp.log(mp.mpf("0.9"), 2))
        assert near(fano_bits(doubt), mp.mpf("0.9") * (N * mp.log(K, 2) - last) - entropy)
        assert near(fano_bits(replace(channel, delta=Fraction(0))), N * mp.log(K, 2) - last)
    assert a_channel().secret.tolerated() == 0
    assert near(a_channel(N=20, goal=Fraction(1, 4)).secret.tolerated(), 20)
    assert near(a_channel(N=20, goal=Fraction(1, 20), K=3, columns=3).secret.tolerated(), 20 * mp.log(3, 2))
    assert near(replace(a_channel(N=9), wanted=4).secret.tolerated(), 9)  # r/(N-r+1) is exactly 1


def test_answers_over_an_interval():
    """One more than the cells that W fills, whatever it is."""
    for digits in (0, 1, 3, 6):
        for shown in (Decimals(digits), Truncated(digits)):
            channel = a_channel(clip=Real.of(Fraction(1, 1000)), shown=shown, phi=Arbitrary())
            assert fewest_answers(channel)[0] == ceil(log(999) * 10**digits) + 1
    grid = a_channel(phi=FixedPoint(5, 10), clip=None, columns=1)
    assert fewest_answers(grid)[0] == ceil(log(1023) * 1024 + 2) + 1  # charges and their mean are rounded, either way
    assert (
        fewest_answers(a_channel(phi=FixedPoint(5, 10), clip=None, K=3, columns=3))[0]
        == ceil(10 * log(2) * 1024 + 2) + 1
    )
    assert fewest_answers(a_channel(clip=None))[0] == 2**64
    assert fewest_answers(a_channel(clip=None, phi=FixedPoint(3, 4), checks=False))[0] == 2**8
    tau = Bounded(Real.of(Fraction(1, 10)))
    assert fewest_answers(a_channel(clip=Real.of(Fraction(1, 1000)), noise=tau, phi=Arbitrary()))[0] == ceil(
        log(999) * 5
    )
    assert (
        fewest_answers(a_channel(clip=Real.of(Fraction(1, 1000)), noise=Bounded(Real.of(50)), phi=Arbitrary()))[0] == 1
    )


@pytest.mark.parametrize("clip", [Fraction(1, 1000), Fraction(1, 70), Fraction(1, 12)])
@pytest.mark.parametrize("digits", [1, 3])
def test_answers_of_significant_digits(clip, digits):
    channel = a_channel(clip=Real.of(clip), shown=Significant(digits), phi=Arbitrary())
    low, high = mp.mpf(clip.numerator) / clip.denominator / 4, log(clip.denominator - 1) + 2
    high = min(high, low + log(clip.denominator - 1))  # a submission's scores lie within W
    shown, number = set(), low
    while number < high:
        shown.add(mp.nstr(number, digits))
        number *= 1 + mp.mpf(10) ** -digits / 3
    assert len(shown) <= fewest_answers(channel)[0] <= len(shown) + 3


def test_places_of_numbers_with_few_digits():
    """One number after the other, over decades, and none between two of them."""
    two = SignificantDigits(Significant(2))
    numbers = [Fraction(m) * Fraction(10) ** (e - 1) for e in range(-7, 8) for m in range(10, 100)]
    assert [two.place(one) for one in numbers] == list(range(-7 * 90, 8 * 90))
    assert all(two.place(one * Fraction(1009, 1000)) == two.place(one) for one in numbers)


@pytest.mark.parametrize("renormalises", [False, True])
@pytest.mark.parametrize(
    "alpha", [Real.of(Fraction(1, 50)), Real(Fraction(1, 50), Fraction(1, 40)), Real.of(Fraction(1, 9))]
)
def test_answers_of_a_geometric_grid(alpha, renormalises):
    clip = Fraction(1, 1000)
    channel = a_channel(
        K=3, columns=3, clip=Real.of(clip), noise=Multiplicative(alpha), phi=Arbitrary(), renormalises=renormalises
    )
    largest = log(999) + 2 + (log(3) if renormalises else 0)
    ratio = (1 + Fraction(alpha.lo)) / (1 - Fraction(alpha.lo))
    assert fewest_answers(channel)[0] == ceil(log(largest * 1000 * 2) / log(ratio)) + 2


def test_noise_of_nothing_leaves_any_number_of_answers():
    for noise in (Multiplicative(Real.of(0)), Bounded(Real.of(0))):
        assert fewest_answers(a_channel(clip=Real.of(Fraction(1, 1000)), noise=noise, phi=Arbitrary())) is None


def test_counting_says_nothing_where_nothing_has_to_be_learned():
    still = a_channel(clip=Real.of(Fraction(1, 1000)), noise=Bounded(Real.of(50)), phi=Arbitrary())
    assert Counting().apply(still).excludes_all
    free = Counting().apply(replace(still, wanted=0))
    assert (free.queries, free.excludes_all) == (None, False)


def test_grids_that_scores_are_bound_to():
    assert _grid(a_channel()) is None
    assert _grid(a_channel(noise=Bounded(Real.of(0)))) is None
    assert _grid(a_channel(noise=Bounded(Real.of(Fraction(1, 8))))) == Fraction(1, 4)
    assert _grid(a_channel(shown=Decimals(2), noise=Bounded(Real.of(Fraction(1, 8))))) == Fraction(1, 4)
    assert _grid(a_channel(shown=Truncated(0), noise=Bounded(Real.of(Fraction(1, 8))))) == 1
    assert _grid(a_channel(phi=FixedPoint(5, 7), clip=None)) == Fraction(1, 128)
    quiet = a_channel(noise=Bounded(Real.of(0)), adaptive=False)
    assert Entropy().apply(quiet).queries is None


def test_the_entropy_of_a_score():
    """float16 makes rounding a visible part of it."""
    for phi in (Ieee(16), Arbitrary()):
        channel = a_channel(N=50, phi=phi, clip=Real.of(Fraction(1, 100)), shown=Decimals(2), adaptive=False)
        found = Entropy().apply(channel)
        reach, slack = float(channel.span()), float(rounding_slack(channel))
        each = log2(2 * mp.pi * mp.e * (((reach / (2 * 50**0.5) + slack) * 100 + 0.5) ** 2 + 1 / 12)) / 2
        need = 0.99 * 50 + 0.01 * log2(0.01) + 0.99 * log2(0.99)
        assert found.queries == ceil(need / each)
        assert near(arb(found.inequalities[0].left.hi), (found.queries - 1) * each, 1e-6)
        assert near(arb(found.inequalities[0].right.hi), need, 1e-6)
    assert slack == 0


@pytest.mark.parametrize("adaptive", [False, True])
@pytest.mark.parametrize("phi", [Ieee(16), Arbitrary()])
def test_capacities_of_noisy_scores(adaptive, phi):
    quarter = Real.of(Fraction(1, 4))
    laws = {
        Gaussian(quarter): lambda W: log2(1 + (2 * W) ** 2) / 2,
        Subexponential(quarter, quarter): lambda W: log2(1 + W**2) / 2,
        Laplace(quarter): lambda W: log2(1 + 2 * W),
        Uniform(Real.of(-1), quarter): lambda W: log2(1 + W / 1.25),
    }
    for noise, bits in laws.items():
        channel = a_channel(N=30, phi=phi, clip=Real.of(Fraction(1, 100)), noise=noise, adaptive=adaptive)
        reach, slack = float(channel.span()), float(rounding_slack(channel))
        wide = reach + 2 * slack
        if not adaptive and not isinstance(noise, Uniform):
            wide = wide / 30**0.5 + 2 * slack
        assert near(capacity(channel), bits(wide))


def test_errors_of_one_label():
    quarter = Real.of(Fraction(1, 4))
    for phi in (Ieee(16), Arbitrary()):
        base = a_channel(N=30, phi=phi, clip=Real.of(Fraction(1, 100)), noise=Gaussian(quarter))
        shift = float(base.span()) / 30 + 2 * float(rounding_slack(base))
        for queries in (1, 9):
            laws = (
                Gaussian(quarter),
                Subexponential(quarter, quarter),
                Laplace(quarter),
                Uniform(Real.of(-1), quarter),
            )
            found = {type(law): label_error(replace(base, noise=law), queries) for law in laws}
            assert near(found[Gaussian], mp.erfc(queries**0.5 * shift / 0.5 / 2**0.5) / 2)
            assert near(found[Subexponential], mp.erfc(queries**0.5 * shift / 1 / 2**0.5) / 2)
            scaled = 4 * shift
            divergence = scaled + mp.exp(-scaled) - 1
            assert near(found[Laplace], (1 - mp.sqrt(1 - mp.exp(-queries * divergence))) / 2, 1e-9)
            assert near(found[Uniform], (1 - shift / 1.25) ** queries / 2)


def test_random_noise_leaves_significant_digits_no_least_score():
    """As near to 0 as it likes a score has digits of its own: only noise within a bound, or none, leaves a number of them."""
    plain = a_channel(clip=Real.of(Fraction(1, 1000)), phi=Arbitrary(), shown=Significant(3))
    tau = Real.of(Fraction(1, 1000))
    assert _shown(plain) is not None
    assert _shown(replace(plain, noise=Bounded(tau))) is not None
    for noise in (Gaussian(tau), Laplace(tau), Uniform(Real.of(Fraction(-1, 1000)), tau)):
        assert _shown(replace(plain, noise=noise)) is None


def test_a_record_for_weights_is_refused_by_a_metric_that_counts():
    """Whatever else would refuse it: the kind of metric is an obligation of its own."""
    (weighed, counted) = (
        channel_of(loads(f"scenario a {{ N = 20; decimals = 5; {fields} }}")[0])
        for fields in ("clip = 1e-6", "metric = accuracy")
    )
    record = BY_ID["block"].propose(weighed).parameters
    assert certify(weighed, record).holds
    refused = _shape(counted, record)
    assert [(one.field, one.holds) for one in refused] == [("metric", False)]
    assert _shape(weighed, record) == ()


@pytest.mark.parametrize(("noise", "share"), [("gaussian(1e-9)", Fraction(1, 4)), ("bounded(1e-9)", Fraction(0))])
def test_coins_and_noise_have_no_more_of_delta_than_there_is(noise, share):
    text = f"scenario a {{ N = 900; clip = 1e-9; decimals = 1; noise = {noise}; confidence = 97% }}"
    channel = channel_of(loads(text)[0])
    record = SimpleNamespace(noise_share=Fraction(1, 4))
    assert dither.left_to_coins(channel, record) + share * channel.delta == channel.delta == Fraction(3, 100)


@pytest.mark.parametrize("release", ["best", "ladder(0.01)", "capped(0.5)", "changes(3)"])
def test_a_record_for_scores_that_are_shown_is_refused_where_others_are(release):
    (shown, kept) = (
        channel_of(loads(f"scenario a {{ N = 20; decimals = 5; clip = 1e-6; release = {one} }}")[0])
        for one in ("plain", release)
    )
    record = BY_ID["block"].propose(shown).parameters
    assert certify(shown, record).holds
    refused = [one.field for one in certify(kept, record).obligations if not one.holds]
    assert "release" in refused


def test_a_weight_stands_above_all_before_it_together():
    """2 + 5 lies as near to 7.5 as any two sums: half a unit."""
    with working(100):
        assert gap_of_sums([arb(1), arb(2), arb(5)]) == 1
        assert gap_of_sums([arb(2), arb(5), arb(7.5)]) == 0.5
        assert not gap_of_sums([arb(1), arb(2), arb(2.5)]) > 0


def test_nothing_is_said_of_a_bound_where_there_is_none():
    settled = SimpleNamespace(secret=SimpleNamespace(settled=True), budget=None)
    assert _unknown_why(settled, (), ()) == "no attack is certified, and no proof excludes one"
