"""Whether a run kept what a certificate promised: one answer for `plan run`, the campaign and the explorer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from backends.oracle import SPENT
from planner.attacks.promise import COINS, FLIPS, NOTHING

if TYPE_CHECKING:
    from backends.run import Run
    from planner.attacks.promise import Promise

SURE = 1e-6  # a promise that may break this rarely must not be seen to break at all


@dataclass(frozen=True, slots=True)
class Shortfall:
    """How a run fell short of its promise, and whether the promise leaves that to chance."""

    text: str
    by_chance: bool


def shortfall(run: Run, promise: Promise) -> Shortfall | None:
    """What a run's worst trial broke of the promise; None: it kept it."""
    if run.strayed == run.trials:
        return None  # nothing was promised
    chance = by_chance(promise) or run.strayed > 0
    labels = _labels(run, promise)
    if labels is not None:
        # The attacker's coins decide how many queries it takes, never what the labels are; flips no more than these.
        certain = promise.over == COINS or (promise.over == FLIPS and bool(run.failures))
        return Shortfall(labels, chance and (not certain or _cut_short(run)))
    if run.queries > promise.queries:
        tossed = COINS in promise.over
        return Shortfall(f"queries asked: {run.queries:,}, promised: {promise.queries:,}", chance and tossed)
    return None


def _cut_short(run: Run) -> bool:
    """Whether all that went wrong is that the board answered no more queries."""
    spent = [one for one in run.failures if one.startswith(SPENT)]
    return len(spent) == run.trials - run.exact_trials > 0


def by_chance(promise: Promise) -> bool:
    """Whether the promise holds with a stated probability instead of always, and may be seen to break."""
    return promise.over != NOTHING and promise.chance > SURE


def _labels(run: Run, promise: Promise) -> str | None:
    if run.failures:
        return run.failures[0]
    if run.fewest_labels < promise.labels:
        return f"labels told: {run.fewest_labels:,} of {promise.labels:,} promised"
    if promise.membership and (misplaced := _misplaced(run)):
        return f"rows wrongly said to be scored or not: {misplaced:,}"
    if run.most_wrong > promise.wrong:
        return f"labels wrong: {run.most_wrong:,}, allowed: {promise.wrong:,}"
    return None


def _misplaced(run: Run) -> int:
    """Rows wrongly said to be scored or not; an attack that leaves none out says that all it speaks of are scored."""
    return run.rows_told - run.total_labels if run.misplaced is None else run.misplaced
