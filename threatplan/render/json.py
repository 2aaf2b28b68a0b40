"""JSON documents written piece by piece, so that what is done is shown and kept."""

from __future__ import annotations

import json
import sys
from math import isfinite
from types import TracebackType
from typing import Any, TextIO

from dsl.visible import json_text
from threatplan.unbroken import write_whole


def finite(value: Any) -> Any:
    """The value with null for what JSON has no number for: a bound that is infinite says nothing."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, dict):
        return {name: finite(one) for name, one in value.items()}
    return [finite(one) for one in value] if isinstance(value, list | tuple) else value


class JsonList:
    """`{"schema": SCHEMA, KEY: [...]}`, one line an entry; an interrupt still closes the document."""

    def __init__(self, key: str, stream: TextIO | None = None, schema: int = 1) -> None:
        self._key = key
        self._schema = schema
        self._stream = stream or sys.stdout
        self._separator = "\n"

    def __enter__(self) -> JsonList:
        try:
            write_whole(self._stream, f'{{"schema": {self._schema}, {json.dumps(self._key)}: [')
        except KeyboardInterrupt:  # nobody would call __exit__
            self._close()
            raise
        return self

    def add(self, entry: dict[str, Any]) -> None:
        """Write one entry."""
        text = json_text(finite(entry), allow_nan=False)
        before, self._separator = self._separator, ",\n"  # an interrupt comes after the entry, not instead of it
        write_whole(self._stream, before + text)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None or kind is KeyboardInterrupt:
            self._close()

    def _close(self) -> None:
        write_whole(self._stream, "\n]}\n")
