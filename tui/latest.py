"""Work off the event loop, one job at a time; while one runs, only the newest request is remembered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Generic, TypeVar

Request = TypeVar("Request")
Answer = TypeVar("Answer")


class Latest(Generic[Request, Answer]):
    """Turns requests into answers; a request overtaken by a newer one is never begun."""

    def __init__(self, job: Callable[[Request], Answer], done: Callable[[Request, Answer], None]) -> None:
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
                answer = await asyncio.to_thread(self._job, request)
                if not self._wanted:
                    self._done(request, answer)
        finally:
            self.busy = False
