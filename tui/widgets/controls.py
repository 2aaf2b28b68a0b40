"""The scenario as controls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content

from tui.fields import FIELDS
from tui.widgets.field_control import FieldControl

if TYPE_CHECKING:
    from dsl.scenario import Scenario


class Controls(VerticalScroll, can_focus=False):
    """One line a field."""

    BORDER_TITLE = "Scenario"

    def compose(self) -> ComposeResult:
        """A control for every field."""
        for field in FIELDS:
            yield FieldControl(field)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Say what the field under the cursor means."""
        if isinstance(event.widget, FieldControl):
            self.border_subtitle = event.widget.field.hint

    def show(self, scenario: Scenario) -> None:
        """Bring every control in line with the scenario."""
        from tui.steps import shown

        for control in self.query(FieldControl):
            origin = scenario.origins.get(control.field.target)
            control.value = shown(control.field.name, scenario)
            control.origin = origin.kind if origin else "default"
            control.faulty = False
            control.tooltip = Content(f"{control.field.hint}\n{origin.source if origin else 'default'}")

    def blame(self, names: set[str]) -> None:
        """Mark the fields whose lines hold a fault."""
        for control in self.query(FieldControl):
            control.faulty = control.field.target in names

    def focus_field(self, name: str = "N") -> None:
        """Put the cursor on a field."""
        self.query_one(f"#field-{name}", FieldControl).focus()
