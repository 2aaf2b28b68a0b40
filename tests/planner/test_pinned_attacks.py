"""The parts of attacks by themselves: each against its definition, written out row by row."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import exp, inf, isclose, isqrt, log, log1p

import mpmath as mp
import numpy as np
import pytest
from flint import arb

import planner.attacks.dither.certify as dither
from dsl.numbers import Real
from dsl.scenario import Arbitrary, Bounded, Decimals, FixedPoint, Gaussian, Ieee, Multiplicative, Scenario, Truncated
from planner.attacks.attack import InconsistentScores
from planner.attacks.block.run import BlockReader
from planner.attacks.design.parameters import DesignStages
from planner.attacks.design.run import DesignAttack
from planner.attacks.dither.parameters import DitheredSpread
from planner.attacks.dither.run import DitherAttack
from planner.attacks.dither.settle import Sums
from planner.attacks.growing.parameters import GrowingBlocks
from planner.attacks.growing.run import GrowingAttack
from planner.attacks.levels import Rows
from planner.attacks.primes.certify import prime_gap
from planner.attacks.spread.blocks import Blocks
from planner.attacks.spread.hadamard import HadamardAttack
from planner.attacks.spread.parameters import HadamardMean, Spread, base_set
from planner.attacks.spread.run import SpreadAttack
from planner.attacks.threshold.comparator import Answer, Comparator, Offset
from planner.attacks.threshold.parameters import (
    Thresholds,
    direct_boundary,
    known_rows_needed,
    offset_rows_needed,
    verifying_weight,
)
from planner.attacks.zero.parameters import ZeroTests, reserve_for
from planner.attacks.zero.run import GroupedZeros, ListedZeros, _Search, is_infinite
from planner.channel.channel import channel_of
from planner.channel.formats.ieee import LARGEST, SIGNIFICAND, SMALLEST_NORMAL
from planner.channel.metrics.log_loss import LOG_LOSS
from planner.channel.sides import BINARY, imbalance, larger_side, ones_of, sides_of
from planner.designs.butterfly import Butterfly
from planner.designs.hadamard import transform
from planner.limits.counting import _text
from planner.numerics.reals import working

CLIP = Real.of(Fraction(1, 10**15))
EVEN = LOG_LOSS.level(0.0, 1, BINARY)


def level(weight, columns, sides=BINARY):
    """The prediction with this weight."""
    return LOG_LOSS.level(weight, columns, sides)


def a_channel(N=20, **fields):
    return channel_of(Scenario(name="c", N=N, **{"clip": CLIP, "phi": Ieee(64), **fields}))


def setting(**fields):
    plain = {
        "queries": 101, "labels": 100, "rows": 100, "classes": 2, "metric": "log_loss",
        "columns": 2, "unit": Fraction(1, 1000),
        "truncates": False, "small": Fraction(1, 10**6), "offset_rows": 0, "offset_small": Fraction(1, 10**6),
        "error": Fraction(1, 10**9), "least": Fraction(1), "noise_centre": Fraction(0),
    }  # fmt: skip
    return Thresholds(**{**plain, **fields})


# -- the offset ----------------------------------------------------------------------------------------


def charged(offset, labels, w, sides):
    """What the rows are charged, one by one."""
    up, down = level(w, len(sides), sides), level(-w, len(sides), sides)
    chosen = [down if turned else up for turned in offset.turned]
    return sum(each.one if label else each.zero for each, label in zip(chosen, labels, strict=True))


@pytest.mark.parametrize("classes", [2, 5])
@pytest.mark.parametrize("ones", range(8))
@pytest.mark.parametrize("how", ["counted", "known", "with_ones"])
def test_an_offset_charges_what_its_rows_are_charged(classes, ones, how):
    sides, rows = sides_of(classes, 0), np.arange(7)
    labels = np.array([1] * ones + [0] * (7 - ones))
    if how == "known":
        offset = Offset.known(rows, labels)
        assert sum(offset.savers) == 0
    elif how == "counted":
        offset = Offset.counted(rows, ones)
        assert bool(offset.turned[0]) == (ones > 7 - ones)
    else:
        offset = Offset.counted(rows, 2.5).with_ones(ones) if ones % 2 else Offset.counted(rows, 5.5).with_ones(ones)
    assert offset.ones == ones
    for w in (1.1, 2.0, 7.5):
        up, down = level(w, len(sides), sides), level(-w, len(sides), sides)
        expected = charged(offset, labels, w, sides)
        assert isclose(offset.realised(up, down), expected, rel_tol=1e-13)
        assert isclose(offset.charge(w, sides, LOG_LOSS), expected, rel_tol=1e-12)
        slope = (charged(offset, labels, w + 1e-5, sides) - charged(offset, labels, w - 1e-5, sides)) / 2e-5
        assert isclose(offset.slope(w, sides, LOG_LOSS), slope, rel_tol=1e-6, abs_tol=1e-7)
        if how != "with_ones" and slope > 0.1 and (w > 2 or classes == 2):
            assert isclose(offset.weight(expected, sides, LOG_LOSS), w, rel_tol=1e-12)
        answer = Answer(3, 3, offset, up, down)
        assert answer.cheaper
        assert not Answer(4, 3, offset, up, down).cheaper
        assert answer.shift == offset.realised(up, down)


@pytest.mark.parametrize("truncates", [False, True])
def test_boundaries_and_centres(truncates):
    p = setting(truncates=truncates, unit=Fraction(1, 10), rows=30)
    for shown in (0, 1, 17):
        edge = p.boundary(shown)
        assert edge == pytest.approx((shown + (1 if truncates else 0.5)) * 3)
        assert p.boundary_above(edge - 1e-9) == shown
        assert p.boundary_above(edge + 1e-9) == shown + 1
        assert p.centre(shown) == pytest.approx(edge - 1.5)
    comparator = Comparator(p, lambda query: 0.0)
    for sign in (1, -1):
        within = p.centre(5) + sign * (1.5 + p.tolerance)
        assert comparator.explains(within - sign * 1e-12, 5)
        assert not comparator.explains(within + sign * 1e-12, 5)
        assert comparator.explains(within + sign * 0.1, 5, 0.1 + 1e-12)
        assert not comparator.explains(within + sign * 0.1, 5, 0.1 - 1e-12)
        comparator.require_explained(within - sign * 1e-12, 5)
        with pytest.raises(InconsistentScores):
            comparator.require_explained(within + sign * 1e-12, 5)


@pytest.mark.parametrize(("units", "refused"), [(3.0, False), (3.24, False), (2.76, False), (3.26, True), (2.74, True)])
def test_a_score_that_is_no_decimal_is_refused(units, refused):
    comparator = Comparator(setting(unit=Fraction(1, 10)), lambda query: units / 10)
    codes = np.zeros(100, dtype=int)
    if refused:
        with pytest.raises(InconsistentScores):
            comparator.ask([EVEN], codes)
    else:
        assert comparator.ask([EVEN], codes) == (3, 0.0)


@pytest.mark.parametrize("small", [Fraction(1, 8), Fraction(1, 50), Fraction(1, 10**6)])
@pytest.mark.parametrize("rows", [2, 3, 11])
@pytest.mark.parametrize("truncates", [False, True])
def test_the_boundary_between_the_two_scores_of_a_label(small, rows, truncates):
    """Of all boundaries the one with the largest margin, and that margin."""
    p = setting(rows=rows, labels=rows, small=small, offset_small=small, unit=Fraction(1, 10), truncates=truncates)
    rest = (rows - 1) * log(2)
    least, most = rest - log1p(-float(small)), rest - log(float(small))
    margins = {k: min(p.boundary(k) - least, most - p.boundary(k)) for k in range(int(most / float(p.cell)) + 3)}
    best = max(margins.values())
    found, margin = direct_boundary(p)
    assert margin == pytest.approx(best, abs=1e-12)
    assert margins[found] == pytest.approx(best, abs=1e-12)


@pytest.mark.parametrize("small", [Fraction(1, 8), Fraction(1, 10**4)])
@pytest.mark.parametrize(
    ("rows", "unit"), [(2, 1), (5, 1), (5, Fraction(1, 2)), (5, Fraction(1, 100)), (9, Fraction(1, 3))]
)
def test_the_weight_at_which_one_wrong_label_crosses_the_first_boundary(small, rows, unit):
    p = setting(rows=rows, labels=rows, small=small, offset_small=small, unit=Fraction(unit))
    first, reach = p.boundary(0), LOG_LOSS.strength_float(small, 2)

    def margin(v):
        right = rows * log1p(exp(-v))
        return min(first - right, right + v - first)

    best = max((margin(v), v) for v in np.linspace(reach / 4000, reach, 4000))
    weight, found = verifying_weight(p)
    assert found == pytest.approx(margin(weight), abs=1e-9)
    assert found >= best[0] - 1e-3


@pytest.mark.parametrize("classes", [2, 3, 7])
def test_rows_that_cover_a_cell(classes):
    small = Fraction(1, 2**14)
    for unit in (Fraction(1, 10), Fraction(1, 3), Fraction(7, 10)):
        p = setting(classes=classes, columns=classes, rows=200, labels=200, unit=unit, offset_small=small)
        p = replace(p, least=Fraction(LOG_LOSS.least_offset(classes)))
        ratio, top, least = float(imbalance(classes)), LOG_LOSS.strength_float(small, classes), p.least_offset
        each = log((ratio + exp(top)) / (ratio + exp(least)))
        assert least == pytest.approx(1 + log(ratio))
        assert known_rows_needed(p) == int(np.ceil(float(p.cell) / each))
        assert offset_rows_needed(p) == int(np.ceil(float(p.cell) / (each - (top - least) / 2)))
    hopeless = setting(classes=classes, columns=classes, offset_small=Fraction(1, 4 * classes))
    assert offset_rows_needed(hopeless) >= 1


@pytest.mark.parametrize("classes", range(2, 18))
def test_sides(classes):
    bits = (classes - 1).bit_length()
    sizes = [sum(sides_of(classes, bit)) for bit in range(bits)]
    assert [len(sides_of(classes, bit)) for bit in range(bits)] == [classes] * bits
    assert sizes == [ones_of(classes, bit) for bit in range(bits)]
    assert larger_side(classes) == max(max(size, classes - size) for size in sizes)
    assert imbalance(classes) == max(Fraction(max(s, classes - s), min(s, classes - s)) for s in sizes)


@pytest.mark.parametrize("weight", [-9.5, -1.0, -1e-3, 1e-3, 1.0, 9.5, 30.0])
@pytest.mark.parametrize("classes", [2, 3, 8])
def test_a_level_has_the_log_odds_that_were_wanted(weight, classes):
    sides = sides_of(classes, 0)
    found = level(weight, classes, sides)
    ones = sum(sides)
    assert ones * found.on + (classes - ones) * found.off == pytest.approx(1, rel=1e-15)
    assert log(found.on / found.off) == pytest.approx(weight, rel=1e-12)
    assert (found.zero, found.one) == pytest.approx((-log(found.off), -log(found.on)), rel=1e-13, abs=1e-15)
    assert found.weight == pytest.approx(weight, rel=1e-12)
    assert found.small == min(found.on, found.off)
    assert found.entries(classes, sides) == tuple(found.on if side else found.off for side in sides)
    assert level(0, 1) == EVEN
    if classes == 2 and weight > 0:
        near_one = level(weight, 1)
        assert near_one.entries(1, BINARY) == (near_one.on,)
        assert (Fraction(near_one.on) * 2**53).denominator == 1
        assert Fraction(near_one.off) == 1 - Fraction(near_one.on)


def test_rows_of_a_submission():
    levels = [EVEN, level(2.0, 2)]
    codes = np.array([0, 1, 1])
    assert Rows(levels, codes).submission(1).tolist() == [0.5, levels[1].on, levels[1].on]
    assert Rows(levels, codes).submission(2).tolist() == [[0.5, 0.5]] + 2 * [[levels[1].off, levels[1].on]]


def dithered(**fields):
    plain = {
        "queries": 500, "labels": 30, "rows": 30, "classes": 2, "metric": "log_loss",
        "columns": 2, "unit": Fraction(1, 10), "truncates": False,
        "small": Fraction(1, 2**20), "offset_rows": 6, "offset_small": Fraction(1, 2**10), "error": Fraction(1, 10**6),
        "least": Fraction(1), "noise_centre": Fraction(0),
        "order": 4, "rounds": 3, "base": 2, "settle": 9, "seed": 1,
    }  # fmt: skip
    return DitheredSpread(**{**plain, **fields})


@pytest.mark.parametrize(
    ("labels", "measured", "own", "block"), [(30, 24, 5, 6), (26, 24, 2, 6), (24, 24, 0, 6), (9, 9, 0, 3)]
)
def test_labels_of_a_dithered_offset_are_asked_one_by_one_but_for_the_last(labels, measured, own, block):
    """It follows from how many of them are 1."""
    p = dithered(labels=labels)
    assert (p.measured, p.own, p.block) == (measured, own, block)
    asked = p.bootstrap + 4 * 3 + 9 + 1 + own
    assert dither._query_count(dithered(labels=labels, queries=asked)).holds
    assert not dither._query_count(dithered(labels=labels, queries=asked - 1)).holds


def test_dithered_sums_must_be_those_of_the_labels():
    """Half a cell, the tolerance and what weights miss, in nats."""
    p = dithered()
    attack, blocks = DitherAttack(p), Blocks(p, 24)
    labels = np.arange(24) % 2
    measured = transform(blocks.sums(labels))
    edge = float(p.cell) / 2 + p.tolerance + blocks.deviation(p.gap)
    assert p.gap == pytest.approx(log(2**20 - 1) / 2)
    assert p.block == 6
    for place, sign in (((0, 0), 1), ((3, 2), -1)):
        moved = measured.copy()
        moved[place] += sign * (edge - 1e-9) / p.gap
        attack._require_explained(blocks, moved, labels)
        moved[place] += sign * 2e-9 / p.gap
        with pytest.raises(InconsistentScores):
            attack._require_explained(blocks, moved, labels)


def rounding_scorer(p, labels):
    """The mean charge of these labels, rounded to the unit."""

    def score(query):
        charges = -np.log(np.where(labels == 1, query[:, 1], query[:, 0]))
        return round(float(charges.mean()), 1)

    return score


@pytest.mark.parametrize("asked", [24, 12])
def test_rows_that_a_dithered_spread_does_not_ask_are_charged_what_they_are(asked):
    """Whatever the labels of idle rows are: a measured sum is off by half a cell, and by no row of ln 2."""
    p, coins = dithered(labels=asked), np.random.default_rng(3)
    blocks, labels = Blocks(p, asked), coins.integers(0, 2, 30)
    offset = Offset.counted(np.arange(24, 30), int(labels[24:].sum()))
    comparator, dithers = Comparator(p, rounding_scorer(p, labels)), []
    ask = comparator.ask
    comparator.ask = lambda *given: (dithers.append(given[-1]), ask(*given))[1]
    measured = DitherAttack(p)._measure(comparator, blocks, offset, coins)
    placed = (np.array(dithers) - comparator.least(offset)) / float(p.cell)
    assert 0 <= placed.min() < 0.3 < 0.7 < placed.max() < 1, "the offset is anywhere in a cell"
    missed = np.abs(measured - transform(blocks.sums(labels[:asked]))).max() * p.gap
    assert 0.5 < missed <= float(p.cell) / 2 + p.tolerance + blocks.deviation(p.gap)


def test_comparisons_must_have_come_out_as_the_labels_would_have_it():
    p = dithered()
    labels = np.arange(30) % 3 % 2
    comparator, blocks = Comparator(p, rounding_scorer(p, labels)), Blocks(p, 24)
    offset = Offset.counted(np.arange(24, 30), int(labels[24:].sum()))
    true = blocks.sums(labels[:24])
    sums = Sums(comparator, blocks, offset, true.astype(float))
    assert not sums.any_next(np.array([0, 2]), np.array([0, 1]), np.array([1, 1]))
    sums.values[1, 2] -= 1
    assert sums.any_next(np.array([1]), np.array([2]), np.array([1]))
    sums.require_explained(labels[:24])
    with pytest.raises(InconsistentScores):
        sums.require_explained(1 - labels[:24])
    sums.measure_exactly(1)
    assert sums.values.tolist() == true.tolist()


def test_blocks_that_fit_no_labeling_are_measured_again():
    p, measured = dithered(), []
    attack, labels = DitherAttack(p), np.zeros(24, dtype=int)
    answers = iter([(labels, [2]), (labels, [])])
    attack._decode_blocks = lambda sums: next(answers)
    attack._wrong_blocks = lambda *given: ([], [])
    comparator = Comparator(p, rounding_scorer(p, np.zeros(30, dtype=int)))
    sums = Sums(comparator, Blocks(p, 24), Offset.counted(np.arange(24, 30), 0), np.zeros((4, 3)))
    sums.measure_exactly = measured.append
    assert attack._decode(sums, np.arange(24)).tolist() == labels.tolist()
    assert measured == [2]


def test_what_weights_of_blocks_miss():
    p = dithered()
    blocks = Blocks(p, 24)
    assert blocks.values.tolist() == [-2, -1, 0, 1, 2]
    assert (blocks.size, blocks.used) == (6, 4)
    off = max(abs(level(p.gap * entry, 2).weight - p.gap * entry) for entry in (-2, -1, 0, 1, 2))
    assert blocks.deviation(p.gap) == 24 * off
    entries = blocks.entries(1, np.array([1, -1, 1, -1]))
    codes = blocks.codes(entries, blocks.values)
    assert codes[24:].tolist() == [2] * 6
    assert blocks.values[codes[:24]].tolist() == entries.reshape(-1).tolist()
    levels = blocks.levels(blocks.values, p.gap)
    assert blocks.charge(levels, codes) == pytest.approx(sum(levels[code].zero for code in codes[:24]), rel=1e-14)
    coins = np.random.default_rng(1).integers(0, 2, 24)
    assert blocks.sums(coins).tolist() == [(blocks.matrix @ coins[blocks.inside(b)]).tolist() for b in range(4)]
    assert p.doubt_step == pytest.approx((3 / p.gap) ** 2 / 48 * log(2))


# -- growing blocks and designs ------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [1, 2])
def test_a_growing_query_predicts_what_is_known(columns):
    doubt, rows = Fraction(1, 16), (Fraction(1, 4), Fraction(1, 8))
    parameters = GrowingBlocks(9, 9, doubt, ((0, 2, rows), (4, 3, rows)))
    attack = GrowingAttack("growing-block", a_channel(N=9, columns=columns), parameters)
    labels = np.array([1, 0, 0, 1, -1, -1, -1, -1, -1])
    found = attack._query(labels, 4, rows)
    ones = [15 / 16, 1 / 16, 1 / 16, 15 / 16, 1 / 4, 1 / 8, 0.5, 0.5, 0.5]
    assert not attack.exact
    assert found.tolist() == (ones if columns == 1 else [[1 - p, p] for p in ones])
    phase = BlockReader(a_channel(N=9, columns=columns), 9, rows, known=4, doubt=doubt)
    with mp.workprec(300):
        expected = 3 * mp.log(2) - 4 * mp.log(mp.mpf(15) / 16) - mp.log(mp.mpf(3) / 4) - mp.log(mp.mpf(7) / 8)
        assert phase._constant(2) == int(mp.floor(expected * mp.mpf(2) ** phase.scale))
        fewer = 4 * mp.log(2) - 4 * mp.log(mp.mpf(15) / 16) - mp.log(mp.mpf(3) / 4)
        assert phase._constant(1) == int(mp.floor(fewer * mp.mpf(2) ** phase.scale))


@pytest.mark.parametrize(
    ("doubt", "row", "exact"), [("1/16", "1/4", False), ("1/3", "1/4", True), ("1/4", "1/3", True)]
)
def test_growing_blocks_are_floats_where_floats_are_exact(doubt, row, exact):
    parameters = GrowingBlocks(9, 9, Fraction(doubt), ((0, 9, (Fraction(row),)),))
    assert GrowingAttack("growing-block", a_channel(N=9, phi=Arbitrary()), parameters).exact == exact
    tiny = GrowingBlocks(9, 9, Fraction(1, 2**60), ((0, 9, (Fraction(1, 4),)),))
    assert GrowingAttack("growing-block", a_channel(N=9, phi=Arbitrary()), tiny).exact  # 1 - 2^-60 is no float64
    small = GrowingBlocks(9, 9, Fraction(1, 4), ((0, 9, (Fraction(1, 2**60),)),))
    assert not GrowingAttack("growing-block", a_channel(N=9, phi=Arbitrary()), small).exact


def design_attack(**fields):
    design = Butterfly(16, base_set(3))
    channel = a_channel(N=40, **{"noise": Bounded(Real.of(Fraction(1, 200))), **fields})
    return DesignAttack("design", channel, DesignStages(16, 40, design=design, gap=Fraction(1), digits=1))


def test_a_design_bears_its_tolerance_and_the_rounding_of_what_it_predicts():
    attack = design_attack()
    stage = attack.stages[0]
    labels = np.ones(40, dtype=int)
    again = stage.design.scores(labels).astype(float)
    place = int(np.abs(again).argmax())
    size = abs(again[place])
    assert 0.2 < attack.tolerance < 0.25
    assert size > 60
    for sign in (1, -1):
        y = again.copy()
        edge = again[place] + sign * attack.tolerance
        y[place] = edge + sign * 0.5 * 2.0**-51 * size
        assert (attack.read(stage, y) == labels).all()
        y[place] = edge + sign * 4 * 2.0**-51 * size
        with pytest.raises(InconsistentScores):
            attack.read(stage, y)


def test_the_small_side_of_two_groups_is_computed_and_the_large_one_is_its_complement():
    """In one column, to the last digit: of every gap below 1, for charges of either sign."""
    levels = np.array([-3, -2, -1, 0, 1, 2, 3])
    complements = 0
    for k in range(1, 60):
        gap = Fraction(k, 61)
        design = Butterfly(16, base_set(3))
        attack = DesignAttack("design", a_channel(N=40), DesignStages(16, 40, design=design, gap=gap, digits=1))
        found = attack._entries(attack.stages[0], levels)
        fade = np.exp(-np.abs(float(gap) * levels.astype(float)))
        small = fade / (1 + fade)
        assert found[:, 1].tolist() == np.where(levels >= 0, small, 1 - small).tolist()
        complements += int((1 - small != 1 / (1 + fade)).sum())
    assert complements > 10


@pytest.mark.parametrize("digit", [0, 1, 2])
def test_two_groups_of_five_classes(digit):
    levels = np.array([-3, -1, 0, 2, 3])
    parameters = DesignStages(48, 20, design=Butterfly(16, base_set(3)), gap=Fraction(1, 3), digits=3)
    attack = DesignAttack("design", a_channel(N=20, K=5, columns=5), parameters)
    stage = attack.stages[digit]
    assert stage.members == tuple(k for k in range(5) if k >> digit & 1)
    entries = attack._entries(stage, levels)
    assert np.allclose(entries.sum(axis=1), 1, rtol=1e-14)
    inside = np.array([k in stage.members for k in range(5)])
    for row, wanted in zip(entries, levels / 3, strict=True):
        assert len(set(row[inside])) == len(set(row[~inside])) == 1
        assert log(row[~inside][0] / row[inside][0]) == pytest.approx(wanted, abs=1e-13)


@pytest.mark.parametrize("columns", [1, 2])
def test_the_constant_of_a_design_is_what_its_entries_are_charged(columns):
    attack = design_attack(columns=columns)
    stage = attack.stages[0]
    for t in (0, 5, 15):
        levels = stage.design.row(t, 40)
        entries = attack._entries(stage, levels)
        query = attack.submission(stage, t)
        ones = query if columns == 1 else query[:, 1]
        assert ones.tolist() == entries[:, 1].tolist()
        with mp.workprec(200):
            one = -mp.fsum(mp.log(mp.mpf(float(p))) for p in ones)
            zero = -mp.fsum(
                mp.log(1 - mp.mpf(float(p))) if columns == 1 else mp.log(mp.mpf(float(q)))
                for p, q in zip(ones, entries[:, 0], strict=True)
            )
            expected = (one + zero - int(levels.sum())) / 2
            found = attack.constant(stage, t)
            assert abs(mp.mpf(found.numerator) / found.denominator - expected) < 1e-12
        charges = np.log(entries[:, 0] / entries[:, 1])
        assert np.abs(charges - levels).max() < 1e-12


@pytest.mark.parametrize("M", [1, 2, 3, 5, 8, 13])
@pytest.mark.parametrize("base", [1, 3])
def test_a_butterfly_measures_with_its_rows(M, base):
    design = Butterfly(M, base_set(base))
    n = design.capacity()
    matrix = np.array([design.row(t, n) for t in range(M)])
    coins = np.random.default_rng(M)
    for size in {n, max(1, n - 2)}:
        labels = coins.integers(0, 2, size)
        y = design.scores(labels)
        assert y.tolist() == (matrix[:, :size] @ labels).tolist()
        assert design.decode(y + 0.3 * coins.uniform(-1, 1, M), size).tolist() == labels.tolist()
        assert np.abs(y).max() <= design._bound()
    assert np.abs(matrix).sum(axis=1).max() <= design.row_l1_bound(n)


def stage_reach(channel, classes, digits):
    return channel.metric.stage_reach(channel, classes, digits)


def test_the_reach_of_designs():
    with working(200):
        for columns in (1, 2):
            found = stage_reach(a_channel(columns=columns, clip=Real.of(Fraction(1, 100))), 2, 1)
            assert abs(found - arb(99).log()) < arb(2) ** -180
        many = a_channel(K=5, columns=5, clip=Real.of(Fraction(1, 100)))
        assert abs(stage_reach(many, 5, 1) - arb(20).log()) < arb(2) ** -180
        # one of five classes against four, and two against three
        assert abs(stage_reach(many, 2, 3) - arb(24).log()) < arb(2) ** -180
        assert abs(stage_reach(many, 2, 1) - (arb(97) / 3).log()) < arb(2) ** -180
        coarse = a_channel(K=8, columns=8, clip=Real.of(Fraction(3, 10)))
        assert stage_reach(coarse, 2, 3) == arb.neg_inf()


# -- formats, grids and limits -------------------------------------------------------------------------


@pytest.mark.parametrize("bits", [16, 32, 64])
def test_formats_are_those_of_ieee(bits):
    known = np.finfo(f"float{bits}")
    assert LARGEST[bits] == int(known.max)
    assert Fraction(1, 2 ** SMALLEST_NORMAL[bits]) == Fraction(float(known.smallest_normal))
    assert SIGNIFICAND[bits] == known.nmant + 1
    channel = a_channel(N=3, phi=Ieee(bits), clip=None)
    assert channel.metric.takes(channel, Fraction(float(known.smallest_normal)))
    assert not channel.metric.takes(channel, Fraction(float(known.smallest_normal)) / 2)
    assert channel.metric.takes(channel, 1 - Fraction(1, 2 ** SIGNIFICAND[bits]))
    assert not channel.metric.takes(channel, 1 - Fraction(1, 2 ** (SIGNIFICAND[bits] + 1)))
    assert not channel.metric.takes(channel, Fraction(1))
    assert not channel.metric.takes(channel, Fraction(0))


def test_probabilities_that_a_grid_carries():
    channel = a_channel(N=3, phi=FixedPoint(4, 10), clip=None, K=3, columns=3)
    assert channel.metric.takes(channel, Fraction(1, 1024))
    assert not channel.metric.takes(channel, Fraction(1, 2048))
    assert not channel.metric.takes(channel, Fraction(1, 3))
    assert channel.metric.neutral_row(channel) == (Fraction(342, 1024), Fraction(341, 1024), Fraction(341, 1024))
    clipped = a_channel(clip=Real.of(Fraction(1, 8)))
    assert [clipped.metric.takes(clipped, Fraction(k, 16)) for k in (1, 2, 14, 15)] == [False, True, True, False]
    with working(200):
        p = clipped.metric.prediction(clipped, arb(7).log())
        assert p in (Fraction(1, 8), None)
        assert clipped.metric.prediction(clipped, arb(3).log()) == Fraction(2**53 - 1, 2**55)  # the float64 below 1/4
        assert clipped.metric.prediction(clipped, arb(8).log()) is None


def test_digits_that_a_channel_is_worked_with():
    assert a_channel(N=1000).working_bits == 128 + 10
    assert a_channel(N=1000, shown=Decimals(5)).working_bits == 128 + 20 + 10
    assert a_channel(N=1000, shown=Truncated(1000)).working_bits == 128 + 1024 + 10
    grid = a_channel(N=10, phi=FixedPoint(4, 30), clip=None)
    assert grid.working_bits == 128 + 30 + 4
    fine = a_channel(N=10, phi=FixedPoint(4, 3000), clip=None)
    assert fine.working_bits == 128 + 10 + 2 * 4 + 64 + 4


@pytest.mark.parametrize(
    ("fields", "least"),
    [
        ({"clip": None, "phi": Arbitrary()}, None),
        ({"clip": Real.of(Fraction(1, 1000)), "phi": Arbitrary()}, Fraction(1, 1000)),
        ({"clip": Real.of(Fraction(1, 1000))}, Fraction(1, 1000)),
        ({"clip": Real.of(Fraction(1, 10**20))}, Fraction(1, 10**20)),
        ({"clip": Real.of(Fraction(1, 2**20)), "phi": Ieee(16), "N": 1}, Fraction(1, 2**20)),
        ({"clip": Real.of(Fraction(1, 2**13)), "phi": Ieee(16), "N": 7}, Fraction(1, 14 * 2**11)),  # 1 - 2^-13 is 1
        ({"clip": Real.of(Fraction(1, 2**10)), "phi": Ieee(16), "N": 7}, Fraction(1, 2**10)),
    ],
)
def test_the_least_loss_behind_a_clip(fields, least):
    with working(200):
        channel = a_channel(**fields)
        found = channel.metric.least_loss(channel)
        assert (found is None) if least is None else abs(found / (arb(least.numerator) / least.denominator) - 1) < 1e-20


@pytest.mark.parametrize(("clip_of", "phi", "step"), [
    ("charged", Ieee(64), Fraction(1, 2**53)), ("logarithm", Ieee(32), Fraction(1, 2**150)),
    ("logarithm", Ieee(64), Fraction(1, 2**1075)), ("charged", FixedPoint(4, 9), Fraction(1, 2**9)),
])  # fmt: skip
def test_the_least_loss_where_predictions_of_1_are_left_alone(clip_of, phi, step):
    """Half a row's least step over all rows."""

    channel = replace(a_channel(N=6, phi=phi, clip=Real.of(Fraction(1, 4))), clip_of=clip_of)
    with working(200):
        expected = step / 12
        assert abs(channel.metric.least_loss(channel) / (arb(expected.numerator) / expected.denominator) - 1) < 1e-20


def test_answers_are_written_out_as_long_as_anybody_reads_them():
    assert _text(10**40 - 1) == f"A = {10**40 - 1:,}"
    assert (_text(2**64), _text(2**20), _text(2**64 + 1)) == ("A = 2^64", "A = 1,048,576", f"A = {2**64 + 1:,}")
    assert _text(10**40) == f"A < 2^{(10**40).bit_length()}"


@pytest.mark.parametrize(("m", "powers"), [(1, 1), (2, 1), (3, 1), (3, 2), (4, 1)])
def test_the_gap_of_products(m, powers):
    """The nearest two integers whose product is in reach are neighbours; where no product is the largest, a hair less."""
    product = int(np.prod([2, 3, 5, 7][:m])) ** powers
    nearest = min(log1p(1 / a) for a in range(1, product) if a * (a + 1) <= product)
    with working(200):
        found = float(prime_gap(m, powers, "nearest"))
        assert found == pytest.approx(log1p(2 / (isqrt(1 + 4 * product) - 1)), rel=1e-12)
        assert nearest * 0.9 < found < nearest * (1 + 1e-12)
        assert float(prime_gap(m, powers, "divide")) == pytest.approx(2 * log1p(1 / (2 * product)), rel=1e-12)


def test_the_gap_of_more_primes_than_are_multiplied_out():
    """The 201st prime is 1229; the logarithm of the product is a float64, taken at its upper end."""
    with working(3000):
        for decoder, factor in (("nearest", arb(1229).sqrt()), ("divide", arb(1229))):
            ratio = prime_gap(200, 1, decoder) / prime_gap(201, 1, decoder) / factor
            assert 1 < ratio < 1 + arb(10) ** -7


# -- zeros and averages --------------------------------------------------------------------------------


def zero(columns=1, classes=2, grouped=False, labels=5, rows=6, **fields):
    bits = (classes - 1).bit_length()
    reserve = reserve_for(labels)
    p = ZeroTests(labels * bits + 2, labels, rows, classes, columns, grouped, reserve)
    kind = GroupedZeros if grouped else ListedZeros
    return kind(p, a_channel(N=rows, K=classes, columns=columns, clip=None, **fields))


@pytest.mark.parametrize(("columns", "classes"), [(1, 2), (2, 2), (3, 3), (5, 5)])
def test_zero_tests_are_one_a_bit_and_two_controls(columns, classes):
    attack = zero(columns, classes)
    bits = (classes - 1).bit_length()
    tests = list(attack._tests())
    assert len(tests) == 5 * bits + 2
    assert tests[:bits] == [(range(1), [k for k in range(classes) if k >> bit & 1]) for bit in range(bits)]
    assert tests[-2:] == [(range(5), [k for k in range(classes) if k & 1 == parity]) for parity in (1, 0)]
    for query, (rows, zeroed) in zip(attack.queries(), tests, strict=True):
        inside = np.arange(6) < rows.stop
        inside &= np.arange(6) >= rows.start
        table = query if columns > 1 else np.stack([1 - query, query], axis=1)
        assert np.allclose(table[~inside], 1 / classes)
        assert (table[np.ix_(inside, zeroed)] == 0).all()
        others = [k for k in range(classes) if k not in zeroed]
        assert np.allclose(table[np.ix_(inside, others)], 1 / len(others))


def hit(labels, asked, rows, zeroed):
    asked.append(rows)
    return bool(np.isin(labels[rows.start : rows.stop], zeroed).any())


@pytest.mark.parametrize("classes", [2, 3, 6])
def test_the_search_asks_no_more_than_its_purse_allows(classes):
    coins = np.random.default_rng(classes)
    bits = (classes - 1).bit_length()
    for skew in (0.0, 0.7, 1.0):
        labels = np.where(coins.random(60) < skew, 0, coins.integers(0, classes, 60))
        asked = []
        p = ZeroTests(60 * bits + 10, 60, 60, classes, classes if classes > 2 else 1, True, reserve_for(60))
        search = _Search(p, partial(hit, labels, asked))
        assert search.run().tolist() == labels.tolist()
        assert len(asked) <= 60 * bits + p.reserve
        assert search.purse == p.reserve + 60 * bits - len(asked) >= 0
        assert search.counts == np.bincount(labels, minlength=classes).tolist()
        assert search.infinite == bool((labels != 0).any() or search.infinite)
        if skew == 1.0:
            assert len(asked) < 60 * bits / 3
    assert reserve_for(60) == 8


@pytest.mark.parametrize(("columns", "classes"), [(1, 2), (3, 3)])
def test_controls_predict_the_labels_found_and_the_opposite(columns, classes):
    attack = zero(columns, classes, grouped=True)
    found = np.array([0, 1, 1, 0, classes - 1])
    right, wrong = attack.test.against(found, hit=False), attack.test.against(found, hit=True)
    if columns == 1:
        assert right.tolist() == [0, 1, 1, 0, 1, 0.5]
        assert wrong.tolist() == [1, 0, 0, 1, 0, 0.5]
    else:
        assert right[:5].tolist() == np.eye(3)[found].tolist()
        assert wrong[:5].tolist() == ((1 - np.eye(3)[found]) / 2).tolist()
        assert np.allclose(right[5], 1 / 3)


@pytest.mark.parametrize("lie", ["finite", "infinite", "clipped", None])
def test_grouped_zero_tests_end_with_controls(lie):
    """One predicts the labels found and must stay finite; without any infinity another must not."""
    attack = zero(grouped=True, labels=5, rows=5)
    labels = np.array([0, 1, 0, 1, 1]) if lie in ("finite", None) else np.zeros(5, dtype=int)
    asked = []

    def score(query):
        asked.append(query)
        hit = bool((np.where(labels == 1, query, 1 - query) == 0).any())
        control = set(query.tolist()) <= {0.0, 1.0}
        if lie == "finite" and control and (query == labels).all():
            return inf
        if lie == "clipped" and hit:
            return 30.0
        rows = int((query != 0.5).sum())
        return inf if hit else (5 - rows) * log(2) / 5

    if lie in ("finite", "clipped"):
        with pytest.raises(InconsistentScores):
            attack.recover(score)
    else:
        assert attack.recover(score).tolist() == labels.tolist()


def test_infinities_that_spell_a_class_that_does_not_exist():
    attack = zero(3, 3, labels=2, rows=2)
    finite = [(log(3) + log(2)) / 2] * 2
    assert attack.decode([inf, finite[0], *finite, inf, inf]).tolist() == [1, 0]
    with pytest.raises(InconsistentScores, match="class"):
        attack.decode([inf, inf, *finite, inf, inf])


@pytest.mark.parametrize("given", [0, 6, 8])
def test_zero_tests_need_all_their_scores(given):
    with pytest.raises(InconsistentScores):
        zero().decode([log(2)] * given)


def test_a_finite_score_is_that_of_the_classes_that_are_left():
    attack = zero(3, 3, noise=Bounded(Real.of(Fraction(1, 100))))
    rows, zeroed = range(2), [1]
    loss = (4 * log(3) + 2 * log(2)) / 6
    for sign in (1, -1):
        assert attack.test.hit(loss + sign * 0.00999, rows, zeroed) is False
        with pytest.raises(InconsistentScores):
            attack.test.hit(loss + sign * 0.01001, rows, zeroed)
    assert attack.test.hit(inf, rows, zeroed) is True
    free = zero(3, 3, noise=Gaussian(Real.of(Fraction(1, 100))))
    assert free.test.hit(loss + 5, rows, zeroed) is False
    exact = zero(3, 3, phi=Arbitrary())
    assert exact.test.hit(loss + 5, rows, zeroed) is False


@pytest.mark.parametrize("score", [float("nan"), -inf, "x", None])
def test_what_is_no_log_loss_is_refused(score):
    with pytest.raises(InconsistentScores):
        is_infinite(score)
    assert is_infinite(inf)
    assert not is_infinite(3)


def averaging(kind=Spread, **fields):
    plain = {
        "queries": 16, "labels": 12, "rows": 12, "classes": 2, "metric": "log_loss",
        "columns": 2, "small": Fraction(1, 1000), "order": 4, "rounds": 4,
        "base": 1, "repeats": 1, "centre": Fraction(0), "tolerance": Fraction(1, 100), "seed": 1,
    }  # fmt: skip
    return kind(**{**plain, **fields})


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("repeats", [1, 2])
def test_averages_bear_their_tolerance_and_no_more(classes, repeats):
    bits = (classes - 1).bit_length()
    p = averaging(classes=classes, columns=classes, repeats=repeats, queries=16 * bits * repeats, centre=Fraction(1, 7))
    attack = SpreadAttack(p)
    labels = np.arange(12) % classes
    scores = [float(-np.log(query[np.arange(12), labels]).mean()) + 1 / 7 for query in attack.queries()]
    assert len(scores) == p.queries
    assert attack.decode(scores).tolist() == labels.tolist()
    for sign in (1, -1):
        moved = list(scores)
        moved[0] += sign * 0.00999 * repeats
        assert attack.decode(moved).tolist() == labels.tolist()
        moved[0] += sign * 0.00002 * repeats
        with pytest.raises(InconsistentScores):
            attack.decode(moved)
    with pytest.raises(InconsistentScores):
        attack.decode(scores[:-1])


@pytest.mark.parametrize("kind", ["spread", "hadamard"])
@pytest.mark.parametrize("classes", [2, 3])
def test_averages_of_some_labels_bear_what_the_rows_of_all_make_of_it(classes, kind):
    """Idle rows are charged alike whatever their labels are; a score is a mean over them, too."""
    bits = (classes - 1).bit_length()
    fields = {"classes": classes, "columns": classes, "rows": 19}
    if kind == "spread":
        attack = SpreadAttack(averaging(queries=16 * bits, **fields))
    else:
        attack = HadamardAttack(averaging(HadamardMean, order=12, rounds=1, queries=12 * bits, wrong=1, **fields))
    p, hidden = attack.parameters, (np.arange(19) * 7 + 1) % classes
    queries = list(attack.queries())
    assert all(query.shape == (19, classes) and np.allclose(query[12:], 1 / classes) for query in queries)
    scores = [float(-np.log(query[np.arange(19), hidden]).mean()) for query in queries]
    found = attack.decode(scores)
    assert found.tolist() == [*hidden[:12].tolist(), *[-1] * 7]
    borne = 0.01 + attack.wrong * p.gap / 19
    assert attack.decode([scores[0] + borne - 1e-9, *scores[1:]])[:12].tolist() == hidden[:12].tolist()
    with pytest.raises(InconsistentScores):
        attack.decode([scores[0] + borne + 1e-6, *scores[1:]])


def spelled(attack, columns):
    """Scores as if the label of row 0 were in the given column of each pass, and all others of class 0."""
    for each, column in zip(attack.passes, columns, strict=True):
        for query in each.queries():
            charges = -np.log(query[:, 0])
            charges[0] = -log(query[0, column])
            yield float(charges.mean())


@pytest.mark.parametrize(("columns", "label"), [((1, 0), 1), ((0, 2), 2), ((1, 2), 3)])
def test_bits_that_spell_a_class_that_does_not_exist(columns, label):
    plain = averaging(classes=3, columns=3, queries=32)
    scores = list(spelled(SpreadAttack(plain), columns))
    if label < 3:
        assert SpreadAttack(plain).decode(scores).tolist() == [label] + [0] * 11
    else:
        with pytest.raises(InconsistentScores):
            SpreadAttack(plain).decode(scores)
    lenient = averaging(HadamardMean, classes=3, columns=3, order=12, rounds=1, queries=24, wrong=1)
    scores = list(spelled(HadamardAttack(lenient), columns))
    assert HadamardAttack(lenient).decode(scores).tolist() == [min(label, 2)] + [0] * 11


def test_averages_that_may_leave_labels_wrong():
    p = averaging(HadamardMean, order=12, rounds=1, queries=12, wrong=2)
    attack = HadamardAttack(p)
    labels = np.arange(12) % 2
    scores = [float(-np.log(query[np.arange(12), labels]).mean()) for query in attack.queries()]
    assert attack.decode(scores).tolist() == labels.tolist()
    assert attack.passes[0].allowed() == pytest.approx(0.01 + 2 * p.gap / 12)
    assert p.gap == pytest.approx(log(999))
    beyond = scores[0] + 0.01 + 2 * p.gap / 12
    assert attack.decode([beyond - 1e-9, *scores[1:]]).tolist() == labels.tolist()
    with pytest.raises(InconsistentScores):
        attack.decode([beyond + 1e-6, *scores[1:]])


def test_noise_that_grows_does_not_tilt_a_nearest_level():
    assert a_channel(noise=Multiplicative(Real.of(Fraction(1, 10)))).law.name == "multiplicative"
