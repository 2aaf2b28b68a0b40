"""A scenario that takes too long is given up, in every command and format, and the rest goes on."""

from __future__ import annotations

import csv
import io
import json
import threading
from pathlib import Path
from xml.etree import ElementTree

import pytest
from flint import ctx

import planner.numerics.patience
from dsl import loads
from planner import plan
from planner.numerics.patience import GaveUp, patience
from tests.threatplan.shell import Shell
from threatplan.language.hover import verdict
from threatplan.verify import Unreadable, verify

SLOW = "scenario slow { N = 16; clip = 1e-15; decimals = 4; queries <= 4; expect feasible }\n"
QUICK = SLOW.replace("slow", "quick")
BOTH = SLOW + QUICK
SWEPT = "scenario swept { N = 16; clip = 1e-15; queries <= 4; sweep decimals = 3, 4; expect queries <= 4 }\n"


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(capsys, monkeypatch)


class Clock:
    """A clock that stands still but for one leap, when it has been looked at so often: nothing here is timed."""

    looks, leap = 0, 10**9

    def __call__(self, leap: int) -> None:
        self.looks, self.leap = 0, leap

    def monotonic(self) -> float:
        self.looks += 1
        return 1000.0 if self.looks == self.leap else 0.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(planner.numerics.patience, "monotonic", made.monotonic)
    return made


FIRST = 2  # the clock is looked at when the time begins, and then by the first theorem


def test_a_plan_that_takes_too_long_is_given_up(clock: Clock) -> None:
    before = ctx.prec
    clock(FIRST)
    with pytest.raises(GaveUp) as fact, patience(60):
        plan(loads(SLOW)[0])
    assert (fact.value.seconds, fact.value.during) == (60, "primes-apa")
    assert ctx.prec == before


@pytest.mark.parametrize("at", [2, 3, 10, 40, 90])
def test_wherever_it_is_given_up_the_next_plan_is_whole(clock: Clock, at: int) -> None:
    clock(10**9)
    expected = json.dumps(plan(loads(QUICK)[0]).to_json())
    clock(at)
    with pytest.raises(GaveUp), patience(60):
        plan(loads(SLOW.replace("N = 16", f"N = {at + 100}"))[0])
    assert json.dumps(plan(loads(QUICK)[0]).to_json()) == expected


def test_the_earlier_of_two_deadlines_counts(clock: Clock) -> None:
    clock(3)
    with pytest.raises(GaveUp) as fact, patience(5), patience(60):
        plan(loads(SLOW)[0])
    assert fact.value.seconds == 5


def test_a_deadline_is_a_threads_own(clock: Clock) -> None:
    found = []
    with patience(60):
        thread = threading.Thread(target=lambda: found.append(planner.numerics.patience._thread.ends))
        thread.start()
        thread.join()
    assert found == [float("inf")]
    assert planner.numerics.patience._thread.ends == float("inf")


def test_plan_says_it_in_text(clock: Clock, shell: Shell) -> None:
    clock(FIRST)
    done = shell("-", stdin=BOTH)
    assert done.code == 2
    assert done.out.startswith("slow: GAVE UP: after 60 s, during primes-apa; allow more with --seconds\n")
    assert "quick: FEASIBLE" in done.out


def test_plan_says_it_in_markdown(clock: Clock, shell: Shell) -> None:
    clock(FIRST)
    done = shell("-", "--format", "markdown", "--seconds", "7", stdin=BOTH)
    assert done.code == 2
    assert done.out.startswith("## slow: gave up\n\n**Gave up**: after 7 s, during primes-apa")
    assert "## quick: feasible" in done.out


def test_plan_says_it_in_json_and_it_claims_nothing(clock: Clock, shell: Shell) -> None:
    clock(FIRST)
    done = shell("-", "--format", "json", stdin=BOTH)
    assert (done.code, done.err) == (2, "")
    slow, quick = json.loads(done.out)["scenarios"]
    assert slow == {
        "name": "slow",
        "title": None,
        "file": slow["file"],
        "verdict": None,
        "gave_up": {"seconds": 60.0, "during": "primes-apa"},
    }
    assert quick["verdict"] == "feasible"
    assert [(one.verdict, one.holds) for one in verify(done.out)] == [("gave up", True), ("feasible", True)]
    with pytest.raises(Unreadable):
        verify(json.dumps({"schema": 2, "scenarios": [{**slow, "exposure": {"labels": 0}}]}))


def test_check_counts_it_as_failed(clock: Clock, shell: Shell) -> None:
    clock(FIRST)
    done = shell("check", "-", stdin=BOTH)
    assert done.code == 2
    assert "slow: gave up after 60 s, during primes-apa" in done.out
    assert done.out.splitlines()[-1] == "1 expectation in 2 scenarios: 1 scenario given up"


def test_check_gives_up_at_a_point_and_keeps_what_it_found(clock: Clock, shell: Shell) -> None:
    clock(10**9)
    with patience(60):
        plan(next(loads(SWEPT)[0].points()))
    clock(clock.looks + 2)
    done = shell("check", "-", "--format", "json", stdin=SWEPT)
    (gate,) = json.loads(done.out)["checks"]
    assert done.code == 2
    assert (gate["points"], gate["holds"]) == (2, False)
    assert [one["holds"] for one in gate["expectations"]] == [True]
    assert gate["gave_up"]["seconds"] == 60


@pytest.mark.parametrize("format", ["junit", "github"])
def test_check_says_it_to_ci(clock: Clock, shell: Shell, format: str) -> None:
    clock(FIRST)
    done = shell("check", "-", "--format", format, stdin=BOTH)
    assert done.code == 2
    if format == "github":
        assert done.out.startswith("::error file=")
        assert "title=plan check%3A gave up::slow: gave up after 60 s" in done.out
        return
    suites = ElementTree.fromstring(done.out)
    assert suites.get("failures") == "1"
    assert "gave up after 60 s" in suites.find(".//failure").get("message")  # type: ignore[union-attr]


@pytest.mark.parametrize("format", ["text", "csv", "json", "jsonl", "markdown"])
def test_sweep_says_it_at_its_point(clock: Clock, shell: Shell, format: str) -> None:
    clock(FIRST)
    done = shell("sweep", "-", "--format", format, stdin=SWEPT)
    assert done.code == 2
    if format in ("json", "jsonl"):
        rows = (
            [json.loads(line) for line in done.out.splitlines()]
            if format == "jsonl"
            else json.loads(done.out)["points"]
        )
        assert [row["verdict"] for row in rows] == [None, "feasible"]
        assert rows[0]["gave_up"] == {"seconds": 60.0, "during": "primes-apa"}
        assert (rows[0]["expectations_hold"], rows[1]["expectations_hold"]) == (False, True)
    elif format == "csv":
        rows = list(csv.DictReader(io.StringIO(done.out)))
        assert [row["verdict"] for row in rows] == ["gave up", "feasible"]
        assert rows[0]["queries"] == rows[0]["lower_bound"] == ""
    else:
        assert "gave up" in done.out
        assert "feasible" in done.out
    assert ("gave up at 1 of 2 points: after 60 s" in done.err) == (format == "text")


@pytest.mark.parametrize("format", ["text", "json", "markdown"])
def test_harden_says_it(clock: Clock, shell: Shell, format: str) -> None:
    clock(FIRST)
    done = shell("harden", "-", "--format", format, stdin=BOTH.replace("N = 16", "N = 2"))
    assert done.code == 2
    if format == "json":
        slow, quick = json.loads(done.out)["hardening"]
        assert (slow["verdict"], slow["gave_up"]["during"], quick["verdict"]) == (None, "primes-apa", "feasible")
    else:
        assert "gave up" in done.out.lower()
        assert "quick" in done.out


def test_a_hover_says_it(clock: Clock) -> None:
    clock(FIRST)
    assert verdict(BOTH, "slow") == "**gave up** after 2 s, during primes-apa; allow more with --seconds"


@pytest.mark.parametrize("text", ["0", "-1", "inf", "nan", "soon"])
def test_seconds_are_a_positive_number(shell: Shell, text: str, tmp_path: Path) -> None:
    done = shell("-", f"--seconds={text}", stdin=SLOW)
    assert done.code == 2
    assert f"`{text}` is no number of seconds above 0" in done.err
