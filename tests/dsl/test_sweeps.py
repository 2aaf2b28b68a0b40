import dataclasses
import pickle
from itertools import islice

import pytest

import dsl
from dsl.scenario import Decimals


def board(*lines: str) -> dsl.Scenario:
    (scenario,) = dsl.loads("scenario board {\n" + "\n".join(lines) + "\n}")
    return scenario


def test_a_scenario_without_sweeps_is_its_only_point() -> None:
    scenario = board("N = 5")
    assert list(scenario.points()) == [scenario]
    assert scenario.sweep_size() == 1


def test_dependent_fields_follow() -> None:
    points = list(board("sweep N = 10, 20", "queries <= N/5", "expect queries <= N/2").points())
    assert [(point.N, point.queries) for point in points] == [(10, 2), (20, 4)]
    assert [getattr(point.expectations[0], "value", None).lo for point in points] == [5, 10]  # type: ignore[union-attr]
    assert [point.name for point in points] == ["board[N=10]", "board[N=20]"]
    assert all(point.origins["N"].kind == "sweep" for point in points)


def test_presets_and_defaults_follow() -> None:
    points = list(board("N = 10", "sweep scorer = none, kaggle, torch_bce", "sweep K = 2, 3").points())
    assert [point.columns for point in points] == [1, 3] * 3
    assert [point.shown for point in points][::2] == [None, Decimals(5), None]
    assert points[2].clip is not None


def test_the_product_turns_its_last_sweep_fastest() -> None:
    points = board("N = 5", "sweep K = 2, 3", "sweep decimals = 1..2").points()
    assert [point.name for point in points] == [
        "board[K=2, decimals=1]",
        "board[K=2, decimals=2]",
        "board[K=3, decimals=1]",
        "board[K=3, decimals=2]",
    ]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ("2..5", [2, 3, 4, 5]),
        ("5..2", [5, 4, 3, 2]),
        ("1..10 step 4", [1, 5, 9]),
        ("10..1 step -4", [10, 6, 2]),
        ("1..1000 log 4", [1, 10, 100, 1000]),
        ("1000..1 log 4", [1000, 100, 10, 1]),
        ("[7, 1..2]", [7, 1, 2]),
        ("K*5, 2^3", [10, 8]),
    ],
)
def test_ranges(values: str, expected: list[int]) -> None:
    scenario = board(f"sweep N = {values}")
    assert [point.N for point in scenario.points()] == expected
    assert scenario.sweep_size() == len(expected)
    assert expected[0] == scenario.N


def test_the_base_keeps_its_own_value() -> None:
    assert board("N = 7", "sweep N = 1..3").N == 7


def test_a_point_that_does_not_fit_is_diagnosed_when_it_is_reached() -> None:
    scenario = board("sweep N = 100..1 step -1", "queries <= 10/(N - 50)^2")
    points = scenario.points()
    assert len(list(islice(points, 50))) == 50
    with pytest.raises(dsl.ThreatError) as caught:
        next(points)
    assert "division by zero (at N = 50)" in caught.value.render()


def test_an_edited_scenario_keeps_its_edit_in_every_point() -> None:
    scenario = board("N = 100", "queries <= N/5", "sweep decimals = 2..3")
    edited = dataclasses.replace(scenario, N=7)
    assert [(point.N, point.queries) for point in edited.points()] == [(7, 20), (7, 20)]
    assert dsl.loads(dsl.source(edited)) == [edited]


def test_scenarios_can_be_sent_to_another_process() -> None:
    scenario = board("sweep N = 10..30 step 10", "queries <= N/5")
    again = pickle.loads(pickle.dumps(scenario))
    assert again == scenario
    assert list(again.points()) == list(scenario.points())


def test_different_formulas_make_different_scenarios() -> None:
    fifth, half = (board("N = 10", "sweep N = 10, 20", f"queries <= {text}") for text in ("N/5", "N/10 + 1"))
    assert fifth.queries == half.queries
    assert fifth != half


def test_a_range_within_a_long_sweep_is_checked_at_its_ends() -> None:
    with pytest.raises(dsl.ThreatError, match="noise needs a kind"):
        board("N = 5", "sweep noise = none, 1..1000, none")
    with pytest.raises(dsl.ThreatError, match="clip must be below 1/2"):
        board("N = 5", "sweep clip = 0.1, 1/1000..1 step 1/1000, 0.2")


def test_large_values_of_a_sweep_can_be_written_back() -> None:
    scenario = board("N = 5", "sweep queries = 1..1e999")
    assert dsl.loads(dsl.source(scenario)) == [scenario]
