"""Ladders beyond the descent: from a public level by patterns, with a guess by groups, from infinity in bought room."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import comb, log2

import numpy as np
import pytest
from flint import arb

from backends.simulate import simulate
from dsl import loads
from dsl.numbers import Real
from dsl.scenario import LadderOf
from planner import plan
from planner.attacks.attack import InconsistentScores, WorseGuess
from planner.attacks.patterns.parameters import Patterns
from planner.attacks.patterns.theorem import sure_rows
from planner.attacks.rungs import Rungs
from planner.attacks.surest import surest
from planner.catalogue import BY_ID
from planner.certify import certify
from planner.channel.channel import channel_of
from planner.considering import consider
from planner.model import Status
from planner.numerics.reals import ball, midpoint, working
from threatplan.render.json import finite
from threatplan.verify import check


def channel(body: str, wanted: int | None = None):
    (found,) = loads(f"scenario board {{ {body} }}")
    held = channel_of(found)
    return held if wanted is None else replace(held, wanted=wanted)


def certified(id: str, body: str, wanted: int | None = None):
    found = consider(BY_ID[id], channel(body, wanted))
    assert found.certified is not None, found.reasons
    return found


def board(held, labels, error=lambda: 0.0):
    """A board in floats, whose scores are off by as much as is said."""
    machine, digits = held.released, held.digits.digits
    state = [machine.start()]

    def score(u):
        ones = u if u.ndim == 1 else u[:, 1]
        loss = float(-np.where(labels == 1, np.log(ones), np.log1p(-ones)).mean()) + error()
        state[0], shown = machine.step(state[0], loss)
        return round(shown, digits) if held.shown is not None else shown

    return score


class Counted:
    """A board that counts what it is asked."""

    def __init__(self, on) -> None:
        self.on, self.asked = on, 0

    def __call__(self, u):
        self.asked += 1
        return self.on(u)


# -- patterns --------------------------------------------------------------------------------------------

LEVELS = {  # (N, eta): labels that come out in the end, queries at most
    (60, "0.05"): (56, 259),
    (100, "0.05"): (93, 1971),
    (200, "0.04"): (189, 81_904),
    (200, "0.05"): (186, 298_995),
    (500, "0.01"): (493, 10_940),
    (2000, "0.001"): (1998, 4536),
    (2000, "0.0015"): (1996, 9347),
}


@pytest.mark.parametrize(("N", "eta"), LEVELS)
def test_known_answers_of_patterns(N, eta):
    """As many labels as are known to come out, and no fewer queries than transcripts need to tell so many labels apart."""
    labels, queries = LEVELS[N, eta]
    body = f"N = {N}; clip = 1e-15; decimals = 5; release = ladder({eta}, ln(2))"
    found = certified("patterns", body, labels)
    assert found.certified.queries == queries
    with working(200):
        assert sure_rows(found.channel, surest(found.channel))[-1] == labels
    levels = found.channel.released.transcripts(None, None).levels
    assert log2(comb(queries + levels, levels)) > labels


def test_a_fine_ladder_from_a_level_falls_in_a_query_a_label():
    report = plan(channel("N = 200; clip = 1e-15; decimals = 5; release = ladder(0.002, ln(2))").scenario)
    assert (report.verdict, report.best.attack, report.best.certified.queries) == ("feasible", "patterns", 200)


SMALL = (
    "N = 8; clip = 1e-3; release = ladder(1/8, ln(2))",
    "N = 8; clip = 1e-9; decimals = 3; release = ladder(1/5, 0.75)",
    "N = 7; clip = 1e-9; decimals = 4; columns = 2; release = ladder(1/40, 0.68)",
    "N = 8; clip = 1e-9; release = ladder(1/5, 2)",
)


@pytest.mark.parametrize("body", SMALL)
def test_patterns_on_every_labeling_with_errors(body):
    held = channel(body)
    with working(200):
        wanted = sure_rows(held, surest(held))[-1]
    found = certified("patterns", body, wanted)
    attack, draw, most = found.build(), np.random.default_rng(3), 0
    for labels in product((0, 1), repeat=held.rows):
        on = Counted(board(held, np.array(labels), lambda: draw.choice((-1e-13, 1e-13))))
        told = attack.recover(on)
        known = told >= 0
        assert int(known.sum()) >= wanted
        assert (told[known] == np.array(labels)[known]).all()
        most = max(most, on.asked)
    assert most == found.certified.queries  # some labeling takes them all: the count is sharp


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ("release = ladder(0.01)", "release"),
        ("release = ladder(0.2, ln(2))", "release"),
        ("release = ladder(0.01, 0.2)", "release"),
        ("release = best", "release"),
        ("release = ladder(0.01, ln(2)); adaptive = no", "adaptive"),
        ("release = ladder(0.01, ln(2)); noise = gaussian(0.001)", "noise"),
        ("release = ladder(0.01, ln(2)); K = 3", "K"),
        ("release = ladder(0.01, ln(2)); decimals = 1", "release"),
    ],
)
def test_what_patterns_refuse(body, field):
    decimals = "" if "decimals" in body else "decimals = 5; "
    found = consider(BY_ID["patterns"], channel(f"N = 120; clip = 1e-3; {decimals}{body}"))
    assert found.status is Status.REFUSED
    assert field in {one.field for one in found.reasons}


def test_records_of_patterns_that_promise_too_much():
    body = "N = 60; clip = 1e-15; decimals = 5; release = ladder(0.05, ln(2))"
    held, good = channel(body, 56), certified("patterns", body, 56).certified.certificate.parameters
    assert certify(held, good).holds
    for bad in (
        replace(good, queries=good.queries - 1),
        replace(good, labels=57),
        replace(good, sure=good.sure[:-1]),
        replace(good, sure=(good.sure[0] - 1, *good.sure[1:])),  # its score does not beat the start
        replace(good, sure=(good.sure[0] + 60, *good.sure[1:])),
        replace(good, sure=(*good.sure, good.sure[-1])),
        replace(good, sure=(*good.sure, 61), queries=10**6),
        replace(good, doubt=Fraction(1, 10**16)),
        replace(good, doubt=Fraction(1, 3)),  # a wrong row is not seen
        replace(good, sure=()),
    ):
        assert not certify(held, bad).holds, bad
    moved = channel(body.replace("ln(2)", "0.65"), 56)
    assert not certify(moved, good).holds


def test_a_level_that_an_error_decides_is_not_certain():
    """With one sure row of 8 the sum over N eta is 16.5 but for 1e-20, less than an error: either level may be shown."""
    doubt = Fraction(1, 2**20)
    with working(300):
        right = (7 * arb(2).log() - (1 - ball(doubt)).log()) / 8
        eta = midpoint(right / arb("16.5")) * (1 + Fraction(1, 10**20))
    body = "N = 8; clip = 1e-9; release = ladder(1/26, 0.7)"
    held = channel(body, 1)
    near = replace(held, release=LadderOf(Real.of(eta), Real.of(right_above(eta))))
    record = Patterns(1, 1, doubt, (1,))
    named = {one.name: one.holds for one in certify(near, record).inequalities}
    assert named.pop("levels that are certain") is False
    clear = replace(held, release=LadderOf(Real.of(eta * 66 / 65), Real.of(right_above(eta * 66 / 65))))
    assert certify(clear, record).holds


def right_above(eta: Fraction) -> Fraction:
    """A start that one sure row beats, and no wrong one: 18 steps."""
    return 18 * eta


def test_patterns_notice_what_is_no_ladder():
    attack = certified("patterns", "N = 20; clip = 1e-6; decimals = 4; release = ladder(1/20, 7/10)", 18).build()
    with pytest.raises(InconsistentScores, match="neither"):
        attack.recover(lambda u: 0.5)
    sunk = certified("patterns", "N = 8; clip = 1e-9; release = ladder(1/5, 2)", 4).build()
    with pytest.raises(InconsistentScores, match="does not fall"):
        sunk.recover(lambda u: 2.0)


# -- groups ----------------------------------------------------------------------------------------------

GUESSED = "clip = 1e-15; decimals = 5; release = ladder(0.01, ln(2))"


@pytest.mark.parametrize(
    ("N", "guess", "budget", "labels", "queries"),
    [(2000, 95, 300, 637, 250), (2000, 99, 300, 1500, 101), (12_500, 95, 1825, 864, 1299), (2000, 95, 220, 304, 220)],
)
def test_known_answers_of_groups(N, guess, budget, labels, queries):
    report = plan(channel(f"N = {N}; {GUESSED}; guess = {guess}%; queries <= {budget}").scenario)
    assert (report.exposure.attack, report.exposure.labels, report.exposure.queries) == ("groups", labels, queries)


SIX = "N = 14; clip = 1e-9; decimals = 5; release = ladder(1/50, 0.7); guess = 85%"


def test_groups_on_every_labeling_of_a_ball(one_in):
    """Up to 2 of 14 guesses wrong, errors of both signs."""
    held = channel(SIX)
    assert held.radius == 2
    best = max((n for n in range(1, 15) if consider(BY_ID["groups"], replace(held, wanted=n)).certified), default=0)
    assert best == 6
    found = certified("groups", SIX, best)
    draw, most = np.random.default_rng(4), 0
    for wrong in one_in(3, (rows for r in range(3) for rows in combinations(range(14), r)), "groups"):
        guess = draw.integers(0, 2, 14)
        labels = guess.copy()
        labels[list(wrong)] ^= 1
        on = Counted(board(held, labels, lambda: draw.choice((-1e-13, 1e-13))))
        told = found.build().knowing(guess).recover(on)
        known = told >= 0
        assert int(known.sum()) >= best
        assert (told[known] == labels[known]).all()
        most = max(most, on.asked)
    assert most <= found.certified.queries


def test_a_guess_that_is_worse_than_said_is_noticed():
    labels = np.zeros(14, int)
    labels[:5] = 1
    with pytest.raises(WorseGuess, match="3 labels or more"):
        certified("groups", SIX, 6).build().recover(board(channel(SIX), labels))


def test_a_guess_that_is_counted_outweighs_the_target():
    """While they are counted a wrong guess weighs about two steps of a row: sums may not be put farther below the edge."""
    body = "N = 200; clip = 1e-15; decimals = 5; release = ladder(0.01, ln(2)); guess = 95%"
    held, good = channel(body, 20), certified("groups", body, 20).certified.certificate.parameters
    failing = [one.name for one in certify(held, replace(good, below=Fraction(1, 50))).inequalities if not one.holds]
    assert failing == ["a guess that is counted > T + T/4 + E"]


def test_records_of_groups_that_promise_too_much():
    body = f"N = 200; {GUESSED}; guess = 95%"
    held, good = channel(body, 100), certified("groups", body, 100).certified.certificate.parameters
    assert certify(held, good).holds
    for bad in (
        replace(good, queries=good.queries - 1),
        replace(good, labels=good.falls * good.size + 1),
        replace(good, radius=9),
        replace(good, falls=60, size=2, queries=100),
        replace(good, size=good.size + 1),
        replace(good, below=good.below * 4),
        replace(good, below=Fraction(1, 10**12)),
        replace(good, lean=Fraction(3, 10)),
        replace(good, lean=good.doubt / 2),
        replace(good, doubt=Fraction(1, 21)),
    ):
        assert not certify(held, bad).holds, bad
    blind = channel(body.replace("; guess = 95%", ""), 100)
    assert [one.field for one in certify(blind, good).obligations if not one.holds] == ["guess"]


# -- room ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("N", "eta", "labels", "queries"),
    [(2000, "0.02", 718, 721), (2000, "0.05", 351, 356), (12_500, "0.01", 1963, 1969), (12_500, "0.005", 3444, 3448)],
)
def test_known_answers_of_room(N, eta, labels, queries):
    """Where a descent is refused: half of W/N, less what coins may stray, over half a step."""
    body = f"N = {N}; clip = 1e-15; decimals = 5; release = ladder({eta})"
    assert consider(BY_ID["descent"], channel(body)).status is Status.REFUSED
    assert certified("room", body, labels).certified.queries == queries
    assert consider(BY_ID["room"], channel(body, labels + 1)).status is Status.REFUSED


BOUGHT = "N = 60; clip = 1e-9; decimals = 4; release = ladder(1/4); confidence = 90%"


def test_room_on_many_labelings_with_errors(one_in):
    """Coins decide, so labelings that are all alike are as good as any; errors of both signs."""
    held = channel(BOUGHT)
    best = 17
    assert consider(BY_ID["room"], replace(held, wanted=18)).status is Status.REFUSED
    found = certified("room", BOUGHT, best)
    parameters, draw, failed = found.certified.certificate.parameters, np.random.default_rng(6), 0
    for trial in one_in(6, range(60), "room"):
        labels = draw.integers(0, 2, 60) if trial % 3 else np.full(60, trial % 2)
        attack = BY_ID["room"].build(found.channel, replace(parameters, seed=trial))
        try:
            told = attack.recover(board(held, labels, lambda: draw.choice((-1e-13, 1e-13))))
        except InconsistentScores:
            failed += 1
            continue
        assert (told[:best] == labels[:best]).all()
    assert failed <= 2


def test_records_of_room_that_promise_too_much():
    body = "N = 400; clip = 1e-15; decimals = 5; release = ladder(0.1)"
    held, good = channel(body, 100), certified("room", body, 100).certified.certificate.parameters
    assert certify(held, good).holds
    for bad in (
        replace(good, queries=good.queries - 1),
        replace(good, least=good.least + 3),
        replace(good, most=good.most - 3),
        replace(good, most=good.most + 60),
        replace(good, counts=1, queries=102),
        replace(good, below=good.below * 4),
        replace(good, below=Fraction(1, 10**12)),
        replace(good, doubt=Fraction(1, 2**53)),
        replace(good, doubt=Fraction(1, 5)),
    ):
        assert not certify(held, bad).holds, bad
    assert not certify(replace(held, delta=held.delta / 2), good).holds
    sure = replace(held, delta=Fraction(0))
    assert [one.field for one in certify(sure, good).obligations if not one.holds] == ["confidence"]


def test_room_notices_what_is_no_ladder():
    attack = certified("room", "N = 90; clip = 1e-9; decimals = 4; release = ladder(1/4)", 5).build()
    with pytest.raises(InconsistentScores):
        attack.recover(lambda u: 3.3)
    with pytest.raises(InconsistentScores):
        attack.recover(lambda u: 0.25)


def test_a_board_that_falls_by_two_steps_where_it_can_fall_by_one_is_noticed():
    rungs = Rungs(channel("N = 9; clip = 1e-9; decimals = 4; release = ladder(1/4, 1)"))
    assert rungs.fell(1.0, by_one=True) is False
    for strange in (0.5, 0.8, 1.25):
        with pytest.raises(InconsistentScores, match="no level"):
            rungs.fell(strange, by_one=True)
    assert rungs.fell(0.5, by_one=False) is True
    assert rungs.fell(0.25, by_one=True) is True
    assert rungs.edge == 0


# -- all of them -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("id", "body"),
    [
        ("patterns", "N = 30; scorer = sklearn; decimals = 5; release = ladder(0.05, ln(2))"),
        ("groups", "N = 300; scorer = sklearn; columns = 2; decimals = 5; release = ladder(0.1, ln(2)); guess = 97%"),
        ("room", "N = 90; scorer = sklearn; decimals = 5; release = ladder(0.4)"),
    ],
)
def test_through_scikit_learn_no_label_is_wrong(id, body):
    report = plan(channel(body).scenario)
    assert report.exposure.attack == id
    assert check(json.loads(json.dumps(finite(report.to_json())))).faults == ()
    run = simulate(report, trials=2, seed=3, scorer="sklearn")
    assert (run.attack, run.wrong_labels, run.exact_trials, run.failures) == (id, 0, 2, ())
    assert run.queries <= report.exposure.queries
