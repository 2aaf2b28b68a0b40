"""Small dialogs: one line of text, or a choice of a few answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label

from dsl.visible import visible

KEYS = "enter accepts, escape goes back"


class AskText(ModalScreen[str | None]):
    """Asks for one line; None when the user thinks better of it."""

    BINDINGS: ClassVar = [Binding("escape", "dismiss(None)", "Back")]

    def __init__(self, title: str, value: str = "", hint: str = "") -> None:
        super().__init__()
        self._title, self._value, self._hint = title, value, hint

    def compose(self) -> ComposeResult:
        """Title, input, hint."""
        with Vertical(classes="dialog"):
            yield Label(visible(self._title), classes="dialog-title", markup=False)
            yield Input(self._value, select_on_focus=True)
            yield Label(f"{self._hint}\n{KEYS}".strip(), classes="dialog-hint", markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """The answer."""
        self.dismiss(event.value)


class Choose(ModalScreen[str | None]):
    """Asks for one of a few answers; None when the user thinks better of it."""

    BINDINGS: ClassVar = [
        Binding("escape", "dismiss(None)", "Back"),
        Binding("left", "app.focus_previous", show=False),
        Binding("right", "app.focus_next", show=False),
    ]

    def __init__(self, title: str, answers: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._title, self._answers = title, answers

    def compose(self) -> ComposeResult:
        """Title and buttons; the first answer has the focus."""
        with Vertical(classes="dialog"):
            yield Label(visible(self._title), classes="dialog-title", markup=False)
            with Horizontal(classes="dialog-buttons"):
                for name, text in self._answers:
                    yield Button(text, id=f"answer-{name}")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """The answer."""
        self.dismiss((event.button.id or "").removeprefix("answer-"))
