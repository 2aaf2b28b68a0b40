"""Limits held against formulas that were worked out apart from them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil, comb, log, log2
from types import SimpleNamespace

import pytest

from dsl import loads
from planner.channel.channel import channel_of
from planner.limits import limits_of
from planner.limits.common import rounding_slack
from planner.limits.neighbour import _swapped
from planner.limits.neighbour_random import NeighbourRandom, _allowed
from planner.numerics.reals import working


def least(id: str, fields: str) -> int | None:
    (scenario,) = loads(f"scenario a {{ {fields} }}")
    return next(one.queries for one in limits_of(channel_of(scenario)) if one.id == id)


@pytest.mark.parametrize(("N", "sigma"), [(1000, 0.5), (300, 0.2)])
def test_one_wrong_guess_moves_a_listed_score_by_its_weight(N, sigma):
    """One label of N is 1: it moves a score by W/N either way, and Gaussian noise lets log2(1 + (W/(N sigma))^2)/2 bits pass
    of the log2 N that are wanted with probability 99 %."""
    moved = log((1 - 1e-15) / 1e-15) / N
    bits = 0.99 * log2(N) + 0.01 * log2(0.01) + 0.99 * log2(0.99)
    found = least("I4", f"N = {N}; positives = 1; clip = 1e-15; noise = gaussian({sigma}); adaptive = no; columns = 2")
    assert found == pytest.approx(ceil(bits / (log2(1 + (moved / sigma) ** 2) / 2)), abs=1)


def test_as_many_flips_as_labels_may_be_wrong_are_no_harm():
    """Of 20 labels flipped with 5 % each, four or more are with probability 1.6 %, five or more with 0.3 %."""
    fields = "N = 20; clip = 1e-15; response = 2.944; confidence = 99%; goal = {goal}"
    (enough, too_many) = (loads(f"scenario a {{ {fields.format(goal=goal)} }}")[0] for goal in ("80%", "85%"))
    excluded = [next(one.excludes_all for one in limits_of(channel_of(each)) if one.id == "I10")
                for each in (enough, too_many)]  # fmt: skip
    assert excluded == [False, True]


@pytest.mark.parametrize(
    ("fields", "queries"),
    [("decimals = 1", 63), ("decimals = truncated(1)", None), ("decimals = 1; noise = gaussian(1e-6)", None)],
)
def test_cells_are_flat_where_scores_are_rounded_and_nothing_random_moves_them(fields, queries):
    """1/2 lies at the edge of a cell of scores that are cut off, and random noise may carry a score out of any cell."""
    assert least("I9", f"N = 600; metric = accuracy; {fields}") == queries


@pytest.mark.parametrize("metric", ["brier", "mse", "mae"])
@pytest.mark.parametrize(("checks", "breadth"), [(True, 1), (False, float("inf"))])
def test_rows_outside_their_range_may_do_anything(metric, checks, breadth):
    (scenario,) = loads(f"scenario a {{ N = 9; metric = {metric}; predictions = probability; decimals = 3 }}")
    channel = replace(channel_of(scenario), checks=checks)
    assert float(channel.metric.span(channel)) == breadth


def test_a_pair_that_is_left_open_costs_one_label():
    """Two of four labels are 1, and one of the four may be wrong: of two pairs one may stay open for that, half of it wrong
    on average, so a quarter of all pairs and not none."""
    (scenario,) = loads(
        "scenario a { N = 4; positives = 2; goal = 75%; clip = 1e-3; noise = gaussian(1); confidence = 90% }"
    )
    share, delta = 0.25, 0.1
    assert float(_allowed(channel_of(scenario))()) == pytest.approx(share + delta - share * delta)


def test_no_more_queries_are_claimed_than_anybody_counts():
    """Of a million balanced labels the share outside the cell is e^-5000."""
    assert least("I9", "N = 1_000_000; metric = accuracy; decimals = 1") == 10**18


def test_labelings_that_count_as_right_need_not_be_told():
    """(1 - delta - V/2^N)/p queries, and V is no small part where 208 of 400 labels are to be right."""
    count = [comb(400, k) for k in range(401)]
    share = Fraction(2 * sum(count[220:]), 2**400)  # 220 right rows show 0.55, which may be rounded to 0.6
    enough = Fraction(count[192], 2**400) / (
        1 - Fraction(192, 209)
    )  # numbers of labelings fall by that factor and more
    assert sum(count[:193]) < enough * 2**400
    wanted = ceil((Fraction(99, 100) - enough) / share)
    assert least("I9", "N = 400; metric = accuracy; decimals = 1; goal = 52%") == wanted


def test_lists_that_must_never_fail_are_left_to_other_proofs():
    (scenario,) = loads("scenario a { N = 20; clip = 1e-15; noise = gaussian(1/2); adaptive = no }")
    channel = replace(channel_of(scenario), delta=Fraction(0))
    assert NeighbourRandom()._listed(channel, 1) is None


def test_where_nothing_is_rounded_no_score_is_off_however_far_rows_reach():
    (scenario,) = loads("scenario a { N = 20; phi = arbitrary }")
    channel = channel_of(scenario)
    with working(100):
        assert not channel.span().is_finite()
        assert rounding_slack(channel) == 0


@pytest.mark.parametrize(("known", "excluded"), [("", True), ("; guess = 75%", False)])
def test_a_pair_of_labelings_may_both_be_far_from_a_guess(known, excluded):
    """F1 tells all of its nearest pair apart by 2/13; with a guess nobody has to tell these two apart."""
    (scenario,) = loads(f"scenario a {{ N = 12; metric = f1; noise = bounded(1/4){known} }}")
    assert next(one.excludes_all for one in limits_of(channel_of(scenario)) if one.id == "I2") is excluded


@pytest.mark.parametrize(("ones", "apart"), [(0, None), (4, Fraction(1, 9)), (9, None)])
def test_labels_all_alike_have_no_two_to_swap(ones, apart):
    metric = SimpleNamespace(swap=lambda N, n1: Fraction(1, N))
    assert _swapped(SimpleNamespace(scored=9, radius=ones, metric=metric)) == apart


@pytest.mark.parametrize(("taken", "found"), [("predictions = probability", True), ("predictions = real", False)])
def test_absolute_errors_lie_about_a_half_within_0_and_1_only(taken, found):
    said = least("I9", f"N = 10_000; metric = mae; decimals = 1; phi = arbitrary; {taken}")
    assert (said is not None) is found
