"""Weights of random size: rounding errors that are even over the attacker's coins, and average out."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import islice
from math import comb, exp, log, pi, sqrt
from typing import Any

import numpy as np
import pytest

from dsl import loads
from planner.attacks.amplitude.certify import (
    bin_shares,
    entry_sizes,
    failure,
    growth,
    kept,
    leans,
    moved_before,
    off,
    on_grid,
    own_error,
    scores,
    unevenness,
    unrepaired,
)
from planner.attacks.amplitude.run import AmplitudeAttack
from planner.attacks.amplitude.setting import rooms
from planner.attacks.amplitude.settling import shape
from planner.attacks.amplitude.theorem import Amplitude
from planner.attacks.attack import InconsistentScores
from planner.attacks.spread.parameters import base_set
from planner.attacks.spread.shapes import orders_to
from planner.certify import certify
from planner.channel.channel import channel_of
from planner.considering import consider
from planner.designs.butterfly import Butterfly
from planner.model import Candidate
from planner.numerics.reals import ball
from tests.attacks.leaderboard import Leaderboard

PLAIN = "N = 300; clip = 1e-9; decimals = 1"


def considered(text: str) -> Candidate:
    (scenario,) = loads(f"scenario listed {{ {text}; adaptive = no }}")
    return consider(Amplitude(), channel_of(scenario))


def certified(text: str) -> Candidate:
    found = considered(text)
    assert found.certified is not None, found.reasons
    return found


def record(text: str) -> tuple[Any, Any]:
    found = certified(text)
    assert found.certified is not None
    return found.channel, found.certified.certificate.parameters


@pytest.mark.parametrize(("text", "most"), [
    ("N = 710; clip = 1e-3; decimals = 1", 960),
    ("N = 1372; clip = 1e-15; decimals = 1", 704),
    ("N = 10_000; clip = 1e-15; decimals = 2", 2904),
    ("N = 25_000; clip = 1e-7; decimals = 2", 11_904),
    ("N = 24_630; clip = 1e-7; decimals = significant(3)", 11_520),
    ("N = 23_568; clip = 1e-7; decimals = 3; noise = laplace(0.0000134)", 4840),
])  # fmt: skip
def test_known_answers(text, most):
    """Boards of one column past what rounding lets a design read: nothing else is listed beforehand there."""
    assert 0.9 * most < certified(text).certified.queries <= most


@pytest.mark.parametrize(("text", "digits", "noise"), [
    (PLAIN, 1, None),
    ("N = 300; clip = 1e-3; decimals = truncated(1)", 1, None),
    ("N = 400; clip = 1e-15; columns = 2; decimals = 1", 1, None),
    ("N = 300; clip = 1e-15; decimals = 1; noise = gaussian(0.02)", 1, ("normal", 0, 0.02)),
    ("N = 300; clip = 1e-9; decimals = 1; noise = uniform(-0.01, 0.05)", 1, ("uniform", -0.01, 0.05)),
    ("N = 300; clip = 1e-9; decimals = 1; noise = bounded(0.01)", 1, ("choice", [-0.01, 0.01])),
    ("N = 300; clip = 1e-9; decimals = 1; noise = bounded(0.01)", 1, ("choice", [0.01])),
])  # fmt: skip
def test_every_kind_of_labeling(text, digits, noise, one_in):
    found = certified(text)
    attack, there = found.build(), found.channel
    coins = np.random.default_rng(7)
    drawn = None if noise is None else lambda: float(getattr(coins, noise[0])(*noise[1:]))
    for labels in one_in(2, kinds(there.rows), text):
        board = Leaderboard(labels, digits, there.digits.truncates, drawn, clip=float(there.clip.lo))
        assert (attack.recover(board) == labels).all()  # each may fail with probability 1 %; these do not
        assert board.asked == found.certified.queries


def test_significant_digits_are_decimals_within_a_decade(one_in):
    found = certified("N = 300; clip = 1e-9; decimals = significant(2)")
    attack, seen = found.build(), []
    for labels in one_in(2, kinds(300), "significant"):
        board = Leaderboard(labels, None, clip=1e-9)

        def shown(submission: Any, board: Leaderboard = board) -> float:
            seen.append(board(submission))
            return float(f"{seen[-1]:.1e}")

        assert (attack.recover(shown) == labels).all()
    low, high = map(float, scores(found.channel, found.certified.certificate.parameters))
    assert 1 <= low < min(seen) < max(seen) < high <= 10


def kinds(N: int) -> list[Any]:
    coins = np.random.default_rng(N)
    rare = (coins.random(N) < 0.02).astype(int)
    return [coins.integers(0, 2, N), np.zeros(N, int), np.ones(N, int), np.arange(N) % 2, rare]


# -- evenness -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("least", [3.0, 6.0, 12.0])
@pytest.mark.parametrize("cells", [3.0, 4.0, 6.0])
@pytest.mark.parametrize("leaning", [-1.0, 0.0, 1.0])
def test_fourier_coefficients_stay_below_what_is_left_of_evenness(least, cells, leaning):
    """By quadrature, for sums that lean as far as they may: each |c_m| is within its part of the bound, e^(c/g) included."""
    _, p = record("N = 710; clip = 1e-3; decimals = 1")
    lean, q = 0.2, 0.1
    sizes = entry_sizes(replace(p, labels=700, order=700, rounds=1))[0] / 710
    width = cells * 2 * q / (sizes * (1 - lean))
    if width / 2 >= least:
        pytest.skip("no such gaps")
    one = replace(p, labels=700, order=700, rounds=1, least=Fraction(least), width=Fraction(width), lean=Fraction(lean))
    bound = float(unevenness(one))
    u = np.linspace(0, 8, 40_001)
    density = sum((-1) ** k * comb(8, k) * np.maximum(u - k, 0) ** 7 for k in range(9)) / 5040
    gap = least + width * u / 8
    score = (gap / 2 * (1 - leaning * lean) + np.log1p(np.exp(-gap))) * sizes / q
    for c in (0.0, 2.0, -2.0):
        for m in (1, 2, 3):
            found = abs(np.trapezoid(density * np.exp(c / gap + 2j * pi * m * score), u))
            assert found <= bound / (2 * m**8) * exp(abs(c) / (least - width / 2)) + 1e-9


def test_rounding_errors_are_even(one_in):
    """Of ten thousand draws of the gap for one labeling: every tenth of a cell has its tenth."""
    _, p = record("N = 710; clip = 1e-3; decimals = 1")
    coins = np.random.default_rng(3)
    for leaning in one_in(1, (-0.2, 0.0, 0.2), "leaning"):
        gap = float(p.least) + float(p.width) * coins.random((40_000, 8)).mean(axis=1)
        place = (gap / 2 * (1 - leaning) + np.log1p(np.exp(-gap))) / 0.1 % 1
        counts = np.histogram(place, bins=10, range=(0, 1))[0]
        assert abs(counts - 4000).max() < 5 * sqrt(4000) + 40_000 * float(unevenness(p))


def test_the_moment_of_an_error_is_bounded():
    """E exp(rate e) over the gaps, by quadrature: errors are coupled to the gap that they are divided by."""
    for text in ("N = 710; clip = 1e-3; decimals = 1", "N = 300; clip = 1e-3; decimals = 1"):
        there, p = record(text)
        u = np.linspace(0, 8, 100_001)
        density = sum((-1) ** k * comb(8, k) * np.maximum(u - k, 0) ** 7 for k in range(9)) / 5040
        gap = float(p.least) + float(p.width) * u / 8
        bound, share = float(growth(there, p)), entry_sizes(p)[0] / p.rows
        for leaning in (-float(p.lean), 0.0, float(p.lean)):
            score = (gap / 2 * (1 - leaning) + np.log1p(np.exp(-gap))) * share + (1 - share) * log(2)
            error = (np.rint(score / 0.1) * 0.1 - score) * p.rows / gap
            for sign in (1, -1):
                found = np.trapezoid(density * np.exp(sign * float(p.rate) * error), u)
                assert 1 < found <= bound < 1.2 * found


def test_the_slope_is_what_the_curve_leaves():
    _, p = record("N = 710; clip = 1e-3; decimals = 1")
    low, lean = float(p.least) - float(p.width) / 2, float(p.lean)
    cells = float(p.width) * (1 - lean) * entry_sizes(p)[0] / (2 * 710 * 0.1)
    slope = cells * (1 - 2 / ((1 - lean) * (exp(low) - 1)))
    assert float(unevenness(p)) == pytest.approx(2 * pi**8 / 9450 * (8 / (pi * slope)) ** 8, rel=1e-4)
    assert float(unevenness(p)) > 2 * pi**8 / 9450 * (8 / (pi * slope)) ** 8
    assert not unevenness(replace(p, width=2 * p.least)).is_finite()
    assert not unevenness(replace(p, least=Fraction(1), width=Fraction(1))).is_finite()  # no slope is left


def test_scores_that_jump_are_counted():
    """Noise that pushes every score near a boundary to the same side, by quadrature: the bound covers it, and needs to."""
    _, p = record("N = 710; clip = 1e-3; decimals = 1")
    (noisy,) = loads("scenario a { N = 710; clip = 1e-3; decimals = 1; noise = bounded(0.02); adaptive = no }")
    u = np.linspace(0, 8, 100_001)
    density = sum((-1) ** k * comb(8, k) * np.maximum(u - k, 0) ** 7 for k in range(9)) / 5040
    gap, rate = float(p.least) + float(p.width) * u / 8, float(p.rate)
    score = gap / 2 + np.log1p(np.exp(-gap))
    pushed, quiet = ((np.rint((score + push) / 0.1) * 0.1 - score) * 710 / gap for push in (0.02, 0.0))
    found, even = (np.trapezoid(density * np.exp(rate * error), u) for error in (pushed, quiet))
    assert 1.1 * even < found <= float(growth(channel_of(noisy), p))


def test_bins_count_every_gap():
    coins = np.random.default_rng(1).random((200_000, 8)).mean(axis=1)
    counted = np.histogram(coins, bins=16, range=(0, 1))[0] / 200_000
    assert sum(bin_shares()) == 1
    assert abs(counted - np.array([float(one) for one in bin_shares()])).max() < 0.005


@pytest.mark.parametrize(
    ("rounds", "base", "block"), [(1, 1, 1), (4, 1, 8), (6, 1, 9), (7, 2, 20), (12, 2, 40), (8, 3, 24)]
)
def test_sizes_of_entries(rounds, base, block):
    """Against the butterfly's own rows, of full blocks and of one that is not."""
    _, p = record(PLAIN)
    labels = 3 * block - (block > 1)
    one = replace(p, labels=labels, order=3, rounds=rounds, base=base)
    assert one.block == block
    design = Butterfly(rounds, base_set(base))
    for t in range(rounds):
        row = np.abs(design.row(t, block))
        whole = 2 * row.sum() + row[: labels - 2 * block].sum()
        assert entry_sizes(one)[0] <= whole <= entry_sizes(one)[1]
    assert entry_sizes(one)[0] > 0


def test_a_sum_leans_no_farther():
    """Hoeffding against draws: entries of one size, and of several."""
    _, p = record(PLAIN)
    coins = np.random.default_rng(0)
    for base, entries in ((1, [1]), (3, [3, 5, 6])):
        one = replace(p, base=base, labels=len(entries) * 40, order=40, rounds=1, lean=Fraction(1, 4))
        assert one.amplitude == 1 if base == 1 else one.amplitude == 4
        size = entry_sizes(one)[0]
        weights = np.tile(base_set(base).weights, 40)
        assert size == weights.sum()
        drawn = coins.choice([-1, 1], (20_000, len(weights))) @ weights
        share = (abs(drawn) >= size / 4).mean()
        assert share <= float(leans(one)) <= 1.5


# -- chances --------------------------------------------------------------------------------------------


def test_the_chance_of_a_round_is_the_sum_of_four():
    there, p = record("N = 710; clip = 1e-3; decimals = 1")
    h, pairs, grown = p.order, p.order * (p.order - 1), growth(there, p)
    parts = (
        h * off(there, p, h, Fraction(1), grown),
        pairs * off(there, p, h // 2, Fraction(1), grown),
        2 * h * kept(there, p, 1) ** h,
        2 * pairs * kept(there, p, 2) ** (h // 2),
    )
    assert float(unrepaired(there, p, grown)) == pytest.approx(float(sum(parts, ball(0))))
    assert float(failure(there, p)) == pytest.approx(
        p.queries * float(leans(p)) + p.rounds * float(unrepaired(there, p, grown))
    )
    noisy, plain = record("N = 300; clip = 1e-9; decimals = 1; noise = gaussian(0.02)")
    assert not plain.repairs
    wrong = plain.queries * (
        float(leans(plain)) + float(off(noisy, plain, plain.order, Fraction(1, 2), growth(noisy, plain)))
    )
    assert float(failure(noisy, plain)) == pytest.approx(wrong + float(noisy.delta) / 64)


def test_a_false_flip_has_its_chance():
    """With an error that is never half a gap, only flips are left: two of them explain the scores as often as is said."""
    there, p = record("N = 710; clip = 1e-3; decimals = 1")
    few = replace(p, order=2, rounds=128)
    coins, x = np.random.default_rng(2), float(p.least) / 71
    drawn = coins.uniform(-0.5, 0.5, (50_000, 2))
    explained = np.mean([(abs(drawn + x * np.array(way)) <= 0.5).all(axis=1) for way in ((1, 1), (1, -1))])
    chance = float(kept(there, p, 1)) ** 2
    assert chance == pytest.approx(explained, abs=0.01)
    one, two = (float(kept(there, few, gaps)) for gaps in (1, 2))
    grown = ball(Fraction(1, 10**9))  # as if errors were none
    assert float(unrepaired(there, few, grown)) == pytest.approx(4 * one**2 + 4 * two, rel=1e-3)


def test_records_that_certify_nothing():
    there, p = record(PLAIN)
    assert certify(there, p).holds
    noisy, plain = record("N = 300; clip = 1e-9; decimals = 1; noise = gaussian(0.001)")
    assert not certify(noisy, replace(plain, repairs=True)).holds
    there_in_digits, digits = record("N = 300; clip = 1e-9; decimals = significant(2)")
    for unit in (digits.unit / 10, digits.unit * 10):
        assert not certify(there_in_digits, replace(digits, unit=unit)).holds
    for changed in (
        {"unit": p.unit / 2},
        {"small": Fraction(1, 10**12)},
        {"small": p.small * 4},
        {"lean": p.lean / 2},
        {"order": 33},
    ):
        assert not certify(there, replace(p, **changed)).holds, changed


def test_a_shift_is_seen():
    """kept: a shift by a gap leaves 1 - g/(Nq) of a uniform error inside, and little more."""
    there, p = record("N = 710; clip = 1e-3; decimals = 1")
    for gaps in (1, 2):
        found = float(kept(there, p, gaps))
        assert found == pytest.approx(1 - gaps * float(p.least) / 71, rel=3e-3)
        assert found > 1 - gaps * float(p.least) / 71


def test_misread_rounds_are_no_more_than_the_bound():
    """Averages of true errors, by draws: at a rate and an order where the bound says something."""
    there, p = record("N = 300; clip = 1e-9; decimals = 1; noise = gaussian(0.02)")
    h = p.order // 3
    bound = float(off(there, p, h, Fraction(1, 2), growth(there, p)))
    coins, N = np.random.default_rng(5), 300
    gap = float(p.least) + float(p.width) * coins.random((4000, h, 8)).mean(axis=2)
    score = gap / 2 * 0.9 + np.log1p(np.exp(-gap)) + coins.normal(0, 0.02, gap.shape)
    true = gap / 2 * 0.9 + np.log1p(np.exp(-gap))
    errors = (np.round(score, 1) - true) * N / gap
    wrong = (abs(errors.mean(axis=1)) >= 0.5).mean()
    assert wrong <= bound < 1


def test_smaller_shapes_are_refused():
    there, p = record("N = 710; clip = 1e-3; decimals = 1")
    (room,) = rooms(there)
    thin = [shape(there, 710, p.base, order, room) for order in orders_to(1420) if order <= p.order // 2]
    some = [one for one in thin if one is not None]
    assert len(some) > 2
    for one in some[-3:]:
        assert not failure(there, one) <= ball(there.delta)
        assert not certify(there, one).holds


def test_what_moves_a_score_is_counted():
    there, p = record("N = 1372; clip = 1e-15; decimals = 1")
    grid = float(on_grid(p))
    part = 2.0**-54 / float(p.small)
    assert grid == pytest.approx(2.0**-53 + (1 + float(p.lean)) / 2 * part / (1 - part))
    assert grid < float(moved_before(there, p)) < 1.1 * grid
    assert float(on_grid(replace(p, base=2))) == pytest.approx(2.0**-53 + part / (1 - part))
    assert not on_grid(replace(p, small=Fraction(1, 2**54))).is_finite()
    assert not float(on_grid(replace(p, columns=2)))
    assert 0 < float(own_error(there, p)) < 1e-9


def test_rows_are_as_heavy_as_the_record_says():
    """The realised score of a labeling is that of the wanted gap, within what is certified."""
    found = certified("N = 1372; clip = 1e-15; decimals = 1")
    attack: Any = found.build()
    assert isinstance(attack, AmplitudeAttack)
    p, worst = attack.parameters, 0.0
    labels = np.random.default_rng(2).integers(0, 2, 1372)
    for submission, (_, _, gap, codes) in islice(zip(attack.queries(), attack._codes(), strict=True), 64):
        weights = gap * attack.blocks.values[codes]
        wanted = np.maximum(weights, 0) + np.log1p(np.exp(-abs(weights))) - weights * labels
        chosen = np.where(labels == 1, submission, 1 - submission)
        assert chosen.min() >= float(p.small)
        worst = max(worst, abs(float(-np.log(chosen).mean()) - float(np.mean(wanted))))
    assert 0 < worst <= float(moved_before(found.channel, p))


# -- refusals -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "field"), [
    ("N = 300; clip = 1e-9; decimals = 5", "decimals"),
    ("N = 300; clip = 1e-9", "decimals"),
    ("N = 300; K = 3; clip = 1e-9; decimals = 1", "K"),
    ("N = 300; columns = 2; scorer = sklearn; decimals = 1", "scorer"),
    ("N = 300; clip = 1e-9; decimals = 1; noise = bounded(0.05)", "decimals"),
])  # fmt: skip
def test_refusals(text, field):
    found = considered(text)
    assert found.certified is None
    assert field in {one.field for one in found.reasons}


def test_scores_of_no_labeling_are_refused():
    found = certified(PLAIN)
    attack, count = found.build(), found.certified.queries
    for score in (99.0, -3.0, float("nan")):
        with pytest.raises(InconsistentScores):
            attack.decode([score] * count)
    with pytest.raises(InconsistentScores):
        attack.decode([0.7] * (count - 1))


def test_a_score_that_was_changed_is_noticed():
    found = certified(PLAIN)
    labels = np.random.default_rng(0).integers(0, 2, 300)
    attack: Any = found.build()
    board = Leaderboard(labels, 1, clip=1e-9)
    seen = [board(query) for query in attack.queries()]
    assert (attack.decode(seen) == labels).all()
    seen[7] += 3
    with pytest.raises(InconsistentScores):
        attack.decode(seen)


# -- less is never dearer -------------------------------------------------------------------------------


def test_less_confidence_does_not_rule_the_attack_out():
    """One order is enough that none of the next ones is: what is enough does not grow with the order."""
    found = [certified(f"N = 777; clip = 1e-7; decimals = 1; confidence = {sure}") for sure in ("99%", "98.5%", "97%")]
    queries = [one.certified.queries for one in found if one.certified]
    assert queries == sorted(queries, reverse=True)


@pytest.mark.parametrize("text", [
    "N = 3000; clip = 1e-3; decimals = 2; confidence = 90%",
    "N = 1500; clip = 1e-3; decimals = 1; confidence = 99.9%; noise = bounded(1e-4)",
])  # fmt: skip
def test_fewer_labels_take_no_more_queries(text):
    """Of fewer rows a sum leans farther."""
    before = certified(text).certified
    for share in (99, 95, 90, 83, 80, 79, 61, 50, 12):
        some = certified(f"{text}; goal = {share}%")
        assert before is not None
        assert some.certified is not None
        assert some.certified.queries <= before.queries
        assert certify(some.channel, some.certified.certificate.parameters).holds
        before = some.certified
