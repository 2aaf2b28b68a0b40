"""What attacks check of what they were told, one check at a time: each by scores, or a count, that nothing else refuses."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from dsl import loads
from planner.attacks.attack import NOT_SCORED, InconsistentScores
from planner.attacks.consistent.run import Pass
from planner.attacks.line.run import FreeBlockAttack
from planner.attacks.splitting.rows import RowsOfGuess
from planner.catalogue import BY_ID
from planner.channel.channel import channel_of
from planner.considering import consider
from planner.designs.corner import places
from planner.designs.hadamard import transform
from tests.attacks.test_split import Part


def built(id: str, text: str):
    (scenario,) = loads(f"scenario a {{ {text} }}")
    return consider(BY_ID[id], channel_of(scenario)).build()


SPLIT = "N = 12; public = 5; clip = 1e-15; decimals = 3; columns = 2"
PEEL = "N = 10; K = 4; public = 6; clip = 1e-9; decimals = 3; columns = 4"


@pytest.mark.parametrize(("counted", "told"), [(3, 2), (2, 3)])
def test_a_part_with_more_or_fewer_dear_rows_than_were_counted(counted, told, monkeypatch):
    attack = built("split-labels", SPLIT)
    monkeypatch.setattr(attack, "count", lambda total: counted)
    monkeypatch.setattr(attack, "read", lambda y: (np.arange(12) < told).astype(np.int64))
    with pytest.raises(InconsistentScores, match=f"{told} rows are told"):
        attack._digit(0, [Fraction(0)] * (attack.parameters.design.M + 1))


@pytest.mark.parametrize("told", [1, 4])
def test_peeling_tells_as_many_rows_as_were_counted(told, monkeypatch):
    attack = built("split-peel", f"{PEEL}; find = labels_and_split")
    monkeypatch.setattr(attack, "ask", lambda *_: (np.arange(4) < told).astype(np.int64))
    design = attack.parameters.others[0]
    with pytest.raises(InconsistentScores, match="rows that are left"):
        attack._left(lambda u: 0.0, np.arange(6, 10), 4, np.zeros(10, dtype=np.int64), design)


def test_peeling_tells_as_many_dear_rows_as_were_counted(monkeypatch):
    attack = built("split-peel", PEEL)
    counted = attack.rests + 2 * attack.parameters.most
    monkeypatch.setattr(attack, "sum_of", lambda score, query: counted)
    monkeypatch.setattr(attack, "ask", lambda *_: np.ones(10, dtype=np.int64))
    with pytest.raises(InconsistentScores, match="10 rows are told to be scored and dear, 2 are"):
        attack._members(lambda u: 0.0)


@pytest.mark.parametrize("refused", [False, True])
def test_what_peeling_reads_explains_the_scores(refused, monkeypatch):
    """Measurements midway between the certified error and half a gap are decoded, and refused."""
    attack = built("split-peel", PEEL)
    design, gap = attack.parameters.design, attack.parameters.gap
    hidden, half = np.arange(10) % 2, design.unit * gap / 2
    assert attack.first_error < half
    off = float(half + attack.first_error) / 2 if refused else 0.0
    told = iter(design.scores(hidden).astype(float) * float(design.unit * gap) + off)
    monkeypatch.setattr(attack, "sum_of", lambda score, query: Fraction(next(told)))

    def ask():
        return attack.ask(None, design, 10, lambda design, t: (None, Fraction(0)), gap, attack.first_error)

    if refused:
        with pytest.raises(InconsistentScores, match="fits no labeling"):
            ask()
    else:
        assert (ask() == hidden).all()


@pytest.mark.parametrize(("high", "low", "p"), [(2, 1, 2), (4, 3, 2), (8, 5, 3), (9, 2, 4), (31, 30, 5)])
def test_parts_of_a_place_are_never_below_the_smallest(high, low, p):
    found = places(high, low, p)
    assert all(m >> p - 1 >= low for m in found.sums)
    assert found.sums


def test_what_is_left_of_a_sum_is_looked_at():
    attack = built("free-block", "N = 9; metric = mse; decimals = 0")
    assert isinstance(attack, FreeBlockAttack)
    p, size = attack.parameters, 3
    nothing = sum((p.prediction(place) ** 2 for place in range(size)), Fraction(9 - size, 4))
    assert attack._read(nothing + 5 * p.gap, size) == [1, 0, 1]
    assert attack.error < p.gap / 2
    with pytest.raises(InconsistentScores):
        attack._read(nothing + 5 * p.gap + (p.gap / 2 + attack.error) / 2, size)


def test_sums_of_blocks_without_a_label_are_nothing():
    """Whatever the scores say of them: rounded like the others they were mistakes that no flip mends."""
    attack = built("consistent", "N = 12; columns = 2; scorer = sklearn; noise = uniform(-5, 5)")
    one = Pass(attack.parameters, 0, Fraction(1, 10))
    used, hidden = one.blocks.used, np.zeros(attack.parameters.order)
    assert used < len(hidden)
    hidden[0], hidden[used] = 1, 0.6
    found = one._read(transform(hidden), tolerance=1.0)
    assert found.tolist() == [1, *[0] * (len(hidden) - 1)]


def test_settling_counts_what_rows_charge_at_rest(monkeypatch):
    """A row at its largest weight still charges something: of a coarse clip, many times the error."""
    text = "N = 5; public = between(1, 4); clip = 0.2; decimals = 2; columns = 2; find = labels_and_split"
    attack = built("split-design", text)
    assert attack._top * attack.channel.scored > 3 * attack.error
    states = [np.array([number // 3**row % 3 for row in range(5)]) + NOT_SCORED for number in range(3**5)]
    states = [np.where(one == NOT_SCORED + 2, 1, np.where(one == NOT_SCORED + 1, 0, NOT_SCORED)) for one in states]
    parts = [one for one in states if (one != NOT_SCORED).sum() == 4]  # the number that the errors are for
    coins = np.random.default_rng(5)
    for _ in range(20):
        pair = [parts[place] for place in coins.choice(len(parts), 2, replace=False)]
        monkeypatch.setattr(attack, "_possible", lambda scores, pair=pair: iter(pair))
        for true in pair:
            rows = np.flatnonzero(true != NOT_SCORED)
            assert (attack.recover(Part(true, rows, 2, clip=0.2)) == true).all()


def test_a_score_about_a_centre_is_measured_from_it():
    (scenario,) = loads("scenario a { N = 12; clip = 1e-9; columns = 2; noise = uniform(0, 1/100) }")
    there = channel_of(scenario)
    assert there.centre == Fraction(1, 200)
    rows = RowsOfGuess(there, Fraction(2), np.zeros(12, dtype=np.int64), np.arange(12))
    assert rows.measured(Fraction(3, 10), Fraction(1)) == (12 * (Fraction(3, 10) - there.centre) - 1) / 2


SCALED = ("split-labels", "N = 14; public = 7; clip = 1e-9; decimals = 3")


def test_entries_of_a_part_are_taken_in_units_of_their_design():
    """A design of other units asks with weights as many times as large, and reads the same labels."""
    id, text = SCALED
    attack = built(id, text)
    p = attack.parameters
    design = p.design
    half = SimpleNamespace(M=design.M, unit=design.unit / 2, row=design.row, decode=lambda y, n: design.decode(2 * y, n),
                           scores=design.scores, amplitude=design.amplitude / 2)  # fmt: skip
    twice = type(attack)(attack.id, attack.channel, replace(p, design=half, gap=2 * p.gap))
    for one, other in zip(attack.queries(), twice.queries(), strict=True):
        assert (one == other).all()
    hidden = np.arange(14) % 2
    y = design.scores(hidden).astype(float) * float(design.unit)
    assert (attack.read(y) == hidden).all()
    twice.tolerance = attack.tolerance / 2
    assert (twice.read(y / 2) == hidden).all()
