"""`plan run`: what it attacks, through whose scorer, and what it says where there is nothing to run."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.threatplan.files import SMALL
from tests.threatplan.shell import Shell


def test_run(shell: Shell) -> None:
    done = shell("run", "small.threat", "--trials", "3", "--format", "json")
    assert (done.code, done.err) == (0, "")
    (run,) = json.loads(done.out)["runs"]
    assert (run["trials"], run["exact_trials"], run["wrong_labels"]) == (3, 3, 0)
    assert {"scenario", "attack", "backend", "scorer", "seed", "queries", "seconds"} <= set(run)
    shown = shell("run", "small.threat", "--attack", "block").out
    assert shown.startswith("small: every label recovered (attack block), 1 trial, seed 0")


def test_run_has_nothing_to_run(shell: Shell) -> None:
    done = shell("run", "small.threat", "--attack", "primes-apa")
    assert (done.code, done.out) == (2, "")
    assert "primes-apa" in done.err
    assert "certified here: " in done.err
    assert "says why it is refused" in done.err
    assert "hint: did you mean `design`?" in shell("run", "small.threat", "--attack", "desgin").err


def test_run_beyond_the_budget_is_an_offer(shell: Shell) -> None:
    text = "scenario noisy { N = 500; clip = 1e-15; noise = gaussian(100); queries <= 2 }"
    done = shell("run", "-", "--format", "json", stdin=text)
    assert (done.code, json.loads(done.out)["runs"]) == (2, [])
    (error,) = json.loads(done.err)["errors"]
    assert "beyond the budget" in error["hint"]


def test_run_shows_what_is_exposed_where_not_all_can_be_had(shell: Shell) -> None:
    (planned,) = json.loads(shell("shut.threat", "--format", "json").out)["scenarios"]
    assert planned["verdict"] == "impossible"
    exposed = planned["exposure"]["labels"]
    assert 0 < exposed < 64
    done = shell("run", "shut.threat", "--trials", "2")
    assert (done.code, done.err) == (0, "")
    first = done.out.splitlines()[0]
    assert first.startswith(
        f"small: {exposed} of 64 labels recovered (attack {planned['exposure']['attack']}), 2 trials"
    )
    said = f"impossible to recover all 64 labels; {exposed} are certified within the budget of 2 queries"
    assert said in " ".join(done.out.split())
    (run,) = json.loads(shell("run", "shut.threat", "--trials", "2", "--format", "json").out)["runs"]
    assert (run["labels"], run["total_labels"], run["wrong_labels"]) == (64, 2 * exposed, 0)
    assert run["queries"] <= 2


def test_a_promise_that_leaves_something_to_chance_is_told_in_the_place_of_an_interval_from_two_trials(
    shell: Shell,
) -> None:
    done = shell("run", "-", "--trials", "2", stdin="scenario s { N = 60; noise = gaussian(0.01); clip = 1e-6 }")
    assert "2 of 2 (certified for at least 99.0% of trials)" in done.out
    assert "interval" not in done.out


def test_where_nothing_is_certified_that_is_said_in_whole_sentences(shell: Shell) -> None:
    done = shell(
        "run", "-", stdin="scenario s { N = 3000; metric = several(accuracy, f1); decimals = 3; queries <= 200 }"
    )
    assert "or for some; none is certified here. The verdict is unknown: no attack is certified" in done.err


def test_that_a_hardened_board_gives_nothing_to_run_is_no_error(shell: Shell) -> None:
    board = "scenario s { N = 400; metric = accuracy; decimals = 2; queries <= 19 }"
    done = shell("run", "-", stdin=board)
    assert done.code == 2
    assert done.err.startswith(
        "plan: s: nothing to run: no attack that we know of is certified for any label within the"
    )
    assert "error" not in done.err


def test_run_says_how_many_labels_a_goal_was(shell: Shell) -> None:
    done = shell("run", "-", stdin=SMALL.replace("    expect", "    goal = 75%\n    expect", 1))
    assert done.out.startswith("small: 48 of 64 labels recovered (attack ")
    assert "impossible" not in done.out


def test_of_a_split_rows_are_certified_and_not_the_labels_that_a_trial_happened_to_score(shell: Shell) -> None:
    done = shell("run", "-", "--trials", "2", stdin="scenario s { N = 300; public = 1/3; decimals = 4; queries <= 4 }")
    (rows,) = re.findall(r"those of scored rows among (\d+) are certified within", " ".join(done.out.split()))
    assert f"every label of scored rows among {rows} of 300 rows recovered" in " ".join(done.out.split())
    assert re.search(r"(\d+) of \1 labels of scored rows in 2 trials", done.out)


PART = "scenario part { N = 12; public = 5; clip = 1e-15; columns = 2; decimals = 3; find = labels_and_split }"


def test_run_scores_the_rows_that_a_file_names_or_draws_them(shell: Shell) -> None:
    Path("rows.txt").write_text("\n".join("111110000000"))
    for rows in ("rows.txt", "random"):
        done = shell("run", "-", "--public", rows, "--trials", "2", "--format", "json", stdin=PART)
        (run,) = json.loads(done.out)["runs"]
        assert (done.code, run["exact_trials"]) == (0, 2)
        assert (run["total_labels"], run["wrong_labels"]) == (10, 0)  # of scored rows
    said = " ".join(shell("run", "-", "--public", "rows.txt", stdin=PART).out.split())
    assert "right 5 of 5 labels of scored rows (100%) split 12 of 12 rows rightly said to be scored or not" in said


def test_run_takes_the_attack_that_exposes_labels_where_the_split_is_wanted_too(shell: Shell) -> None:
    """The report names it, and it was called no certified attack."""
    for budget in ("", "; queries <= 2 }"):
        text = PART.replace(" }", budget or " }")
        (planned,) = json.loads(shell("-", "--format", "json", stdin=text).out)["scenarios"]
        assert planned["exposure"]["attack"] == "split-labels"
        done = shell("run", "-", "--attack", "split-labels", "--format", "json", stdin=text)
        (run,) = json.loads(done.out)["runs"]
        assert (done.code, run["attack"], run["wrong_labels"]) == (0, "split-labels", 0)


def test_run_promises_nothing_of_another_number_of_scored_rows(shell: Shell) -> None:
    Path("rows.txt").write_text("\n".join("111111100000"))
    assert "it promises nothing of them" in " ".join(shell("run", "-", "--public", "rows.txt", stdin=PART).out.split())
    done = shell("run", "-", "--public", "nowhere.txt", stdin=PART)
    assert (done.code, "no such file" in done.err) == (2, True)
    Path("numbers.txt").write_text("0\n1\n2\n3\n4\n")  # of the rows: the message says what is wanted instead
    done = shell("run", "-", "--public", "numbers.txt", stdin=PART)
    assert (done.code, "a file of 0 and 1, one a row" in done.err) == (2, True)
    done = shell("run", "small.threat", "--public", "rows.txt")
    assert (done.code, "all rows are scored" in done.err) == (2, True)


def test_run_through_a_scorer_of_ones_own(shell: Shell) -> None:
    body = "import numpy as np\n\n\ndef score(labels, u):\n    p = np.where(labels == 1, u, 1 - u)\n"
    Path("mine_ok.py").write_text(body + "    return round(float(-np.log(p.astype(float)).mean()), 5)\n")
    assert shell("run", "small.threat", "--scorer", "mine_ok:score", "--attack", "block").code == 0
    Path("mine_one.py").write_text("def score(u):\n    return 0.5\n")  # as Python's own way to an attack takes it
    assert "called with (labels, predictions)" in shell("run", "small.threat", "--scorer", "mine_one:score").err
    Path("mine_bad.py").write_text(body + "    raise RuntimeError('out of order')\n")
    done = shell("run", "small.threat", "--scorer", "mine_bad:score")
    assert done.code == 3
    assert "out of order" in done.err


@pytest.mark.parametrize("answer", ["None", "'0.5'", "1j", "np.array([0.5])", "np.nan", "True"])
def test_a_scorer_that_answers_no_number_is_told_so(shell: Shell, answer: str) -> None:
    name = f"answers_{''.join(filter(str.isalnum, answer))}"
    Path(f"{name}.py").write_text(f"import numpy as np\n\n\ndef score(labels, u):\n    return {answer}\n")
    done = shell("run", "small.threat", "--scorer", f"{name}:score")
    assert (done.code, done.out) == (3, "")
    assert f"scorer {name}:score answered with " in done.err
    assert "hint: a scorer returns a float, an int or a Fraction" in done.err


@pytest.mark.parametrize(("guess", "told"), [("nofile", "no such file"), ("120%", "cannot be right on 120%")])
def test_a_guess_is_a_file_or_a_share(shell: Shell, guess: str, told: str) -> None:
    done = shell("run", "small.threat", "--guess", guess)
    assert (done.code, done.out) == (2, "")
    assert told in done.err


KNOWN = "scenario s {{ N = 400; clip = 1e-15; columns = 2; decimals = 5; {known} }}\n"


@pytest.mark.parametrize("count", [6, 394])
def test_a_worse_guess_is_counted_and_planned_again(shell: Shell, count: int) -> None:
    Path("guess.threat").write_text(KNOWN.format(known="guess = 99%"))
    Path("ones.threat").write_text(KNOWN.format(known=f"positives = {count - 2 if count < 200 else count + 2}"))
    Path("labels.txt").write_text("\n".join("1" if row < count else "0" for row in range(400)))
    wrong = 6
    for command in (("guess.threat", "--guess", "98.5%"), ("ones.threat", "--labels", "labels.txt")):
        done = shell("run", *command, "--attack", "splitting", "--format", "json")
        first, second = json.loads(done.out)["runs"]
        assert done.code == 0
        assert (first["counted"], first["exact_trials"], first["queries"]) == (wrong, 0, 1)
        assert (second["counted"], second["exact_trials"], second["wrong_labels"]) == (None, 1, 0)
    told = shell("run", "guess.threat", "--guess", "98.5%").out
    assert "the guess has 6 labels wrong: planned again for that, below" in told


def test_an_interrupt_keeps_the_trials_that_are_finished(shell: Shell) -> None:
    body = "import numpy as np\n\ncalls = 0\n\n\ndef score(labels, u):\n    global calls\n    calls += 1\n"
    body += "    if calls > 60:\n        raise KeyboardInterrupt\n    p = np.where(labels == 1, u, 1 - u)\n"
    Path("stops.py").write_text(body + "    return round(float(-np.log(p.astype(float)).mean()), 5)\n")
    arguments = ("run", "small.threat", "--scorer", "stops:score", "--attack", "block", "--trials", "500")
    done = shell(*arguments, "--format", "json")
    (run,) = json.loads(done.out)["runs"]
    assert done.code == 130
    assert run["interrupted"]
    assert 0 < run["trials"] == run["exact_trials"] < 60
    assert f"interrupted after {run['trials']} trials of 500" in done.err
    assert shell(*arguments).code == 130  # none is finished: nothing to show
