"""How far the work is, on standard error."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, TextIO

from dsl.visible import visible
from threatplan.render.page import Page

if TYPE_CHECKING:
    from collections.abc import Callable

    from dsl.scenario import Scenario
    from planner.report import Report

    Planner = Callable[[Scenario], Report]

FIRST, MOST = 0.8, 30.0  # seconds until the first line in a log, and between two at most
_WIDTH = 24


class Bar:
    """Shows how far a simulation is; wipes itself when it is done, and tells it in a few lines where it cannot be drawn."""

    def __init__(self, stream: TextIO, title: str, lines: bool = True) -> None:
        self._stream = stream
        self._title = title
        self._ticker = Ticker(stream, lines)
        self._shows = stream.isatty() and os.environ.get("TERM") != "dumb"
        self._page = Page.of(stream)

    def __enter__(self) -> Bar:
        self._ticker.__enter__()
        return self

    def __call__(self, trial: int, trials: int, done: int, expected: int) -> None:
        """Show that `done` of the `expected` queries of a trial are asked."""
        far = f"trial {trial + 1:,} of {trials:,}, query {done:,} of {expected:,}"
        if not self._shows:
            self._ticker.tell(f"{self._title}: {far}")
            return
        share = (trial + done / max(expected, 1)) / trials
        filled = int(_WIDTH * share)
        bar = self._page.glyph("█", "#") * filled + self._page.glyph("░", ".") * (_WIDTH - filled)
        text = f"{self._title} {bar} {far}"
        self._stream.write(f"\r{text[: self._page.width - 1]}\x1b[K")
        self._stream.flush()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ticker.__exit__(kind, error, trace)


class Ticker:
    """Tells what is being planned: on one line of a terminal, which wipes itself, else in plain lines, ever fewer of them.

    Work that is done within a moment leaves no line in a log, and standard error stays JSON where JSON was asked for.
    """

    def __init__(self, stream: TextIO, lines: bool = True) -> None:
        self._stream = stream
        self._shows = stream.isatty() and os.environ.get("TERM") != "dumb"
        self._page = Page.of(stream)
        self._doing = ""
        self._over = threading.Event()
        self._notes = threading.Thread(target=self._note, daemon=True) if lines and not self._shows else None

    def __enter__(self) -> Ticker:
        if self._notes is not None:
            self._notes.start()
        return self

    def watching(self, plan: Planner, name: str) -> Planner:
        """The planner, telling how many settings it was asked about before it is asked about the next."""
        asked = 0

        def told(scenario: Scenario) -> Report:
            nonlocal asked
            asked += 1
            self.tell(f"{name}: setting {asked:,}")
            return plan(scenario)

        return told

    def tell(self, doing: str) -> None:
        """What is being done now."""
        self._doing = visible(doing)
        if self._shows:
            self._stream.write(f"\r{self._doing[: self._page.width - 5]} ...\x1b[K")
            self._stream.flush()

    def _note(self) -> None:
        """Lines for a log: soon, and then whenever twice the time has passed, but no less often than MOST."""
        start, pause = monotonic(), FIRST
        with suppress(OSError, ValueError):  # nobody reads it: the work goes on
            while not self._over.wait(pause):
                since = monotonic() - start
                if self._doing:
                    self._stream.write(f"plan: {self._doing} ({since:.0f} s)\n")
                    self._stream.flush()
                    pause = min(max(since, FIRST), MOST)

    def wipe(self) -> None:
        """Leave the line as it was."""
        if self._shows:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        if self._notes is not None:
            self._notes.join()
        self.wipe()
