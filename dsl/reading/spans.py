"""Places in a source text."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.alike import ByFields


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Span(ByFields):
    """A stretch of text: line and column (from 1) of its first character and of the one after its last."""

    line: int
    column: int
    end_line: int
    end_column: int
