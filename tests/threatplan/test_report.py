"""`plan report`: one page that stands alone, is well-formed, and says what the report says."""

from __future__ import annotations

import re
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from dsl import loads
from planner import plan
from tests.threatplan.shell import Shell
from threatplan.curves import FAR, POINTS, Point, budgets, curve, quoted
from threatplan.hardening.advice import advise
from threatplan.render.answer import answer
from threatplan.render.html.curve import WIDE, drawn, marks, note
from threatplan.render.html.page import page
from threatplan.render.text import ranked
from threatplan.seen import Seen, seen

VOID = {"meta", "br", "line", "path", "circle"}


class Page(HTMLParser):
    """Every tag that is opened is closed, in order; nothing is loaded from elsewhere."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in {"script", "link", "img", "iframe", "object", "embed", "base", "form"}
        assert not {name for name, _ in attrs} & {"src", "href", "srcset", "onload", "onclick", "action"}
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in VOID

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text.append(data)


BOARD = """scenario board "A board" { N = 120; scorer = kaggle; queries <= 12 }
scenario open : board { queries <= unlimited }
scenario noisy : board { noise = bounded(1) }
scenario nobody : board { queries <= 0 }
scenario one : board { N = 1; queries <= 1 }
"""


@pytest.mark.parametrize("name", ["board", "open", "noisy", "nobody", "one"])
def test_a_page_says_what_the_report_says(name: str, shell: Shell) -> None:
    Path("board.threat").write_text(BOARD)
    done = shell("report", "board.threat", "--scenario", name, "--no-advice")
    assert done.code == 0
    said = "".join(Page(done.out).text)
    report = plan(next(one for one in loads(BOARD) if one.name == name))
    assert answer(report).replace("`", "") in said, "what is to be typed is set apart"
    assert report.why in said
    assert all(one.attack in said for one in report.candidates)
    assert BOARD.strip() in said
    assert "http" not in done.out
    for picture in re.findall(r"<svg.*?</svg>", done.out, re.DOTALL):
        ElementTree.fromstring(picture)


def test_advice_is_on_the_page(shell: Shell) -> None:
    Path("small.threat").write_text("scenario small { N = 8; scorer = kaggle; queries <= 4 }")
    done = shell("report", "small.threat", "-o", "small.html")
    assert (done.code, done.out) == (0, "")
    said = "".join(Page(Path("small.html").read_text()).text)
    assert "What to change" in said
    assert "queries" in said
    assert shell("report", "small.threat", "-o", "small.html").code == 2  # never replaced unasked


def test_of_an_impossible_board_the_page_says_that_nothing_need_be_changed(shell: Shell) -> None:
    """A table stood there without a word, and bullets that began "now: I1"."""
    done = shell("report", "-", stdin="scenario shut { N = 64; metric = accuracy; decimals = 3; queries <= 3 }")
    said = " ".join("".join(Page(done.out).text).split())
    advice = said[said.index("What to change") :]
    assert advice.startswith("What to changeRecovery of all 64 labels is impossible already. Nothing need be changed")
    assert "now: I" not in advice
    assert "impossible at" not in advice


def test_what_others_wrote_is_only_text(shell: Shell) -> None:
    evil = "</pre><script>alert(1)</script>"
    Path("evil.threat").write_text(f'# {evil}\nscenario evil "{evil}" {{ N = 9; clip = 1e-3 }}\n')
    done = shell("report", "evil.threat", "--no-advice")
    assert done.code == 0
    assert evil in "".join(Page(done.out).text)
    assert evil not in done.out


def test_the_curve_rises_below_its_ceiling() -> None:
    for text in ("N = 300; scorer = kaggle; queries <= 18", "N = 90; metric = accuracy; decimals = 3; queries <= 20"):
        report = plan(loads(f"scenario s {{ {text} }}")[0])
        points = curve(report, plan, 9)
        assert [one.queries for one in points] == sorted(set(budgets(report, 9)))
        assert report.scenario.queries in {one.queries for one in points}
        known = [one.labels or 0 for one in points]
        assert known == sorted(known)
        assert [one.ceiling for one in points] == sorted(one.ceiling for one in points)
        assert all(labels <= one.ceiling * report.scenario.N + 1e-9 for labels, one in zip(known, points, strict=True))
        own = next(one for one in points if one.queries == report.scenario.queries)
        assert (own.labels, own.ceiling) == (report.exposure.labels, float(report.ceiling.fraction))


def test_a_curve_is_finest_where_few_submissions_tell_a_lot() -> None:
    """It was sampled every 184 submissions, and drew 0% up to there beside a table that said 1,492 rows in 131."""
    report = plan(loads("scenario s { N = 30_000; public = 30%; scorer = kaggle; queries <= 300 }")[0])
    planned = budgets(report, POINTS, [131, 10**9])
    assert {0, 1, 2, 5, 10, 20, 50, 100, 131, 300} <= set(planned)
    assert report.lower_bound.queries in planned
    assert {one.certified.queries for one in report.candidates if one.certified} & set(planned)
    assert planned[-1] < 10**9, "what lies beyond the picture is not in it"
    assert len(planned) < 2 * POINTS


def test_every_figure_beside_the_curve_is_a_point_of_it(shell: Shell) -> None:
    text = "scenario s { N = 60; metric = accuracy; queries <= 20 }"
    (scenario,) = loads(text)
    caps = quoted(advise(scenario, Fraction(1, 20), plan))
    report = plan(scenario)
    assert caps
    assert {report.exposure.queries, *caps} <= set(budgets(report, POINTS, caps))
    Path("s.threat").write_text(text)
    page = shell("report", "s.threat").out
    assert page.count("<circle") == 1 + sum(one.labels is not None for one in curve(report, plan, also=caps))


def test_between_two_points_nothing_is_claimed_and_nothing_hidden() -> None:
    """Dots are computed; what lies between two of them is somewhere in the box that they span."""
    (board,) = loads("scenario s { N = 100; decimals = 4; clip = 0.01; queries <= 10 }")
    picture = drawn(plan(board), [Point(0, 0, 0.5), Point(4, None, 0.75), Point(10, 100, 1.0)])
    dots = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', picture)[:-1]
    assert dots == [("64.0", "266.0"), ("740.0", "24.0")], "what is not known is no dot"
    assert "M64.0 266.0H740.0V24.0H64.0Z" in picture
    ceiling = next(one for one in re.findall(r'<path d="([^"]*)"', picture) if "L64.0" in one)
    assert ceiling == "M64.0 145.0L64.0 84.5L334.4 84.5L334.4 24.0L740.0 24.0", "as high as the later point at once"


def test_too_many_for_a_page(shell: Shell) -> None:
    Path("many.threat").write_text("\n".join(f"scenario s{i} {{ N = 5 }}" for i in range(21)))
    done = shell("report", "many.threat")
    assert (done.code, done.out) == (2, "")
    assert "21 scenarios are too many" in done.err


def test_what_an_adaptive_attack_typically_takes_is_seen_and_not_promised(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("threatplan.seen.SECONDS", 0.5)
    Path("board.threat").write_text("scenario a { N = 400; scorer = kaggle; columns = 2; guess = 95%; queries <= 40 }")
    done = shell("report", "board.threat", "--no-advice")
    told = " ".join("".join(Page(done.out).text).split())
    found = re.search(r"seen (\d+)(?:-(\d+))? submissions in (\d+) simulated runs?", told.replace("seen", "seen "))
    assert found, told
    (report,) = (plan(one) for one in loads(Path("board.threat").read_text()))
    assert 1 <= int(found[1]) <= int(found[2] or found[1]) <= report.best.certified.queries
    assert "seen" not in shell("board.threat").out


def test_listed_queries_are_always_as_many() -> None:
    (listed,) = loads("scenario a { N = 198; scorer = kaggle }")
    assert seen(plan(listed)) is None


def test_the_axis_says_which_rows_are_all_of_them() -> None:
    (board,) = loads("scenario s { N = 1000; public = 30%; decimals = 4; queries <= 3 }")
    drawing = drawn(plan(board), [Point(0, 0, 0.5), Point(3, 31, 0.94)])
    assert "100% are all 1,000 rows for what is certified, the 300 scored ones for the ceiling" in drawing
    assert "rows whose label is told, if scored" in drawing


def test_a_dash_is_standard_output(shell: Shell) -> None:
    """It wrote a file called `-`."""
    Path("small.threat").write_text("scenario small { N = 8; decimals = 3; clip = 0.01; queries <= 4 }\n")
    done = shell("report", "small.threat", "--no-advice", "-o", "-")
    assert (done.code, done.out[:15]) == (0, "<!DOCTYPE html>")
    assert shell("new", "-o", "-").out.startswith("#")
    assert shell("harden", "small.threat", "--apply", "-").code == 2
    assert not Path("-").exists()


@pytest.mark.parametrize("last", [1, 2, 9, 10, 19, 99, 419, 1000, 125_000, 999_999_999, 17_620_774_382])
def test_the_axis_of_submissions_has_round_numbers(last: int) -> None:
    told = list(marks(last))
    assert told[0] == 0
    assert told[-1] <= last
    assert len(told) <= 10
    assert told[1] in {lead * 10**power for lead in (1, 2, 5) for power in range(12)}
    assert (len(told) - 1) * 8 * len(f"{last:,}") < WIDE, "no number touches the next"


def test_a_budget_is_seen_beside_what_would_take_far_more() -> None:
    """A Ladder takes 14 thousand million: a budget of 100,000 lay on the axis, and the numbers below in one another."""
    (ladder,) = loads("scenario s { N = 2_000; decimals = 5; release = ladder(0.01, ln(2)); queries <= 100_000 }")
    report = plan(ladder)
    planned = budgets(report, POINTS)
    assert report.lower_bound.queries > planned[-1] >= FAR * 100_000
    assert 100_000 in planned


def test_most_need_less_only_where_the_runs_did() -> None:
    """It stood beside runs that took every single query promised."""
    (descent,) = loads('scenario s { N = 60; scorer = sklearn("1.5"); decimals = 5; release = ladder(0.01) }')
    report = plan(descent)
    promised = report.best.certified.queries
    assert "most need less" not in page([(report, [], None, Seen(9, promised, promised))], [])
    assert "most need less" in page([(report, [], None, Seen(9, 1, promised - 1))], [])


def test_of_as_many_queries_the_best_attack_stands_first() -> None:
    """Two others that take three queries stood above the attack that every line beside them names."""
    (board,) = loads("scenario s { N = 50; scorer = kaggle; queries <= 5 }")
    report = plan(board)
    first, second, *_ = ranked(report)
    assert first is report.best
    assert first.certified.queries == second.certified.queries


def test_a_star_beside_the_papers_claim_is_explained() -> None:
    (board,) = loads("scenario s { N = 198; scorer = kaggle; queries <= 21 }")
    report = plan(board)
    (erratum,) = {one.paper.erratum for one in report.candidates if one.attack == "subset-sums-fpa"}
    told = page([(report, [], None, None)], [])
    assert "A * marks a claim that does not hold" in told
    assert f"plan explain {erratum}" in told


def test_the_papers_columns_stay_away_where_it_says_nothing(shell: Shell) -> None:
    Path("board.threat").write_text("scenario board { N = 8; metric = accuracy; queries <= 9 }\n")
    assert "paper" not in shell("plan", "board.threat").out
    assert "paper" not in shell("plan", "board.threat", "--format", "markdown").out


def test_what_is_not_known_is_not_drawn_as_nothing() -> None:
    """A line along 0% stood for attacks that nobody knows of."""
    (board,) = loads("scenario s { N = 3000; metric = several(accuracy, f1); decimals = 3; queries <= 20 }")
    picture = drawn(plan(board), curve(plan(board), plan))
    assert '<path d="M' in picture
    assert not re.search(r"<path [^>]*var\(--known\)", picture)
    assert "no attack is certified for any label" in picture
    assert "dot" not in note(curve(plan(board), plan))
    assert "dot" in note([Point(0, 0, 0.5), Point(3, 31, 0.94)])
