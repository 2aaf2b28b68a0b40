"""Rendering: every format from one Report, at every width, with and without colour."""

from __future__ import annotations

import io
import json
from fractions import Fraction
from xml.etree import ElementTree

import pytest

from dsl import loads
from planner import plan
from planner.model import Verdict
from tests.threatplan import golden
from tests.threatplan.samples import report
from threatplan.gate import Gate, Problem
from threatplan.render import chain, github, junit, markdown, text
from threatplan.render.json import JsonList
from threatplan.render.numbers import of, rate, share, whole
from threatplan.render.page import Page, display_width
from threatplan.render.table import Cell, Column, lay_out
from threatplan.render.tone import tone, tone_of


def lines(*pieces: object) -> str:
    return "\n".join(str(line) for piece in pieces for line in piece) + "\n"  # type: ignore[attr-defined]


@pytest.mark.parametrize("width", [20, 40, 60, 80, 100])
def test_text_at_every_width(width: int) -> None:
    page = Page(width)
    shown = lines(text.render(report(), page, full=True), chain.render(report(), page))
    golden.check(f"render/text-{width}.txt", shown)


def test_text_in_brief() -> None:
    golden.check("render/text-brief.txt", lines(text.render(report(), Page(80))))


@pytest.mark.parametrize("width", [60, 80, 100])
def test_no_line_is_wider_than_the_page(width: int) -> None:
    page = Page(width, color=True)
    shown = lines(text.render(report(), page, full=True), chain.render(report(), page))
    assert max(display_width(line) for line in shown.splitlines()) <= width


@pytest.mark.parametrize("verdict", list(Verdict))
def test_the_answer_comes_first_then_the_verdict(verdict: Verdict) -> None:
    shown = list(text.render(report(verdict), Page()))
    assert shown[0].startswith(("Yes: ", "No: ", "Not known: "))
    assert shown[shown.index("") + 1].startswith(f"kaggle: {verdict.upper()}: ")


def test_colour_adds_nothing_but_colour() -> None:
    import re

    plain = lines(text.render(report(), Page(80)))
    colored = lines(text.render(report(), Page(80, color=True)))
    assert "\x1b[" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == plain


def test_a_title_cannot_command_the_terminal() -> None:
    from dataclasses import replace

    sample = report()
    evil = replace(sample, scenario=replace(sample.scenario, title="a\x1b[31mb", file="c\x1b]0;d\x07.threat"))
    assert "\x1b" not in lines(text.render(evil, Page()))


def test_what_json_has_no_number_for_is_null() -> None:
    stream = io.StringIO()
    with JsonList("entries", stream) as document:
        document.add({"E": float("inf"), "bounds": [1.5, float("nan")]})
    assert json.loads(stream.getvalue()) == {"schema": 1, "entries": [{"E": None, "bounds": [1.5, None]}]}


def test_markdown() -> None:
    golden.check("render/report.md", lines(markdown.render(report(), explain=True)))


def test_markdown_escapes_what_would_be_markup() -> None:
    assert markdown.escape("a|b*c_[d]") == r"a\|b\*c\_\[d\]"


def test_junit_is_xml_with_the_right_counts() -> None:
    gates = [Gate("a<b", 'x"&.threat', 1, report().expectations)]
    shown = lines(junit.render(gates, [Problem("T001: no\x00such file", "y.threat", 3)]))
    root = ElementTree.fromstring(shown)
    assert root.attrib == {"name": "plan check", "tests": "3", "failures": "1", "errors": "1"}
    golden.check("render/junit.xml", shown)


def test_github_annotations_escape_their_separators() -> None:
    gates = [Gate("kaggle", "a,b:c.threat", 1, report().expectations)]
    shown = lines(github.render(gates, [Problem("50% of\nthe file", "y.threat", 3, 7)]))
    golden.check("render/github.txt", shown)
    assert "file=a%2Cb%3Ac.threat" in shown
    assert "50%25 of%0Athe file" in shown


@pytest.mark.parametrize(
    ("env", "tty", "told", "colored"),
    [
        ({}, True, "auto", True),
        ({}, False, "auto", False),
        ({"NO_COLOR": "1"}, True, "auto", False),
        ({"NO_COLOR": ""}, True, "auto", True),
        ({"FORCE_COLOR": "1"}, False, "auto", True),
        ({"FORCE_COLOR": "0"}, False, "auto", False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, "auto", False),
        ({"TERM": "dumb"}, True, "auto", False),
        ({"NO_COLOR": "1"}, False, "always", True),
        ({"FORCE_COLOR": "1"}, True, "never", False),
    ],
)
def test_when_there_are_colours(env: dict[str, str], tty: bool, told: str, colored: bool) -> None:
    class Stream(io.StringIO):
        def isatty(self) -> bool:
            return tty

    assert Page.of(Stream(), told, env).color is colored


@pytest.mark.parametrize(("columns", "width"), [("40", 40), ("3", 20), ("0", 100), ("wide", 100), ("", 100)])
def test_the_width_comes_from_the_environment(columns: str, width: int) -> None:
    assert Page.of(io.StringIO(), env={"COLUMNS": columns}).width == width


@pytest.mark.parametrize(("shown", "columns"), [("φτ", 2), ("漢字", 4), ("e\u0301", 1), ("\x1b[1;31mab\x1b[0m", 2)])
def test_display_width(shown: str, columns: int) -> None:
    assert display_width(shown) == columns


def test_a_table_gives_up_its_spare_columns_first() -> None:
    columns = (Column("name"), Column("note", spare=1), Column("count", right=True))
    rows = [(Cell("alpha"), Cell("a long note"), Cell("12"))]
    wide, narrow, stacked = (list(lay_out(columns, rows, Page(width), "")) for width in (40, 20, 8))
    assert wide == ["name   note         count", "alpha  a long note     12"]
    assert narrow == ["name   count", "alpha     12"]
    assert stacked == ["alpha", "  note:", "  a long", "  note", "  count:", "  12"]


def test_a_table_folds_what_may_be_folded_before_it_gives_up_a_column() -> None:
    """One long change took the columns of all others."""
    columns = (Column("change", fold=12), Column("price", spare=1), Column("exposes"))
    change = "release = ladder(1e-4, 0.6932), queries <= 20"
    rows = [(Cell(change), Cell("none"), Cell("12")), (Cell("queries <= 2"), Cell("none"), Cell("9"))]
    wide, folded, narrow = (list(lay_out(columns, rows, Page(width), "")) for width in (80, 50, 34))
    assert len(wide) == 3
    assert [line.split("  ")[0] for line in folded] == [
        "change",
        "release = ladder(1e-4, 0.6932),",
        "queries <= 20",
        "queries <= 2",
    ]
    assert folded[2] == "queries <= 20", "what is beside it stands in the first line"
    assert [line[:12].strip() for line in narrow if "price" in line] == ["change"], "folded further"
    assert all(display_width(line) <= 34 for line in narrow)


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0"), (25_000, "25,000"), (10**15, "1.00e15"), (2**64, "1.84e19"), (10**999, "1.00e999")],
)
def test_counts(value: int, shown: str) -> None:
    assert whole(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"), [(Fraction(12), "12"), (Fraction(1999, 100), "19.9"), (Fraction(1, 8), "0.12")]
)
def test_rates_are_rounded_down(value: Fraction, shown: str) -> None:
    assert rate(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.0, "0%"), (1.0, "100%"), (0.9999, ">99.9%"), (0.0001, "<0.1%"), (0.5, "50.0%")],
)
def test_only_all_is_everything(value: float, shown: str) -> None:
    assert share(value) == shown


def test_plurals() -> None:
    assert [of(1, "query"), of(2, "query"), of(0, "label")] == ["1 query", "2 queries", "0 labels"]


@pytest.mark.parametrize(
    ("verdict", "exposed", "unproved", "held"),
    [
        ("feasible", 1.0, 1.0, "bad"),
        ("feasible", None, 1.0, "bad"),
        ("unknown", 0.0, 0.0, "warn"),
        ("impossible", 0.0, 0.0, "good"),
        ("impossible", 0.33, 0.33, "good"),
        ("impossible", 1 / 3, 0.0, "warn"),
        ("impossible", 0.0, 1 / 3, "warn"),
        ("impossible", None, 0.0, "warn"),
        ("gave up", None, 1.0, "warn"),
    ],
)
def test_no_colour_says_safe_while_a_third_is_exposed_or_nobody_knows(
    verdict: str, exposed: float | None, unproved: float, held: str
) -> None:
    assert tone_of(verdict, exposed, unproved) == held


@pytest.mark.parametrize(("queries", "held"), [(1, "good"), (5, "good"), (8, "warn"), (40, "warn")])
def test_a_ceiling_that_leaves_most_labels_open_is_no_comfort(queries: int, held: str) -> None:
    """40 submissions are known to expose 22 % of the labels, and no proof keeps more than 14 % hidden."""
    (scenario,) = loads(f"scenario s {{ N = 1000; clip = 0.01; decimals = 3; queries <= {queries} }}")
    report = plan(scenario)
    assert report.verdict == "impossible"
    assert tone(report) == held
