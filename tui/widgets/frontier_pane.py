"""The frontier: queries against a field of choice."""

from __future__ import annotations

from functools import partial

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Tab, Tabs

from tui.frontier import AXES, Frontier, Sweep, explore
from tui.latest import Latest
from tui.thinking import Thinker
from tui.widgets.plot_view import PlotView


class FrontierPane(Vertical):
    """A choice of field above the plot; planned off the event loop, remembered once planned."""

    def __init__(self, thinker: Thinker) -> None:
        super().__init__(id="frontier")
        self._latest = Latest(partial(explore, thinker), self._planned)
        self._source: tuple[str, str] | None = None

    def compose(self) -> ComposeResult:
        """Fields as tabs, then the plot."""
        yield Tabs(*(Tab(axis, id=f"axis-{axis}") for axis in AXES), id="axes")
        yield PlotView()

    @property
    def axis(self) -> str:
        """The chosen field."""
        return (self.query_one(Tabs).active or f"axis-{AXES[0]}").removeprefix("axis-")

    def choose(self, axis: str) -> None:
        """Choose a field."""
        self.query_one(Tabs).active = f"axis-{axis}"

    def show(self, text: str, scenario: str) -> None:
        """Plan the frontier of a scenario, and draw it when it is there."""
        self._source = (text, scenario)
        self._latest.ask(Sweep(text, scenario, self.axis), partial(self.run_worker, group="frontier"))

    def on_tabs_tab_activated(self, event: Tabs.TabActivated) -> None:
        """Another field was chosen."""
        event.stop()
        if self._source:
            self.show(*self._source)

    def _planned(self, sweep: Sweep, frontier: Frontier) -> None:
        self.query_one(PlotView).frontier = frontier
