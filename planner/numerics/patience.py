"""How long somebody waits for an answer: a deadline that planning looks at by itself, in whatever thread it runs.

Every section of ball arithmetic looks at it before it begins, so a theorem, a comparison and a step of a search do.
Nothing is killed: what runs out of time raises GaveUp, and leaves no half of a report behind.
"""

from __future__ import annotations

import threading
from math import inf
from time import monotonic


class GaveUp(RuntimeError):  # noqa: N818 - a fact about the time, not an error
    """Planning took longer than somebody was willing to wait."""

    def __init__(self, seconds: float, during: str) -> None:
        super().__init__(f"gave up after {seconds:g} s, during {during}")
        self.seconds = seconds
        self.during = during


class _Thread(threading.local):
    ends = inf  # when this thread gives up
    seconds = inf  # how long it was given
    during = "the channel"  # what it is at


_thread = _Thread()


class patience:  # noqa: N801 - reads as what it is: with patience(60)
    """A deadline, so many seconds from now, for all planning within; of two deadlines the earlier counts."""

    __slots__ = ("_before", "_seconds")

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def __enter__(self) -> None:
        self._before = _thread.ends, _thread.seconds, _thread.during
        ends = monotonic() + self._seconds
        if ends < _thread.ends:
            _thread.ends, _thread.seconds = ends, self._seconds

    def __exit__(self, *fault: object) -> None:
        _thread.ends, _thread.seconds, _thread.during = self._before


def begin(what: str) -> None:
    """Say what comes next, for whoever asks what took so long."""
    _thread.during = what


def look() -> None:
    """Give up if the time is over."""
    if _thread.ends != inf and monotonic() > _thread.ends:
        raise GaveUp(_thread.seconds, _thread.during)
