"""A few questions about a board, and the scenario that the answers describe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import TextIO

from dsl.checking.metrics import BY_NAME
from dsl.checking.platforms import PLATFORMS
from threatplan.faults import CommandError
from threatplan.hearing import daily, heard, scores
from threatplan.importing.writing import BESIDE
from threatplan.questions import GUESS, QUESTIONS, Question

TRIES = 3  # wrong answers to one question before it is given up, where nobody sits at a terminal
WHOLE = 100  # percent
MANY = 100  # classes; more are asked about again
LONGEST = 100  # a hint beyond is a list of all values, which the question has, too: an example says more
NOT_UNDERSTOOD = ("T010", "T011", "T015", "T026", "T028", "T030")  # of a file these speak of its grammar
BACK = "<"
OPENING = f"An empty line takes what stands in brackets, `{BACK}` goes back to the question before."
REST = (
    "# Take the # off the next line, and `plan check` holds the board to it: no attack is sure of all labels.",
    "# expect impossible",
)


def interview(answers: TextIO, talk: TextIO) -> str:
    """Ask, check each answer against the language itself, and write the scenario."""
    given: dict[str, str] = {}
    place = 0
    _tell(OPENING, talk)
    while place < len(questions := _questions(given)):
        asked = questions[place]
        before = {one.field: given[one.field] for one in questions[:place]}
        answer = _answer(asked._replace(default=given.get(asked.field, asked.default)), before, answers, talk)
        if answer is not None:
            given[asked.field] = answer
        place = max(0, place - 1) if answer is None else place + 1
    return _text({one.field: given[one.field] for one in questions})


def _questions(given: Mapping[str, str]) -> Sequence[Question]:
    """All that is asked, given the answers so far: of a secret part nothing is proved of those who guess."""
    return (*QUESTIONS, GUESS) if _all_scored(given) else QUESTIONS


def _all_scored(given: Mapping[str, str]) -> bool:
    return given.get("public", "all") in ("all", given.get("N"))


def _answer(question: Question, given: Mapping[str, str], answers: TextIO, talk: TextIO) -> str | None:
    """What is to be written; None: back to the question before."""
    for _ in count() if answers.isatty() else range(TRIES):
        line = _line(f"{question.text} [{question.default}]", question, answers, talk)
        if line == BACK:
            return None
        answer = _meant(question, line, answers, talk)
        wrong = _fault(question, {**given, question.field: answer})
        if wrong is None and _confirmed(question, answer, given, answers, talk):
            _echo(question, line, answer, talk)
            return answer
        if wrong is not None:
            _tell(f"  {wrong}", talk)
    raise CommandError(f"no answer to: {question.text}", "`plan new` writes a file to fill in")


def _line(asked: str, question: Question, answers: TextIO, talk: TextIO) -> str:
    *above, last = _folded(asked, talk)
    for part in above:
        print(part, file=talk)
    print(f"{last} ", end="", file=talk, flush=True)
    line = answers.readline()
    if line and not answers.isatty():  # nobody pressed the key that ends the line on the screen
        print(file=talk)
    if not line:
        raise CommandError("the answers end before the questions do", f"next was: {question.text}")
    return line.strip()


def _tell(text: str, talk: TextIO) -> None:
    for line in _folded(text, talk):
        print(line, file=talk)


def _folded(text: str, talk: TextIO) -> Iterator[str]:
    """A text in lines that a terminal does not break within a word; a log has lines of any length."""
    from threatplan.render.page import Page

    if not talk.isatty():
        yield text
        return
    yield from Page.of(talk).wrap(text, text[: len(text) - len(text.lstrip())])


def _meant(question: Question, line: str, answers: TextIO, talk: TextIO) -> str:
    """An answer in the words of the language; so many a day, without a word of how long, are asked about."""
    if question.field == "queries" and (each := daily(line)):
        days = _line("  for how many days?", question, answers, talk)
        return heard("queries", f"{each} a day for {days.removesuffix('days').strip()} days")
    return heard(question.field, line) or question.default


def _confirmed(question: Question, answer: str, given: Mapping[str, str], answers: TextIO, talk: TextIO) -> bool:
    """A count that may have been meant as a share is said back, one that may have been another's is asked about."""
    if question.field == "public" and answer.isdigit() and answer != given["N"]:
        rows = f"{int(given['N']):,}" if given["N"].replace("_", "").isdecimal() else given["N"]
        meant = f"; a share is written `{answer}%`" if int(answer) <= WHOLE else ""
        _tell(f"  that is {int(answer):,} of the {rows} rows{meant}", talk)
    if question.field == "K" and answer.isdigit() and int(answer) > MANY:
        sure = _line(
            f"  {int(answer):,} kinds of label, whatever the number of rows? (yes, no) [yes]", question, answers, talk
        )
        return sure.lower() in ("", "y", "yes")
    return True


def _echo(question: Question, line: str, answer: str, talk: TextIO) -> None:
    """How an answer was read, where it is not written as it was given."""
    from threatplan.render.page import Page

    if question.field == "metric":
        written = [f"metric = {metric}" for metric in scores(answer)]
    else:
        written = [_field(question.field, answer)]
    if line and written != [f"{question.field} {_sign(question.field)} {line}"]:
        _tell(f"  {Page.of(talk).glyph('→', '->')} {', '.join(written)}", talk)


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
        hint = first.hint if not first.hint or len(first.hint) <= LONGEST else f"for example {question.example}"
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
    for one in (*QUESTIONS, GUESS):
        if one.field in given:
            answer = given[one.field]
            yield f"{_field(one.field, answer)}  # {_remark(one, answer, given)}"
    if given["metric"] == "log_loss":
        yield "scorer = sklearn  # or none and a clip of your own: see `plan explain scorer`"
    yield from REST


def _field(name: str, answer: str) -> str:
    if name == "decimals" and answer in PLATFORMS:
        return f"platform = {answer}"
    return f"{name} {_sign(name)} {answer}"


def _sign(name: str) -> str:
    return "<=" if name == "queries" else "="


def _remark(question: Question, answer: str, given: Mapping[str, str]) -> str:
    if question.field == "decimals" and answer in PLATFORMS:
        return PLATFORMS[answer].shown
    if question.field == "public" and not _all_scored(given):
        return f"{question.remark}; which ones is secret"
    return question.remark
