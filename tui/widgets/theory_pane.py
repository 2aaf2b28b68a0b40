"""The theory as a graph: problems, reductions and attacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import VerticalScroll

if TYPE_CHECKING:
    from planner.model import Candidate, Report


class TheoryPane(VerticalScroll):
    """The path of the present plan is lit."""

    def __init__(self) -> None:
        super().__init__(id="theory")

    def show(self, report: Report, selected: Candidate | None) -> None:
        """Light the path of the report's plan."""
