"""The board as an attack sees it: it answers submissions, as many as it allows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from backends.rows import Labels, Query

Score = Callable[[Labels, Query], Any]
SPENT = "one query more than"  # how it is said that no more are answered


class BudgetSpentError(RuntimeError):
    """An attack asked once more than the board answers."""


@dataclass
class Oracle:
    """Hidden labels behind a scorer: with a budget, a count and a clock."""

    labels: Labels
    scorer: Score
    budget: int | None = None
    watch: Callable[[int], None] | None = None  # is told how many queries were asked so far
    asked: int = 0
    seconds: float = 0.0

    def ask(self, u: Query) -> Any:
        """The score that is shown for a submission."""
        if self.budget is not None and self.asked >= self.budget:
            raise BudgetSpentError(f"{SPENT} the {self.budget} that are answered")
        start = perf_counter()
        shown = self.scorer(self.labels, u)
        self.seconds += perf_counter() - start
        self.asked += 1
        if self.watch is not None:
            self.watch(self.asked)
        return shown

    __call__ = ask
