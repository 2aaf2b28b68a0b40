"""The file being explored: reading it, and saving it so that neither a fault nor a crash loses anything."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dsl.diagnostics import Diagnostic

STARTER = """\
# A leaderboard that shows log-loss scores. Turn the knobs, or edit this text.
scenario leaderboard "A public leaderboard" {
    N        = 10_000
    K        = 2
    scorer   = kaggle
    decimals = 5
    queries <= 300
}
"""


UNSAVED = "-unsaved-"  # in the name of a file that keeps what would have been lost


class FileFault(Exception):  # noqa: N818 - a fact about a file
    """A file that can't be read or written, in words for the screen."""


@dataclass(slots=True)
class Document:
    """A path (None: not yet named) and the text that it is known to hold."""

    path: Path | None = None
    saved: str = STARTER

    @classmethod
    def open(cls, path: Path) -> Document:
        """Read a file; raises FileFault."""
        return cls(path, read(path))

    @property
    def name(self) -> str:
        """What to call it on the screen."""
        return self.path.name if self.path else "untitled.threat"

    def dirty(self, text: str) -> bool:
        """Whether `text` differs from what is saved."""
        return text != self.saved

    def changed_on_disk(self) -> bool:
        """Whether somebody else wrote the file since it was read or saved here."""
        if self.path is None or not self.path.exists():
            return False
        try:
            return read(self.path) != self.saved
        except FileFault:
            return False

    def save(self, text: str, path: Path | None = None) -> None:
        """Write `text` to `path` (or where it came from); raises FileFault and then nothing has changed."""
        target = path or self.path
        if target is None:
            raise FileFault("the scenario has no file name yet")
        write(target, text)
        self.path, self.saved = target, text


def read(path: Path) -> str:
    """The text of a file, as the language reads it; raises FileFault."""
    from dsl.diagnostics import ThreatError
    from dsl.reading.text import read as read_source

    try:
        return read_source(path).text
    except ThreatError as error:
        raise FileFault("; ".join(map(_told, error.diagnostics[:3]))) from None


def _told(fault: Diagnostic) -> str:
    return f"{fault.message} in line {fault.span.line}" if fault.span else fault.message


def write(path: Path, text: str) -> None:
    """Replace the file in one step: at no moment is there half a file. Raises FileFault."""
    from threatplan.faults import CommandError
    from threatplan.files import write_atomically

    if path.is_dir():
        raise FileFault(f"{path} is a directory")
    if path.exists() and not os.access(path, os.W_OK):
        raise FileFault(f"{path} is read-only")
    try:
        write_atomically(str(path), text)
    except CommandError as error:
        raise FileFault(str(error)) from None
    except ValueError as error:
        raise FileFault(f"cannot write {path}: {error}") from None


def rescue(document: Document, text: str) -> Path:
    """Keep text that would be lost in a new file beside its own, or in a temporary one where that can't be."""
    name = Path(document.name)
    for folder in (_folder(document), None):
        try:
            handle, path = tempfile.mkstemp(prefix=f"{name.stem}{UNSAVED}", suffix=name.suffix, dir=folder)
        except OSError:
            continue
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
        return Path(path)
    raise FileFault("unsaved changes could not be kept anywhere")


def rescued(document: Document) -> list[Path]:
    """What was kept of this document when an earlier session ended without being asked to."""
    name = Path(document.name)
    found = _folder(document).glob(f"{escape(name.stem)}{UNSAVED}*{escape(name.suffix)}")
    return sorted(found)


def _folder(document: Document) -> Path:
    return document.path.parent if document.path else Path.cwd()
