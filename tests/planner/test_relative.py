"""I3 of significant digits and floats: its lemma, its theorem on all labelings of small boards, and where it is silent."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import log2

import numpy as np
import pytest
from mpmath import mp, mpf

from benchmarks.tightness import STRATA, board
from dsl import loads
from dsl.scenario import Arbitrary, Bounded, Decimals, Gaussian, Ieee, Scenario, Scorer, Significant, Summation
from planner import plan
from planner.channel.channel import channel_of
from planner.limits import limits_of
from planner.limits.relative import Relative, best_rate, relative_bits, relative_of
from planner.model import Limit
from planner.numerics.reals import ball, working
from tests.planner.known import real

LISTED = Scenario(name="listed", N=25_000, clip=real("1e-7"), shown=Significant(3), adaptive=False)


def entropy(scenario: Scenario) -> Limit:
    """I3 of a scenario."""
    (found,) = (one for one in limits_of(channel_of(scenario)) if one.id == "I3")
    return found


def counting(scenario: Scenario) -> Limit:
    """I1 of it."""
    return next(one for one in limits_of(channel_of(scenario)) if one.id == "I1")


# -- its figures ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("N", "digits", "clip", "K", "queries", "counted"),
    [(25_000, 3, "1e-7", 2, 4400, 1928), (25_000, 6, "1e-15", 2, 1546, 1048), (1_000_000, 4, "1e-3", 2, 174_010, 65_349),
     (25_000, 4, "1e-9", 3, 3943, 2389)],
)  # fmt: skip
def test_figures(N, digits, clip, K, queries, counted):
    """The formula with the l and t that a limit states, reckoned anew; rows sum to 1, and arithmetic is exact."""
    scenario = replace(
        LISTED, N=N, K=K, columns=1 if K == 2 else K, clip=real(clip), shown=Significant(digits), phi=Arbitrary(),
        renormalises=K > 2, confidence=Fraction(1),
    )  # fmt: skip
    found, given = entropy(scenario), dict(entropy(scenario).parameters)
    c, rate, t = mpf(clip), *(mpf(given[name].numerator) / given[name].denominator for name in ("rate", "part"))
    W, mean = mp.log((1 - c) / c), mp.log(K) - K * c
    steady = W * (K - 1) / K / mean if K > 2 else W**2 / (16 * mean * mp.log(mp.cosh(W / 2)))
    step = t * mpf(10) ** -digits
    theta = mp.sqrt(mp.pi / rate) / step  # next to which its other terms are nothing
    far = dict(counting(scenario).parameters)["answers"] * mp.exp(-rate * (1 - t) ** 2)
    bits = mp.log(1 + theta + far, 2) + rate * steady / N / mp.log(2)
    assert (int(mp.ceil(N * mp.log(K, 2) / bits)), counting(scenario).queries) == (queries, counted)
    assert found.queries == queries


def test_floats_in_full():
    """25,000 labels in one column, every digit of float64: counting says 433."""
    full = replace(LISTED, clip=real("1e-15"), shown=None)
    assert (entropy(full).queries, counting(full).queries) == (503, 433)


def test_what_a_computed_score_is_off_by_spreads_it():
    """Sums in float32, one charge after the other, are off by N - 1 units of themselves: two tenths of the deviation here."""
    summed = replace(LISTED, clip=real("1e-3"), phi=Ieee(32), summation=Summation.SEQUENTIAL)
    channel = channel_of(summed)
    with working(channel.working_bits):
        found = relative_of(channel)
        exact = channel.metric.steadiness(channel)
    assert found
    assert exact
    off = (summed.N - 1) * mpf(2) ** -24
    assert float(found.variance) >= (mp.sqrt(float(exact[0]) / summed.N) + off) ** 2
    assert (entropy(summed).queries, entropy(replace(summed, summation=Summation.PAIRWISE)).queries) == (4560, 4770)


# -- the lemma -----------------------------------------------------------------------------------------


def steadiness(scenario: Scenario) -> tuple[float, float]:
    """N Var L/(E L)^2 at most, and E L at least."""
    channel = channel_of(scenario)
    with working(channel.working_bits):
        found = channel.metric.steadiness(channel)
        assert found is not None
        return float(found[0]), float(found[1])


def varied(charges: np.ndarray) -> float:
    """N Var L/(E L)^2 of a submission whose rows charge this, a column a class."""
    return float(charges.var(axis=1).mean() / charges.mean() ** 2)


def one_column(weights: np.ndarray) -> np.ndarray:
    """What rows of these log-odds charge."""
    return np.stack([np.logaddexp(0, weights), np.logaddexp(0, -weights)], axis=1)


@pytest.mark.parametrize("clip", ["1e-15", "1e-7", "1e-3", "0.01"])
def test_no_row_of_two_classes_varies_more_for_what_it_charges(clip):
    """Some rows as extreme as they may be, the others idle, come within a hair of the bound; nothing is above it."""
    scenario = replace(LISTED, clip=real(clip), phi=Arbitrary())
    bound, mean = steadiness(scenario)
    W, draw = float(channel_of(scenario).span()), np.random.default_rng(1)
    assert mean <= np.log(2)
    seen = [varied(one_column(np.where(np.arange(2000) < k, W, 0))) for k in range(1, 2000)]
    seen += [
        varied(one_column(draw.uniform(0, W * draw.random(), 400) * draw.choice([-1, 1], 400))) for _ in range(300)
    ]
    assert max(seen) <= bound
    assert max(seen) >= 0.99 * bound * (mean / np.log(2))


@pytest.mark.parametrize(("clip", "K"), [("1e-3", 2), ("1e-3", 3), ("1e-7", 4), ("0.05", 2)])
def test_no_row_that_may_have_any_sum_varies_more(clip, K):
    """Met by rows that charge one class W, and the others as little as all rows do; drawn ones are below."""
    scenario = replace(LISTED, clip=real(clip), K=K, columns=K, phi=Arbitrary())
    bound, least = steadiness(scenario)
    W, draw = float(channel_of(scenario).span()), np.random.default_rng(K)
    assert least <= -np.log1p(-float(clip))

    def mixed(share: float, row: np.ndarray) -> float:
        """That share of rows alike, all others idle."""
        return share * float(row.var()) / (least + share * float(row.mean())) ** 2

    shares = [k * K * least / W for k in (0.25, 0.5, 0.9, 1.0, 1.1, 2.0, 4.0)]
    one = W * (np.arange(K) == 0)
    rows = [
        one,
        *(draw.uniform(0, W, K) ** draw.uniform(0.2, 1) for _ in range(50)),
        *(W * (np.arange(K) < k) for k in range(1, K)),
    ]
    seen = [mixed(share, row - row.min()) for share in shares for row in rows]
    assert max(seen) <= bound * (1 + 1e-12)
    assert max(seen) >= (1 - 1e-9) * bound


def test_rows_of_many_classes_that_sum_to_one():
    scenario = replace(LISTED, K=4, columns=4, clip=real("1e-4"), renormalises=True, phi=Arbitrary())
    bound, mean = steadiness(scenario)
    draw = np.random.default_rng(2)
    for _ in range(300):
        rows = draw.dirichlet(np.full(4, 10 ** draw.uniform(-3, 1)), 200).clip(1e-4, 1 - 1e-4)
        charges = -np.log(rows)
        assert varied(charges) <= bound
        assert charges.mean() >= mean


# -- the theorem, on all labelings ---------------------------------------------------------------------


def told(answers: Counter[float]) -> float:
    """The entropy of answers."""
    total = sum(answers.values())
    return -sum(count / total * log2(count / total) for count in answers.values())


def submissions(N: int, seed: int) -> list[np.ndarray]:
    """Log-odds of rows: powers of two, all alike, drawn, and a few that outweigh the others."""
    draw = np.random.default_rng(seed)
    powers = [scale * 2.0 ** np.arange(N) / 2**N for scale in (1, 10, 34)]
    alike = [np.full(N, w) for w in (0.01, 1.0, 7.0, 34.0)]
    drawn = [draw.uniform(0, 10 ** draw.uniform(-2, 1.5), N) for _ in range(6)]
    return [*powers, *alike, *drawn, np.where(np.arange(N) < 2, 34.0, 1e-3 * np.arange(N))]


@pytest.mark.parametrize("digits", [1, 2, 3])
def test_the_theorem_on_all_labelings(digits):
    """No score tells more than what its own variance and mean give, whatever l and t, and some tell nearly as much."""
    N, nearest = 11, 9.0
    labels = np.array(list(product((0, 1), repeat=N)))
    for weights in submissions(N, digits):
        charges = one_column(weights)
        scores = np.where(labels, charges[:, 1], charges[:, 0]).sum(axis=1) / N
        variance = scores.var() / scores.mean() ** 2
        answers = Counter(float(f"{one:.{digits - 1}e}") for one in scores)
        with working(128):
            for part in (Fraction(1, 2), Fraction(7, 8), Fraction(99, 100)):
                # A cell reaches beyond what is shown of it by half a unit at most.
                below = sum(1 for one in answers if one < part * scores.mean() * (1 - Fraction(1, 10**digits)))
                score = Relative(Fraction(1, 10**digits), max(below, 1), ball(Fraction(variance * (1 + 1e-9))))
                for rate in (*(Fraction(10) ** k for k in range(-2, 6)), best_rate(score)[0]):
                    most = float(relative_bits(score, rate, part))
                    assert told(answers) <= most
                    nearest = min(nearest, most - told(answers))
    assert nearest < 1.05


@pytest.mark.parametrize(("digits", "clip"), [(1, "1e-15"), (2, "1e-3"), (1, "0.1")])
def test_no_submission_to_a_small_board_tells_more(digits, clip):
    """A climb over submissions, from many starts: the most that one score tells of 9 labels."""
    scenario = replace(LISTED, N=9, clip=real(clip), shown=Significant(digits), phi=Arbitrary())
    channel = channel_of(scenario)
    with working(channel.working_bits):
        score = relative_of(channel)
        assert score is not None
        most = min(float(relative_bits(score, *best_rate(score))), log2(score.answers))
    W, draw = float(channel.span()), np.random.default_rng(digits)
    labels = np.array(list(product((0, 1), repeat=9)))

    def tells(weights: np.ndarray) -> float:
        charges = one_column(weights)
        sums = np.where(labels, charges[:, 1], charges[:, 0]).sum(axis=1) / 9
        return told(Counter(float(f"{one:.{digits - 1}e}") for one in sums))

    best = 0.0
    for _ in range(6):
        at = draw.uniform(0, W, 9) * draw.random(9) ** 4
        found = tells(at)
        for _ in range(60):
            step = np.clip(at * np.exp(draw.normal(0, 0.5, 9)), 0, W)
            if (next_ := tells(step)) >= found:
                at, found = step, next_
        best = max(best, found)
    assert 1 < best <= most


# -- where it applies ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"adaptive": True},
        {"noise": Gaussian(real("1e-9"))},
        {"shown": None, "phi": Arbitrary()},
        {"clip": None},
        {"columns": 2, "clip": None},
        {"columns": 2, "scorer": Scorer("xgboost", None)},
        {"clip": real("0.4")},  # rows of .6 and .6 charge .51 together, so that ln 2 - 2c is no mean that they have
        {"confidence": Fraction(1, 3)},
        {"K": 3, "columns": 3, "clip": real("0.4"), "renormalises": True},
    ],
)  # fmt: skip
def test_where_it_is_silent(change):
    assert entropy(LISTED).queries is not None
    assert entropy(replace(LISTED, **change)).queries is None


@pytest.mark.parametrize("more", ["guess = 90%", "positives = 5000", "public = 12500"])
def test_it_is_silent_where_labels_are_not_drawn_evenly_and_scored(more):
    (scenario,) = loads(
        f"scenario a {{\n N = 25000\n clip = 1e-7\n decimals = significant(3)\n adaptive = no\n {more}\n}}"
    )
    assert entropy(scenario).queries is None


def test_decimals_and_noise_within_a_bound_are_grids_as_they_were():
    """A grid of one step, which is coarser than float64 is."""
    for grid in ({"shown": Decimals(3)}, {"shown": None, "noise": Bounded(real("1e-4"))}):
        assert "step" in dict(entropy(replace(LISTED, **grid)).parameters)


def test_rows_that_a_scorer_divides_but_does_not_check_may_have_any_sum():
    """(3, 3, -5) sums to 1: clipped afterwards, two of its entries are next to 1."""
    divided = replace(LISTED, K=3, columns=3, clip=real("1e-3"), renormalises=True)
    free = replace(divided, renormalises=False)
    assert entropy(replace(divided, checks=False)).queries == entropy(free).queries < entropy(divided).queries


# -- attacks -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stratum", [STRATA[0], STRATA[2]])
def test_no_certified_attack_is_below_it(stratum, one_in):
    """Listed boards of the grid, one column and more."""
    seen = 0
    for index in one_in(3, range(36), stratum):
        scenario = replace(board(stratum, random.Random(f"relative {index}")), adaptive=False)
        if scenario.shown is not None and not isinstance(scenario.shown, Significant):
            continue
        report = plan(replace(scenario, N=min(scenario.N, 5000)))
        certified = [one.certified.queries for one in report.candidates if one.certified is not None]
        least = next(one for one in report.limits if one.id == "I3").queries
        if certified and least is not None:
            seen += 1
            assert min(certified) >= least, scenario
    assert seen
