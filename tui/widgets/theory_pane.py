"""The theory: its graph, and the words for the node under the cursor."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import ScrollableContainer, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tui.theory_map import theory_map
from tui.widgets.theory_graph import TheoryGraph

if TYPE_CHECKING:
    from planner.model import Candidate
    from planner.report import Report
    from planner.theory import Entry


class TheoryPane(Vertical):
    """The path of the present plan is lit, what was refused is dim and says why."""

    def compose(self) -> ComposeResult:
        """Graph above, words below."""
        with ScrollableContainer(id="theory-scroll", can_focus=False):
            yield TheoryGraph(id="theory")
        with VerticalScroll(id="theory-box"):
            yield Static("", id="theory-words")

    def show(self, report: Report, selected: Candidate | None) -> None:
        """Light the best plan's path, or that of the selected attack where no plan is within the budget."""
        kinds = {one.id: (one.kind, one.title) for one in _entries().values()}
        shown = report.best or (selected if selected and selected.certified else None)
        graph = self.query_one(TheoryGraph)
        graph.show(theory_map(report, shown, kinds))
        self._tell(graph.cursor)

    def on_theory_graph_visited(self, event: TheoryGraph.Visited) -> None:
        """Explain the node under the cursor."""
        event.stop()
        self._tell(event.node)

    def _tell(self, node: str) -> None:
        entry, drawing = _entries().get(node), self.query_one(TheoryGraph).map
        drawn = drawing.find(node) if drawing else None
        note = drawn.note if drawn else ""
        self.query_one("#theory-words", Static).update(_words(entry, note) if entry else node)


@cache
def _entries() -> dict[str, Entry]:
    from planner.theory import entries

    return {one.id: one for one in entries()}


def _words(entry: Entry, note: str) -> Content:
    conditions = "".join(f"\n · {condition}" for condition in entry.conditions)
    related = f"  see {', '.join(entry.related)}" if entry.related else ""
    return Content.assemble(
        (entry.title, "bold $text-accent"),
        (f"  {entry.kind}, {entry.source}{related}\n", "$foreground 60%"),
        (f"here: {note}\n" if note else "", "$text-warning"),
        entry.statement,
        (conditions, "$foreground 80%"),
    )
