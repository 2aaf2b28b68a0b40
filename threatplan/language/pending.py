"""Work that waits for a pause: of each document only the newest text is looked at, however fast it is typed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

PAUSE = 0.15  # seconds without a change after which a text is worth a look


class Pending:
    """Documents that were changed, each with the look at it that is due; a newer change puts it off."""

    def __init__(self, look: Callable[[str], None], pause: float = PAUSE) -> None:
        self._look = look
        self._pause = pause
        self._due: dict[str, asyncio.TimerHandle] = {}

    def changed(self, uri: str) -> None:
        """Look at the document after a pause, and no longer for what it was before."""
        self.forget(uri)
        self._due[uri] = asyncio.get_running_loop().call_later(self._pause, self.now, uri)

    def now(self, uri: str) -> None:
        """Look at the document."""
        self.forget(uri)
        self._look(uri)

    def forget(self, uri: str) -> None:
        """Do not look at the document any more."""
        due = self._due.pop(uri, None)
        if due is not None:
            due.cancel()
