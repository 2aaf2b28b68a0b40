"""The frontier plot as data: scale, bands, regions and lines."""

import math
from itertools import pairwise

from tui.plot import Percent, Point, Scale, Share, bands, draw


def regions(points: list[Point], width: int = 12, height: int = 8, budget: int | None = None) -> list[list[str]]:
    return [[cell.region for cell in row] for row in draw(points, width, height, budget)]


def test_bands_cover_the_width_without_gaps() -> None:
    for count in range(1, 9):
        edges = bands(count, 23)
        assert edges[0][0] == 0
        assert edges[-1][1] == 23
        assert all(left[1] == right[0] for left, right in pairwise(edges))


def test_the_scale_is_logarithmic_and_its_ends_are_decades() -> None:
    scale = Scale.around([Point("x", 10, 1000)], None, 10)
    assert (scale.low, scale.high) == (0, 4)
    assert scale.row(10**4) == 0
    assert scale.row(1) == scale.rows - 1
    assert abs(scale.row(100) - scale.row(1000) - scale.row(10) + scale.row(100)) <= 1


def test_regions_stand_in_order_from_impossible_up_to_feasible() -> None:
    column = [row[0] for row in regions([Point("x", 100, 10_000)], height=16)]
    assert column == sorted(column, key=["feasible", "unknown", "impossible"].index)
    assert set(column) == {"feasible", "unknown", "impossible"}


def test_without_an_attack_nothing_is_feasible_and_without_a_limit_nothing_impossible() -> None:
    assert {one for row in regions([Point("x", 100, None)]) for one in row} == {"unknown", "impossible"}
    assert {one for row in regions([Point("x", None, 100)]) for one in row} == {"unknown", "feasible"}


def test_a_proof_against_every_number_of_queries_fills_the_column() -> None:
    both = regions([Point("x", math.inf, None), Point("y", None, 10)], width=10)
    assert {row[0] for row in both} == {"impossible"}
    assert "feasible" in {row[-1] for row in both}


def test_every_line_leaves_its_dots_and_the_best_attack_lies_on_top() -> None:
    cells = [cell for row in draw([Point("x", 10, 10_000, 1000)], 10, 12, budget=100) for cell in row]
    assert {cell.line for cell in cells} == {None, "limit", "best", "paper", "budget"}
    same = [cell for row in draw([Point("x", None, 100, 100)], 10, 12) for cell in row]
    assert {cell.line for cell in same} == {None, "best"}


def test_the_present_value_is_marked_over_its_whole_band() -> None:
    rows = draw([Point("a", 1, 10), Point("b", 1, 10, present=True)], 10, 4)
    assert [cell.present for cell in rows[0]] == [False] * 5 + [True] * 5


def test_no_room_or_no_points_draws_nothing() -> None:
    assert draw([], 10, 10) == []
    assert draw([Point("a", 1, 2)] * 5, 3, 10) == []


def test_ticks_never_touch() -> None:
    for height in range(2, 30):
        rows = sorted(Scale.around([Point("x", 1, 10**12)], None, height).ticks())
        assert all(right - left >= 1 for left, right in pairwise(rows))


def test_shares_of_labels_stand_on_an_even_scale_with_what_is_known_below() -> None:
    """At a budget that exposes a quarter below a ceiling of three: the lowest rows are out, the highest are out of reach."""
    point = Share("10", 75.0, 25.0, None, True)
    regions = [row[0].region for row in draw([point], 4, 20)]
    assert regions == ["impossible"] * 5 + ["unknown"] * 10 + ["feasible"] * 5
    assert {text: row for row, text in Percent(80).ticks().items()} == {
        "100%": 0,
        "75%": 5,
        "50%": 10,
        "25%": 14,
        "0%": 19,
    }
    assert list(Percent(16).ticks().values()) == ["0%", "100%"]


def test_a_share_that_is_not_known_is_neither_out_nor_out_of_reach() -> None:
    assert {row[0].region for row in draw([Share("1", 100.0, None)], 4, 9)} == {"unknown"}
    assert {row[0].region for row in draw([Share("1", None, None, planned=False)], 4, 9)} == {"pending"}
