"""What may go wrong at the front door, and the exit code that says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dsl import ThreatError

DONE, UNMET, BAD_INPUT, BROKEN = 0, 1, 2, 3
INTERRUPTED, PIPE_CLOSED = 130, 141  # 128 + the signal's number, as shells report them


class CommandError(Exception):
    """Something the user must know and can act on, in one sentence and perhaps a hint."""

    def __init__(self, message: str, hint: str = "", code: int = BAD_INPUT, *, calm: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.code = code
        self.calm = calm  # nothing could be done, and nobody did anything wrong

    def to_json(self) -> list[dict[str, Any]]:
        """The fault in the shape of a language diagnostic, without a place."""
        entry = {"code": None, "severity": "error", "message": self.message, "hint": self.hint or None}
        return [{**entry, "file": None, "span": None}]


def missing(what: str, package: str, extra: str, otherwise: str = "") -> CommandError:
    """That something needs an optional package which is not installed; `otherwise`: how to do without."""
    hint = "; ".join(part for part in (f"in a clone: pip install '.[{extra}]'", otherwise) if part)
    return CommandError(f"{what} needs {package}: pip install 'threatplan[{extra}]'", hint, BROKEN)


class InputError(Exception):
    """Everything that is wrong with the files of one command, found in one go."""

    def __init__(self, faults: Sequence[CommandError | ThreatError]) -> None:
        super().__init__(f"{len(faults)} bad inputs")
        self.faults = tuple(faults)


def nearest(word: str, known: Sequence[str]) -> str | None:
    """The known word that `word` was probably meant to be."""
    from difflib import get_close_matches

    found = get_close_matches(word, known, n=1, cutoff=0.6)
    return found[0] if found else None


def did_you_mean(word: str, known: Sequence[str]) -> str:
    """A hint with the nearest known word, or nothing."""
    found = nearest(word, known)
    return f"did you mean `{found}`?" if found else ""
