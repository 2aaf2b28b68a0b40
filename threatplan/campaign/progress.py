"""How far a campaign is: a bar with rate and time left, where standard error is a terminal."""

from __future__ import annotations

import os
from time import monotonic
from typing import TextIO

from backends.resources import readable_seconds
from threatplan.render.page import Page

WIDTH = 24
STRIDE = 0.1  # seconds between two drawings


class Progress:
    """Counts scenarios as they are done."""

    def __init__(self, stream: TextIO, total: int, done: int) -> None:
        self._stream = stream
        self._total = total
        self._before = done  # by an earlier run
        self._done = done
        self._start = self._drawn = monotonic()
        self._shows = stream.isatty() and os.environ.get("TERM") != "dumb"
        self._page = Page.of(stream)

    def step(self, defects: int) -> None:
        """One more is done; `defects` were found so far."""
        self._done += 1
        now = monotonic()
        if self._shows and now - self._drawn >= STRIDE:
            self._drawn = now
            self._stream.write(f"\r{self.text(now, defects)[: self._page.width - 1]}\x1b[K")
            self._stream.flush()

    def text(self, now: float, defects: int) -> str:
        """The line as it is drawn."""
        filled = WIDTH * self._done // max(self._total, 1)
        bar = self._page.glyph("█", "#") * filled + self._page.glyph("░", ".") * (WIDTH - filled)
        rate = self.rate(now)
        left = readable_seconds((self._total - self._done) / rate) if rate else "?"
        found = f", {defects:,} defects" if defects else ""
        return f"{bar} {self._done:,}/{self._total:,}, {rate:.3g} a second, {left} left{found}"

    def rate(self, now: float) -> float:
        """Scenarios a second in this run."""
        return (self._done - self._before) / max(now - self._start, 1e-9)

    def close(self, worker: str) -> None:
        """Wipe the bar and say how fast it went."""
        if self._shows:
            self._stream.write("\r\x1b[K")
        if self._done > self._before:
            now = monotonic()
            told = f"{self._done - self._before:,} scenarios in {readable_seconds(now - self._start)}"
            print(f"plan: {told}, {self.rate(now):.3g} a second{worker}", file=self._stream)
