"""The theory's graph: what is lit, what is dim, how it is joined, and how one walks it."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Static

from dsl.scenario import Decimals, Scenario
from tests.tui.conftest import Open
from tests.tui.fakes import fake_plan
from tui.theory_map import TheoryMap, theory_map
from tui.widgets.theory_graph import TheoryGraph

KINDS = {
    "random-noise": ("reduction", "Random noise"),
    "decimals": ("reduction", "Shown digits"),
    "block": ("attack", "Block attack"),
    "I1": ("limit", "Counting"),
}


def drawing(digits: int, queries: int = 200) -> TheoryMap:
    report = fake_plan(Scenario("one", 1000, shown=Decimals(digits), queries=queries))
    return theory_map(report, report.best, KINDS)


def tones(drawn: TheoryMap) -> dict[str, str]:
    return {node.id: node.tone for column in drawn.columns for node in column}


def test_the_path_of_the_plan_is_lit_and_what_was_refused_is_dim() -> None:
    drawn = drawing(5)
    assert tones(drawn) == {
        "scenario": "lit",
        "random-noise": "dim",
        "decimals": "lit",
        "channel": "lit",
        "primes-apa": "dim",
        "block": "lit",
        "I1": "plain",
    }
    assert drawn.goal == "block"
    refused = drawn.find("primes-apa")
    assert refused is not None
    assert refused.note == "phi: needs arbitrary precision; here: float64"


def test_an_impossible_scenario_lights_its_proof() -> None:
    drawn = drawing(1)
    assert tones(drawn)["I1"] == "lit"
    assert tones(drawn)["scenario"] == "plain"
    assert drawn.goal == "I1"


def test_every_row_is_as_wide_as_the_others_up_to_the_notes() -> None:
    drawn = drawing(5)
    rows = ["".join(text for text, _, _ in line[:-1]) for line in drawn.lines()]
    assert len({len(row) for row in rows if not row.isspace()}) == 1
    joined = "\n".join(rows)
    assert "scenario" in joined
    assert joined.count("▸") == 2 + 1 + 3, "an arrow into every node but the first"


def test_folded_what_has_no_part_in_the_plan_is_one_node_a_kind() -> None:
    report = fake_plan(Scenario("one", 1000, shown=Decimals(5), queries=200))
    drawn = theory_map(report, report.best, KINDS, folded=True)
    assert tones(drawn) == {
        "scenario": "lit",
        "decimals": "lit",
        "unused": "dim",
        "channel": "lit",
        "block": "lit",
        "refused": "dim",
        "I1": "plain",
    }
    folded = drawn.find("refused")
    assert folded is not None
    assert (folded.title, folded.note) == ("primes-apa", "1 attack")


def test_a_drawing_gives_up_its_first_columns_before_it_is_cut() -> None:
    whole = drawing(5)
    for width in (whole.width, whole.width - 1, 40):
        fitted = whole.within(width)
        assert fitted.width <= width or len(fitted.columns) == 2
        assert fitted.columns == whole.columns[-len(fitted.columns) :]
    assert whole.within(whole.width) == whole


@pytest.mark.parametrize("name", ["bowl", "api", "imdb", "split", "titanic"])
def test_nothing_of_a_real_plan_is_cut_at_120_columns(name: str) -> None:
    """Beside the sidebar 74 columns are left; the path from the reductions on fits whole."""
    from dsl import load
    from planner import plan
    from planner.theory import entries

    kinds = {one.id: (one.kind, one.title) for one in entries()}
    report = plan(load(Path(__file__).parents[2] / "examples" / f"{name}.threat")[0])
    fitted = theory_map(report, report.best, kinds, folded=True).within(74)
    assert fitted.width <= 74
    assert len(fitted.columns) >= 3


@pytest.mark.asyncio
async def test_walking_the_graph(explore: Open, file: Path) -> None:
    async with explore(file) as hands:
        await hands.press("f6")
        graph = hands.main.query_one(TheoryGraph)
        told = hands.main.query_one("#theory-words", Static)
        await hands.until(lambda: graph.map is not None, "the graph")
        assert graph.cursor == "block"
        assert "Block attack" in str(told.content)
        await hands.press("down")
        assert graph.cursor == "refused"
        await hands.until(lambda: "do not apply" in str(told.content), "what is folded")
        await hands.press("enter", "up", "down")
        assert graph.cursor == "primes-apa"
        await hands.until(lambda: "here: phi: needs" in str(told.content), "the reason")
        await hands.press("left")
        assert graph.cursor == "channel"
        await hands.press("left", "left", "left")
        assert graph.cursor == "scenario"
        await hands.press("right")
        assert graph.place is not None
        assert graph.place[0] == 1
        hands.main.query_one("#field-decimals").focus()
        await hands.press("left", "left", "left", "left")
        assert graph.map is not None
        assert tones(graph.map)["I1"] == "lit"
