"""Work off the event loop, one job at a time; while one runs, only the newest request is remembered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from typing import Generic, TypeVar

Request = TypeVar("Request")
Answer = TypeVar("Answer")


class Latest(Generic[Request, Answer]):
    """Turns requests into answers, each perhaps given in several steps; an overtaken request is given up.

    Every step runs in a thread: planning is short and made of many small operations, so the event loop gets its
    turn. What holds the interpreter for long belongs in a process.
    """

    def __init__(self, job: Callable[[Request], Iterator[Answer]], done: Callable[[Request, Answer], None]) -> None:
        self._job = job
        self._done = done
        self._wanted: list[Request] = []
        self.busy = False

    def ask(self, request: Request, start: Callable[[Coroutine[None, None, None]], object]) -> None:
        """Want `request`; `start` runs the loop's part as a task when none is running."""
        self._wanted = [request]
        if not self.busy:
            self.busy = True
            start(self._serve())

    async def _serve(self) -> None:
        try:
            while self._wanted:
                request = self._wanted.pop()
                await self._steps(request, self._job(request))
        finally:
            self.busy = False

    async def _steps(self, request: Request, steps: Iterator[Answer]) -> None:
        while not self._wanted:
            answer = await asyncio.to_thread(next, steps, None)
            if answer is None:
                return
            if not self._wanted:
                self._done(request, answer)
