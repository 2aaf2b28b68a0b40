"""The simulation loop: hide labels, ask what the attack asks, and compare what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from backends.oracle import BudgetSpentError, Oracle
from backends.rows import Labels, Query
from backends.run import Run, Seconds, Trial
from backends.setting import Setting
from planner.attacks.attack import Attack, InconsistentScores, WorseGuess

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
    ask = Oracle(hidden, setting.score_function(generator), setting.budget, watch=tick)
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
    labels, wrong = _compare(found, hidden)
    return Trial(ask.asked, labels, wrong, seconds, failure, setting.strays(hidden, guess), counted)


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


def _compare(found: Labels | None, hidden: Labels) -> tuple[int, int]:
    """How many labels the attack spoke of (all, where it failed), and how many of these are wrong."""
    if found is None:
        return len(hidden), len(hidden)
    spoken = found >= 0
    return int(spoken.sum()), int((found[spoken] != hidden[spoken]).sum())
