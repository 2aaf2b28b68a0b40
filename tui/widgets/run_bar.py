"""How far a run has come, in one line of fixed size: a frame repaints it and moves nothing else."""

from __future__ import annotations

import time

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

FULL, EMPTY = "━", "─"
WORDS = 16  # columns for the share and the time


class RunBar(Widget):
    """A bar, the share that is done, and about how long the rest takes."""

    done = reactive(0)
    total = reactive(0)

    def __init__(self) -> None:
        super().__init__()
        self._begun = 0.0

    def begin(self) -> None:
        """Nothing is done yet, and how much there is to do is not known."""
        self._begun = time.monotonic()
        self.done = self.total = 0

    def come(self, done: int, total: int) -> None:
        """So much of the whole is done."""
        self.done, self.total = done, total

    def render(self) -> Content:
        """Bar and words."""
        room = max(self.size.width - WORDS, 1)
        filled = room * self.done // self.total if self.total else 0
        style = "$success" if self.total and self.done == self.total else "$primary"
        return Content.assemble(
            (FULL * filled, style),
            (EMPTY * (room - filled), "$foreground 25%"),
            (f"{self.words():>{WORDS}}", "$foreground 60%"),
        )

    def words(self) -> str:
        """The share and, while there is one, the time left at the pace so far."""
        if not self.total:
            return ""
        share = f"{self.done / self.total:.0%}"
        if not 0 < self.done < self.total:
            return share
        left = round((time.monotonic() - self._begun) * (self.total - self.done) / self.done)
        return f"{share}, {left // 60}:{left % 60:02} left"
