"""The help screen."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from tui.help_text import HELP


class HelpScreen(ModalScreen[None]):
    """What is on the screen, and which keys do what."""

    BINDINGS: ClassVar = [Binding("escape,f1,q", "dismiss", "Close")]

    def compose(self) -> ComposeResult:
        """One text that scrolls."""
        with VerticalScroll(classes="dialog wide"):
            yield Static(HELP)

    def on_mount(self) -> None:
        """Arrow keys scroll at once."""
        self.query_one(VerticalScroll).focus()
