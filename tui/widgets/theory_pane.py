"""The theory: its graph, and the words for the node under the cursor."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import ScrollableContainer, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tui.theory_map import FOLDS, REFUSED, SILENT, UNUSED, Node, theory_map
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

    def __init__(self) -> None:
        super().__init__()
        self._folded = True
        self._drawn: tuple[Report, Candidate | None] | None = None

    def show(self, report: Report, selected: Candidate | None) -> None:
        """Light the best plan's path, or that of the selected attack where no plan is within the budget."""
        self._drawn = report, report.best or (selected if selected and selected.certified else None)
        self._draw()

    def _draw(self) -> None:
        if self._drawn is None:
            return
        kinds = {one.id: (one.kind, one.title) for one in _entries().values()}
        graph = self.query_one(TheoryGraph)
        drawing = theory_map(*self._drawn, kinds, self._folded)
        room = self.query_one("#theory-scroll").content_size.width
        graph.show(drawing.within(room) if self._folded and room else drawing)
        self._tell(graph.cursor)

    def on_resize(self) -> None:
        """Another width has room for other columns."""
        self._draw()

    def on_theory_graph_toggled(self, event: TheoryGraph.Toggled) -> None:
        """Show everything, or only what has a part in the plan."""
        event.stop()
        self._folded = not self._folded
        self._draw()

    def on_theory_graph_visited(self, event: TheoryGraph.Visited) -> None:
        """Explain the node under the cursor."""
        event.stop()
        self._tell(event.node)

    def _tell(self, node: str) -> None:
        entry, drawing = _entries().get(node), self.query_one(TheoryGraph).map
        drawn = drawing.find(node) if drawing else None
        note = drawn.note if drawn else ""
        words = _words(entry, note) if entry else _folded(drawn) if drawn and drawn.id in FOLDS else Content(node)
        self.query_one("#theory-words", Static).update(words)


@cache
def _entries() -> dict[str, Entry]:
    from planner.theory import entries

    return {one.id: one for one in entries()}


def _folded(node: Node) -> Content:
    """What a node that stands for many holds."""
    said = {UNUSED: "Reductions that this plan does not need", REFUSED: "Attacks that do not apply here",
            SILENT: "Limits that exclude nothing here"}  # fmt: skip
    return Content.assemble(
        (said[node.id], "bold $text-accent"), ("  enter shows them\n", "$foreground 60%"), node.title
    )


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
