"""The journal: one line of JSON a scenario, append-only, each with a checksum; what is written is never rewritten.

A line reaches the system in one write as soon as its scenario is done, so killing the program loses only scenarios in
flight. The file is forced to the disk once a second and at the end, so a power cut loses at most that second. What a
crash leaves at the end, half a line or lines whose blocks never arrived, is cut off when the journal is next opened.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any
from zlib import crc32

from threatplan.faults import BROKEN, CommandError

SYNC_EVERY = 1.0  # seconds
OPENING = b'{"check": "'
PREFIX = len(OPENING) + 8 + len(b'", ')
RESUME = "what is done is kept: the same command resumes"
OTHERS = {
    "schema": "another format",
    "spec": "other scenarios",
    "terms": "other terms",
    "code": "another version of threatplan",
}
Data = dict[str, Any]


def encode(data: Data) -> bytes:
    """A line: the data with a checksum of itself in front."""
    body = json.dumps(data, ensure_ascii=False, allow_nan=False).encode()
    return OPENING + f"{crc32(body):08x}".encode() + b'", ' + body[1:] + b"\n"


def decode(line: bytes) -> Data | None:
    """The data of a line; None: it is not whole."""
    body = b"{" + line[PREFIX:-1]
    if not line.endswith(b"\n") or line[:PREFIX] != OPENING + f"{crc32(body):08x}".encode() + b'", ':
        return None
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


class Journal:
    """An open journal, locked for this process."""

    def __init__(self, path: str, header: Data, seen: Callable[[Data], None]) -> None:
        """Open or begin the journal at `path`; `seen` is told every record that it holds."""
        self.path = path
        self.done: set[int] = set()
        self.cut = 0  # bytes of torn lines that were cut off
        self._synced = monotonic()
        self._handle = _locked(path)
        try:
            self._end = self._read(encode(header), header, seen)
        except BaseException:
            os.close(self._handle)
            raise

    def append(self, record: Data) -> None:
        """Write a record down; it is all there, or (full disk) not at all."""
        if record["index"] in self.done:
            return
        self._write(encode(record))
        self.done.add(record["index"])
        if monotonic() - self._synced >= SYNC_EVERY:
            self._sync()

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._sync()
        finally:
            os.close(self._handle)

    def _read(self, opening: bytes, header: Data, seen: Callable[[Data], None]) -> int:
        """Take in what the journal holds, and cut off what is torn; where it ends."""
        size = os.fstat(self._handle).st_size
        with open(self._handle, "rb", closefd=False) as stream:
            stream.seek(0)
            first = stream.readline(1 << 20)
            held = decode(first)
            if held is None:
                return self._begin(first, size, opening)
            _must_match(self.path, held, header)
            end = len(first) + self._records(stream, seen)
        if end < size:
            self.cut = size - end
            os.ftruncate(self._handle, end)
        return end

    def _records(self, stream: Any, seen: Callable[[Data], None]) -> int:
        """The bytes of whole lines, up to what a crash tore."""
        length = 0
        for line in stream:
            record = decode(line)
            if record is None:
                self._must_be_last(stream)
                break
            length += len(line)
            self._take(record, seen)
        return length

    def _take(self, record: Data, seen: Callable[[Data], None]) -> None:
        """Hand on a record; a checksum is no signature, so it may be one that no campaign wrote."""
        try:
            if record["index"] in self.done:
                return
            seen(record)
        except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError) as error:
            hint = "it was changed by something else; restore it, or begin another with --journal"
            told = f"{type(error).__name__}: {error}"
            message = f"{self.path} holds what no campaign wrote, after {len(self.done):,} scenarios: {told}"
            raise CommandError(message, hint) from error
        self.done.add(record["index"])

    def _must_be_last(self, stream: Any) -> None:
        """A broken line with whole ones behind it was not torn by a crash: nothing is cut then."""
        if any(decode(line) is not None for line in stream):
            hint = "it was changed by something else; restore it, or begin another with --journal"
            raise CommandError(f"{self.path} is damaged after {len(self.done):,} scenarios", hint)

    def _begin(self, first: bytes, size: int, opening: bytes) -> int:
        """Write the header of a new journal, or of one that died while writing it."""
        if size != len(first) or not opening.startswith(first):
            raise CommandError(f"{self.path} is no campaign journal", "name another file with --journal")
        os.ftruncate(self._handle, 0)
        self._end = 0
        self._write(opening)
        self._sync()
        _sync_folder(self.path)
        return self._end

    def _write(self, line: bytes) -> None:
        try:
            written = os.write(self._handle, line)
            while written < len(line):  # a disk that fills up takes a part, and then says why
                written += os.write(self._handle, line[written:])
        except OSError as error:
            os.ftruncate(self._handle, self._end)
            raise self._failure(error) from error
        self._end += len(line)

    def _sync(self) -> None:
        try:
            os.fsync(self._handle)
        except OSError as error:
            raise self._failure(error) from error
        self._synced = monotonic()

    def _failure(self, error: OSError) -> CommandError:
        return CommandError(f"cannot write {self.path}: {error.strerror or error}", RESUME, BROKEN)


def read(path: str) -> Iterator[Data]:
    """The records of a journal that nobody needs to be done with; a torn end is left out."""
    with Path(path).open("rb") as stream:
        next(stream, None)
        for line in stream:
            record = decode(line)
            if record is None:
                return
            yield record


def _locked(path: str) -> int:
    """The journal's file, for this process alone."""
    try:
        import fcntl
    except ImportError:
        raise CommandError("campaigns need a POSIX system, for locks and budgets", code=BROKEN) from None
    if os.path.exists(path) and not os.path.isfile(path):  # opening a device may do things; a pipe never ends
        raise CommandError(f"the journal {path} is no ordinary file", "name another with --journal")
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
    except OSError as error:
        hint = "name a file that can be written with --journal"
        raise CommandError(f"cannot open the journal {path}: {error.strerror or error}", hint) from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise CommandError(f"another campaign is writing {path}", "wait for it, or name another --journal") from None
    return handle


def _must_match(path: str, held: Data, header: Data) -> None:
    if held.get("journal") != header["journal"]:
        raise CommandError(f"{path} is no campaign journal", "name another file with --journal")
    other = [told for part, told in OTHERS.items() if held.get(part) != header[part]]
    if other:
        told = f"its campaign is {json.dumps({key: held.get(key) for key in ('spec', 'terms')})}"
        raise CommandError(f"{path} was begun with {' and '.join(other)}", f"begin another with --journal; {told}")


def _sync_folder(path: str) -> None:
    """Make the new file's name survive a power cut, where folders can be forced to the disk."""
    import contextlib

    with contextlib.suppress(OSError):
        folder = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
