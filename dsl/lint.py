"""Warnings: what is legal, but surely meant otherwise."""

from __future__ import annotations

from dsl.inheritance import Definition, Report
from dsl.scenario import Scenario


def lint(scenario: Scenario, definition: Definition, report: Report) -> None:
    """Report what in a scenario is surely meant otherwise; only about what its own lines say."""
