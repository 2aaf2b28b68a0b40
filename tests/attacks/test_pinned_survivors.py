"""Terms of decoders and certificates that a whole run hides: each asked by itself."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from flint import arb

import planner.attacks.amplitude.certify as amplitude
from dsl import loads
from planner import plan
from planner.attacks.amplitude.run import tolerance_of
from planner.attacks.attack import InconsistentScores
from planner.attacks.chunks.run import _Run
from planner.attacks.consistent.run import column
from planner.attacks.corners import DearFirst
from planner.attacks.room.certify import prove as prove_room
from planner.attacks.split_count.parameters import most_queries
from planner.attacks.split_peel.certify import _sound
from planner.attacks.split_threshold.run import Board
from planner.attacks.splitting.bound import halving
from planner.attacks.squares.certify import _by_two
from planner.attacks.squares.certify import prove as prove_squares
from planner.channel.channel import channel_of
from planner.channel.metrics.brier_classes import BRIER, HALF_BRIER
from planner.designs.hadamard import transform
from planner.numerics.reals import lower, midpoint, upper, working
from tests.attacks.test_pinned_runs import PEEL, built
from tests.attacks.test_rungs import BOUGHT, certified


@pytest.fixture(scope="module")
def room():
    found = certified("room", BOUGHT, 12)
    return found.build()


@pytest.mark.parametrize("wrong", [3, 8])
def test_few_numbers_of_wrong_sides_explain_a_first_score(room, wrong):
    p, channel, eta = room.parameters, room.channel, Fraction(1, 1000)
    with working(200):
        light, weight = channel.metric.light(p.doubt), channel.metric.weight(p.doubt)
        paid = lower(p.labels * channel.neutral_charge() + (channel.rows - p.labels) * light + wrong * weight)
    found = room._candidates(SimpleNamespace(eta=eta, edge=paid - channel.rows * eta))
    assert list(found) == [wrong]


@pytest.mark.parametrize("sure", [1, 5])
def test_rows_lean_as_the_sure_ones_leave_it_to_them(room, sure):
    p, channel = room.parameters, room.channel
    metric, others = channel.metric, channel.rows - p.labels
    wrong = others // 2

    def total(lean):
        fixed = sure * metric.light(p.doubt) + (p.labels - sure) * channel.neutral_charge()
        return midpoint(others * metric.light(1 - lean) + wrong * metric.weight(1 - lean) + fixed)

    with working(200):
        target = total(Fraction(7, 10))
        lean = room._lean(SimpleNamespace(edge=target + p.below), wrong, sure)
        assert abs(total(lean) - target) <= p.below / 2


def test_wrong_sides_are_on_the_safe_side_of_half(room):
    p, channel = room.parameters, room.channel
    others = channel.scored - p.labels
    for least, holds in ((p.least, True), (0, False), (others // 2 + 1, False)):
        assert prove_room(channel, replace(p, least=least)).inequalities[1].holds is holds


def test_half_a_unit_and_little_more_is_tolerated():
    attack = built("swell", "N = 300; clip = 1e-9; decimals = 1; adaptive = no")
    unit = float(attack.parameters.unit)
    assert unit / 2 <= tolerance_of(attack.channel, attack.parameters) < 0.51 * unit


def test_noise_multiplies_what_even_errors_grow_by(monkeypatch):
    attack = built("swell", "N = 300; clip = 1e-9; decimals = 1; adaptive = no")
    with working(100):
        plain = float(amplitude._even(attack.channel, attack.parameters))
        monkeypatch.setattr(amplitude, "_noise", lambda *_: arb(2).log())
        assert float(amplitude._even(attack.channel, attack.parameters)) == pytest.approx(2 * plain)


@pytest.mark.parametrize("known", [0, 3])
def test_zeros_that_are_known_leave_fewer_numbers_of_ones(known):
    """Of balanced accuracy both classes are there."""
    run = _Run(built("chunks", "N = 40; metric = balanced_accuracy; decimals = 5"), None)
    run.found[:known] = 0
    run._possible_still()
    assert run.ones[0] == 1
    assert run.ones[-1] == min(39, 40 - known)


R2 = "N = 12; metric = r2; decimals = 4"


def test_a_block_has_a_label():
    attack = built("square-block", R2)
    with pytest.raises(ValueError, match="a block needs labels"):
        prove_squares(attack.channel, replace(attack.parameters, m=0))


@pytest.mark.parametrize(("ones", "fits"), [(12, True), (11, False)])
def test_labels_are_as_many_ones_as_were_counted(ones, fits, monkeypatch):
    attack = built("square-block", R2)
    monkeypatch.setattr(attack, "_ones", lambda seen: 12)
    left = iter([1] * ones + [0] * (12 - ones))
    monkeypatch.setattr(attack, "_read", lambda score, size, n1: [next(left) for _ in range(size)])
    scores = [0.0] * attack.parameters.queries
    if fits:
        assert attack.decode(scores).sum() == ones
    else:
        with pytest.raises(InconsistentScores):
            attack.decode(scores)


@pytest.mark.parametrize(("rows", "scored", "others"), [(40, 10, 0), (40, 10, 4), (100, 15, 2), (9, 3, 2)])
def test_few_numbers_of_members_are_reckoned_with_one_by_one(rows, scored, others):
    needed = max(
        halving(rows, m, 4) + 3 * (m > 0) + (halving(rows - m, scored - m, others) - 1 if others else 0)
        for m in range(scored + 1)
    )
    assert most_queries(rows, scored, 4, others, 3) == needed


def test_peeling_is_for_more_than_two_classes():
    p = built("split-peel", PEEL).parameters
    assert [bool(_sound(p, several).holds) for several in (True, False)] == [True, False]


def test_weights_of_comparisons_are_those_of_the_record():
    attack = built("split-threshold", "N = 40; public = 10; clip = 1e-15; decimals = 1; columns = 2")
    p = replace(attack.parameters, turn=Fraction(3), most=Fraction(7))
    board = Board(attack.channel, p, None, 0.0)
    assert (board.turn, board.most) == (3.0, 7.0)


@pytest.mark.parametrize("metric", [BRIER, HALF_BRIER])
def test_a_level_of_several_classes_charges_its_weight(metric):
    level = metric.level(0.125, 3, (0, 1, 1))
    assert level.zero - level.one == pytest.approx(0.125)


def test_the_attacker_adds_a_square_a_class():
    (scenario,) = loads("scenario a { N = 30; K = 3; columns = 3; metric = brier; decimals = 4 }")
    channel = channel_of(scenario)
    with working(100):
        found = channel.metric.own_error(channel, arb(0), arb(0))
        assert float(found) == pytest.approx(11 * 30 * 2.0**-53, rel=1e-9, abs=0)


@pytest.mark.parametrize("classes", [3, 7])
def test_a_scorer_adds_a_square_a_class(classes):
    (scenario,) = loads(f"scenario a {{ N = 30; K = {classes}; columns = {classes}; metric = brier; decimals = 4 }}")
    channel = channel_of(scenario)
    assert channel.metric.charge_error(channel) == (3 + classes) * Fraction(1, 2**53)


def test_a_sum_is_mended_by_the_flip_that_explains_all_scores():
    """Errors of 0.6 a score move a mean beyond a half, and one score shows it: allowed is what a gap makes of a tolerance."""
    attack = built("swell", "N = 300; clip = 1e-9; decimals = 1; adaptive = no")
    attack.parameters = p = replace(attack.parameters, repairs=True)
    attack.gaps[0], attack.tolerance = 2.0, 2 * 0.9 / p.rows
    sums = np.zeros(p.order, dtype=np.int64)
    sums[: attack.blocks.used] = 2
    error = np.full(p.order, 0.6)
    error[1] = -0.2
    assert (column(p.order, 0) == 1).all()
    assert attack._sums(transform(sums) + error, 0).tolist() == sums.tolist()


@pytest.mark.parametrize("label", [0, 1])
def test_known_rows_keep_new_ones_company_while_the_number_of_ones_is_not_known(label):
    run = _Run(built("chunks", "N = 40; metric = balanced_accuracy; decimals = 9"), None)
    run.found[:5], run.ones = label, np.array([20, 21])
    rows, between = run._company(2)
    assert rows.tolist() == [0, 1, 2, 3, 4]
    assert between is not None
    run.ones = run.ones[:1]
    assert not len(run._company(2)[0])


@pytest.mark.parametrize(("levels", "asked"), [(2, 2), (3, 1), (4, 1)])
def test_classes_of_members_are_asked_at_once_where_a_design_tells_more_than_two(levels, asked):
    first = SimpleNamespace(classes=4)
    assert DearFirst.stages(first, SimpleNamespace(K=levels)) == asked


def test_what_follows_a_count_may_be_off_by_more_than_is_certified():
    attack = built("split-peel", PEEL)
    with working(attack.channel.working_bits):
        certified = [upper(error) for error in attack.certified()]
    allowed = [attack.first_error, attack.later_error]
    assert [float(one / error) for one, error in zip(allowed, certified, strict=True)] == [1 + 2.0**-48] * 2


def test_of_two_scores_either_may_be_off():
    """2t - 1 is to be above 8 N t^2 times the relative error."""
    attack = built("square-block", R2)
    p = replace(attack.parameters, before=2)
    found = next(one for one in _by_two(attack.channel, p) if one.name.startswith("2t - 1 > "))
    with working(attack.channel.working_bits):
        relative = float(attack.channel.errors(p.queries).relative())
    assert relative > 0
    assert float(found.right.lo) == pytest.approx(8 * 12 * float(p.t) ** 2 * relative, rel=1e-6, abs=0)


def test_squares_are_read_from_the_centre_of_the_noise(monkeypatch):
    attack, seen = built("square-block", R2), []
    monkeypatch.setattr(attack, "channel", SimpleNamespace(centre=Fraction(1, 3), rows=12))
    monkeypatch.setattr(attack, "_ones", lambda scores: seen.extend(scores) or 6)
    monkeypatch.setattr(attack, "_read", lambda score, size, n1: seen.append(score) or [0, 1][:size] + [0] * (size - 2))
    with pytest.raises(InconsistentScores):
        attack.decode([Fraction(1, 3)] * attack.parameters.queries)
    assert seen == [0] * attack.parameters.queries


def test_powers_of_two_are_read_from_the_largest_down():
    """A block is a Conway-Guy set's only where that is said."""
    (scenario,) = loads("scenario a { N = 100; clip = 1e-15; decimals = 5 }")
    proposed = {one.attack: one.certified.certificate.parameters for one in plan(scenario).candidates if one.certified}
    assert (proposed["block"].core, proposed["block"].tilted) == (0, True)
    assert (proposed["conway-guy"].core > 0, proposed["conway-guy"].tilted) == (True, False)


def test_what_has_no_proof_together_is_refused_so():
    (scenario,) = loads("scenario a { N = 20; metric = accuracy; release = ladder(0.1) }")
    refused = {(one.field, one.need, one.have) for each in plan(scenario).candidates for one in each.reasons}
    assert ("release", "a result that covers it together with the other fields", "none is proved") in refused
