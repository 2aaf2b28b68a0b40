"""Sweeps at the front door: which points there are, and when they are too many."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from threatplan.faults import Fault
from threatplan.render.numbers import whole

if TYPE_CHECKING:
    from dsl.scenario import Scenario


def all_points(scenario: Scenario, cap: int) -> Iterator[Scenario]:
    """Every point of the scenario's sweeps, unless they are more than `cap`."""
    yield from scenario.points()


def place(scenario: Scenario, point: Scenario) -> str:
    """Where in the sweeps a point lies, as the start of a sentence; nothing where there is no sweep."""
    return ""
