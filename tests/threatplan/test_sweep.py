"""`plan sweep`: one row a point, in every format, as a table and as a picture."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.threatplan.files import SMALL, SWEPT
from tests.threatplan.shell import Shell
from threatplan.render.page import Page
from threatplan.render.plot import panels, picture, terminal
from threatplan.sweeps import Row


@pytest.mark.parametrize("format", ["text", "csv", "json", "jsonl", "markdown"])
def test_sweep_writes_one_row_a_point(shell: Shell, format: str) -> None:
    Path("swept.threat").write_text(SWEPT)
    done = shell("sweep", "swept.threat", "--format", format)
    assert done.code == 1, "three decimals take at least five queries"
    rows = {
        "text": lambda out: out.splitlines()[2:],
        "csv": lambda out: out.splitlines()[1:],
        "json": lambda out: json.loads(out)["points"],
        "jsonl": lambda out: [json.loads(line) for line in out.splitlines()],
        "markdown": lambda out: [line for line in out.splitlines() if line.startswith("| ")][2:],
    }[format](done.out)
    assert len(rows) == 3
    if format == "json":
        assert [row["point"] for row in rows] == [{"decimals": str(d)} for d in (3, 4, 5)]
    assert ("expectations fail at 2 of 3 points" in done.err) == (format == "text"), "exit code 1 is explained"


def test_sweep_names_the_cheapest_attack_where_none_keeps_to_the_budget(shell: Shell) -> None:
    text = "scenario few { N = 3000; scorer = sklearn; decimals = 4; queries <= 100 }"
    (row,) = json.loads(shell("sweep", "-", "--format", "json", stdin=text).out)["points"]
    (planned,) = json.loads(shell("-", "--format", "json", stdin=text).out)["scenarios"]
    cheapest = min(one["certified"]["queries"] for one in planned["candidates"] if one["certified"])
    assert (row["verdict"], row["queries"]) == ("impossible", cheapest)


def test_sweeps_too_large_are_refused_before_anything_is_planned(shell: Shell) -> None:
    Path("vast.threat").write_text(SMALL.replace("    expect", "    sweep N = 1..10^12\n    expect", 1))
    for command in ("sweep", "check"):
        done = shell(command, "small.threat", "vast.threat", "--format", "json")
        assert (done.code, done.out) == (2, "")
        assert "1,000,000,000,000 points" in done.err
    assert shell("vast.threat").code == 0, "`plan FILE` plans the base point"


def test_plan_says_how_many_points_a_sweep_has(shell: Shell) -> None:
    Path("swept.threat").write_text(SWEPT)
    assert "`plan sweep` plans all 3 points" in shell("swept.threat").out


def test_plots(shell: Shell) -> None:
    pytest.importorskip("matplotlib")
    Path("swept.threat").write_text(SWEPT)
    for name in ("a.svg", "b.svg", "c.png"):
        shell("sweep", "swept.threat", "--plot", name)
    assert Path("a.svg").read_bytes() == Path("b.svg").read_bytes(), "the same sweep gives the same picture"
    assert Path("c.png").read_bytes().startswith(b"\x89PNG")
    shown = shell("sweep", "swept.threat", "--plot", "-").out
    assert "queries (log scale)" in shown
    budgets = "scenario s { N = 200; clip = 1e-7; decimals = 4; sweep queries = 5..25 step 5 }"
    shown = shell("sweep", "-", "--plot", "-", stdin=budgets).out
    assert "100% ┤" in shown
    assert "share of the labels against queries: ● certified to be exposed, ▁ no attack gets more" in shown


TWO = """scenario one { N = 16; clip = 1e-15; queries <= 2; sweep decimals = 0, 4; sweep noise = none, bounded(0.01) }
scenario two { N = 16; clip = 1e-15; sweep decimals = 1..3 }
"""


def test_a_panel_a_scenario_and_a_line_an_outer_value(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two sweeps and two scenarios were joined into one zigzag."""
    kept: list[Row] = []
    with monkeypatch.context() as patch:
        patch.setattr("threatplan.render.plot.terminal", lambda rows, page: kept.extend(rows) or [])
        shell("sweep", "-", "--plot", "-", stdin=TWO)
    one, two = panels(kept)
    assert (one.title, one.axis, [line.label for line in one.lines]) == (
        "one",
        "noise",
        ["decimals = 0", "decimals = 4"],
    )
    assert [len(line.rows) for line in one.lines] == [2, 2]
    assert (two.title, two.axis, [line.label for line in two.lines]) == ("two", "decimals", [""])
    assert [row.point["decimals"] for row in two.lines[0].rows] == ["1", "2", "3"]
    assert {row.budget for row in one.lines[0].rows} == {2}
    shown = "\n".join(terminal(kept, Page()))
    assert "one: decimals = 4\n" in shown
    assert "queries (log scale) against noise: " in shown
    assert "┄ allowed" in shown
    pytest.importorskip("matplotlib")
    picture(kept, "two.svg")
    drawn = Path("two.svg").read_text(encoding="utf-8")
    assert drawn.count('<g id="axes_') == 2
    for text in ("decimals = 0: best certified attack", "noise", "queries", "feasible", "allowed"):
        assert f"<!-- {text} -->" in drawn, text


def test_a_sweep_of_the_budget_is_drawn_as_labels_against_submissions(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was queries against queries, with marks in a colour that the legend did not have."""
    pytest.importorskip("matplotlib")
    board = "scenario board { N = 100; metric = accuracy; decimals = 4; sweep queries = [2, 20, 60] }"
    assert shell("sweep", "-", "--plot", "board.svg", stdin=board).code == 0
    drawn = Path("board.svg").read_text(encoding="utf-8")
    for text in (
        "share of the labels",
        "certified to be exposed",
        "no attack gets more right on average",
        "impossible, but exposed: up to 1.0%,",
        "ceiling: up to 71.2%",
        "feasible",
        "100%",
    ):
        assert f"<!-- {text} -->" in drawn, text
    for text in ("allowed", "best certified attack"):
        assert f"<!-- {text} -->" not in drawn, text


def test_columns_are_as_wide_as_what_they_hold(shell: Shell) -> None:
    text = (
        "scenario wide { N = 16; clip = 1e-15; sweep noise = none, bounded(0.01), gaussian(0.00001); sweep K = 2, 3 }"
    )
    name, head, *rows = shell("sweep", "-", stdin=text).out.splitlines()
    assert name == "wide"
    for title in ("K", "verdict", "attack", "queries"):
        at = head.index(f" {title} ") + 1
        assert all(row[at - 2 : at].isspace() and not row[at].isspace() for row in rows), title


def test_a_figure_wider_than_its_column_moves_the_rows_from_there_on(shell: Shell) -> None:
    text = "scenario vast { N = 10; clip = 1e-15; decimals = 5; queries <= 1; sweep N = 10^9, 10^10, 100 }"
    *_, large, small = shell("sweep", "-", stdin=text).out.splitlines()
    at = large.index("10,000,000,014") + len("10,000,000,014  ")
    assert large[at - 2 : at] == small[at - 2 : at] == "  "
    assert large[at].isdigit()
    assert small[at].isdigit()


@pytest.mark.parametrize("format", ["text", "csv", "markdown"])
def test_a_swept_budget_is_no_second_column_of_queries(shell: Shell, format: str) -> None:
    budgets = "scenario s { N = 16; clip = 1e-7; decimals = 4; sweep queries = 1, 2 }"
    head = next(
        line for line in shell("sweep", "-", "--format", format, stdin=budgets).out.splitlines() if "attack" in line
    )
    assert head.count("queries") - head.count("paper_queries") == 1
    assert "allowed" in head


def test_a_file_without_sweeps_is_told_how_to_write_one(shell: Shell) -> None:
    assert "`sweep decimals = 2..6`" in shell("sweep", "-", stdin="scenario s { N = 16; clip = 1e-7 }").err
