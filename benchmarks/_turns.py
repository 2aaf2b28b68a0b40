"""How long an event loop's turns are, and which callback made the longest so long."""

from __future__ import annotations

import asyncio
import selectors
import time
from asyncio.events import Handle
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

Figures = dict[str, float | str]


class Turn(NamedTuple):
    """What the loop did between two looks at its events: work of its thread, time on the wall, longest callback."""

    work: float
    wall: float
    callback: str


class Meter(selectors.DefaultSelector):
    """A selector that keeps the time between its calls: for so long nothing else could happen."""

    def __init__(self) -> None:
        super().__init__()
        self.turns: list[Turn] = []
        self._callbacks: list[tuple[float, str]] = []
        self._start = time.thread_time(), time.perf_counter()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """End a turn, wait, begin the next."""
        work, wall = time.thread_time() - self._start[0], time.perf_counter() - self._start[1]
        self.turns.append(Turn(work, wall, max(self._callbacks, default=(0, "nothing"))[1]))
        ready = super().select(timeout)
        self._callbacks.clear()
        self._start = time.thread_time(), time.perf_counter()
        return ready

    @contextmanager
    def runner(self) -> Iterator[asyncio.Runner]:
        """Runs what it is given on a loop with this selector, every callback timed."""
        plain = Handle._run

        def timed(handle: Handle) -> None:
            name, start = _name(handle), time.perf_counter()
            plain(handle)
            self._callbacks.append((time.perf_counter() - start, name))

        Handle._run = timed  # type: ignore[assignment,method-assign]
        try:
            with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(self)) as runner:
                yield runner
        finally:
            Handle._run = plain  # type: ignore[method-assign]

    def figures(self) -> Figures:
        """The worst turn by work and by the wall's clock, each with the name of its longest callback."""
        work, wall = max(self.turns), max(self.turns, key=lambda turn: turn.wall)
        return {
            "worst_turn_s": work.work,
            "in": work.callback,
            "on_the_wall_s": wall.wall,
            "there_in": wall.callback,
            "turns": len(self.turns),
        }


def _name(handle: Handle) -> str:
    """A task by its name and coroutine, anything else as it is written."""
    callback = getattr(handle, "_callback", None)
    task = getattr(callback, "__self__", None)
    if isinstance(task, asyncio.Task):
        return f"<{task.get_name()[:60]}: {getattr(task.get_coro(), '__qualname__', '?')}>"
    return f"<{getattr(callback, '__qualname__', callback)}>"
