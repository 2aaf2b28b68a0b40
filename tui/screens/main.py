"""The explorer's screen: scenario on the left, verdict and views on the right, all following one text."""

from __future__ import annotations

import gc
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import Screen

from dsl.writing.edits import Change
from tui.latest import Latest
from tui.screens.filing import Filing
from tui.thinking import Answer, Question, Thinker, View
from tui.widgets.sidebar import Sidebar
from tui.widgets.source_editor import SourceEditor
from tui.widgets.title_bar import TitleBar
from tui.widgets.verdict_bar import VerdictBar

if TYPE_CHECKING:
    from planner.report import Report
    from tui.thinking import Planner
    from tui.widgets.harden_pane import HardenPane
    from tui.widgets.views import Views

NEED_VIEWS = frozenset({"view", "run", "copy"})
EDIT, LOOK = Binding.Group("Edit", compact=True), Binding.Group("Views", compact=True)  # footer


class MainScreen(Screen[None]):
    """Everything follows the text: controls edit it, views show what was planned from it."""

    BINDINGS: ClassVar = [
        Binding("f1", "help", "Help", priority=True),
        Binding("question_mark", "help", "Help", show=False),  # where no text is being typed
        Binding("f2", "fields", "Fields", priority=True, group=EDIT),
        Binding("f3", "source", "Source", priority=True, group=EDIT),
        Binding("f4", "view('attacks')", "Attacks", priority=True, group=LOOK),
        Binding("f5", "view('frontier')", "Frontier", priority=True, group=LOOK),
        Binding("f6", "view('theory')", "Theory", priority=True, group=LOOK),
        Binding("f7", "view('run')", "Run view", priority=True, group=LOOK),
        Binding("ctrl+t", "view('harden')", "To change", priority=True, group=LOOK),
        Binding("ctrl+r", "run", "Run", priority=True),
        Binding("ctrl+z", "undo", "Undo", priority=True),
        Binding("ctrl+s", "save", "Save", priority=True),
        Binding("ctrl+p", "app.command_palette", "Menu", priority=True),
        Binding("ctrl+q", "app.quit", "Quit", priority=True),
        Binding("ctrl+o", "open", "Open", priority=True),
        Binding("f10,ctrl+e", "export", "Export", priority=True),
        Binding("f8", "next_scenario", "Next scenario", priority=True),
        Binding("f9", "copy", "Copy", priority=True),
        Binding("ctrl+b", "sidebar", "Sidebar", priority=True),
        Binding("ctrl+y", "redo", "Redo", priority=True, show=False),
    ]

    def __init__(self, path: Path | None, planner: Planner | None, child: str) -> None:
        super().__init__()
        self.filing = Filing(self, path)
        self._child = child
        self._thinker = Thinker(planner)
        self.editor = SourceEditor(self.filing.document.saved)  # its text is asked for even after the end
        self._sidebar = Sidebar(self.editor, self._thinker)
        self._latest = Latest(self._thinker.answers, self._answered)
        self._wanted: str | None = None  # the scenario to look at, by name
        self._view: View | None = None  # the last good plan
        self._views: Views | None = None  # there once the scenario has been painted

    def compose(self) -> ComposeResult:
        """Title, scenario and verdict: what a first glance needs."""
        yield TitleBar()
        with Horizontal(id="body"):
            yield self._sidebar
            with Vertical(id="main"):
                yield VerdictBar()

    def on_mount(self) -> None:
        """The scenario is painted first; views and thoughts follow."""
        self.title_changed()
        if self.filing.greeting:
            words, severity = self.filing.greeting
            self.notify(words, severity="error" if severity == "error" else "warning", timeout=8)
        self.call_after_refresh(self._furnish)

    async def _furnish(self) -> None:
        """The views and the footer, which take longer to load than all before them."""
        from tui.widgets.key_bar import KeyBar
        from tui.widgets.views import Views

        await self._sidebar.furnish()
        views = Views(self._thinker, self._child)
        await self.query_one("#main").mount(views)
        await self.mount(KeyBar(self.BINDINGS))
        self._views = views
        self.think()

    # -- the text, and what is planned from it ------------------------------------------------------------

    def text(self) -> str:
        """The text in the editor."""
        return self.editor.text

    def load(self, text: str) -> None:
        """Another document."""
        self._wanted = self._sidebar.looked_at = None
        self.editor.load_text(text)
        self.title_changed()
        self.think()

    def report(self) -> Report | None:
        """The last good plan."""
        return self._view.report if self._view else None

    @property
    def thinking(self) -> bool:
        """Whether a plan is under way."""
        return self._latest.busy

    @property
    def troubled(self) -> bool:
        """Whether the source, or the planner, is at fault."""
        return self._sidebar.troubled

    def title_changed(self) -> None:
        """Show the document's name and whether it is saved."""
        title = self.query_one(TitleBar)
        title.file, title.dirty = self.filing.document.name, self.filing.unsaved() is not None

    @on(Sidebar.Edited)
    def think(self) -> None:
        """Plan the present text."""
        self.title_changed()
        if self._views is not None:
            self._latest.ask(Question(self.text(), self._wanted), self._start)

    def _start(self, work: Coroutine[None, None, None]) -> None:
        self.run_worker(work, group="plan")

    def _answered(self, question: Question, answer: Answer) -> None:
        self._sidebar.complain(question.text, answer)
        self.query_one(VerdictBar).stale = answer.view is None
        if answer.view is not None:
            if self._view is None:  # all is loaded by now and stays: a collection of it would stop the screen
                self.call_after_refresh(gc.freeze)
            self._view = answer.view
            self._show(answer.view)

    def _show(self, view: View) -> None:
        title = self.query_one(TitleBar)
        title.scenario = view.report.scenario.name
        title.place = (view.names.index(view.name) + 1, len(view.names))
        self.query_one(VerdictBar).report = view.report
        self._sidebar.show(self._wanted or view.name, view.report.scenario)
        if self._views:
            self._views.show(view)

    # -- views ---------------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What needs the views waits for them."""
        return action not in NEED_VIEWS or self._views is not None

    def action_view(self, name: str) -> None:
        """Open a view."""
        if self._views:
            self._views.open(name)

    def on_harden_pane_chosen(self, event: HardenPane.Chosen) -> None:
        """Write what was chosen of the settings that hold out into the source."""
        from dsl.checking.fields import FIELDS
        from dsl.writing.edits import set_field, together

        name = self._view.name if self._view else ""
        before = text = self.text()
        written = []
        for one in event.changes:
            change = set_field(text, name, one.field, one.new, FIELDS[one.field].operator)
            if change is not None:
                text = change.apply(text)
                written.append(one.line)
        if written:
            self.editor.apply(together(before, text))  # one step, which one key takes back
        self.notify(f"written: {', '.join(written)}" if written else f"no scenario {name} in the source any more")

    def action_run(self) -> None:
        """Run the selected attack, or cancel the run that is on."""
        if self._views:
            self._views.toggle_run()

    def action_copy(self) -> None:
        """Copy what stands below the table: the selected attack's details, or why the folded ones are refused."""
        from tui.widgets.detail import Detail

        if self._views and self._view:
            chosen = self._views.selected()
            self.app.copy_to_clipboard(self._views.query_one(Detail).text)
            self.notify(f"{chosen.attack if chosen else 'refusals'} copied")

    def action_copy_source(self) -> None:
        """Copy the source."""
        self.app.copy_to_clipboard(self.text())
        self.notify("source copied")

    # -- files ---------------------------------------------------------------------------------------------

    def action_open(self) -> None:
        """Open another file."""
        self.filing.open()

    def action_save(self) -> None:
        """Save."""
        self.filing.save()

    def action_save_as(self) -> None:
        """Save under another name."""
        self.filing.save_as()

    def action_export(self) -> None:
        """Write the report or the screen to a file."""
        self.filing.export()

    # -- getting about -------------------------------------------------------------------------------------

    def action_help(self) -> None:
        """The help screen."""
        from tui.screens.help import HelpScreen

        self.app.push_screen(HelpScreen())

    def action_fields(self) -> None:
        """The controls."""
        self._sidebar.enter_fields()

    def action_source(self) -> None:
        """The source."""
        self._sidebar.enter_source()

    def action_sidebar(self) -> None:
        """Hide the scenario, to give the views all the room, or show it again."""
        self._sidebar.display = not self._sidebar.display

    @on(TitleBar.NextScenario)
    def action_next_scenario(self) -> None:
        """Look at the next scenario of the file."""
        if self._view and len(self._view.names) > 1:
            at = self._view.names.index(self._view.name)
            self._wanted = self._sidebar.looked_at = self._view.names[(at + 1) % len(self._view.names)]
            self.think()

    def action_undo(self) -> None:
        """Take back the last change, wherever it was made."""
        self.editor.undo()

    def action_redo(self) -> None:
        """Make it again."""
        self.editor.redo()

    def action_format(self) -> None:
        """Bring the source into its canonical form; text with faults stays as it is."""
        from dsl import ThreatError, format_text

        try:
            formatted = format_text(self.text())
        except ThreatError:
            self.notify("the source has faults; nothing was changed", severity="warning")
            return
        if formatted != self.text():
            self.editor.apply(Change(0, len(self.text()), formatted))
