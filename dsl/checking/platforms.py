"""Known platforms: what a participant can *read* of a score, be it on the page or elsewhere, and how that is known.

Values are in the words of the language itself. What a platform allows is offered as a line to write, never filled in: it
is a default that most organisers change.
"""

from __future__ import annotations

from typing import Final, NamedTuple

FILLED: Final = ("decimals",)


class Platform(NamedTuple):
    """A platform by name."""

    name: str
    title: str
    decimals: str  # the most that a participant can read, in the language's words
    shown: str  # what the page shows, and where more can be had
    budget: str  # what its defaults allow, as a value of `queries`
    allowed: str  # the same in words
    provenance: str
    failures_free: bool = False  # a submission that fails is not counted


PLATFORMS: Final[dict[str, Platform]] = {
    platform.name: platform
    for platform in (
        Platform(
            "kaggle",
            "Kaggle",
            "5",
            "the page shows 5 decimals (older competitions 6); no finer figure is known to be had",
            "5*60",
            "five submissions a day is usual (three in the Data Science Bowl 2017, ten for Titanic)",
            "from published competition pages; the scorer of a competition is its organiser's choice",
        ),
        Platform(
            "codabench",
            "Codabench",
            "10",
            "the board shows 2 decimals unless a column says otherwise; scores are stored with 10 and its API returns those",
            "100",
            "5 a day and 100 a participant by default; robots are not limited",
            "read in its source: leaderboards/models.py, competitions/models.py",
            failures_free=True,
        ),
        Platform(
            "evalai",
            "EvalAI",
            "full",
            "the page shows 2 decimals; its API, the result file and what a host's script prints have the score in full",
            "100_000",
            "100,000 a day, a month and in all by default; the starter's configuration says 5 a day and 50 in all",
            "read in its source: apps/challenges/models.py, scripts/jobs/constants.py",
            failures_free=True,
        ),
        Platform(
            "huggingface",
            "Hugging Face competitions",
            "full",
            "the board shows 4 decimals; one's own submissions are listed unrounded",
            "5*60",
            "so many a day as the configuration says (5 in its documentation), without a total; failed ones count too",
            "read in its source: leaderboard.py, submissions.py, compute_metrics.py",
        ),
        Platform(
            "grand_challenge",
            "Grand Challenge",
            "full",
            "the board shows 4 decimals; by default all of the metrics file is returned as it is",
            "1*60",
            "so many for each user and period (of one day) as a phase says; none until it says so",
            "read in its source: evaluation/models.py",
            failures_free=True,
        ),
        Platform(
            "codalab",
            "CodaLab",
            "full",
            "the board shows as many decimals as a column's numeric_format says, 4 or 5 most often",
            "100",
            "999 a day has been seen in practice phases, 2 in final ones",
            "from published competition bundles; what its pages and files give besides was not read, so that all is "
            "allowed for",
        ),
    )
}
