"""What an adaptive attack typically needs: seen in simulated runs, beside what is promised of every labeling."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from planner.report import Report

SECONDS, MOST = 5.0, 99  # for as long, and as often, at most


@dataclass(frozen=True)
class Seen:
    """The queries that runs took, on labels drawn at random."""

    runs: int
    fewest: int
    most: int

    def __str__(self) -> str:
        span = f"{self.fewest:,}" if self.fewest == self.most else f"{self.fewest:,}-{self.most:,}"
        return f"{span} submissions in {self.runs} simulated run{'s' * (self.runs != 1)}"


def seen(report: Report) -> Seen | None:
    """Runs of the best plan if what it asks depends on what it was told; None: it always asks as many, or takes too long."""
    if report.best is None or report.best.certified is None:
        return None
    if report.best.certified.certificate.parameters.listed is not None:
        return None
    from backends.resources import Limits, ResourceRefusal
    from backends.simulate import simulate

    asked: list[int] = []
    end = monotonic() + SECONDS
    while len(asked) < MOST and (not asked or monotonic() < end):
        try:
            run = simulate(report, seed=len(asked), limits=Limits(seconds=SECONDS))
        except ResourceRefusal:
            return None
        asked.append(run.queries)
    return Seen(len(asked), min(asked), max(asked))
