"""One field of the scenario as a line: its name, a step down, its value, a step up."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from tui.fields import Field

NAME_WIDTH = 12


class FieldControl(Widget, can_focus=True):
    """Shows a value and asks for steps and edits; it changes nothing itself."""

    BINDINGS: ClassVar = [
        Binding("left,minus,h", "step(-1)", "Step down", show=False),
        Binding("right,plus,equals_sign,l", "step(1)", "Step up", show=False),
        Binding("enter,space", "edit", "Type a value", show=False),
        Binding("up,k", "app.focus_previous", "Previous field", show=False),
        Binding("down,j", "app.focus_next", "Next field", show=False),
    ]

    value = reactive("")
    origin = reactive("default")
    faulty = reactive(False, toggle_class="-faulty")

    class Stepped(Message):
        """The user wants the next value in a direction."""

        def __init__(self, field: Field, direction: int) -> None:
            super().__init__()
            self.field = field
            self.direction = direction

    class Chosen(Message):
        """The user wants to type a value."""

        def __init__(self, field: Field, value: str) -> None:
            super().__init__()
            self.field = field
            self.value = value

    def __init__(self, field: Field) -> None:
        super().__init__(id=f"field-{field.name}")
        self.field = field
        self.tooltip = field.hint

    def render(self) -> Content:
        """The line, its value cut to the room there is."""
        room = max(self.size.width - NAME_WIDTH - 6, 1)
        value = self.value if len(self.value) <= room else self.value[: room - 1] + "…"
        name = Content.styled(f" {self.field.label:<{NAME_WIDTH}}", "bold" if self.has_focus else "$foreground 80%")
        style = "$foreground 60%" if self.origin == "default" else "bold $text-accent"
        arrows = "$text-primary" if self.has_focus else "$foreground 40%"
        return Content.assemble(name, ("◂ ", arrows), (f"{value:<{room}}", style), (" ▸ ", arrows))

    def on_click(self, event: events.Click) -> None:
        """The arrows step; the value opens for typing."""
        if event.x < NAME_WIDTH + 3:
            self.action_step(-1) if event.x > NAME_WIDTH else self.focus()
        elif event.x >= self.size.width - 4:
            self.action_step(1)
        else:
            self.action_edit()

    def action_step(self, direction: int) -> None:
        """Ask for the neighbouring value."""
        self.post_message(self.Stepped(self.field, direction))

    def action_edit(self) -> None:
        """Ask to type a value."""
        self.post_message(self.Chosen(self.field, self.value))
