"""How far the work is, on standard error, where that is a terminal."""

from __future__ import annotations

import os
from types import TracebackType
from typing import TYPE_CHECKING, TextIO

from threatplan.render.page import Page

if TYPE_CHECKING:
    from collections.abc import Callable

    from dsl.scenario import Scenario
    from planner.report import Report

    Planner = Callable[[Scenario], Report]

_WIDTH = 24


class Bar:
    """Shows how far a simulation is; wipes itself when it is done, and is silent in a pipe."""

    def __init__(self, stream: TextIO, title: str) -> None:
        self._stream = stream
        self._title = title
        self._shows = stream.isatty() and os.environ.get("TERM") != "dumb"
        self._page = Page.of(stream)

    def __enter__(self) -> Bar:
        return self

    def __call__(self, trial: int, trials: int, done: int, expected: int) -> None:
        """Show that `done` of the `expected` queries of a trial are asked."""
        if not self._shows:
            return
        share = (trial + done / max(expected, 1)) / trials
        filled = int(_WIDTH * share)
        bar = self._page.glyph("█", "#") * filled + self._page.glyph("░", ".") * (_WIDTH - filled)
        text = f"{self._title} {bar} trial {trial + 1}/{trials}, query {done:,}/{expected:,}"
        self._stream.write(f"\r{text[: self._page.width - 1]}\x1b[K")
        self._stream.flush()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shows:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


class Ticker:
    """Tells on one line of a terminal what is being planned; wipes itself, and is silent in a pipe."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._shows = stream.isatty() and os.environ.get("TERM") != "dumb"
        self._page = Page.of(stream)

    def __enter__(self) -> Ticker:
        return self

    def watching(self, plan: Planner, name: str) -> Planner:
        """The planner, telling how many settings it was asked about before it is asked about the next."""
        asked = 0

        def told(scenario: Scenario) -> Report:
            nonlocal asked
            asked += 1
            self._tell(f"{name}: setting {asked:,}")
            return plan(scenario)

        return told

    def _tell(self, text: str) -> None:
        if self._shows:
            from dsl.visible import visible

            self._stream.write(f"\r{visible(text)[: self._page.width - 5]} ...\x1b[K")
            self._stream.flush()

    def wipe(self) -> None:
        """Leave the line as it was."""
        if self._shows:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.wipe()
