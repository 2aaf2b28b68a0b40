"""The journal: every submission in one SQLite file, only ever added to. A board's whole memory is its last lines.

What was shown is written and synced before it is returned. So a process that is killed has shown nothing that the journal
does not hold, and one that starts again goes on where it stood. True scores are not kept; the state of a release is.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import Any

BUSY_SECONDS = 60.0  # that one process waits for another's submission
TABLES = """
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS submissions (
    id INTEGER PRIMARY KEY, team TEXT NOT NULL, number INTEGER NOT NULL, at REAL NOT NULL, digest TEXT, fault TEXT,
    state TEXT NOT NULL, shown TEXT, changed INTEGER NOT NULL, UNIQUE (team, number));
CREATE INDEX IF NOT EXISTS by_digest ON submissions (team, digest);
CREATE TRIGGER IF NOT EXISTS never_changed BEFORE UPDATE ON submissions BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER IF NOT EXISTS never_removed BEFORE DELETE ON submissions BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER IF NOT EXISTS settled BEFORE UPDATE ON settings BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER IF NOT EXISTS kept BEFORE DELETE ON settings BEGIN SELECT RAISE(ABORT, 'append only'); END;
"""


class JournalError(RuntimeError):
    """A submission could not be written down: it was not counted, and nothing of it was shown."""


@dataclass(frozen=True)
class Line:
    """One submission as it was written down."""

    number: int  # of its team
    state: Any  # of the release, after it
    shown: float | None  # what the team sees since; None: nothing yet
    changed: bool
    refused: bool = False


class Journal:
    """A file, or `:memory:` for a board that forgets."""

    def __init__(self, path: str | Path) -> None:
        self._lock = RLock()
        try:
            _private(path)
            self._base = sqlite3.connect(path, BUSY_SECONDS, isolation_level=None, check_same_thread=False)
            self._base.execute("PRAGMA synchronous = FULL")
            with self.writing():
                for statement in TABLES.strip().split(";\n"):
                    self._base.execute(statement)
        except sqlite3.Error as error:
            raise JournalError(f"no journal can be kept in {path}: {error}") from None

    @contextmanager
    def writing(self) -> Iterator[None]:
        """All or nothing, one process at a time; it is on disk when this ends."""
        with self._lock:
            try:
                self._base.execute("BEGIN IMMEDIATE")
            except sqlite3.Error as error:
                raise JournalError(f"the journal cannot be written: {error}") from None
            try:
                yield
                self._base.execute("COMMIT")
            except BaseException as error:
                if self._base.in_transaction:
                    self._base.execute("ROLLBACK")
                if isinstance(error, sqlite3.Error):
                    raise JournalError(f"nothing was recorded, and nothing is shown: {error}") from None
                raise

    def setting(self, name: str, value: str) -> str:
        """What the journal says of a setting: as it was first written."""
        self._base.execute("INSERT OR IGNORE INTO settings VALUES (?, ?)", (name, value))
        (held,) = self._base.execute("SELECT value FROM settings WHERE name = ?", (name,)).fetchone()
        return str(held)

    def last(self, team: str) -> Line | None:
        """The team's latest submission."""
        found = self._base.execute(
            "SELECT number, state, shown, changed, fault FROM submissions WHERE team = ? ORDER BY number DESC LIMIT 1",
            (team,),
        ).fetchone()
        return None if found is None else _line(found)

    def earlier(self, team: str, digest: str) -> Line | None:
        """The team's submission of the same predictions, if there was one."""
        found = self._base.execute(
            "SELECT number, state, shown, changed, fault FROM submissions WHERE team = ? AND digest = ? LIMIT 1",
            (team, digest),
        ).fetchone()
        return None if found is None else _line(found)

    def add(self, team: str, line: Line, at: float, digest: str | None, fault: str | None = None) -> None:
        """One line more."""
        shown = None if line.shown is None else line.shown.hex()
        row = (team, line.number, at, digest, fault, json.dumps(line.state), shown, line.changed)
        names = "team, number, at, digest, fault, state, shown, changed"
        self._base.execute(f"INSERT INTO submissions ({names}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

    def totals(self) -> tuple[int, int]:
        """Teams that were answered, and submissions that were."""
        with self._lock:
            found = self._base.execute("SELECT COUNT(DISTINCT team), COUNT(*) FROM submissions WHERE fault IS NULL")
            teams, scored = found.fetchone()
        return int(teams), int(scored)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._base.close()


def _private(path: str | Path) -> None:
    """A new journal is for its owner's eyes: who reads it reads states, flips, and what tells labels that are guessed."""
    if str(path) == ":memory:":
        return
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        raise JournalError(f"no journal can be kept in {path}: {error.strerror}") from None


def _line(found: tuple[Any, ...]) -> Line:
    number, state, shown, changed, fault = found
    value = None if shown is None else float.fromhex(shown)
    return Line(int(number), json.loads(state), value, bool(changed), fault is not None)
