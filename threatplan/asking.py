"""A few questions about a board, and the scenario that the answers describe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, TextIO

from dsl.checking.metrics import BY_NAME
from dsl.checking.platforms import PLATFORMS
from threatplan.faults import CommandError
from threatplan.hearing import heard, scores
from threatplan.importing.writing import BESIDE

TRIES = 3  # wrong answers to one question before it is given up
LONGEST = 100  # a hint beyond is a list of all values, which the question has, too
NOT_UNDERSTOOD = ("T010", "T011", "T015", "T026", "T028", "T030")  # of a file these speak of its grammar
REST = (
    "# Take the # off the next line, and `plan check` holds the board to it: nobody can count on all labels.",
    "# expect impossible",
)


class Question(NamedTuple):
    """What is asked, the field that the answer is written to, what an empty line stands for, a remark, an example."""

    field: str
    text: str
    default: str
    remark: str
    example: str


QUESTIONS = (
    Question("N", "How many rows does a submission have?", "10_000", "rows of a submission", "10_000"),
    Question("K", "How many classes can a label have?", "2", "classes", "2"),
    Question(
        "public",
        "How many of the rows is the public score computed on? (all, a count, 30%)",
        "all",
        "the rows that the score is computed on; which ones is secret",
        "30%",
    ),
    Question(
        "metric",
        f"Which score is shown, or which two? ({', '.join(BY_NAME)})",
        "log_loss",
        "what is shown",
        "accuracy, f1",
    ),
    Question(
        "decimals",
        "How many decimals can be read, on the page or through an API? (a count, full, or the platform: "
        f"{', '.join(PLATFORMS)})",
        "full",
        "all that a participant can read of a score",
        "5",
    ),
    Question(
        "noise",
        "Is something random added to each score before it is shown? (none, gaussian(0.01), laplace(0.01))",
        "none",
        "what is random, drawn anew for each submission",
        "gaussian(0.01)",
    ),
    Question(
        "queries",
        "How many submissions may be made in all, by everybody who works together? (a count, unlimited)",
        "300",
        "submissions, all accounts together",
        "5*60 for five a day in sixty days",
    ),
)
GUESS = Question(
    "guess",
    "One more, where all rows are scored: which share of the labels does a good model, or the majority class, get right? "
    "(none, 90%)",
    "none",
    "what is guessed beforehand: it changes the answer more than anything else",
    "90%",
)


def interview(answers: TextIO, talk: TextIO) -> str:
    """Ask, check each answer against the language itself, and write the scenario."""
    given: dict[str, str] = {}
    for question in QUESTIONS:
        given[question.field] = _answer(question, given, answers, talk)
    if given["public"] in ("all", given["N"]):
        given["guess"] = _answer(GUESS, given, answers, talk)
    return _text(given)


def _answer(question: Question, given: Mapping[str, str], answers: TextIO, talk: TextIO) -> str:
    for _ in range(TRIES):
        print(f"{question.text} [{question.default}] ", end="", file=talk, flush=True)
        line = answers.readline()
        if not line:
            raise CommandError("the answers end before the questions do", f"next was: {question.text}")
        answer = heard(question.field, line) or question.default
        wrong = _fault(question, {**given, question.field: answer})
        if wrong is None:
            _confirm(question, answer, given, talk)
            return answer
        print(f"  {wrong}", file=talk)
    raise CommandError(f"no answer to: {question.text}", "`plan new` writes a file to fill in")


def _confirm(question: Question, answer: str, given: Mapping[str, str], talk: TextIO) -> None:
    """A count that may have been meant as a share is said back."""
    if question.field == "public" and answer.isdigit():
        print(f"  that is {int(answer):,} of the {given['N']} rows; a share is written `{answer}%`", file=talk)


def _fault(question: Question, given: Mapping[str, str]) -> str | None:
    """What the language says against the answers so far; where it speaks of grammar, an example says more."""
    from dsl import ThreatError, loads
    from dsl.visible import visible

    if any(mark in answer for answer in given.values() for mark in "{};#\n"):
        return "one value, please"
    try:
        loads(_text({"N": "100", **given}))
    except ThreatError as error:
        first = error.diagnostics[0]
        if first.code in NOT_UNDERSTOOD:
            return visible(f"not understood: `{given[question.field]}` (for example {question.example})")
        hint = first.hint if first.hint and len(first.hint) <= LONGEST else None  # a list that was just read
        return visible(f"{first.message}{f' ({hint})' if hint else ''}")
    return None


def _text(given: Mapping[str, str]) -> str:
    from dsl import format_text

    return format_text("\n".join(_scenarios(given)) + "\n")


def _scenarios(given: Mapping[str, str]) -> Iterator[str]:
    """One, or of scores that are computed of other rows one each."""
    for number, metric in enumerate(scores(given.get("metric", "log_loss"))):
        if number:
            yield from ("", *BESIDE)
        name = "board" if not number else f"board__{metric}" if metric in BY_NAME else f"board__{number + 1}"
        yield from (f"scenario {name} {{", *_lines({**given, "metric": metric}), "}")


def _lines(given: Mapping[str, str]) -> Iterator[str]:
    remarks = {one.field: one.remark for one in (*QUESTIONS, GUESS)}
    for name, answer in given.items():
        if name == "decimals" and answer in PLATFORMS:
            known = PLATFORMS[answer]
            yield f"platform = {answer}  # {known.shown}"
            continue
        operator = "<=" if name == "queries" else "="
        yield f"{name} {operator} {answer}  # {remarks[name]}"
    if given["metric"] == "log_loss":
        yield "scorer = sklearn  # or none and a clip of your own: see `plan explain scorer`"
    yield from REST
