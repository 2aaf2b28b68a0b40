"""Releases: what becomes of scores before they are shown, as state machines in plain Python.

A release starts in a state, and each score takes it to the next one and to what is shown. Simulation drives the same
machine that limits count the transcripts of.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar


class Release(ABC):
    """One way to release scores."""

    id: ClassVar[str]

    def start(self) -> Any:
        """The state before the first score."""
        return None

    @abstractmethod
    def step(self, state: Any, score: Any) -> tuple[Any, Any]:
        """The next state, and what is shown."""


class Plain(Release):
    """Each score is shown as it is."""

    id = "plain"

    def step(self, state: Any, score: Any) -> tuple[Any, Any]:
        """Nothing is remembered."""
        return state, score


PLAIN = Plain()
