"""Hardening: every proposal is planned again, and one step milder does not do."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from io import StringIO
from itertools import groupby
from math import sqrt
from pathlib import Path
from threading import Event

import pytest

from backends.simulate import simulate
from dsl import load, loads, source
from dsl.checking.metrics import METRICS
from dsl.numbers import Real
from dsl.scenario import Bounded, LadderOf, Scenario
from planner import plan as planned
from planner.ceiling import labels_on_average
from planner.limits import limits_of
from planner.model import Verdict
from planner.report import Report
from tests.sampling import OneIn
from tests.threatplan import golden
from tests.threatplan.files import SMALL
from tests.threatplan.shell import Shell
from threatplan.changes import changes
from threatplan.hardening.advice import Turned, advise, digits_alone
from threatplan.hardening.aims import Aim, aimed
from threatplan.hardening.front import front
from threatplan.hardening.knobs import LARGEST_CAP, Knob, caps, knobs
from threatplan.hardening.options import Option, option, options
from threatplan.hardening.prices import EFFORT, GATE, MODEL, PRICES, SCORER, SETTING, deviation, drowned, effort, price
from threatplan.hardening.search import exposes_at_most, exposure_known, impossible, mildest, proofs
from threatplan.hardening.together import together
from threatplan.progress import Bar, Ticker
from threatplan.render.options import guide, text
from threatplan.render.page import Page
from threatplan.twins import twins

ROOT = Path(__file__).parent.parent.parent
SHARE = Fraction(5, 100)
TEXTS = {
    "small": "N = 64; clip = 1e-15; decimals = 5; queries <= 20",
    "full": "N = 200; clip = 1e-7; queries <= 100",
    "unlimited": "N = 300; clip = 1e-15; decimals = 4",
    "bounded": "N = 100; clip = 1e-15; noise = bounded(1e-4); queries <= 50",
    "gaussian": "N = 50; clip = 1e-15; noise = gaussian(1e-4); queries <= 500",
    "significant": "N = 100; scorer = lightgbm; queries <= 80",
    "classes": "N = 60; K = 4; clip = 1e-15; decimals = 5; queries <= 100",
    "fixed": "N = 100; phi = 64; queries <= 40",
    "float32": "N = 100; scorer = keras; queries <= 90",
    "goal": "N = 120; clip = 1e-15; decimals = 5; queries <= 60; goal = 90%",
}

plan, limits, averaged = map(
    cache, (planned, limits_of, labels_on_average)
)  # tests turn the same knobs of the same boards
filed = cache(lambda scenario, file: planned(scenario))  # a report names its file, which is no part of equality


@pytest.fixture(autouse=True)
def _memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planner that remembers, and limits and ceilings that are asked for again and again."""
    monkeypatch.setattr("planner.planning.plan", remembering)
    monkeypatch.setattr("threatplan.hardening.search.limits_of", limits)
    monkeypatch.setattr("planner.ceiling.labels_on_average", averaged)


def remembering(scenario: Scenario) -> Report:
    return filed(scenario, scenario.file)


def scenario(name: str) -> Scenario:
    (one,) = loads(f"scenario {name} {{ {TEXTS[name]} }}")
    return one


@pytest.mark.parametrize("name", TEXTS)
def test_each_proposal_holds_and_one_step_milder_does_not(name: str) -> None:
    one = scenario(name)
    for knob in knobs(plan(one)):
        found = mildest(one, knob, impossible, plan)
        at = len(knob.settings) if found is None else found.index
        if found is not None:
            assert found.report.verdict is Verdict.IMPOSSIBLE
            assert proofs(found.report), "impossible comes with its proof"
        if at:
            milder = plan(knob.turn(one, knob.settings[at - 1]))
            assert milder.verdict is not Verdict.IMPOSSIBLE


@pytest.mark.parametrize("name", TEXTS)
def test_each_proposal_keeps_the_exposure_and_one_step_milder_does_not(name: str, one_in: OneIn) -> None:
    one = scenario(name)
    for knob in one_in(2, knobs(plan(one)), name):
        small = exposes_at_most(SHARE, plan)
        found = mildest(one, knob, small, plan, exposure_known(plan))
        if found is not None:
            assert found.report.exposure.labels <= SHARE * one.N
        if found is None or found.index:
            milder = len(knob.settings) - 1 if found is None else found.index - 1
            assert not small(knob.turn(one, knob.settings[milder]))


def test_an_exposure_that_is_not_known_is_not_small() -> None:
    """Noise that nothing is certified against was proposed as if it exposed no label."""
    one = scenario("bounded")
    noise = next(knob for knob in knobs(plan(one)) if knob.name == "noise")
    strongest = noise.turn(one, noise.settings[-1])
    assert plan(strongest).exposure.labels is None
    assert not exposes_at_most(Fraction(1), plan)(strongest)
    found = mildest(one, noise, exposes_at_most(SHARE, plan), plan, exposure_known(plan))
    assert found is None or found.report.exposure.labels is not None


@pytest.mark.parametrize("name", ["small", "unlimited", "bounded"])
def test_combinations_are_a_front_and_each_is_impossible(name: str) -> None:
    one = scenario(name)
    advice = advise(one, SHARE, plan)
    alone = next(turned.impossible for turned in advice.turned if turned.knob.name == "queries")
    least = alone.report.scenario.queries or 0 if alone else 0
    for knob in {pair.knob.name for pair in advice.combinations}:
        caps = [pair.cap.report.scenario.queries or 0 for pair in advice.combinations if pair.knob.name == knob]
        assert caps == sorted(set(caps)), "a stronger setting earns its place by a higher cap"
        assert caps[0] > least, "a combination allows more than the cap alone"
    for pair in advice.combinations:
        again = plan(pair.cap.report.scenario)
        assert again.verdict is Verdict.IMPOSSIBLE


@pytest.mark.parametrize("name", TEXTS)
def test_every_proposal_is_planned_again_and_what_it_exposes_is_run(name: str, thorough: bool, one_in: OneIn) -> None:
    """From its own text, without what was remembered; a cap of one query more does not do."""
    if not thorough and name not in ("small", "unlimited", "classes"):
        pytest.skip("six seconds a board: --thorough")
    for one in one_in(4, options(advise(scenario(name), SHARE, plan)), name):
        (again,) = loads(source(one.report.scenario))
        second = planned(again)
        assert second.verdict is Verdict.IMPOSSIBLE, one.lines
        assert second.exposure.labels == one.report.exposure.labels
        assert second.ceiling.fraction == one.report.ceiling.fraction
        if [each.field for each in one.changes][-1] == "queries" and again.queries != LARGEST_CAP:
            assert plan(replace(again, queries=(again.queries or 0) + 1)).verdict is not Verdict.IMPOSSIBLE, one.lines
        if second.exposure.labels:
            run = simulate(second, trials=1, seed=1)
            assert run.queries <= (again.queries or math.inf)
            assert (run.failures, run.wrong_labels) == ((), 0), one.lines
            assert run.fewest_labels >= second.exposure.labels


def test_unknown_is_never_called_safe() -> None:
    """A knob whose settings are all unknown has no setting at which recovery is impossible."""
    one = scenario("small")
    unknown = [point for point in range(1, 21) if plan(_capped(one, point)).verdict is Verdict.UNKNOWN]
    knob = next(knob for knob in knobs(plan(one)) if knob.name == "queries")
    found = mildest(one, knob, impossible, plan)
    assert found is not None
    assert int(found.setting) not in unknown
    if unknown:
        only = Knob(knob.name, unknown[::-1], knob.turn, knob.show)
        assert mildest(one, only, impossible, plan) is None


def _capped(one: Scenario, queries: int) -> Scenario:
    return replace(one, queries=queries)


def test_bisection_finds_the_boundary_wherever_it_lies() -> None:
    """A goal that turns at a chosen cap: the search must find that cap and its neighbour."""
    one = scenario("small")
    knob = Knob("queries", range(1000, 0, -1), _capped, str)
    for boundary in (1, 2, 7, 500, 999, 1000):
        found = mildest(one, knob, lambda at, boundary=boundary: at.queries <= boundary, plan)  # type: ignore[misc]
        assert found is not None
        assert found.setting == str(boundary)
        assert found.milder == (None if boundary == 1000 else str(boundary + 1))


def test_rounding_alone_is_called_no_defence() -> None:
    advice = advise(scenario("small"), SHARE, plan)
    assert advice.rounded is Verdict.FEASIBLE
    capped = next(turned for turned in advice.turned if turned.knob.name == "queries")
    assert capped.impossible is not None


def test_digits_are_no_defence_only_where_neither_kind_of_them_is() -> None:
    """One digit after the point did, one significant digit did not: the list said the one and the notes the other."""
    (one,) = loads("scenario s { N = 60; K = 3; scorer = sklearn; noise = gaussian(0.01); queries <= 20 }")
    held = [Turned(knob, mildest(one, knob, impossible, plan), None) for knob in knobs(plan(one)) if knob.rounds]
    assert [each.impossible is not None for each in held] == [True, False], "decimals, then significant digits"
    assert digits_alone(one, held, plan) is None
    assert digits_alone(one, held[1:], plan) is Verdict.FEASIBLE


@pytest.mark.parametrize("budget", ["", "; queries <= 900_000_000_000_000"])
def test_no_cap_is_proposed_above_what_anybody_could_make(budget: str) -> None:
    """537,043,080,328,566,556 submissions beside a Ladder were."""
    (one,) = loads(f"scenario s {{ N = 200; scorer = sklearn; decimals = 3{budget} }}")
    knob = caps(plan(replace(one, release=LadderOf(Real.of(Fraction(1, 10)), Real.of(Fraction(6932, 10**4))))))
    assert knob.settings[0] == LARGEST_CAP + 1
    assert knob.turn(one, knob.settings[0]) == one
    assert knob.show(knob.settings[0]) == ("unlimited" if one.queries is None else "900_000_000_000_000")
    assert knob.turn(one, knob.settings[1]).queries == LARGEST_CAP
    if not budget:
        ladder = next(held for held in knobs(plan(one)) if held.name == "release")
        pairs = front(one, ladder, None, caps(plan(one)), impossible, plan)
        found = [option(one, pair.cap.report) for pair in pairs]
        assert found[-1].report.scenario.queries == LARGEST_CAP
        assert "A cap of 10,000,000 is more submissions than anybody makes" in guide(found)
        assert "A cap of" not in guide(found[:1])


@pytest.mark.parametrize("format", ["text", "json", "markdown"])
@pytest.mark.parametrize(
    ("name", "more"),
    [("", ()), ("ceiling-", ("--ceiling", "97%")), ("already-", ("-s", "shut"))],
    ids=["all", "ceiling", "already"],
)
def test_output(format: str, name: str, more: tuple[str, ...], shell: Shell) -> None:
    if name == "already-":
        Path("small.threat").write_text(f"{SMALL}\nscenario shut : small {{ queries <= 2 }}\n")
    done = shell("harden", "small.threat", "--format", format, "--seconds", "600", *more)
    assert (done.code, done.err) == (0, "")
    golden.check(f"harden/{name}{format}.txt", done.out)


def test_what_asks_least_comes_first_and_each_says_what_it_leaves(shell: Shell) -> None:
    found = options(advise(load("small.threat")[0], SHARE, remembering))
    asked = [(one.price is None or one.price >= 1, effort(one.changes, one.report.scenario)) for one in found]
    assert asked == sorted(asked)
    for _, group in groupby(zip(asked, found, strict=True), key=lambda pair: pair[0]):
        left = [one.report.ceiling.fraction for _, one in group]
        assert left == sorted(left)
    for one in found:
        again = remembering(one.report.scenario)
        assert again.verdict is Verdict.IMPOSSIBLE
        assert one.to_json()["exposure"] == again.exposure.labels
    assert any(one.report.exposure.labels is None for one in found), "a Ladder's exposure is not known"
    assert "not known" in "\n".join(text(found, Page(), ""))


def test_that_no_setting_does_is_said(shell: Shell) -> None:
    """A table of knobs stood there without a word."""
    half = "scenario half { N = 500; clip = 1e-15; decimals = 3; goal = 50%; queries <= 30 }"
    said = " ".join(shell("harden", "-", stdin=half).out.split())
    assert "No setting is proved to make recovery of 250 of 500 labels impossible What each knob does alone" in said


@pytest.mark.parametrize(
    ("change", "reach", "errors"),
    [
        ("queries <= 5", SETTING, 0.0),
        ("decimals = 2", SETTING, 0.005 / 0.014349),
        ("decimals = truncated(2)", SETTING, 0.01 / 0.014349),
        ("decimals = significant(3)", SETTING, None),
        ("public = 500", SETTING, sqrt(3)),
        ("clip = 0.05", SCORER, 0.051293 / 0.014349),
        ("noise = gaussian(0.02)", SCORER, 0.02 / 0.014349),
        ("noise = laplace(0.01)", SCORER, 0.0141421 / 0.014349),
        ("noise = bounded(0.02)", MODEL, 0.02 / 0.014349),
        ("release = ladder(0.01, 0.6932)", GATE, 0.01 / 0.014349),
        ("metric = brier; decimals = 2", GATE, None),
        ("reduction = sum; decimals = 1", SCORER, 0.05 / 2000 / 0.014349),
        ("reduction = sum; noise = gaussian(10)", SCORER, 10 / 2000 / 0.014349),
    ],
)
def test_prices_are_in_standard_errors_of_an_honest_score(change: str, reach: int, errors: float | None) -> None:
    """2,000 rows, a model that is right on 95 %: its log-loss is off by sqrt(0.05 0.95/2000) ln 19 = 0.014349 anyhow."""
    before, after = loads(f"scenario a {{ N = 2000; clip = 1e-6 }} scenario b : a {{ {change} }}")
    made = changes(before, after)
    assert effort(made, after) == reach
    assert price(before, after, made) == (None if errors is None else pytest.approx(errors, rel=1e-3))


def test_a_change_costs_nothing_that_was_there_before() -> None:
    """A Ladder was charged with the labels that a response had flipped already."""
    before, after = loads("scenario a { N = 2000; response = 1 } scenario b : a { release = ladder(0.01, 0.6932) }")
    assert price(before, after, changes(before, after)) == pytest.approx(0.01 / 0.014349, rel=1e-3)


def test_every_field_that_a_knob_turns_has_its_price() -> None:
    (board,) = loads("scenario a { N = 2000; clip = 1e-6; queries <= 100 }")
    (summed,) = loads("scenario a { N = 2000; clip = 1e-6; reduction = sum }")
    turned = {"decimals" if one.rounds else one.name for each in (board, summed) for one in knobs(remembering(each))}
    assert turned == set(PRICES) == set(EFFORT)


@pytest.mark.parametrize(
    ("metric", "each"),
    [
        ("brier", 0.9),
        ("mse", 0.9),
        ("mae", 0.9),
        ("accuracy", 1.0),
        ("several(brier, mse)", 0.9),
        ("several(accuracy, f1)", None),
        ("f1", None),
    ],
)
def test_standard_errors_of_other_scores(metric: str, each: float | None) -> None:
    (board,) = loads(f"scenario a {{ N = 2000; public = 25%; metric = {metric} }}")
    assert deviation(board) == (None if each is None else pytest.approx(each * sqrt(0.0475 / 500)))


def assert_milder_ones_first(found: Sequence[Option]) -> None:
    """As in the list of proofs, and among settings that ask for as much the largest cap."""
    order = [
        (one.noticed, effort(one.changes, one.report.scenario), -(one.report.scenario.queries or math.inf))
        for one in found
    ]
    assert order == sorted(order)


@pytest.mark.parametrize(("name", "most"), [("gaussian", "80%")])
def test_the_largest_cap_that_keeps_a_ceiling(name: str, most: str) -> None:
    share = Fraction(most.removesuffix("%")) / 100
    one = scenario(name)
    found = aimed(one, Aim(share), plan)
    assert found.options
    assert_milder_ones_first(found.options)
    assert {each.noticed for each in found.options} == {True, False}
    for each in found.options:
        assert each.report.ceiling.labels <= share * one.N
        turned = {change.field for change in each.changes}
        if turned == {"queries"}:
            milder = _capped(each.report.scenario, each.report.scenario.queries + 1)
            assert plan(milder).ceiling.labels > share * one.N


FEASIBLE = "scenario board { N = 120; metric = accuracy; decimals = 3 }"
PARTED = "scenario parted { N = 200; public = 30%; clip = 1e-7; decimals = 3; queries <= 5 }"
SHUT = "scenario shut { N = 100; metric = accuracy; decimals = 3; queries <= 12 }"


@pytest.mark.parametrize("body", [FEASIBLE, PARTED, SHUT], ids=["feasible", "split", "impossible"])
def test_settings_at_which_no_more_is_known_to_be_exposed(body: str) -> None:
    """The list was that of proofs, whatever was asked for: a Ladder of which nothing is known, a cap that exposes 40 %."""
    (one,) = loads(body, "board.threat")
    advice = advise(one, SHARE, remembering, aimed(one, Aim(exposure=SHARE), remembering))
    assert advice.listed
    assert_milder_ones_first(advice.listed)
    for each in advice.listed:
        again = remembering(each.report.scenario)
        assert again.exposure.labels is not None
        assert again.exposure.labels <= SHARE * one.N
    by_cap = next(turned for turned in advice.turned if turned.knob.name == "queries").exposed
    assert by_cap is not None
    assert by_cap.report.scenario in [each.report.scenario for each in advice.listed]


def test_a_ceiling_and_an_exposure_are_kept_together() -> None:
    one = scenario("small")
    both = aimed(one, Aim(Fraction(96, 100), Fraction(15, 100)), plan).options
    assert both
    for each in both:
        assert each.report.ceiling.labels <= Fraction(96, 100) * one.N
        assert each.report.exposure.labels is not None
        assert each.report.exposure.labels <= Fraction(15, 100) * one.N


def test_what_is_asked_of_the_exposure_is_said_and_written(shell: Shell) -> None:
    """`--exposure 5% --apply` wrote a cap at which 40 % are exposed; of a split it said that there is nothing to write."""
    for number, body in enumerate((FEASIBLE, PARTED)):
        Path("board.threat").write_text(body.replace(" }", "; expect exposure <= N }"))
        done = shell(
            "harden", "board.threat", "--exposure", "5%", "--apply", f"hard{number}.threat", "--format", "json"
        )
        assert done.code == 0, done.err
        (told,) = json.loads(done.out)["hardening"]
        assert (told["share"], told["already"]) == (0.05, False)
        (now,) = load(f"hard{number}.threat")
        assert now.queries == int(told["ranked"][0]["set"]["queries"])
        assert "expect exposure <= 5%" in Path(f"hard{number}.threat").read_text()
        assert "`expect exposure <= N` gives way to `expect exposure <= 5%`" in done.err
        assert shell("check", f"hard{number}.threat").code == 0
        again = shell("harden", f"hard{number}.threat", "--exposure", "5%")
        said = " ".join(again.out.split())
        assert "now the best attack that we know of" in said
        assert "evidence and no proof" in said
        assert "What each knob does alone" not in said, "nothing need be changed"


def test_of_a_split_rows_are_counted(shell: Shell) -> None:
    """1,492 of 30,000 rows were called labels, of which there are 9,000."""
    Path("board.threat").write_text(PARTED)
    said = shell("harden", "board.threat", "--exposure", "5%").out
    assert re.search(r"\d+ rows \(\d\.\d%\)", said)
    assert "the labels, where scored, of at most 5% of the rows" in " ".join(said.split())
    table = said[said.index("What each knob") :]
    assert re.search(r"queries +\d+ .* \d+ rows\n", table)
    assert not re.search(r"\d+ labels\n", table)
    failed = shell("check", "-", stdin=PARTED.replace(" }", "; expect exposure <= 1 }")).out
    assert re.search(r"the labels, where scored, of \d+ of 200 rows \(.*%\) are exposed", " ".join(failed.split()))


def test_an_impossible_board_is_asked_for_less_without_a_contradiction(shell: Shell) -> None:
    """ "IMPOSSIBLE now" stood above "is impossible with one of these", and each knob was "impossible at 5 (now)"."""
    said = " ".join(shell("harden", "-", "--exposure", "5%", stdin=SHUT).out.split())
    assert "shut: with one of these the best attack that we know of reads off at most 5% of the labels" in said
    assert "impossible" not in said.lower()


def test_no_cap_keeps_an_attack_below_what_guessing_gives(shell: Shell) -> None:
    done = shell("harden", "small.threat", "--ceiling", "40%")
    assert done.code == 0
    assert "guessing alone gets 50.0%" in done.out


@pytest.mark.parametrize("more", [("--pick", "2"), ("--ceiling", "97%")])
def test_what_is_applied_passes_the_check(shell: Shell, more: tuple[str, ...]) -> None:
    Path("small.threat").write_text("# Ours.\n" + SMALL.replace("64\n", "64  # hidden\n", 1))
    done = shell("harden", "small.threat", "--apply", "hard.threat", "--seconds", "600", *more)
    assert done.code == 0
    kept = r"# Ours\.\n# Hardened: .*\n(?:# .*\n)?scenario small .*\n    N        = 64  # hidden\n"
    assert re.match(kept, Path("hard.threat").read_text())
    assert "`expect feasible` holds no longer" in done.err or "--ceiling" in more
    assert shell("check", "hard.threat").code == 0
    (was,), (now,) = load("small.threat"), load("hard.threat")
    held = any("exposure" in one.text for one in now.expectations)
    assert held == (plan(now).exposure.labels is not None), "what is left is held, too, where it is known"
    assert 1 <= len(changes(was, now)) <= 2
    assert shell("harden", "small.threat", "--apply", "hard.threat", *more).code == 2, "no file is replaced unasked"


@pytest.mark.parametrize("option", ["--ceiling", "--exposure"])
def test_a_share_without_its_sign_is_understood_and_not_guessed(shell: Shell, option: str) -> None:
    done = shell("harden", "small.threat", option, "60")
    assert (done.code, "`60` is not a share between 0% and 100%: did you mean `60%`?" in done.err) == (2, True)
    assert "did you mean" not in shell("harden", "small.threat", option, "sixty").err


LADDERS = "scenario s { N = 400; scorer = sklearn; decimals = 3; queries <= 300 }"


@pytest.mark.parametrize("columns", [60, 80, 100, 140])
def test_what_is_exposed_is_shown_at_any_width(shell: Shell, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    """At 80 columns one long change left no other column, and what was not there was explained."""
    Path("board.threat").write_text(LADDERS)
    monkeypatch.setenv("COLUMNS", str(columns))
    said = shell("harden", "board.threat").out
    assert max(map(len, said.splitlines())) <= columns
    head = next(line for line in said.splitlines() if "change" in line.split() or "change:" in line)
    if "change:" not in head:
        assert "still exposes" in head
        assert "ceiling" in head
        assert ("price" in head) == ("`price`" in said)
    knobs = said[said.index("What each knob") :]
    assert "exposes" in knobs
    assert columns < 80 or " now " in knobs.splitlines()[1]


def test_where_nothing_need_be_changed_no_line_can_be_picked(shell: Shell) -> None:
    """`--pick 99 --apply` wrote the file as it was."""
    Path("held.threat").write_text("scenario held { N = 1000; clip = 1e-15; decimals = 3; queries <= 1 }")
    done = shell("harden", "held.threat", "--pick", "9", "--apply", "hard.threat")
    assert (done.code, Path("hard.threat").exists()) == (2, False)
    assert "there is no line 9: nothing need be changed" in done.err


def test_what_is_expected_gives_way_to_what_says_more(shell: Shell) -> None:
    """`expect ceiling <= 99%` stood beside the new `<= 97%`; what had failed before was said to hold no longer."""
    Path("small.threat").write_text(
        SMALL.replace("expect queries <= 6", "expect ceiling <= 99%\n    expect exposure >= 90%\n    expect bits <= 3")
    )
    done = shell("harden", "small.threat", "--ceiling", "97%", "--apply", "hard.threat")
    assert "wrote hard.threat (" in done.err, "which of the lines it is"
    assert done.code == 0
    assert "small: `expect ceiling <= 99%` gives way to `expect ceiling <= 97%`" in done.err
    assert "`expect exposure >= 90%` holds no longer" in done.err
    assert "`expect bits <= 3` did not hold before, nor does it now: it is not expected any more" in done.err
    assert shell("check", "hard.threat").code == 0


@pytest.mark.parametrize("asked", ["exposure >= 1", "exposure <= 0"])
def test_what_is_left_is_bounded_unless_something_that_holds_bounds_it(shell: Shell, asked: str) -> None:
    """Beside `exposure >= 3_000`, and in place of a bound that fails, no bound was written."""
    Path("small.threat").write_text(SMALL.replace("expect queries <= 6", f"expect {asked}"))
    assert shell("harden", "small.threat", "--apply", "hard.threat").code == 0
    (now,) = load("hard.threat")
    left = plan(now).exposure.labels
    assert left
    assert f"exposure <= {left}" in [one.text for one in now.expectations]


TWINS = """
scenario board { N = 60; metric = accuracy; decimals = 3; queries <= 90 }

scenario board__log_loss { N = 60; metric = log_loss; decimals = 3; scorer = sklearn; queries <= 90 }

scenario other { N = 61; decimals = 3; clip = 1e-7; queries <= 90 }
"""


def test_one_board_with_two_scores_gets_one_cap_and_is_not_called_proved(shell: Shell) -> None:
    """Each was hardened as a board of its own: `queries <= 58` and `queries <= 28` of one board, and nothing was said."""
    Path("board.threat").write_text(TWINS)
    first, second, other = load("board.threat")
    assert (twins(first), twins(second), twins(other)) == (("board__log_loss",), ("board",), ())
    done = shell(
        "harden", "board.threat", "-s", "board", "-s", "board__log_loss", "--apply", "hard.threat", "--pick", "1"
    )
    assert done.code == 0, done.err
    said = " ".join(done.out.split())
    assert said.count("is not proved to be so by both together. One board has one cap") == 2
    hard = load("hard.threat")
    assert hard[0].queries == hard[1].queries != 90
    assert hard[2].queries == 90
    assert (
        f"queries <= {hard[0].queries}, the smallest cap of board and board__log_loss, which may be of one board"
        in done.err
    )
    assert shell("check", "hard.threat").code == 0
    told = shell("hard.threat").out
    assert " ".join(told.split()).count("is not proved to be so by both together.") == 2
    assert "`board` differs in the score alone: if one board shows both, whoever submits reads both" in " ".join(
        told.split()
    )


def test_scenarios_that_may_be_of_one_board_are_not_changed_apart_without_a_word(shell: Shell) -> None:
    one, other = loads(TWINS, "board.threat")[:2]
    noisy = option(one, plan(replace(one, response=Real.of(Fraction(5)))))
    found, told = together([(one, noisy), (other, None)], plan)
    assert [each[1] for each in found] == [noisy, None]
    assert told == [
        "board and board__log_loss may be of one board, but what is written of them differs: a board has one setting of each",
    ]


def test_what_cannot_be_applied_is_told(shell: Shell) -> None:
    Path("swept.threat").write_text("scenario swept { N = 8; clip = 1e-15; queries <= 9; sweep decimals = 1, 2 }")
    for name, more, word in (
        ("small.threat", ("--pick", "99"), "there is no line 99"),
        ("small.threat", ("--ceiling", "40%"), "nothing to write"),
        ("swept.threat", (), "stands for 2 scenarios"),
    ):
        done = shell("harden", name, "--apply", "out.threat", *more)
        assert (done.code, word in done.err) == (2, True), done.err
        assert not Path("out.threat").exists()
    done = shell("harden", "small.threat", "--pick", "2")
    assert (done.code, done.out) == (2, ""), "a line that is picked for nothing was passed over in silence"
    assert "--apply FILE" in done.err


def test_a_terminal_is_told_at_once_what_is_planned() -> None:
    """Before the first setting is planned, not after it."""

    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    stream, told = Terminal(), []

    def slow(one: Scenario) -> Report:
        told.append(stream.getvalue())
        return plan(one)

    with Ticker(stream) as ticker:
        ticker.watching(slow, "small")(scenario("small"))
    assert "small: setting 1" in told[0]
    assert stream.getvalue().endswith("\r\x1b[K")
    assert Ticker(StringIO()).watching(plan, "small")(scenario("small"))


class Log(StringIO):
    """A stream that says when it has so many lines."""

    def __init__(self, lines: int) -> None:
        super().__init__()
        self.enough, self._lines = Event(), lines

    def write(self, text: str) -> int:
        size = super().write(text)
        if self.getvalue().count("\n") >= self._lines:
            self.enough.set()
        return size


def test_a_log_is_told_in_plain_lines_and_ever_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("threatplan.progress.FIRST", 0.001)
    log = Log(3)
    with Ticker(log) as ticker:
        ticker.tell("small: setting 1")
        assert log.enough.wait(60)
    assert re.fullmatch(r"(plan: small: setting 1 \(\d+ s\)\n){3,}", log.getvalue())


def test_quick_work_and_json_leave_no_line(monkeypatch: pytest.MonkeyPatch) -> None:
    log = Log(1)
    with Ticker(log) as ticker:
        ticker.tell("small: setting 1")
    monkeypatch.setattr("threatplan.progress.FIRST", 0.0)
    with Ticker(log, lines=False) as ticker:
        ticker.tell("small: setting 1")
    assert log.getvalue() == ""


def test_a_simulation_in_a_pipe_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("threatplan.progress.FIRST", 0.001)
    log = Log(1)
    with Bar(log, "small") as bar:
        bar(1, 3, 20, 3000)
        assert log.enough.wait(60)
    assert re.match(r"plan: small: trial 2 of 3, query 20 of 3,000 \(\d+ s\)\n", log.getvalue())
    silent = Log(1)
    with Bar(silent, "small", lines=False) as bar:
        bar(1, 3, 20, 3000)
        assert not silent.enough.wait(0.05)


@pytest.mark.parametrize(
    ("body", "hopeless", "fine"),
    [
        ("N = 30000; public = 1/3; scorer = sklearn; decimals = 5", "decimals = 0", "decimals = 1"),
        ("N = 5000; noise = gaussian(0.005); scorer = sklearn", "noise = gaussian(0.5)", "noise = gaussian(0.2)"),
        ("N = 300; metric = accuracy; decimals = 4", "decimals = 0", "decimals = 1"),
        ("N = 300; metric = brier; K = 3", "noise = bounded(0.5)", "noise = bounded(0.2)"),
        ("N = 300; metric = f1; decimals = 3", "decimals = 0", "decimals = 1"),
        ("N = 300; metric = mae", "noise = bounded(0.5)", "noise = bounded(0.2)"),
        ("N = 300; metric = mcc", "noise = bounded(0.5)", "noise = bounded(0.2)"),
        ("N = 300; metric = several(accuracy, f1); decimals = 3", "noise = bounded(0.5)", "noise = bounded(0.2)"),
    ],
)
def test_nobody_is_told_to_show_a_score_that_says_nothing(body: str, hopeless: str, fine: str) -> None:
    """An error of half of what a constant guess scores leaves no two models apart."""
    (before,) = loads(f"scenario s {{ {body} }}")
    for setting, lost in ((hopeless, True), (fine, False)):
        field, changed = setting.split(" = ")[0], loads(f"scenario s {{ {set_in(body, setting)} }}")[0]
        assert drowned(before, changed, changes(before, changed)) is lost, (field, setting)


@pytest.mark.parametrize("metric", [one.name for one in METRICS])
def test_of_every_score_it_is_known_what_drowns_it(metric: str) -> None:
    (before,) = loads(f"scenario s {{ N = 300; metric = {metric} }}")
    for size, lost in ((Fraction(5), True), (Fraction(1, 100), False)):
        after = replace(before, noise=Bounded(Real.of(size)))
        assert drowned(before, after, changes(before, after)) is lost


def test_where_only_what_drowns_honest_scores_is_proved_that_is_said(shell: Shell) -> None:
    text = "scenario s { N = 200; metric = several(accuracy, f1); decimals = 3; queries <= 40 }"
    told = " ".join(shell("harden", "-", "--ceiling", "60%", stdin=text).out.split())
    assert "None of these leaves enough of an honest score to tell a good model from a guess" in told
    fewer = text.replace("several(accuracy, f1)", "f1")
    told = " ".join(shell("harden", "-", "--ceiling", "60%", stdin=fewer).out.split())
    assert "decimals = 1, queries <= " in told
    assert "decimals = 0" not in told
    assert "bounded(1)" not in told
    assert "None of these" not in told


def set_in(body: str, setting: str) -> str:
    """The body with one field set anew."""
    field = setting.split(" = ")[0]
    return "; ".join([*(line for line in body.split("; ") if line.split(" = ")[0] != field), setting])


def test_what_drowns_honest_scores_is_not_proposed_where_something_else_does() -> None:
    (board,) = loads("scenario s { N = 2000; noise = gaussian(0.005); scorer = sklearn; queries <= 300 }")
    found = aimed(board, Aim(Fraction(3, 5)), plan)
    assert len(found.options) > 3
    assert not any(one.drowned for one in found.options)
    tried = next(knob for knob in knobs(plan(board)) if knob.name == "noise").settings
    assert any(option(board, plan(replace(board, noise=one))).drowned for one in tried), "and some are tried"


@pytest.mark.parametrize("name", ["bowl", "hardened"])
def test_the_examples_can_be_hardened(name: str) -> None:
    for one in load(ROOT / "examples" / f"{name}.threat"):
        advice = advise(one, SHARE, plan)
        assert any(turned.impossible for turned in advice.turned)


@pytest.mark.parametrize("name", ["small", "classes", "goal"])
def test_a_ladder_from_ln_K_is_proposed_with_its_proof(name: str) -> None:
    """Where rows need not sum to 1 only transcripts are counted; the start is never below what knowing nothing scores."""
    one = scenario(name)
    knob = next(held for held in knobs(plan(one)) if held.name == "release")
    found = mildest(one, knob, impossible, plan)
    assert found is not None
    assert found.setting.startswith("ladder(")
    assert {limit.id for limit in proofs(found.report)} <= {"I7", "I8"}
    assert all(held.start.lo > math.log(one.K) for held in knob.settings[1:])


@pytest.mark.parametrize("more", ["release = best", "metric = brier; clip = none", "public = 30%"])
def test_no_ladder_is_proposed_where_none_is_proved(more: str) -> None:
    (one,) = loads(f"scenario board {{ N = 64; decimals = 5; queries <= 20; {more} }}")
    assert "release" not in {held.name for held in knobs(plan(one))}
