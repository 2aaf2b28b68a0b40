"""What is shown of a plan: attacks, frontier, theory, runs and what to change, a tab each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Button, DataTable, TabbedContent, TabPane

from tui.prose import detail, refusals
from tui.simulation import Order
from tui.widgets.attack_table import AttackTable
from tui.widgets.detail import Detail
from tui.widgets.frontier_pane import FrontierPane
from tui.widgets.harden_pane import HardenPane
from tui.widgets.run_pane import RunPane
from tui.widgets.theory_pane import TheoryPane

if TYPE_CHECKING:
    from planner.model import Candidate
    from tui.thinking import Thinker, View

FOCUS = {"attacks": "#attacks", "frontier": "#axes", "theory": "#theory", "run": "#run", "harden": "#harden"}


class Views(Vertical):
    """Only the view that is open is kept up to date; the others follow when they are opened."""

    def __init__(self, thinker: Thinker, child: str) -> None:
        super().__init__(id="views")
        self._thinker, self._child = thinker, child
        self._view: View | None = None
        self._runs = 0

    def compose(self) -> ComposeResult:
        """The tabs."""
        with TabbedContent():
            with TabPane("Attacks", id="attacks-view"):
                yield AttackTable()
                yield Detail()
            with TabPane("Frontier", id="frontier-view"):
                yield FrontierPane(self._thinker)
            with TabPane("Theory", id="theory-view"):
                yield TheoryPane()
            with TabPane("Run", id="run-view"):
                yield RunPane(self._child)
            with TabPane("Harden", id="harden-view"):
                yield HardenPane(self._thinker)

    def show(self, view: View) -> None:
        """Another plan."""
        self._view = view
        self.query_one(AttackTable).show(view.report)
        self._open_selected()
        self._follow()

    def open(self, name: str) -> None:
        """Open a view and give it the focus."""
        self._turn_to(name)
        self.query_one(FOCUS[name]).focus()

    def _turn_to(self, name: str) -> None:
        self.query_one(TabbedContent).active = f"{name}-view"

    @on(TabbedContent.TabActivated)
    def _follow(self) -> None:
        if self._view is None:
            return
        active = self.query_one(TabbedContent).active
        if active == "frontier-view":
            self.query_one(FrontierPane).show(self._view.text, self._view.name)
        elif active == "theory-view":
            self.query_one(TheoryPane).show(self._view.report, self.selected())
        elif active == "harden-view":
            self.query_one(HardenPane).show(self._view.text, self._view.name)

    # -- attacks -------------------------------------------------------------------------------------------

    def selected(self) -> Candidate | None:
        """The attack under the table's cursor."""
        name = self.query_one(AttackTable).selected
        candidates = self._view.report.candidates if self._view else ()
        return next((one for one in candidates if one.attack == name), None)

    @on(DataTable.RowHighlighted)
    def _open_selected(self) -> None:
        if self._view is None:
            return
        candidate, report = self.selected(), self._view.report
        opened = self.query_one(AttackTable).opened
        self.query_one(Detail).show(detail(candidate, report) if candidate else refusals(report, opened))

    def _runnable(self) -> Candidate | None:
        """The selected attack; where that has no certificate, the best one or what the budget exposes most by."""
        chosen = self.selected()
        if self._view and (chosen is None or chosen.certified is None):
            exposure = self._view.report.exposure
            chosen = self._view.report.best or exposure.candidate or exposure.averaged
        return chosen

    # -- running -------------------------------------------------------------------------------------------

    @property
    def running(self) -> bool:
        """Whether a run is on."""
        return self.query_one(RunPane).running

    @on(Button.Pressed, "#run-start")
    @on(Button.Pressed, "#run-cancel")
    def toggle_run(self) -> None:
        """Run an attack, each time with another seed; while a run is on, cancel it."""
        pane, candidate = self.query_one(RunPane), self._runnable()
        if pane.running:
            pane.stop()
        elif candidate is None or self._view is None:
            self.notify("no attack is certified here, so there is nothing to run", severity="warning")
        else:
            self._turn_to("run")
            self.call_after_refresh(pane.focus)  # a change of focus repaints everything; not in the same turn
            pane.start(Order(self._view.text, self._view.name, candidate.attack, self._runs), self._view.report)
            self._runs += 1
