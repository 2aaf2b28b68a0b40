"""The explorer as an application: themes, the command palette, starting and ending."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import App, SystemCommand
from textual.screen import Screen

from tui.commands import COMMANDS
from tui.document import rescue
from tui.screens.main import MainScreen
from tui.themes import DARK, LIGHT

if TYPE_CHECKING:
    from tui.thinking import Planner

ENDING_SIGNALS = ("SIGTERM", "SIGHUP")


class Explorer(App[int]):
    """Turn a scenario's knobs and see which attacks live and die."""

    TITLE = "threatplan"
    CSS_PATH = "explorer.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-medium"), (150, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-short"), (36, "-tall")]  # noqa: RUF012

    def __init__(self, path: str | None = None, planner: Planner | None = None, child: str = "tui.child") -> None:
        super().__init__()
        self.main = MainScreen(Path(path) if path else None, planner, child)
        for theme in (DARK, LIGHT):
            self.register_theme(theme)
        self.theme = DARK.name

    def get_default_screen(self) -> Screen[Any]:
        """The one screen that is always there."""
        return self.main

    def on_mount(self) -> None:
        """A closed terminal or a polite kill ends the explorer in order."""
        import asyncio

        loop = asyncio.get_running_loop()
        for name in ENDING_SIGNALS:
            number = getattr(signal, name, None)
            if number is not None and sys.platform != "win32":
                loop.add_signal_handler(number, self.exit, 128 + number, 128 + number)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """What the palette offers: the explorer's own commands, then the themes and the like."""
        if screen is self.main:
            for title, words, action in COMMANDS:
                yield SystemCommand(title, words, partial(self.main.run_action, action))
        for command in super().get_system_commands(screen):
            if command.title not in ("Screenshot", "Maximize", "Minimize"):
                yield command

    async def action_quit(self) -> None:
        """Quit, but not with unsaved changes unless told so."""
        self.main.leave()


def run(path: str | None = None, planner: Planner | None = None) -> int:
    """Explore a file until the user quits; the exit code."""
    app = Explorer(path, planner)
    app.run()
    unsaved = app.main.unsaved()
    if unsaved is not None:
        kept = rescue(app.main.document, unsaved)
        print(f"plan explore: unsaved changes were kept in {kept}", file=sys.stderr)
    return app.return_code or 0
