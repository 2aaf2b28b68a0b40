"""Every number of a report, changed: the report is refused, or it is still true, and then a list says why."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest

from tests.verify.samples import (
    BRIER_FAMILIES,
    BRIER_LIMITS,
    BRIER_VARIANTS,
    ENERGY,
    FAMILIES,
    LIMITS,
    NEIGHBOURS,
    NOISY_COMPARISONS,
    RELATIVE,
    Entry,
    entry,
)
from tests.verify.tampering import Path, changes, faulty, leaves, named, read, refused

STILL_TRUE = {
    r"parameters\.seed": "the attacker's coins: the promise holds for any",
    r"parameters\.gap\.fraction": "a gap a hair smaller is certified too, and prints alike",
    r"parameters\.(tolerance|error|doubt)\.fraction": "a hair of what the attack bears anyway",
    r"parameters\.phases\.\d+\.2\.\d+\.fraction": "a weight a hair larger is as far from the others",
    r"parameters\.rows\.\d+\.fraction": "a prediction a hair off has a weight a hair off, where any is taken",
    r"parameters\.(small|offset_small)\.fraction": "another probability that the scorer takes serves as well",
    r"parameters\.least\.fraction": "offset rows may start a hair lower or higher; where there are none, anywhere",
    r"parameters\.noise_centre\.fraction": "a centre a hair off is a part of the error, which has a hair of room",
    r"parameters\.centre\.fraction": "weights a hair lower or higher are taken too",
    r"parameters\.design\.seed\.(low|high)": "other weights hold as many rows",
    r"parameters\.(start|turn|most|later|weight)\.fraction": "another weight serves as well",
    r"parameters\.(others|asking)_centre\.fraction": "charges a hair lower or higher are taken too",
    r"parameters\.(members|others|asking)_(gap|unit)\.fraction": "a gap a hair smaller is certified too, and prints alike",
    r"parameters\.(members|others)\..+": "other designs hold as many members and rows, or more",
    r"parameters\.core": "weights near powers of two are near levels, too",
    r"parameters\.design\.(A|held\..+)": "other digits hold as many labels within the amplitude",
    r"(limits\.5|ceiling|beyond)\.parameters\.rate": "any rate gives a true bound, and one that is a hair off prints alike",
    r"(limits\.5|ceiling|beyond)\.parameters\.share": "any share does, and twice next to nothing prints alike",
    r"(limits\.2|ceiling|beyond)\.parameters\.(rate|part)": "any l and t do, and others that are near print alike",
    r"limits\.4\.parameters\.point": "any point gives a true bound, and one that is a hair off prints alike",
    r"parameters\.unit\.fraction": "a unit a hair smaller is certified too, and prints alike",
    r"scenario\.guess": "a share that leaves as many labels wrong",
    r"(limits\.0|ceiling|beyond)\.parameters\.answers": "a hair more floats than there are prove a hair less, printed alike",
    r"if_guessed\.\d\.guess": "a share that leaves as many labels wrong",
    r"scenario\.goal": "a share that asks for as many labels",
}
"""Numbers that may be others without anything becoming false, and why."""

OUTWARD = re.compile(r".*\.(left|right|E_bounds)\.[01]\Z")
WIDER = Fraction(1, 32)  # a bound that moves outward by less still encloses the number narrowly

KARY = "N = 12; K = 3; clip = 1e-9; decimals = 5; queries <= 2"
REPORTS = {
    **{kind: (kind, text) for kind, text in FAMILIES.items()},
    "classes": ("design_stages", KARY),
    **{id: ("", text) for id, text in LIMITS.items()},
    "I5, laplace": ("", NEIGHBOURS["all, laplace"]),
    **{f"I6, {form}": ("", text) for form, text in ENERGY.items()},
    "I3, relative": ("", RELATIVE["one column"]),
    **{f"comparisons, {name}": one for name, one in NOISY_COMPARISONS.items()},
    **{f"brier, {attack}": (attack, text) for attack, text in BRIER_FAMILIES.items()},
    **{f"brier, {attack} otherwise": (attack, text) for attack, text in BRIER_VARIANTS.items()},
    **{f"brier, {id}": ("", text) for id, text in BRIER_LIMITS.items()},
}


def trimmed(kind: str, text: str) -> tuple[Entry, list[Path]]:
    """A report with no more candidates than it needs, and its numbers: one candidate's, and all but candidates'.

    `kind` is one of parameters, or an attack.

    What is exposed is most often the best candidate again: its certificate is changed where a limit is looked at.
    """
    report = entry(text)
    exposed = report["exposure"]
    kept = {(report["best"] or {}).get("attack"), exposed["attack"], (exposed["averaged"] or {}).get("attack")}
    own = [one["attack"] for one in report["candidates"] if kind in (_kind(one), one["attack"])][:1]
    report["candidates"] = [one for one in report["candidates"] if one["attack"] in {*kept, *own}]
    places = [
        path
        for path in leaves(report)
        if (path[0] != "candidates" or report["candidates"][path[1]]["attack"] in own)
        and (path[:2] not in (("exposure", "certified"), ("exposure", "averaged")) or not own)
    ]
    return report, places


def _kind(candidate: dict[str, Any]) -> str | None:
    return candidate["certified"]["parameters"]["kind"] if candidate["certified"] else None


def _explained(path: Path, before: Any, after: Any) -> str | None:
    dotted = ".".join(map(str, path))
    if OUTWARD.match(dotted):
        moved = abs(Fraction(after) - Fraction(before)) < WIDER * abs(Fraction(before))
        return "bounds" if moved else None
    return next((known for known in STILL_TRUE if re.search(rf"(\A|\.){known}\Z", dotted)), None)


COMMON = {"channel", "scenario", "exposure", "if_guessed"}


@pytest.mark.parametrize("name", REPORTS)
def test_every_number_of_a_report(name, one_in):
    """A sixth of them, each in one way, the next number in the next way, unless all are asked for.

    Of what every report has, each report has an eighteenth of its numbers changed.
    """
    report, places = trimmed(*REPORTS[name])
    assert places
    own = [path for path in places if path[0] not in COMMON]
    common = [path for path in places if path[0] in COMMON]
    for turn, path in enumerate((*one_in(6, own, name), *one_in(18, common, name))):
        before = read(report, path)
        for after in one_in(3, changes(before), f"{turn}"):
            if not refused(report, path, after):
                assert _explained(path, before, after), (path, before, after)


# -- what is charged, and to whom ------------------------------------------------------------------------

METRICS = ("log_loss", "brier", "accuracy", "log_loss ", "Log_loss", "Brier", "", None, 0, ["log_loss"])
WRITTEN = {
    "thresholds",
    "dithered_spread",
    "spread",
    "hadamard_mean",
    "threshold_splitting",
}  # kinds whose rows are made for one metric


@pytest.mark.parametrize("name", REPORTS)
def test_no_metric_but_the_scenario_s_own(name, one_in):
    """In the channel, in every promise and in the records: changed in one place, taken away, or changed in all.

    Each place to one of the others: which one it is, another place or report has another of.
    """
    kind, text = REPORTS[name]
    report, _ = trimmed(kind, text)
    places = list(named(report, "metric"))
    own = report["channel"]["exact"]["metric"]
    others = [metric for metric in METRICS if metric != own]
    said = re.search(r"metric = (\w+)", text)
    assert own == (said[1] if said else "log_loss")
    assert ("channel", "exact", "metric") in places
    written = [path for path in places if path[-2] == "parameters"]
    assumed = [path for path in places if path[-2] == "assumes"]
    stated = [*report["candidates"], *report["if_guessed"]]
    certified = [one["certified"]["parameters"]["kind"] for one in stated if one["certified"]]
    exposed = [report["exposure"][name] for name in ("certified", "averaged")]
    assert len(assumed) == len(certified) + sum(one is not None for one in exposed)
    assert bool(written) is bool(WRITTEN & set(certified))
    for path in places:
        assert read(report, path) == own
        assert all(refused(report, path, other) for other in one_in(len(others), others, f"{name} {path}")), path
    for path in one_in(2, places, name):
        kept = read(report, path[:-1]).pop("metric")
        assert faulty(report), path
        read(report, path[:-1])["metric"] = kept
    assert not faulty(report)
    for other in one_in(len(others), others, name):
        for path in places:
            read(report, path[:-1])["metric"] = other
        assert faulty(report), other


@pytest.mark.parametrize("name", ["listed_block", "I1"])
def test_a_scenario_says_everything_that_its_channel_rests_on(name):
    """A field that was left out of the scenario was not compared with the channel."""
    report, _ = trimmed(*REPORTS[name])
    for field in tuple(report["scenario"]):
        kept = report["scenario"].pop(field)
        assert faulty(report), field
        report["scenario"][field] = kept
    assert not faulty(report)
    report["scenario"]["another"] = 1
    assert faulty(report)


@pytest.mark.parametrize("name", REPORTS)
def test_as_many_rows_are_scored_as_the_scenario_says(name):
    """The divisor of a score is N, or the part that the scenario names."""
    report, _ = trimmed(*REPORTS[name])
    path: Path = ("channel", "exact", "scored")
    assert list(named(report, "scored")) == [path]
    assert read(report, path) == (report["scenario"]["public"] or report["channel"]["N"])
    for other in (*changes(read(report, path)), 0, 1, -1, True, None, "all"):
        assert refused(report, path, other), other
    del report["channel"]["exact"]["scored"]
    assert faulty(report)


PARTS = {
    "labels": "N = 40; public = 12; clip = 1e-3; decimals = 2; queries <= 2",
    "labels and split": "N = 40; public = 12; clip = 1e-3; decimals = 2; queries <= 2; find = labels_and_split",
    "a range": "N = 40; public = between(9, 12); clip = 1e-3; decimals = 2; goal = 80%; find = labels; queries <= 1",
    "noise": "N = 40; public = 12; clip = 1e-3; noise = gaussian(1); queries <= 2; find = labels_and_split",
    "listed": "N = 400; public = 90; clip = 1e-3; decimals = 1; queries <= 2; find = labels_and_split; adaptive = no",
    "bounded": "N = 40; public = 12; clip = 1e-3; noise = bounded(2)",
    "a range and settling": "N = 12; public = between(3, 5); clip = 1e-9; decimals = 2; columns = 2",
}


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("field", ["uncertain", "looser", "membership", "scored", "target"])
def test_what_a_part_is_cannot_be_changed(name, field):
    report, _ = trimmed("", PARTS[name])
    assert not faulty(report)
    path: Path = ("channel", "exact", field)
    for other in changes(read(report, path)) or [not read(report, path)]:
        assert refused(report, path, other), other


@pytest.mark.parametrize("name", PARTS)
def test_every_number_of_a_report_on_a_part(name, one_in):
    report, places = trimmed("", PARTS[name])
    for turn, path in enumerate(one_in(4, places, name)):
        before = read(report, path)
        for after in one_in(3, changes(before), f"{turn}"):
            if not refused(report, path, after):
                assert _explained(path, before, after), (path, before, after)
