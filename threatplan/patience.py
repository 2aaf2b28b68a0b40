"""Scenarios that were given up: how long each was given, what it was at, and how every format says so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    from dsl.scenario import Scenario

    Answer = TypeVar("Answer")

WORD = "gave up"
HINT = "allow more with --seconds"


class GivenUp(NamedTuple):
    """A scenario without a verdict: its time was over."""

    scenario: Scenario
    seconds: float
    during: str

    @property
    def why(self) -> str:
        """In a sentence."""
        return f"after {self.seconds:g} s, during {self.during}; {HINT}"

    @property
    def facts(self) -> dict[str, Any]:
        """In JSON."""
        return {"seconds": self.seconds, "during": self.during}

    def to_json(self) -> dict[str, Any]:
        """The scenario's entry in the JSON contract: no verdict."""
        scenario = self.scenario
        entry = {"name": scenario.name, "title": scenario.title, "file": scenario.file}
        return {**entry, "verdict": None, "gave_up": self.facts}


def within(seconds: float, ask: Callable[[Scenario], Answer], scenario: Scenario) -> Answer | GivenUp:
    """The answer to one scenario, or that it was given up."""
    from planner.numerics.patience import GaveUp, patience

    try:
        with patience(seconds):
            return ask(scenario)
    except GaveUp as fact:
        return GivenUp(scenario, fact.seconds, fact.during)


def each_within(
    seconds: float, ask: Callable[[Scenario], Answer], scenarios: Iterable[Scenario]
) -> Iterator[Answer | GivenUp]:
    """The answers to all scenarios, each given its own time."""
    return (within(seconds, ask, scenario) for scenario in scenarios)
