"""The answer in plain words: it says what the verdict says, with units, and no more than is proved."""

from __future__ import annotations

import re
from dataclasses import replace
from types import SimpleNamespace

import pytest

from dsl import loads
from dsl.scenario import Scenario
from planner import plan
from tests.sampling import OneIn
from threatplan.campaign.generator import random_scenario
from threatplan.render.answer import answer
from threatplan.render.numbers import about, ceiling_text, guessed_text, right_text

TOLD = {
    "N = 198; scorer = kaggle; queries <= 14": (
        "Yes: 12 submissions are enough to learn all 198 labels from the scores alone; 14 are allowed. "
        "Nothing need be known of the labels for that. With fewer than 10 submissions nobody could; `plan "
        "harden` names settings that hold out."
    ),
    "N = 12500; scorer = kaggle; queries <= 300": (
        "No: no attack is sure to learn all 12,500 labels within 300 submissions, whatever it computes. "
        "But 3,880 of the 12,500 labels (31.0%) can be read off in 300 submissions, and no attack gets more "
        "than 87.2% right on average (without any score: 50.0%). Learning all 12,500 labels takes at least 686 "
        "submissions: that is proved. This assumes that nothing is known of the labels beforehand: whoever guesses "
        "99.0% of them right needs 126 submissions for the rest."
    ),
    "N = 1000; public = 30%; decimals = 4; queries <= 3": (
        "No: no attack is sure to learn the labels of the 300 scored rows within 3 submissions, whatever it "
        "computes. But 3 submissions are enough to learn the labels of all scored rows among 31 of the 1,000 rows "
        "(3.1%, about 9 of the 300 scored labels), and no attack gets more than 93.2% of the scored labels right on "
        "average (without any score: 50.0%). Learning the labels of the 300 scored rows takes at least 5 submissions: "
        "that is proved. This assumes that nothing is known of the labels beforehand."
    ),
    "N = 100; noise = bounded(1); clip = 1e-3": (
        "No: no attack is sure to learn all 100 labels, however many submissions are made and whatever "
        "it computes. How many labels can be read off is not known."
    ),
    "N = 50; guess = 98%; goal = 98%": (
        "Yes: 49 of the 50 labels are known without a single submission. This assumes that the attacker's "
        "guess is right on 49 of the 50 labels, and it is not known on which. No setting of the board would change that."
    ),
    "N = 1; guess = 98%": (
        "Yes: the label is known without a single submission. This assumes that the attacker's guess is right on every "
        "label. No setting"
    ),
    "N = 2; positives = 0; goal = 50%": "Yes: 1 of the 2 labels is known without a single submission.",
    "N = 20; positives = 1; clip = 1e-3; decimals = 3": "This assumes that it is known that 1 of the 20 labels is 1.",
    "N = 51; clip = 1e-3; decimals = 3; queries <= 0": "whoever guesses 99.0% of them right needs no submission for the",
    "N = 20; noise = gaussian(0.01); clip = 1e-3": (
        "with a probability of at least 99.0%, and nothing limits how many"
    ),
    "N = 506; public = 198; scorer = kaggle; columns = 2; queries <= 40": (
        "Yes: 32 submissions are enough to learn the labels of the 198 scored rows from the scores alone; 40 are allowed. "
        "Which of the 506 rows these are comes out in 50 submissions."
    ),
    "N = 506; public = 198; scorer = kaggle; columns = 2; find = labels_and_split; queries <= 60": (
        "Yes: 50 submissions are enough to learn the labels of the 198 scored rows and their places among the 506 from the "
        "scores alone; 60 are allowed. The labels alone come out in 32 submissions."
    ),
    "N = 100; clip = 1e-3; decimals = 3; queries <= 0": (
        "No: no attack is sure to learn all 100 labels without a single submission, whatever it computes. Learning all"
    ),
    "N = 10000; clip = 1e-3; decimals = 5; noise = bounded(0.001)": (
        "But 9,992 of the 10,000 labels (>99.9%) are sure to come out right in 10,240 submissions, not known which. "
        "More submissions"
    ),
    "N = 500; metric = mae; decimals = 2; queries <= 60": (
        "are sure to come out right in 60 submissions, not known which. This assumes that nothing is known of the labels "
        "beforehand. `plan harden` looks for settings at which it is proved that nobody could."
    ),
    "N = 8000; public = 30%; decimals = 5; queries <= 300": (
        "among 5,790 of the 8,000 rows (72.4%, about 1,737 of the 2,400 scored labels). This assumes that nothing is "
        "known of the labels beforehand. Probabilities are taken to be charged as submitted"
    ),
    "N = 1; clip = 1e-3; queries <= 1": (
        "Yes: 1 submission is enough to learn the label from the scores alone; 1 is allowed."
    ),
}


@pytest.mark.parametrize("fields", TOLD)
def test_what_is_said(fields: str) -> None:
    (scenario,) = loads(f"scenario board {{ {fields} }}")
    assert TOLD[fields].rstrip() in answer(plan(scenario))


def test_any_report_has_an_answer_that_agrees_with_its_verdict(one_in: OneIn) -> None:
    first = {"feasible": "Yes: ", "impossible": "No: ", "unknown": "Not known: "}
    for index in one_in(3, range(120), "answers"):
        report = plan(loads(random_scenario(41, index))[0])
        said = answer(report)
        assert said.startswith(first[report.verdict])
        assert said.endswith(".")
        assert 2 <= len(re.findall(r"\.(?: |$)", said)) <= 5, said
        assert " 1 submissions" not in said
        assert ">" not in said.replace("(>99.9%)", "")


def test_a_split_leaves_out_whoever_can_guess_and_the_report_says_so() -> None:
    """No attack that starts from a guess is certified there, and no proof speaks against one."""
    (board,) = loads("scenario s { N = 1000; public = 30%; decimals = 4; queries <= 3 }")
    assert plan(board).if_guessed == ()
    assert guessed_text(plan(board)).startswith("whoever guesses labels beforehand is not covered")
    (open_to_all,) = loads("scenario s { N = 1000; public = 30%; decimals = 4; queries <= 300 }")
    assert guessed_text(plan(open_to_all)) == ""


def one(body: str) -> Scenario:
    return loads(f"scenario board {{ {body} }}")[0]


def test_a_board_of_which_nobody_says_how_it_clips_is_told_so():
    """It was planned unclipped without a word, where every scorer in use clips."""
    words = "Probabilities are taken to be charged as submitted"
    silent, said = (plan(one(f"N = 50; decimals = 4; {more}")) for more in ("", "clip = none"))
    named = plan(one("N = 50; decimals = 4; scorer = sklearn"))
    assert words in answer(silent)
    assert words not in answer(said) + answer(named)
    assumed = "probabilities are charged as submitted, however near 0"
    assert assumed in silent.assumes
    assert assumed in said.assumes
    assert assumed not in named.assumes
    assert assumed not in plan(one("N = 50; metric = accuracy")).assumes


def test_what_a_guess_leaves_right_contradicts_nothing():
    """Beside an exposure of 91.0% stood: right 95.0%, 0 of the guess's mistakes corrected."""
    guessed = plan(one("N = 200; scorer = kaggle; guess = 95%; queries <= 4"))
    assert guessed.exposure.corrected == 0
    assert right_text(guessed.exposure, guessed.scenario) == (
        "190 of 200 labels (95.0%) with the guess on the rest; of its 10 mistakes none is surely corrected"
    )
    counted = plan(one("N = 200; scorer = kaggle; positives = 10; queries <= 4"))
    assert right_text(counted.exposure, counted.scenario).endswith(
        "with the commoner class on the rest; of the 10 labels of the rarer class none is surely found"
    )


def test_rows_that_are_covered_are_so_many_labels():
    drawn = one("N = 1000; public = between(200, 400); metric = accuracy")
    assert about(100, drawn) == ", about 20 to 40 scored labels"
    assert about(100, one("N = 1000; public = 30%; metric = accuracy")) == ", about 30 of the 300 scored labels"
    assert about(0, drawn) == about(1000, drawn) == ""


def test_what_can_be_promised_is_left_to_those_who_ask():
    report = plan(one("N = 12500; scorer = kaggle; queries <= 300"))
    short, full = ceiling_text(report), ceiling_text(report, full=True)
    assert short == "no attack gets more than 87.2% of the labels right on average (I6)"
    assert full.startswith(f"{short}; none can promise more than ")
    surely = SimpleNamespace(ceiling=replace(report.ceiling, fraction=1.0), channel=report.channel)
    assert ceiling_text(surely).startswith("none on average, but no attack can promise more than ")
