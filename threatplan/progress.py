"""A progress bar on standard error, where that is a terminal."""

from __future__ import annotations

import os
from types import TracebackType
from typing import TextIO

from threatplan.render.page import Page

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
