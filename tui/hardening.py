"""What to change: `plan harden`'s list, sought in a thread that tells how far it is and can be given up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Event, Thread
from typing import TYPE_CHECKING

from tui.thinking import Question, Thinker

if TYPE_CHECKING:
    from dsl.scenario import Scenario
    from planner.report import Report
    from threatplan.hardening.options import Option
    from threatplan.hardening.search import Planner

LESS = "`plan harden --ceiling 60%` asks for settings that leave less"


@dataclass(frozen=True, slots=True)
class Sought:
    """A text, and the scenario of it that is to be hardened."""

    text: str
    scenario: str


@dataclass(frozen=True, slots=True)
class Found:
    """How far it is, and in the end the options; `said` is a sentence where there are none."""

    settings: int
    options: tuple[Option, ...] = ()
    said: str = ""
    done: bool = False


class _StoppedError(Exception):
    """Nobody waits for it any more."""


def seek(thinker: Thinker, sought: Sought) -> Iterator[Found]:
    """The settings that were planned, one by one, then what came of them."""
    from dsl import ThreatError

    try:
        scenario = thinker.scenario(Question(sought.text, sought.scenario))
    except ThreatError as error:
        yield Found(0, said=error.diagnostics[0].message, done=True)
        return
    work = _Work(thinker, scenario)
    try:
        yield from work.steps()
    finally:
        work.over.set()


class _Work:
    """A search in a thread of its own; the planner that it is given tells of every setting, and ends it when it is over."""

    def __init__(self, thinker: Thinker, scenario: Scenario) -> None:
        self._thinker, self._scenario = thinker, scenario
        self._told: SimpleQueue[Found] = SimpleQueue()
        self._asked = 0
        self.over = Event()

    def steps(self) -> Iterator[Found]:
        """What is told, up to the last."""
        Thread(target=self._seek, daemon=True).start()
        while True:
            found = self._told.get()
            yield found
            if found.done:
                return

    def _seek(self) -> None:
        try:
            self._told.put(answer(self._scenario, self._plan))
        except _StoppedError:
            return
        except Exception as error:  # a planner's failure must not leave the view waiting
            self._told.put(Found(self._asked, said=f"{type(error).__name__}: {error}", done=True))

    def _plan(self, scenario: Scenario) -> Report:
        if self.over.is_set():
            raise _StoppedError
        self._asked += 1
        self._told.put(Found(self._asked))
        return self._thinker.report(scenario)


def answer(scenario: Scenario, plan: Planner) -> Found:
    """Every setting at which recovery is impossible, or that it is so already."""
    from threatplan.hardening.advice import EXPOSED, advise
    from threatplan.render.options import already, heading

    now = plan(scenario)
    if now.verdict == "impossible":
        return Found(1, said=f"Impossible already: {already(now)}. {LESS}.", done=True)
    found = tuple(advise(scenario, EXPOSED, plan).listed)
    said = "" if found else f"{heading(now, found)}."
    return Found(0, found, said, done=True)
