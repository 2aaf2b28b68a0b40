"""What `plan new --ask` asks about a board."""

from __future__ import annotations

from typing import NamedTuple

from dsl.checking.metrics import BY_NAME
from dsl.checking.platforms import PLATFORMS


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
        "rows that the score is computed on",
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
        "How many submissions may be made in all, by everybody who works together? (a count, 5 a day, unlimited)",
        "300",
        "submissions, all accounts together",
        "5*60 for five a day in sixty days",
    ),
)
GUESS = Question(
    "guess",
    "The last, as all rows are scored: which share of the labels does a good model, or the majority class, get right? "
    "(none, 90%)",
    "none",
    "what is guessed beforehand: it changes the answer more than anything else",
    "90%",
)
