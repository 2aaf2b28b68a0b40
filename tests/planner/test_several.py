"""Several scores that come back together: attacks read the most telling one, limits count all of them at once."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, f1_score

from backends.simulate import simulate
from dsl import ThreatError, loads, source
from dsl.scenario import Several
from planner import plan
from planner.channel.channel import channel_of
from planner.limits import LIMITS, limits_of
from planner.limits.counting import _table, fewest_answers
from planner.report import Report
from threatplan.campaign.laws import contradictions, relaxations
from threatplan.render.answer import answer
from threatplan.verify import Unreadable, check
from threatplan.verify.exclusions import speaks
from threatplan.verify.limits import fewest_answers as checked_answers
from threatplan.verify.recorded import channel_of as checked_channel


@cache
def report(text: str) -> Report:
    (scenario,) = loads("scenario board {\n" + text.replace("; ", "\n") + "\n}\n")
    return plan(scenario)


def entry(text: str):
    return json.loads(json.dumps(report(text).to_json()))


def test_it_is_written_as_it_was_read():
    (scenario,) = loads("scenario a { N = 9; metric = several(accuracy, f1) }")
    assert scenario.metric == Several(("accuracy", "f1"))
    assert "metric = several(accuracy, f1)" in source(scenario)
    assert loads(source(scenario)) == [scenario]
    (swept,) = loads("scenario a { N = 9; sweep metric = accuracy, several(accuracy, f1) }")
    assert [one.metrics for one in swept.points()] == [("accuracy",), ("accuracy", "f1")]


@pytest.mark.parametrize(
    ("lines", "code", "hint"),
    [
        ("metric = [accuracy, f1]", "T011", "several(accuracy, f1)"),
        ("metric = several(accuracy)", "T044", "or one metric"),
        ("metric = several(f1, f1)", "T037", "once"),
        ("metric = several(f1, rocauc)", "T037", "roc_auc"),
        ("metric = several(accuracy, roc_auc)", "T054", "a scenario for each score"),
        ("metric = several(log_loss, brier); release = best", "T063", "leave `release` out"),
        ("metric = several(accuracy, f1); abstain = yes", "T047", "remove it"),
    ],
)
def test_what_makes_no_sense_is_said(lines, code, hint):
    with pytest.raises(ThreatError) as fault:
        loads("scenario a {\nN = 9\n" + lines.replace("; ", "\n") + "\n}\n")
    found = fault.value.diagnostics[0]
    assert found.code == code
    assert hint in found.hint


def test_a_preset_does_not_let_a_row_abstain_that_one_score_refuses():
    (scenario,) = loads("scenario a { N = 9; metric = several(accuracy, f1); scorer = sklearn }")
    assert not scenario.abstain
    assert not channel_of(scenario).unknown


def test_the_most_telling_score_is_read():
    """Recall needs a query a label; F1 in its company, or alone, no more than it ever did."""
    found = report("N = 60; metric = several(recall, f1); decimals = 4")
    alone = report("N = 60; metric = f1; decimals = 4")
    assert found.best.certified.queries == alone.best.certified.queries < 60
    assert found.best.channel.metric_id == "f1"
    assert [(one.metric, one.queries) for one in found.leaks] == [("f1", alone.best.certified.queries), ("recall", 60)]
    assert "f1 gives most away" in answer(found)
    assert "equally" in answer(report("N = 20; metric = several(accuracy, f1); decimals = 4"))
    assert alone.leaks == ()
    labels = np.arange(60) % 3 == 0
    for scorer in (None, "sklearn"):
        assert simulate(found, scorer=scorer, labels=labels.astype(int)).exact_trials == 1
    row = simulate(found, attack="one-row", labels=labels.astype(int))
    assert (row.exact_trials, row.queries) == (1, 60)


def test_what_the_scores_say_through_scikit_learn():
    attack = report("N = 60; metric = several(accuracy, f1); decimals = 4").best.build()
    for labels in (np.arange(60) % 2, np.zeros(60, int), np.ones(60, int)):
        both = [(accuracy_score(labels, u), f1_score(labels, u, zero_division=0)) for u in attack.queries()]
        assert (attack.decode([round(float(one), 4) for one, _ in both]) == labels).all()


# -- limits --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("N = 30; metric = several(accuracy, f1)", 32 * 32 // 4),  # tables of 15 rows predicted 1: 16 x 16
        ("N = 30; metric = several(accuracy, f1); decimals = 0", 3 * 3),  # 0 to 1, and an end more for ties
        ("N = 30; metric = several(accuracy, f1); positives = 12", 13),
        ("N = 30; metric = several(mse, mae); predictions = probability; decimals = 1", 12 * 12),
        ("N = 30; metric = several(roc_auc, mse); decimals = 1", None),  # squares of any numbers
    ],
)
def test_answers_are_counted_together(text, answers):
    own = report(text).channel
    found = fewest_answers(own)
    read = checked_channel(entry(text)["channel"]["exact"])
    if answers is None:
        assert found[0] == checked_answers(read) > 2**64
    else:
        assert found[0] == checked_answers(read) == answers


def test_ranks_are_no_table_of_counts():
    """AUC never comes back beside a score of classes today; where it does, its answers are not counted by tables."""
    assert _table(report("N = 30; metric = roc_auc").channel) is None
    assert _table(report("N = 30; metric = mcc").channel) == 32 * 32 // 4


def test_no_submission_of_a_small_board_has_more_answers():
    """Every labeling of eight rows, every number of rows predicted 1."""
    own = report("N = 8; metric = several(accuracy, f1, jaccard)").channel
    labelings = np.array(list(product((0, 1), repeat=8)))
    seen = []
    for s in range(9):
        a, ones = labelings[:, :s].sum(axis=1), labelings.sum(axis=1)
        seen.append(
            len(set(zip((8 - s - ones + 2 * a).tolist(), (a * 840 // np.maximum(s + ones, 1)).tolist(), strict=True)))
        )
    assert max(seen) <= fewest_answers(own)[0] == 25
    assert max(seen) > fewest_answers(own.alone)[0]


def test_no_other_limit_speaks_of_several_scores():
    """Accuracy alone is excluded by I2, I3, I6 and I9: a second score may tell what the first hides."""
    text = "N = 2000; metric = {}; decimals = 1; adaptive = no; noise = bounded(1/1000); queries <= 20"
    alone, both = (report(text.format(one)) for one in ("accuracy", "several(accuracy, f1)"))
    assert {one.id for one in alone.limits if one.queries or one.excludes_all} >= {"I1", "I2", "I3", "I6", "I9"}
    assert {one.id for one in both.limits if one.queries or one.excludes_all} == {"I1"}
    assert both.limits[0].queries < alone.limits[0].queries
    assert both.ceiling.fraction > alone.ceiling.fraction
    assert [one.id for one in LIMITS if one.joint] == ["I1"]


@pytest.mark.parametrize("metric", ["f1", "mae", "roc_auc"])
def test_one_score_more_never_hides_what_was_told(metric):
    found = report(f"N = 12; metric = {metric}; decimals = 3; queries <= 12")
    more = dict(relaxations(found.scenario))["one score more"]
    assert len(more.metrics) == 2
    after = plan(more)
    assert after.exposure.labels >= found.exposure.labels
    assert after.ceiling.fraction >= found.ceiling.fraction
    assert not list(contradictions(found))
    for one, other in zip(found.limits, limits_of(channel_of(more)), strict=True):
        assert (other.queries or 0) <= (one.queries or 0)


def test_a_score_of_which_nothing_is_known_keeps_all_of_them_out():
    own = report("N = 12; metric = several(accuracy, f1); decimals = 3").channel
    assert not own.unknown
    for strange in (replace(own, beside=("hinge",)), replace(own, abstain=True)):
        assert strange.unknown
        assert not any(one.queries or one.excludes_all for one in limits_of(strange))


# -- the checker ---------------------------------------------------------------------------------------------------


def _swap(one):
    one["leaks"].reverse()


def _other(one):
    one["leaks"][0]["metric"], one["leaks"][1]["metric"] = (one["leaks"][k]["metric"] for k in (1, 0))


def _fewer(one):
    one["limits"][0]["parameters"]["answers"] = 31


def _unread(one):
    one["best"] = one["best"]
    found = next(each for each in one["candidates"] if each["attack"] == "counting")
    found["certified"]["promise"]["assumes"]["metric"] = "accuracy"


def _unshown(one):
    one["scenario"]["metric"]["metrics"] = ["recall", "accuracy"]


def _excluded(one):
    one["limits"][1].update(excludes_all=True)


@pytest.mark.parametrize("change", [_swap, _other, _fewer, _unread, _unshown, _excluded])
def test_a_report_that_says_otherwise_is_not_verified(change):
    true = entry("N = 30; metric = several(recall, f1); decimals = 4; queries <= 40")
    assert check(true).faults == ()
    false = copy.deepcopy(true)
    change(false)
    assert check(false).faults


def test_the_checker_lets_only_counting_speak_of_several_scores():
    texts = (f"N = 30; metric = {one}; decimals = 4; queries <= 40" for one in ("recall", "several(recall, f1)"))
    alone, both = (checked_channel(entry(text)["channel"]["exact"]) for text in texts)
    assert [one.id for one in LIMITS if speaks(both, one.id)] == ["I1"]
    assert {one.id for one in LIMITS if speaks(alone, one.id)} >= {"I1", "I2", "I3", "I6", "I9"}


@pytest.mark.parametrize("beside", [["f1", "f1"], ["recall"], ["hinge"]])
def test_scores_that_are_not_several_are_not_read(beside):
    false = entry("N = 30; metric = several(recall, f1); decimals = 4; queries <= 40")
    false["channel"]["exact"]["beside"] = beside
    with pytest.raises(Unreadable):
        check(false)
