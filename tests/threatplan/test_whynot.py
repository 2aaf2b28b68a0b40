"""Which reasons `plan FILE` shows at once, and that the rest is counted and one option away."""

from __future__ import annotations

import pytest

import threatplan as tp
from planner.model import Verdict
from planner.report import Report
from planner.whynot import GIVEN
from threatplan.render import markdown, text
from threatplan.render.page import Page


def planned(fields: str) -> Report:
    (scenario,) = tp.loads(f"scenario s {{ {fields} }}")
    return tp.plan(scenario)


def telling(report: Report) -> frozenset[str]:
    """The attacks that a report dwells on, each once."""
    found = report.why_not
    assert len(set(found)) == len(found)
    return frozenset(found)


EXACT = "N = 198; scorer = kaggle; queries <= 21"
ROUNDED = "N = 10_000; scorer = sklearn; decimals = 2"
NOISY = "N = 5_000; scorer = sklearn; noise = gaussian(0.01); queries <= 400"
HIDDEN = "N = 10_000; clip = 1e-3; noise = bounded(0.001)"
ALL = [EXACT, ROUNDED, NOISY, HIDDEN, "N = 12; phi = 8", "N = 300; K = 10; clip = 1e-15; decimals = 4"]


def test_what_would_not_do_better_is_not_dwelt_on() -> None:
    assert telling(planned(EXACT)) == frozenset()


def test_rounding_that_keeps_out_a_better_attack_is_named() -> None:
    report = planned(ROUNDED)
    assert report.verdict is Verdict.FEASIBLE
    found = telling(report)
    assert {"block", "conway-guy"} <= found
    assert "one-label" not in found, "10,000 queries are more than the best needs"
    assert "zero" not in found, "nor would the clip's absence help"


def test_noise_that_keeps_out_better_attacks_is_named_where_the_rest_are_over_budget() -> None:
    found = telling(planned(NOISY))
    assert {"block", "design"} <= found
    assert not found & {"threshold", "dither"}, "they want rounding, which would help nobody"


def test_where_nothing_is_certified_every_setting_that_protects_is_named() -> None:
    report = planned(HIDDEN)
    assert not any(one.certified for one in report.candidates)
    found = telling(report)
    for one in report.candidates:
        given = any(reason.field in GIVEN for reason in one.reasons)
        wants_rounding = any(reason.field == "decimals" for reason in one.reasons)
        assert (one.attack in found) == (not given and not wants_rounding), one.attack


@pytest.mark.parametrize("fields", ALL)
def test_every_refused_attack_is_shown_or_counted_and_explained(fields: str) -> None:
    report = planned(fields)
    shown = telling(report)
    brief = "\n".join(text.render(report, Page(200), telling=shown))
    refused = {one.attack for one in report.candidates if one.certified is None}
    assert shown <= refused
    rest = len(refused - shown)
    counted = f"and {rest} more refused" if shown else f"{rest} attack{'s' * (rest > 1)} refused"
    assert (f"    {counted} (--explain says why)" in brief) == (rest > 0)
    for whole in (text.render(report, Page(1000), full=True), markdown.render(report)):
        written = "\n".join(whole).replace("\\", "")
        for one in report.candidates:
            assert all(reason.have.split()[0] in written and one.attack in written for reason in one.reasons)


def test_sizes_are_left_to_whoever_asks_for_them() -> None:
    """ "needs smallest gap of sums - 2 dev > 2E = 188.3; here: 0.6931" is skipped by all but those who want the proof."""
    report = planned(NOISY)
    brief = "\n".join(text.render(report, Page(200), telling=telling(report)))
    full = "\n".join(text.render(report, Page(1000), full=True))
    assert "noise: leaves too little of a score to read" in brief
    assert "2E" not in brief
    assert "2E" in full
    assert "leaves too little" not in full


def test_markdown_folds_what_text_leaves_to_explain() -> None:
    report = planned(NOISY)
    brief, full = ("\n".join(markdown.render(report, explain)) for explain in (False, True))
    assert "<details><summary>" in brief
    assert "nothing from I2, " in brief
    assert "<details>" not in full
    assert "nothing from" not in full
