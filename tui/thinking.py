"""From the text on the screen to a Report: reading, choosing a scenario, planning. No widgets here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dsl import Checked, Diagnostic, Scenario
    from planner.report import Report

    Planner = Callable[[Scenario], Report]

TEXTS_KEPT = 8  # texts whose reading is remembered
REPORTS_KEPT = 256


@dataclass(frozen=True, slots=True)
class Question:
    """A text and the scenario of it that is being looked at (None: the first)."""

    text: str
    scenario: str | None = None


@dataclass(frozen=True, slots=True)
class View:
    """A scenario of a text, planned: its name there, and the names of all."""

    text: str
    name: str
    names: tuple[str, ...]
    report: Report


@dataclass(frozen=True, slots=True)
class Answer:
    """What a question led to: a view, or what stands in its way; faults may be mere warnings."""

    view: View | None = None
    faults: tuple[Diagnostic, ...] = ()
    failure: str | None = None


class Thinker:
    """Answers questions with a planner, and remembers the answers."""

    def __init__(self, planner: Planner | None = None) -> None:
        self._planner = planner
        self.read = lru_cache(TEXTS_KEPT)(_read)
        self.report = lru_cache(REPORTS_KEPT)(self._plan)
        self._view = lru_cache(REPORTS_KEPT)(self._look)

    def answer(self, question: Question) -> Answer:
        """The report on the scenario asked for; a fault of the text or of the planner is an answer too."""
        from dsl import ThreatError

        try:
            checked = self.read(question.text)
            return Answer(self._view(question), checked.warnings)
        except ThreatError as error:
            return Answer(faults=error.diagnostics)
        except Exception as error:  # a planner's failure must not take the user's text with it
            return Answer(failure=f"{type(error).__name__}: {error}")

    def scenario(self, question: Question) -> Scenario:
        """The scenario asked for, at the first point of its sweeps; raises ThreatError."""
        return first_point(_choose(self.read(question.text), question.scenario))

    def answers(self, question: Question) -> Iterator[Answer]:
        """The same, as the one step that it is."""
        yield self.answer(question)

    def _plan(self, scenario: Scenario) -> Report:
        if self._planner is None:
            from planner import plan

            self._planner = plan
        report = self._planner(scenario)
        _ = report.ceiling  # reckoned here, and not where the screen is drawn
        return report

    def _look(self, question: Question) -> View:
        checked = self.read(question.text)
        chosen = _choose(checked, question.scenario)
        names = tuple(one.name for one in checked.scenarios)
        return View(question.text, chosen.name, names, self._plan(first_point(chosen)))


def first_point(scenario: Scenario) -> Scenario:
    """The scenario itself, or the first of those that it stands for."""
    return next(iter(scenario.points()))


def _read(text: str) -> Checked:
    from dsl import check

    return check(text)


def _choose(checked: Checked, name: str | None) -> Scenario:
    return next((one for one in checked.scenarios if one.name == name), checked.scenarios[0])
