"""The scenario, as controls and as source: two sights of one text, and the faults of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import TextArea

from dsl.writing.edits import fields_at, set_field
from tui.fields import Field
from tui.screens.ask import AskText
from tui.thinking import Answer, Question, Thinker
from tui.widgets.controls import Controls
from tui.widgets.field_control import FieldControl
from tui.widgets.source_editor import SourceEditor

if TYPE_CHECKING:
    from dsl.scenario import Scenario
    from tui.widgets.faults import Faults

QUICK_TEXT = 50_000  # characters that can be read anew between two key presses


class Sidebar(Vertical):
    """A step of a control writes the source; what was planned from the source moves the controls."""

    class Edited(Message):
        """The text is another one."""

    def __init__(self, editor: SourceEditor, thinker: Thinker) -> None:
        super().__init__(id="sidebar")
        self._editor, self._thinker = editor, thinker
        self.looked_at: str | None = None  # the scenario that is looked at, by its name in the file
        self._planned: Scenario | None = None
        self._faults: Faults | None = None  # there once the scenario has been painted

    def compose(self) -> ComposeResult:
        """Controls above the source."""
        yield Controls()
        with Vertical(id="source-box"):
            yield self._editor

    def on_mount(self) -> None:
        """The first field has the focus."""
        self.query_one("#source-box").border_title = "Source"
        self.query_one(Controls).focus_field()

    async def furnish(self) -> None:
        """What a first glance does not need: the place for faults."""
        from tui.widgets.faults import Faults

        self._faults = Faults()
        await self.mount(self._faults)

    @on(TextArea.Changed)
    def _edited(self, event: TextArea.Changed) -> None:
        """Told in the sidebar's own words: a message that it caused itself would not go beyond it."""
        event.stop()
        self.post_message(self.Edited())

    # -- what was planned ----------------------------------------------------------------------------------

    @property
    def troubled(self) -> bool:
        """Whether the source, or the planner, is at fault."""
        return self._faults is not None and self._faults.display

    def show(self, name: str, scenario: Scenario) -> None:
        """Bring the controls in line with a scenario that was planned."""
        self.looked_at, self._planned = name, scenario
        self.query_one(Controls).show(scenario)

    def complain(self, text: str, answer: Answer) -> None:
        """Show the faults of a text, and where they are."""
        self._editor.mark([fault.span for fault in answer.faults if fault.span])
        if self._faults:
            self._faults.show(answer.faults, answer.failure)
        lines = {fault.span.line for fault in answer.faults if fault.span and fault.severity == "error"}
        self.query_one(Controls).blame(fields_at(text, lines))

    # -- getting about -------------------------------------------------------------------------------------

    def enter_fields(self) -> None:
        """Go to the controls."""
        self._reveal(source=False)
        self.query_one(Controls).focus_field()

    def enter_source(self) -> None:
        """Go to the source."""
        self._reveal(source=True)
        self._editor.focus()

    def _reveal(self, source: bool) -> None:
        """On small screens fields and source share one place."""
        self.display = True
        self.set_class(source, "-source")

    def on_faults_went(self, event: Faults.Went) -> None:
        """Show the place of a fault."""
        event.stop()
        self.enter_source()
        self._editor.go_to(event.span)

    # -- the fields ----------------------------------------------------------------------------------------

    def _scenario(self) -> Scenario | None:
        """The scenario in the present text, or the last good one while the text is at fault."""
        from dsl import ThreatError

        if len(self._editor.text) > QUICK_TEXT:
            return self._planned
        try:
            return self._thinker.scenario(Question(self._editor.text, self.looked_at))
        except ThreatError:
            return self._planned

    @on(FieldControl.Stepped)
    def _stepped(self, event: FieldControl.Stepped) -> None:
        from tui.steps import stepped

        scenario = self._scenario()
        value = stepped(event.field.name, scenario, event.direction) if scenario else None
        if scenario and value is not None:
            self._write_field(event.field, value)
        else:
            self.app.bell()

    @on(FieldControl.Chosen)
    def _chosen(self, event: FieldControl.Chosen) -> None:
        from tui.steps import typed as written

        scenario = self._scenario()
        if scenario is None:
            return
        field = event.field

        def typed(value: str | None) -> None:
            if value and value.strip():
                self._write_field(field, written(field.name, scenario, value.strip()))

        self.app.push_screen(AskText(f"{field.label}: {field.hint}", event.value, ""), typed)

    def _write_field(self, field: Field, value: str) -> None:
        name = self.looked_at or ""
        change = set_field(self._editor.text, name, field.target, value, field.operator)
        if change is None:
            self.notify(f"scenario {name} can't be found in the source", severity="error")
            return
        self._editor.apply(change)
        scenario = self._scenario()
        if scenario:  # the plan takes a moment, the field's new value does not
            self.query_one(Controls).show(scenario)
