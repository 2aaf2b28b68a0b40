"""The simulation loop: hide labels, ask what the attack asks, and compare what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from backends.oracle import BudgetSpentError, Oracle, Score
from backends.rows import Labels, Query
from backends.run import Run, Seconds, Trial
from backends.setting import Setting
from planner.attacks.attack import NOT_SCORED, UNKNOWN, Attack, InconsistentScores, WorseGuess

Progress = Callable[[int, int, int, int], None]  # trial, trials, queries done, queries in all
STRIDE = 0.05  # seconds between two calls of a progress callback


def run_attack(
    attack: Attack,
    setting: Setting,
    *,
    trials: int = 1,
    queries: int = 0,
    progress: Progress | None = None,
    built: float = 0.0,
    keep: bool = False,
) -> Run:
    """Run any attack: `queries` is what progress is measured against, `built` the seconds spent so far.

    With `keep` an interrupt ends the run with the trials that are finished, if there are any.
    """
    if trials < 1:
        raise ValueError(f"trials must be at least 1, not {trials}")
    backend, scorer = setting.names()
    done = []
    for number in range(trials):
        tick = _Ticker(progress, number, trials, queries)
        try:
            done.append(_trial(attack, setting, number, tick))
        except KeyboardInterrupt:
            if not (keep and done):
                raise
            break
    return Run.of(
        done,
        Seconds(encode=built),
        scenario=setting.scenario.name,
        attack=attack.id,
        backend=backend,
        scorer=scorer,
        seed=setting.seed,
        labels=setting.scenario.N,
        interrupted=len(done) < trials,
    )


@dataclass
class _Ticker:
    """Reports progress, but not more often than an eye can follow."""

    progress: Progress | None
    trial: int
    trials: int
    expected: int
    last: float = 0.0

    def __call__(self, done: int, final: bool = False) -> None:
        now = perf_counter()
        if self.progress is not None and (final or now - self.last >= STRIDE):
            self.last = now
            self.progress(self.trial, self.trials, done, max(done, self.expected))


def _trial(attack: Attack, setting: Setting, number: int, tick: _Ticker) -> Trial:
    generator = setting.generator(number)
    hidden = setting.hidden(generator)
    guess = setting.guessed(hidden, generator)
    attack = attack.knowing(guess)
    scored = setting.scored(generator)
    stored = setting.stored(hidden, generator)
    ask = Oracle(stored, _of_part(setting.score_function(generator), scored), setting.budget, watch=tick)
    tick(0)
    start = perf_counter()
    encoded = 0.0
    found, failure, counted = None, None, None
    try:
        if attack.adaptive:
            found = attack.recover(ask)
        else:
            scores, encoded = _ask_all(attack, ask)
            found = attack.decode(scores)
    except (InconsistentScores, BudgetSpentError) as error:
        failure, counted = str(error), error.counted if isinstance(error, WorseGuess) else None
    elapsed = perf_counter() - start
    tick(ask.asked, final=True)
    seconds = Seconds(encoded, ask.seconds, max(0.0, elapsed - encoded - ask.seconds))
    seen = _compare(found, hidden, scored)
    strayed = setting.strays(hidden, guess, scored)
    return Trial(ask.asked, seen.labels, seen.wrong, seconds, failure, strayed, counted, seen.told, seen.misplaced)


def _ask_all(attack: Attack, ask: Oracle) -> tuple[list[Any], float]:
    """The scores of all queries, made one at a time, and the seconds that making them took."""
    scores: list[Any] = []
    encoded = 0.0
    queries: Iterator[Query] = attack.queries()
    while True:
        start = perf_counter()
        u = next(queries, None)
        encoded += perf_counter() - start
        if u is None:
            return scores, encoded
        scores.append(ask(u))


def _of_part(scorer: Score, scored: Labels | None) -> Score:
    """A scorer that sees the scored rows alone."""
    if scored is None:
        return scorer
    rows = np.flatnonzero(scored)
    return lambda labels, u: scorer(labels[rows], u[rows])


class _Seen(NamedTuple):
    """What came out of a trial: labels of scored rows that the attack spoke of, how many are wrong, rows in all."""

    labels: int
    wrong: int
    told: int
    misplaced: int | None = None


def _compare(found: Labels | None, hidden: Labels, scored: Labels | None) -> _Seen:
    """An attack that failed spoke of every label, and is wrong on each. -1: not known, -2: known not to be scored."""
    inside = np.ones(len(hidden), dtype=bool) if scored is None else scored
    if found is None:
        return _Seen(int(inside.sum()), int(inside.sum()), len(hidden))
    spoken = found != UNKNOWN
    wrong = spoken & inside & (found != hidden)
    outside = found == NOT_SCORED
    misplaced = int(((outside & inside) | ((found >= 0) & ~inside)).sum()) if outside.any() else None
    return _Seen(int((spoken & inside).sum()), int(wrong.sum()), int(spoken.sum()), misplaced)
