"""The record of a simulation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from backends.intervals import binomial_interval


@dataclass(frozen=True, slots=True)
class Seconds:
    """Where the time went. An adaptive attack's own work cannot be told apart and counts as decoding."""

    encode: float = 0.0
    score: float = 0.0
    decode: float = 0.0

    def __add__(self, other: Seconds) -> Seconds:
        return Seconds(self.encode + other.encode, self.score + other.score, self.decode + other.decode)

    @property
    def total(self) -> float:
        """All of it."""
        return self.encode + self.score + self.decode


@dataclass(frozen=True, slots=True)
class Trial:
    """One labeling attacked. A trial that failed loudly counts all its labels as wrong."""

    queries: int
    labels: int
    wrong: int
    seconds: Seconds
    failure: str | None = None
    strayed: bool = False  # labels, a guess or scored rows that the scenario says there are not
    counted: int | None = None  # labels that the guess has wrong, where the attack found out that they are too many
    told: int | None = None  # rows that the attack spoke of, scored or not; None: as many as labels
    misplaced: int | None = None  # rows wrongly said to be scored or not; None: the attack does not say

    @property
    def exact(self) -> bool:
        """Whether all that the attack speaks of came out right."""
        return self.failure is None and self.wrong == 0 and not self.misplaced

    @property
    def rows(self) -> int:
        """Rows that the attack spoke of."""
        return self.labels if self.told is None else self.told


@dataclass(frozen=True, slots=True, repr=False)
class Run:
    """What came of simulating one attack."""

    scenario: str
    attack: str
    backend: str
    scorer: str
    seed: int
    labels: int  # rows of a submission; an attack may speak of fewer
    trials: int
    exact_trials: int
    wrong_labels: int
    total_labels: int  # of scored rows that the attack spoke of, over all trials
    fewest_labels: int  # rows that a trial spoke of
    most_wrong: int  # in one trial
    queries: int  # the most that a trial used
    seconds: Seconds
    failures: tuple[str, ...] = ()
    fewest_queries: int = 0  # that a trial used
    strayed: int = 0  # trials with labels or a guess that the scenario says there are not: nothing was promised of them
    interrupted: bool = False  # before all trials were done
    counted: int | None = None  # the most labels that a guess was found to have wrong, where that was too many
    rows_told: int = 0  # that the attack spoke of, over all trials, scored or not
    misplaced: int | None = None  # rows wrongly said to be scored or not, in all; None: the attack does not say

    @classmethod
    def of(cls, trials: list[Trial], seconds: Seconds, **named: Any) -> Run:
        """The record of finished trials and of the seconds spent before them."""
        for trial in trials:
            seconds += trial.seconds
        return cls(
            trials=len(trials),
            exact_trials=sum(trial.exact for trial in trials),
            wrong_labels=sum(trial.wrong for trial in trials),
            total_labels=sum(trial.labels for trial in trials),
            fewest_labels=min(trial.rows for trial in trials),
            rows_told=sum(trial.rows for trial in trials),
            misplaced=_misplaced(trials),
            most_wrong=max(trial.wrong for trial in trials),
            queries=max(trial.queries for trial in trials),
            fewest_queries=min(trial.queries for trial in trials),
            strayed=sum(trial.strayed for trial in trials),
            counted=max((trial.counted for trial in trials if trial.counted is not None), default=None),
            seconds=seconds,
            failures=tuple(trial.failure for trial in trials if trial.failure is not None),
            **named,
        )

    def __repr__(self) -> str:
        right = f"{self.total_labels - self.wrong_labels:,} of {self.total_labels:,} labels right"
        return f"<Run of {self.scenario}: {self.attack}, {self.exact_trials} of {self.trials} trials exact, {right}>"

    @property
    def whole(self) -> bool:
        """Whether the attack spoke of every label."""
        return self.rows_told == self.labels * self.trials

    @property
    def accuracy(self) -> float:
        """The share of labels that came out right."""
        return 1 - self.wrong_labels / self.total_labels

    def accuracy_interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """The Clopper-Pearson interval of the accuracy, labels taken as independent."""
        return binomial_interval(self.total_labels - self.wrong_labels, self.total_labels, confidence)

    def recovery_interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """The Clopper-Pearson interval of the probability that a run gets every label right."""
        return binomial_interval(self.exact_trials, self.trials, confidence)

    def to_json(self) -> dict[str, Any]:
        """The run's entry in the JSON contract."""
        return {
            "scenario": self.scenario,
            "attack": self.attack,
            "backend": self.backend,
            "scorer": self.scorer,
            "seed": self.seed,
            "labels": self.labels,
            "trials": self.trials,
            "exact_trials": self.exact_trials,
            "wrong_labels": self.wrong_labels,
            "total_labels": self.total_labels,
            "rows_told": self.rows_told,
            "misplaced": self.misplaced,
            "accuracy": self.accuracy,
            "accuracy_interval": list(self.accuracy_interval()),
            "recovery_interval": list(self.recovery_interval()),
            "queries": self.queries,
            "fewest_queries": self.fewest_queries,
            "strayed": self.strayed,
            "counted": self.counted,
            "interrupted": self.interrupted,
            "seconds": {
                "encode": self.seconds.encode,
                "score": self.seconds.score,
                "decode": self.seconds.decode,
            },
            "failures": list(self.failures),
        }


def _misplaced(trials: list[Trial]) -> int | None:
    found = [trial.misplaced for trial in trials if trial.misplaced is not None]
    return sum(found) if found else None
