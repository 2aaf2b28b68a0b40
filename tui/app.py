"""The explorer as an application: themes, the command palette, starting and ending."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import App, SystemCommand
from textual.screen import Screen

from dsl.visible import visible
from tui.commands import COMMANDS
from tui.document import rescue
from tui.harmless import Harmless
from tui.screens.main import MainScreen
from tui.themes import DARK, LIGHT

if TYPE_CHECKING:
    from textual.notifications import SeverityLevel

    from tui.thinking import Planner

ENDING_SIGNALS = ("SIGTERM", "SIGHUP")
LAST_SECONDS = 5  # to end in order after such a signal


class Explorer(App[int]):
    """Turn a scenario's knobs and see which attacks live and die."""

    TITLE = "threatplan"
    CSS_PATH = "explorer.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-medium"), (150, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-short"), (36, "-tall")]  # noqa: RUF012

    def __init__(self, path: str | None = None, planner: Planner | None = None, child: str = "tui.child") -> None:
        super().__init__()
        self.kept: Path | None = None  # where unsaved text went when the explorer was ended
        self.main = MainScreen(Path(path) if path else None, planner, child)
        self._filters.append(Harmless())
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
                loop.add_signal_handler(number, self._end, 128 + number)

    def _end(self, code: int) -> None:
        """Keep what is unsaved at once; a terminal that is gone may hang the rest, but not for long."""
        self.keep_unsaved()
        self.exit(code, code)
        watchdog = threading.Timer(LAST_SECONDS, os._exit, [code])
        watchdog.daemon = True
        watchdog.start()

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """Tell the user; a message may hold the name of a file, which is never taken for markup."""
        super().notify(visible(message), title=title, severity=severity, timeout=timeout, markup=False)

    def keep_unsaved(self) -> None:
        """Write text that would be lost to a file of its own, once."""
        unsaved = self.main.filing.unsaved()
        if unsaved is not None and self.kept is None:
            self.kept = rescue(self.main.filing.document, unsaved)

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
        self.main.filing.leave()


def run(path: str | None = None, planner: Planner | None = None) -> int:
    """Explore a file until the user quits; the exit code."""
    app = Explorer(path, planner)
    app.run()
    app.keep_unsaved()
    if app.kept is not None:
        print(f"plan explore: unsaved changes were kept in {visible(str(app.kept))}", file=sys.stderr)
    return app.return_code or 0
