"""Files are replaced whole or not at all."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from threatplan.faults import CommandError


def write_atomically(path: str, data: str | bytes) -> None:
    """Put `data` at `path`: a crash, a full disk or an interrupt leaves the old file as it was."""
    target = Path(os.path.realpath(path))  # a link keeps pointing at the file it points at
    content = data.encode() if isinstance(data, str) else data
    try:
        _replace(target, content)
    except OSError as error:
        raise CommandError(f"cannot write {path}: {error.strerror or error}") from error


def write_new(path: str, text: str, overwrite: bool) -> None:
    """Put `text` at `path`, refusing to replace a file unless `overwrite` says so."""
    must_be_new(path, overwrite)
    write_atomically(path, text)


def must_be_new(path: str, overwrite: bool) -> None:
    """Refuse a file that exists, unless it may be replaced, and a folder that does not: before any work is done."""
    if path == "-":
        raise CommandError("standard output holds the answer already", "name a file to write to")
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(folder):
        raise CommandError(f"cannot write {path}: there is no folder {folder}")
    if not overwrite and os.path.lexists(path):
        raise CommandError(f"{path} exists already", "give another name, or --force to replace it")


def _replace(target: Path, content: bytes) -> None:
    import tempfile

    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, _mode(target))
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def _mode(target: Path) -> int:
    """The permissions of the file that is replaced, or those a new file would get."""
    try:
        return target.stat().st_mode & 0o7777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
