"""I6, the energy limit: its figures, its theorem on all labelings of small boards, and that no attack contradicts it."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from mpmath import mp, mpf, quad

from dsl import ThreatError, load, loads
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
    Truncated,
    Uniform,
)
from planner import plan
from planner.channel.channel import Channel, channel_of
from planner.channel.mechanisms import law_of
from planner.channel.secret import Secret
from planner.limits import limits_of
from planner.limits.energy import Energy, error_in_steps, grid_bits, grid_bits_at, theta
from planner.model import Limit, Verdict
from planner.numerics.reals import ball, lower, upper, working
from planner.report import _limit as limit_to_json
from tests.planner import games, oracle
from tests.planner.known import real
from tests.planner.scenarios import CLIP, random_scenario
from tests.verify.samples import ENERGY
from threatplan.render.json import finite
from threatplan.verify.energy import edge
from threatplan.verify.verdict import limit_faults

ROOT = Path(__file__).parents[2]
LN2 = mp.log(2)


def energy(scenario: Scenario) -> Limit:
    """I6 of a scenario."""
    (found,) = (one for one in limits_of(channel_of(scenario)) if one.id == "I6")
    return found


def board(N: int, **fields: object) -> Scenario:
    """N labels behind a clip of 1e-15, exact arithmetic."""
    return Scenario(**{"name": "board", "N": N, "clip": CLIP, "phi": Arbitrary(), **fields})


def written(text: str) -> Scenario:
    (scenario,) = loads("scenario board {\n" + text.replace(";", "\n") + "\n}")
    return scenario


# -- known answers ---------------------------------------------------------------------------------------

ROUNDED = [(1, 7511), (2, 3578), (3, 2352), (4, 1762), (5, 1412), (6, 1180)]
WIDER = [(1, 7506), (2, 3576), (3, 2351), (4, 1761), (5, 1412), (6, 1180)]


def clip_of(W: str) -> Real:
    """The clip behind which a row weighs this much."""
    return Real.of(Fraction(mp.nstr(1 / (1 + mp.exp(mpf(W))), 40)))


def jacobi(rate: mpf) -> mpf:
    """theta(l), by mpmath; it knows the series only where that is short."""
    if rate < 1:
        return mp.sqrt(mp.pi / rate) * jacobi(mp.pi**2 / rate)
    return mp.re(mp.jtheta(3, 0, mp.exp(-rate)))


def by_formula(bits: mpf, share_of: mpf, each: mpf) -> int:
    """max over l of ceil((bits - l E log2 e)/(log2(1 + theta(l)) + l V log2 e)), on a fine grid of l."""

    def queries(u: mpf) -> mpf:
        rate = mp.exp(u)
        return (bits - rate * share_of / LN2) / (mp.log(1 + jacobi(rate), 2) + rate * each / LN2)

    scale = -mp.log(share_of or each)
    found = max((scale + mpf(step) / 4 for step in range(-40, 80)), key=queries)
    for width in (mpf(1) / 40, mpf(1) / 400, mpf(1) / 4000):
        found = max((found + step * width for step in range(-11, 12)), key=queries)
    return int(mp.ceil(queries(found)))


@pytest.mark.parametrize(("d", "queries"), ROUNDED)
@pytest.mark.parametrize("fields", [{}, {"phi": Ieee(64)}, {"phi": Ieee(64), "columns": 2}])
def test_decimals(d, queries, fields):
    assert energy(board(25_000, shown=Decimals(d), **fields)).queries == queries


@pytest.mark.parametrize(("d", "queries"), WIDER)
def test_decimals_behind_a_smaller_clip(d, queries):
    assert energy(board(25_000, shown=Decimals(d), clip=clip_of("34.599"))).queries == queries


@pytest.mark.parametrize(("W", "known"), [("34.5387763949107", ROUNDED), ("34.599", WIDER)])
def test_decimals_by_the_formula(W, known):
    bits = oracle.Need.of(board(25_000)).fano()
    for d, queries in known[::2]:
        assert by_formula(bits, mpf(W) ** 2 / 4 * mpf(100) ** d, mpf(0)) == queries


def test_a_million_labels():
    assert energy(board(10**6, shown=Decimals(5))).queries == 67_120
    assert energy(board(10**6, shown=Decimals(5), clip=clip_of("34.599"))).queries == 67_108


def test_queries_that_are_listed_beforehand():
    scenario = board(25_000, shown=Decimals(1), adaptive=False)
    W = oracle.most(scenario)
    assert by_formula(oracle.Need.of(scenario).fano(), mpf(0), W**2 / (4 * 25_000) * 100) == 9527
    assert energy(scenario).queries == 9527


@pytest.mark.parametrize("K", [2, 3, 4, 10])
def test_classes(K):
    """kappa: 1/4, 4/9, 3/4, 9/4."""
    kappa = {2: mpf(1) / 4, 3: mpf(4) / 9, 4: mpf(3) / 4, 10: mpf(9) / 4}[K]
    scenario = board(5000, K=K, columns=K, shown=Decimals(2), clip=real("1e-6"))
    found = by_formula(oracle.Need.of(scenario).fano(), kappa * oracle.most(scenario) ** 2 * 10**4, mpf(0))
    assert found - 1 <= energy(scenario).queries <= found  # a millionth of the energy is left to errors
    listed = replace(scenario, adaptive=False)
    single = kappa / (K - 1) * oracle.most(scenario) ** 2 * 10**4 / 5000
    assert energy(listed).queries == by_formula(oracle.Need.of(scenario).fano(), mpf(0), single)


def test_uniform_noise_that_is_listed_beforehand():
    tau = Real.of(Fraction("7.4e-5"))
    noise = Uniform(Real.of(-tau.lo), tau)
    scenario = board(11_309, K=10, columns=10, clip=real("1e-3"), noise=noise, adaptive=False)
    assert energy(scenario).queries == 3786


@pytest.mark.parametrize("adaptive", [True, False])
@pytest.mark.parametrize("kind", ["gaussian", "subexponential", "laplace", "uniform"])
@pytest.mark.parametrize("size", ["0.0001", "0.01", "0.5"])
def test_noise_by_its_formula(kind, size, adaptive):
    """The least M that M C(v(kappa W^2/M)) does not exclude."""
    s = real(size)
    noise = {
        "gaussian": Gaussian(s),
        "subexponential": Subexponential(Real.of(s.lo**2), s),
        "laplace": Laplace(s),
        "uniform": Uniform(Real.of(-s.lo), s),
    }[kind]
    scenario = board(3000, K=3, columns=3, clip=real("1e-6"), noise=noise, adaptive=adaptive)
    W, bits, width = oracle.most(scenario), oracle.Need.of(scenario).fano(), mpf(size)

    def carried(queries: int) -> mpf:
        R = mpf(4) / 9 * W**2 / queries
        s2 = {"laplace": 2 * width**2, "uniform": width**2 / 3}.get(kind, width**2)
        V = (R + mp.sqrt(R**2 + 4 * R * s2)) / 2
        V = V if adaptive else min(V, mpf(2) / 9 * W**2 / 3000)
        normal = mp.log(1 + V / s2, 2) / 2
        C = {
            "laplace": lambda: min(
                mp.log(1 + V / s2, 2), mp.log(1 + mp.sqrt(V) / width, 2), normal + mp.log(mp.pi / mp.e, 2) / 2
            ),
            "uniform": lambda: normal + mp.log(mp.pi * mp.e / 6, 2) / 2,
        }.get(kind, lambda: normal)()
        return queries * C

    limit = energy(scenario)
    assert carried(limit.queries - 1) < bits or kind == "uniform"
    assert carried(limit.queries) >= bits


# -- the pieces ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rate", ["1e-40", "1e-9", "0.01", "0.5", "0.99", "1", "2", "2.99", "3", "3.2", "10", "500", "1e9"]
)
def test_theta_is_bounded_from_above_and_closely(rate):
    with working(200):
        bound = oracle.number(upper(theta(Fraction(rate))))
    exact = jacobi(mpf(rate))
    assert exact <= bound <= exact * (1 + mpf(10) ** -8)


@pytest.mark.parametrize("u", [-800, -700, -60, -20, -6.5, -6.3, -3, -1, 0, 0.5, 1, 1.09, 1.0987, 1.2, 2, 3, 6, 7, 800])
def test_bits_of_a_score_are_searched_for_with_their_own_formula(u):
    """In floats, at l = e^u: as near as the bound on theta is."""
    exact = mp.log(1 + jacobi(mp.exp(mpf(u))), 2) if u < 50 else mpf(1)
    assert -1e-14 <= grid_bits_at(u) / exact - 1 <= 2e-9


@pytest.mark.parametrize("queries", [1, 40])
def test_what_scores_carry_in_all_counts_each_error_at_what_its_share_of_the_energy_costs(queries):
    """(x + e)^2 <= (1 + s) x^2 + (1 + 1/s) e^2: far below all else, and a part of the bound."""
    there = channel_of(board(50, shown=Decimals(2), phi=Ieee(64), adaptive=True))
    carried = Energy().carried(there, queries)
    step, rate, share = (dict(carried.parameters)[name] for name in ("step", "rate", "share"))
    with working(400):
        of_energy = ball(rate) * ball(there.secret.energy()) * (there.span() / ball(step)) ** 2 * (1 + ball(share))
        each = ball(rate) * error_in_steps(there, step) ** 2 * (1 + 1 / ball(share))
        left = (carried.bits() - queries * grid_bits(rate, ball(0))) * ball(2).log() - of_energy
        assert abs(left / (queries * each) - 1) < 1e-30


LAWS = {
    "gaussian": (Gaussian(real(1)), lambda x: mp.npdf(x, 0, 1), mpf(1)),
    "laplace": (Laplace(real(1)), lambda x: mp.exp(-abs(x)) / 2, mpf(2)),
    "uniform": (Uniform(real(-1), real(1)), lambda x: mpf(1) / 2 if abs(x) <= 1 else mpf(0), mpf(1) / 3),
}


@pytest.mark.parametrize("spread", ["0.05", "0.3", "1", "3"])
@pytest.mark.parametrize("kind", LAWS)
def test_noise_lets_no_more_through_than_is_said(kind, spread):
    """A score of two values, each as likely: its information by integration; and the variance of the noise."""
    noise, density, variance = LAWS[kind]
    law, x = law_of(noise), mpf(spread)

    def gained(y: mpf) -> mpf:
        one, other = density(y - x), density(y + x)
        both = (one + other) / 2
        return sum(p / 2 * mp.log(p / both, 2) for p in (one, other) if p)

    with mp.workdps(20):
        ends = sorted({-30, -1 - x, -1 + x, -x, mpf(0), x, 1 - x, 1 + x, 30})
        information = quad(gained, ends)
        with working(200):
            assert oracle.number(upper(law.variance())) == pytest.approx(variance)
            assert information <= oracle.number(upper(law.carries(ball(Fraction(spread) ** 2)))) + mpf(10) ** -9


# -- the theorem, on every labeling ----------------------------------------------------------------------

BOARDS = [(4, 2, 1.0, 4), (4, 2, 0.4, 3), (5, 2, 2.0, 4), (6, 2, 1.5, 3), (8, 2, 3.0, 4), (8, 2, 0.5, 2),
          (4, 3, 1.0, 3), (4, 3, 2.0, 4), (5, 3, 0.5, 2), (1, 2, 0.5, 2), (1, 3, 0.4, 3), (2, 3, 0.5, 3)]  # fmt: skip
RATES = [Fraction(rate) for rate in ("0.001", "0.02", "0.1", "0.3", "0.7", "1.5", "3.5", "8")]


def kappa(N: int, K: int) -> float:
    return float(Secret(N, N, K, 0, N).energy())


@pytest.mark.parametrize("board_", BOARDS, ids=str)
def test_energy_and_entropy_of_adaptive_strategies(board_):
    """Sums of charges within [0, 1]: the variances that scores tell add up to N^2 kappa, and each pays for its entropy."""
    N, K, cell, depth = board_
    draw = np.random.default_rng(N * 100 + K)
    with working(96):
        bits = [(float(rate), float(grid_bits(rate, ball(0)))) for rate in RATES]
    for _ in range(4):
        tree = games.random_tree(draw, N, K, cell, depth)
        for played in (tree, games.climbed(draw, tree, 60)):
            told = played.told()
            assert told.energy <= N**2 * kappa(N, K) * (1 + 1e-12)
            for variance, entropy in told.entropies:
                assert all(entropy <= flat + rate * variance / float(LN2) + 1e-9 for rate, flat in bits)
            total = told.energy / cell**2
            for rate, flat in bits:
                assert told.entropy <= depth * flat + rate * total / float(LN2) + 1e-9


def test_the_energy_is_all_told_where_there_is_one_label_of_two():
    told = games.Tree(1, 2, 0.5, 1, {(): games.Query(np.array([[0.0, 1.0]]), 0.0)}).told()
    assert told.energy == kappa(1, 2) == 0.25


def test_one_label_of_three_tells_more_than_a_single_query_could():
    """2/9 and 2/3 of 1/4: above floor(K^2/4)/K^2, which bounds one query, and below K - 1 times that."""
    queries = {(): games.Query(np.array([[0.0, 0.0, 1.0]]), 0.0), (0,): games.Query(np.array([[0.0, 1.0, 1.0]]), 0.0)}
    told = games.Tree(1, 3, 0.5, 2, queries).told()
    assert told.energy == pytest.approx(2 / 9 + 1 / 6)
    assert 2 / 9 < told.energy < kappa(1, 3)


GAMES = [(2, 1.0, (-1, 0, 0.5, 1), 2), (3, 1.0, (-1, 0, 1), 2), (3, 2.0, (-1, 0, 1), 4), (3, 0.5, (-1, -0.5, 0, 0.5, 1), 2),
         (4, 1.0, (-1, 0, 1), 1), (4, 3.0, (-1, 0, 1), 1), (4, 2.0, (-1, 1), 4)]  # fmt: skip


def of_game(N: int, cell: float, failing: Fraction) -> Channel:
    """The board of a game: scores in whole units, of which a row weighs N/cell at most, right but for so many labelings."""
    scenario = board(N, shown=Decimals(0), clip=clip_of(str(N / cell)))
    return replace(channel_of(scenario), delta=failing)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_no_strategy_tells_more_labelings_apart_than_the_limit_admits(game):
    """The best of all adaptive strategies, by search: the limit excludes none of them at its own rate of success."""
    N, cell, *_ = game
    for queries, leaves in enumerate(games.Game(*game).leaves(), 1):
        channel = of_game(N, cell, 1 - Fraction(leaves, 2**N))
        with working(channel.working_bits):
            assert (Energy().apply(channel).queries or 0) <= queries, (queries, leaves)


def test_games_come_close_to_the_limit():
    """Cells that a single label hardly crosses: all labels take N queries, and the limit says so."""
    with working(128):
        assert Energy().apply(of_game(4, 3.0, Fraction(0))).queries == 3
    assert len(list(games.Game(4, 3.0, (-1, 0, 1), 1).leaves())) == 4


# -- monotone --------------------------------------------------------------------------------------------


def rising(scenarios: list[Scenario]) -> bool:
    found = [energy(one).queries or 0 for one in scenarios]
    return found == sorted(found) and found[-1] > found[0]


@pytest.mark.parametrize("adaptive", [True, False])
@pytest.mark.parametrize("phi", [Arbitrary(), Ieee(64), Ieee(32), Ieee(16)])
def test_fewer_decimals_never_help(phi, adaptive):
    base = board(800, phi=phi, adaptive=adaptive, clip=real("1e-3"))
    for shown in (Decimals, Truncated):
        assert rising([replace(base, shown=shown(d)) for d in range(9, -1, -1)])


@pytest.mark.parametrize("adaptive", [True, False])
@pytest.mark.parametrize(
    "noise",
    [
        lambda s: Bounded(s),
        lambda s: Gaussian(s),
        lambda s: Laplace(s),
        lambda s: Uniform(Real.of(-s.lo), s),
        lambda s: Subexponential(Real.of(s.lo**2), s),
    ],
)
def test_more_noise_never_helps(noise, adaptive):
    base = board(800, adaptive=adaptive, clip=real("1e-3"))
    sizes = [Real.of(Fraction(3**step, 3**12)) for step in range(16)]
    assert rising([replace(base, noise=noise(s)) for s in sizes])


@pytest.mark.parametrize("noise", [Bounded(real("0.01")), Laplace(real("0.01")), Uniform(real("-0.01"), real("0.01"))])
def test_a_higher_goal_and_more_confidence_never_help(noise):
    base = board(800, noise=noise, clip=real("1e-3"))
    assert rising([replace(base, goal=Fraction(share, 20)) for share in range(11, 21)])
    sure = [Fraction(1, 10), Fraction(1, 2), Fraction(9, 10), Fraction(99, 100), 1 - Fraction(1, 10**9)]
    assert rising([replace(base, confidence=one) for one in sure])
    assert rising([replace(base, N=N) for N in (10, 100, 1000, 10**4, 10**6)])


def test_a_budget_changes_nothing():
    for text in ENERGY.values():
        base = written(text)
        assert len({energy(replace(base, queries=queries)).queries for queries in (None, 0, 1, 10**6)}) == 1


def test_listing_queries_beforehand_never_helps():
    for text in ENERGY.values():
        base = replace(written(text), adaptive=True)
        assert energy(base).queries <= energy(replace(base, adaptive=False)).queries


# -- beside the certified attacks, and derived again --------------------------------------------------------


def uncontradicted(scenario: Scenario) -> int:
    """How many certified attacks ask no fewer queries than the limit says; none may ask fewer."""
    report = plan(scenario)
    limit = report.limits[5]
    assert not limit.excludes_all
    least = limit.queries or 0
    certified = [one.certified.queries for one in report.candidates if one.certified is not None]
    assert all(queries >= least for queries in certified), (scenario, certified, least)
    return len(certified) if least > 1 else 0


@pytest.mark.parametrize("part", range(10))
def test_no_certified_attack_asks_fewer_queries(part, one_in):
    met = 0
    for each in one_in(3, range(30), f"{part}"):
        draw = random.Random(f"energy {part} {each}")
        scenario = replace(random_scenario(draw, draw.choice([30, 3000, 10**6])), queries=None)
        met += uncontradicted(scenario)
    assert met  # a share in which nothing is certified would prove nothing


def tables() -> dict[tuple[int, int, int | None], list[int]]:
    """Queries that docs/performance.md prints, by labels, classes and decimals: of the best attack, and the best listed."""
    page = (ROOT / "docs" / "performance.md").read_text("utf-8")
    rows = re.findall(r"^\| ([\d,]+) \| (\d+) \| (\d|float64) \| (.+) \|$", page, re.MULTILINE)
    found = {}
    for N, K, d, rest in rows:
        cells = [cell.replace(",", "") for cell in rest.split(" | ")]
        found[int(N.replace(",", "")), int(K), None if d == "float64" else int(d)] = [
            int(cells[at]) if cells[at] != "-" else 0 for at in (1, 5)
        ]
    return found


@pytest.mark.parametrize("K", [2, 3, 4, 10])
def test_no_attack_of_the_performance_tables_asks_fewer_queries(K):
    """As they are printed: each beside this limit, the listed ones beside its form for such."""
    met = 0
    for (N, classes, d), (best, listed) in tables().items():
        if classes != K:
            continue
        shown = None if d is None else Decimals(d)
        for adaptive, asked in ((True, best), (False, listed)):
            least = energy(Scenario("grid", N, K=K, shown=shown, clip=CLIP, columns=K, adaptive=adaptive)).queries or 0
            assert least <= asked or not asked, (N, K, d, adaptive)
            met += asked > 0 < least
    assert met > 30


@pytest.mark.parametrize("path", sorted((ROOT / "examples").rglob("*.threat")), ids=lambda path: path.stem)
def test_no_attack_of_the_examples_asks_fewer_queries(path, one_in):
    for scenario in one_in(2, load(str(path)), path.stem):
        try:
            points = [point for point, _ in zip(scenario.points(), range(6), strict=False)]
        except ThreatError:
            continue  # a point of a sweep whose values do not fit
        for point in points:
            uncontradicted(point)


COARSE = {
    "float16": "N = 300; phi = float16; clip = 1e-2; decimals = 1",
    "float16, cut off": "N = 300; phi = float16; clip = 1e-2; decimals = truncated(1)",
    "float16, listed": "N = 300; phi = float16; clip = 1e-2; decimals = 1; adaptive = no",
    "float16, noise": "N = 300; phi = float16; clip = 1e-2; noise = gaussian(1/20)",
    "float16, blurred": "N = 300; phi = float16; clip = 1e-2; noise = uniform(-1/20, 1/20); adaptive = no",
    "float16, noise and decimals": "N = 300; phi = float16; clip = 1e-2; noise = laplace(1/5); decimals = 0",
    "float32 added up": "N = 100000; phi = float64; score_phi = float32; clip = 1e-6; decimals = 3",
    "a grid": "N = 300; phi = fixed(6, 5); adaptive = no",
    "many classes": "N = 500; K = 7; clip = 1e-3; decimals = 1; goal = 3/4; confidence = 60%",
}
"""Channels whose errors of computing a score are large, and others that tell forms apart."""


@pytest.mark.parametrize("name", [*ENERGY, *COARSE])
def test_every_form_is_derived_again(name):
    """By the checker's own arithmetic, whose figures bind the record from the side that would be unsound."""
    scenario = written({**ENERGY, **COARSE}[name])
    limit = energy(scenario)
    assert limit.queries > 1
    assert all(one.holds for one in limit.inequalities)
    record = json.loads(json.dumps(finite(limit_to_json(limit))))
    assert list(limit_faults(oracle.channel(scenario), record)) == []


@pytest.mark.parametrize("noise", [Gaussian(real("0.05")), Laplace(real("0.05")), Uniform(real("-0.1"), real("0.1"))])
def test_errors_of_computing_scores_only_ever_help(noise):
    """What floats add to a score may tell something: the limit claims less than for exact scores."""
    exact = board(300, clip=real("1e-2"), noise=noise)
    for adaptive in (True, False):
        quiet, rough = (energy(replace(exact, phi=phi, adaptive=adaptive)).queries for phi in (Arbitrary(), Ieee(16)))
        assert 1 < rough < quiet


@pytest.mark.parametrize(
    "noise", [Gaussian(real(5)), Laplace(real(5)), Uniform(real(3), real(20)), Bounded(real("1e-9"))]
)
@pytest.mark.parametrize("shown", [Decimals(1), Truncated(1)])
def test_noise_moves_the_edges_of_cells_with_its_own_size(noise, shown):
    """A sum with noise is rounded, and the multiple whose digits are shown: as far as the checker says, no less."""
    scenario = board(300, phi=Ieee(16), clip=real("1e-2"), noise=noise, shown=shown)
    step, unit = Fraction(1, 10), Fraction(1, 2**11)
    with working(200):
        planned = oracle.number(lower(error_in_steps(channel_of(scenario), step)))
    derived = edge(oracle.channel(scenario), step) / step
    assert derived.least() <= Fraction(str(planned)) * (1 + Fraction(1, 10**40))
    size = {Gaussian: 5, Laplace: 7, Uniform: Fraction(23, 2) + 4, Bounded: 0}[type(noise)]
    assert planned > oracle.slack(scenario) * 10 + oracle.number(2 * unit * size * 10)


def test_errors_of_computing_scores_reach_over_the_edge_of_a_cell():
    for shown in (Decimals(2), Truncated(2)):
        exact = board(300, clip=real("1e-2"), shown=shown)
        for adaptive in (True, False):
            quiet, rough = (
                energy(replace(exact, phi=phi, adaptive=adaptive)).queries for phi in (Arbitrary(), Ieee(16))
            )
            assert 1 < rough < quiet


# -- where it says nothing, and where it says all ----------------------------------------------------------


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"clip": None, "shown": Decimals(2)},
        {"shown": Significant(3)},
        {"noise": Multiplicative(real("0.1"))},
        {"noise": Gaussian(real("1e-200"))},
        {"shown": Decimals(2), "goal": Fraction(1, 2)},
        {"shown": Decimals(2), "checks": False, "clip": None},
    ],
)
def test_silence(fields):
    limit = energy(board(50, **fields))
    assert limit.queries is None
    assert not limit.excludes_all
    assert not limit.inequalities


@pytest.mark.parametrize("shown", [None, Decimals(0), Truncated(2)])
def test_rows_that_weigh_nothing(shown):
    """On a grid of halves the only prediction of two classes is 1/2: W is 0, and counting excludes everything."""
    report = plan(Scenario(name="board", N=6, phi=FixedPoint(13, 1), noise=Bounded(real("1/1000")), shown=shown))
    assert report.limits[0].excludes_all
    assert report.limits[5].queries is None


def test_multiplicative_noise_does_not_undo_rounding():
    rounded = board(2000, shown=Decimals(1))
    noisy = replace(rounded, noise=Multiplicative(real("1e-9")))
    assert energy(noisy).queries == energy(rounded).queries > 100


@pytest.mark.parametrize("phi", [Arbitrary(), Ieee(64)])
@pytest.mark.parametrize(
    ("fields", "least"),
    [
        ({"noise": Bounded(real("1e400"))}, 12),
        ({"noise": Bounded(real("1e-400"))}, 0),
        ({"noise": Uniform(real(0), real("1e300"))}, 47),
        ({"noise": Gaussian(real("1e300"))}, 2**200),
        ({"shown": Decimals(300)}, 0),
        ({"shown": Decimals(1000), "adaptive": False}, 0),
    ],
)
def test_sizes_beyond_all_measure(fields, least, phi):
    """Noise that hides everything and digits that hide nothing: still a number, and floats do not overflow."""
    assert (energy(board(12, phi=phi, clip=real("1e-6"), **fields)).queries or 0) >= least


def test_energy_decides_what_nothing_else_does():
    """25,000 labels, one decimal, 5,000 adaptive queries: between counting's 2,963 and the energy's 7,511."""
    report = plan(board(25_000, phi=Ieee(64), shown=Decimals(1), queries=5000))
    assert report.verdict is Verdict.IMPOSSIBLE
    assert [one.id for one in report.limits if one.excludes(5000)] == ["I6"]
    assert report.lower_bound.by == "I6"
