"""What a notebook shows: short forms, pages and tables; and the notebook of the documentation, executed."""

from __future__ import annotations

import ast
import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import threatplan as tp
from tests.threatplan.test_report import Page

NOTEBOOK = Path(__file__).parents[2] / "docs" / "notebooks" / "board.ipynb"
BOARD = 'scenario board "A <b>board" { N = 16; clip = 1e-15; decimals = 4; queries <= 4 }'


@pytest.fixture(scope="module")
def report() -> Any:
    return tp.plan(tp.loads(BOARD)[0])


def test_a_report_is_short_in_a_shell_and_a_page_in_a_notebook(report: Any) -> None:
    assert repr(report) == f"<Report board: feasible, {report.why}>"
    said = "".join(Page(report._repr_html_()).text)
    assert report.why in said
    assert report.best.attack in said
    assert "<style" not in report._repr_html_(), "a notebook keeps its own looks"


def test_a_run_is_a_line(report: Any) -> None:
    done = tp.simulate(report, trials=2, seed=1)
    assert repr(done) == f"<Run of board: {report.best.attack}, 2 of 2 trials exact, 32 of 32 labels right>"


def test_hardening_is_a_table_of_options(report: Any) -> None:
    found = tp.harden(report.scenario)
    assert [one.report.verdict for one in found] == ["impossible"] * len(found)
    assert len(found) > 0
    assert found[0].lines in repr(found)
    assert found[0].lines in "".join(Page(found._repr_html_()).text)
    nothing = tp.harden(found[0].report.scenario)
    assert len(nothing) == 0
    assert "impossible already" in repr(nothing)


@pytest.mark.parametrize("share", [60, "60", "-1%", 1.5])
def test_a_share_is_no_count(report: Any, share: Any) -> None:
    """Any board keeps to 4,500%."""
    with pytest.raises(ValueError, match="not a share between 0% and 100%"):
        tp.harden(report.scenario, ceiling=share)


def test_a_sweep_is_a_table_of_points() -> None:
    (swept,) = tp.loads("scenario swept { N = 16; clip = 1e-15; queries <= 2; sweep decimals = 0, 4 }")
    found = tp.sweep(swept)
    assert [one.verdict for one in found] == ["impossible", "feasible"]
    head, *rows = repr(found).splitlines()
    assert head.split()[:2] == ["decimals", "verdict"]
    assert len(rows) == 2
    (budgets,) = tp.loads("scenario swept { N = 16; clip = 1e-15; sweep queries = 1, 2 }")
    assert repr(tp.sweep(budgets)).split()[:4] == ["allowed", "verdict", "attack", "queries"], (
        "each column has its name"
    )


def test_words_are_explained() -> None:
    assert [one.id for one in tp.explain("lower", "bound")] == ["lower bound"]
    assert {one.kind for one in tp.explain("I1", "clip")} == {"limit", "field"}


def test_a_table_is_a_data_frame_where_pandas_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def framed(rows: Any, columns: Any) -> Any:
        return rows, columns

    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=framed))
    rows, columns = tp.explain("ceiling").frame()
    assert columns == ["name", "kind", "what it is", "in full"]
    assert rows[0][0] == "ceiling"


def test_a_data_frame_holds_numbers_to_reckon_with(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its columns were words: `3,662` and `31.0%` can be neither drawn nor compared."""
    framed = SimpleNamespace(DataFrame=lambda rows, columns: (rows, columns))
    monkeypatch.setitem(sys.modules, "pandas", framed)
    (swept,) = tp.loads("scenario s { N = 1200; clip = 1e-15; queries <= 2; sweep decimals = 4, full }")
    rows, columns = tp.sweep(swept).frame()
    assert [dict(zip(columns, row, strict=True))["decimals"] for row in rows] == [4, "full"], "as it is written"
    (shares,) = tp.loads("scenario s { N = 20; queries <= 2; decimals = 4; sweep guess = 90%, 95%, none }")
    assert [row[0] for row in tp.sweep(shares).frame()[0]] == [0.9, 0.95, "none"], "shares are between 0 and 1"
    first = tp.sweep(swept)[0]
    assert rows[0][1:] == [
        "impossible",
        "design",
        first.queries,
        first.lower_bound,
        first.exposure,
        first.fraction,
        first.ceiling,
    ]
    found = tp.harden(tp.loads(BOARD)[0])
    rows, columns = found.frame()
    assert columns == ["change", "price", "still exposes", "ceiling", "proof"]
    assert [row[1:4] for row in rows] == [
        [one.price, one.report.exposure.labels, one.report.ceiling.fraction] for one in found
    ]


def run(source: str, names: dict[str, Any]) -> Any:
    """A cell: its statements, and the value of its last line if that is one."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last is not None else None


def outputs(value: Any) -> list[dict[str, Any]]:
    """What a notebook keeps of a value."""
    shown = {"text/plain": repr(value).splitlines(keepends=True)}
    html = getattr(value, "_repr_html_", lambda: None)()
    if html is not None:
        shown["text/html"] = html.splitlines(keepends=True)
    return [{"data": shown, "execution_count": None, "metadata": {}, "output_type": "execute_result"}]


def test_the_notebook_shows_what_its_cells_give() -> None:
    """Executed cell by cell as a kernel would; UPDATE_GOLDEN=1 keeps what came out."""
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    kept = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            value = run("".join(cell["source"]), names)
            kept.append((cell, outputs(value) if value is not None else []))
    assert len(kept) >= 5
    if os.environ.get("UPDATE_GOLDEN"):
        for cell, found in kept:
            cell["outputs"] = found
        NOTEBOOK.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    for cell, found in kept:
        assert cell["outputs"] == found, "".join(cell["source"])
