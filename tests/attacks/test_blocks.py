"""Blocks: powers of two and Conway-Guy sets, sharp at their bound, through scikit-learn."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from dsl.numbers import Real
from dsl.scenario import Arbitrary, Bounded, FixedPoint, Multiplicative
from planner.attacks.attack import InconsistentScores
from planner.attacks.block.conway_guy import ConwayGuy
from planner.attacks.block.one_label import OneLabel
from planner.attacks.block.run import BlockAttack, BlockReader, build_block
from planner.attacks.block.theorem import Block
from planner.attacks.growing.theorem import GrowingBlock
from planner.considering import consider
from tests.attacks.leaderboard import Leaderboard, channel, labelings


def propose(theorem, scenario):
    candidate = consider(theorem, scenario)
    return candidate.build(), candidate.certified


@pytest.mark.parametrize("theorem", [Block(), ConwayGuy(), OneLabel()])
@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("decimals", [4, 5, None])
def test_every_labeling(theorem, columns, decimals):
    attack, proposal = propose(theorem, channel(100, decimals, columns=columns))
    for labels in labelings(100):
        board = Leaderboard(labels, decimals)
        assert (attack.recover(board) == labels).all()
        assert board.asked == proposal.queries


def test_imdb_at_double_precision_takes_38_labels_a_query():
    attack, proposal = propose(Block(), channel(25_000))
    assert proposal.labels_per_query == 38
    labels = np.random.default_rng(0).integers(0, 2, 25_000)
    assert (attack.recover(Leaderboard(labels)) == labels).all()


@pytest.mark.parametrize(("N", "decimals", "m"), [(1000, 5, 12), (1000, 3, 6), (2000, 4, 8)])
def test_one_label_more_than_certified_fails(N, decimals, m):
    """The bound is sharp: powers of two squeezed into W for m + 1 labels give wrong labels through the same scorer."""
    scenario = channel(N, decimals)
    _, proposal = propose(Block(), scenario)
    assert proposal.certificate.parameters.m == m
    wrong = 0
    for size in (m, m + 1):
        top = float(scenario.reach())
        rows = tuple(Fraction(float(1 / (1 + np.exp(top * 2.0 ** (i - size + 1))))) for i in range(size))
        queries = -(-N // size)
        attack = BlockAttack("block", scenario, queries, N, BlockReader(scenario, queries, rows))
        labels = np.random.default_rng(3).integers(0, 2, N)
        try:
            found = attack.recover(Leaderboard(labels, decimals))
        except InconsistentScores:
            found = np.full(N, -1)
        wrong = int((found != labels).sum())
        if size == m:
            assert wrong == 0
    assert wrong > 0


def test_a_score_of_another_size_of_test_set_is_refused():
    attack, _ = propose(Block(), channel(300, 5))
    labels = np.zeros(150, dtype=int)
    with pytest.raises(InconsistentScores):
        attack.decode([Leaderboard(labels, 5)(u[:150]) + 1 for u in attack.queries()])


def test_fixed_point_blocks_are_on_the_grid():
    scenario = replace(channel(20, clip=None), precision=FixedPoint(8, 8), score_precision=FixedPoint(8, 8))
    attack, proposal = propose(Block(), scenario)
    assert proposal.certificate.parameters.m == 7
    for query in attack.queries():
        assert (query * 256 == np.rint(query * 256)).all()


def test_noise_at_the_bound_with_signs_against_the_decoder():
    tau = Fraction(1, 5000)
    scenario = channel(200, noise=Bounded(Real.of(tau)))
    attack, _ = propose(Block(), scenario)
    coins = np.random.default_rng(4)
    for labels in labelings(200):
        for sign in (lambda: 1, lambda: -1, lambda: coins.choice([-1, 1])):
            board = Leaderboard(labels, noise=lambda sign=sign: float(tau) * 0.999999999 * sign())
            assert (attack.recover(board) == labels).all()


def test_growing_blocks_ask_less_under_multiplicative_noise():
    scenario = channel(400, noise=Multiplicative(Real.of(Fraction(1, 1000))))
    _, block = propose(Block(), scenario)
    attack, proposal = propose(GrowingBlock(), scenario)
    assert proposal.queries < block.queries
    coins = np.random.default_rng(6)
    for labels in labelings(400):
        board = Leaderboard(labels)
        asked = 0

        def score(u, board=board):
            return board(u) * (1 + coins.choice([-1, 1]) * 0.000999999)

        assert (attack.recover(score) == labels).all()
        asked = board.asked
        assert asked == proposal.queries
    with pytest.raises(TypeError):
        next(attack.queries())


def test_exact_scores_need_one_query():
    from backends.simulate import simulate
    from dsl.scenario import Scenario
    from planner import plan

    report = plan(Scenario("exact", 500, phi=Arbitrary()))
    run = simulate(report, attack="block", trials=2, seed=1)
    assert (run.exact_trials, run.queries) == (2, 1)


def test_build_block_knows_every_description_of_a_block():
    scenario = replace(
        channel(12, clip=None, noise=Bounded(Real.of(Fraction(1, 10)))),
        precision=Arbitrary(),
        score_precision=Arbitrary(),
    )
    _, proposal = propose(Block(), scenario)
    attack = build_block("block", scenario, proposal.certificate.parameters)
    assert len(list(attack.queries())) == proposal.queries
