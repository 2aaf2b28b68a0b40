"""A fault in a syntax tree, on its way to becoming a diagnostic."""

from __future__ import annotations

from typing import NamedTuple, Protocol


class Place(Protocol):
    """Anything with a place in the text: every node of the syntax tree."""

    @property
    def start(self) -> int:
        """Offset of its first character."""

    @property
    def end(self) -> int:
        """Offset of the character after its last."""


class Offsets(NamedTuple):
    """A place that belongs to no node."""

    start: int
    end: int


class Fault(Exception):  # noqa: N818 - it ends up as a Diagnostic, ThreatError is what is raised
    """One thing that is wrong, and the node that it is wrong with."""

    def __init__(self, code: str, message: str, place: Place, hint: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.place = Offsets(place.start, place.end)
        self.hint = hint


class Silent(Exception):  # noqa: N818 - a signal, no error of its own
    """A value that cannot be had because of a fault that is reported elsewhere."""
