"""Records that are equal when their fields are, said once for all of them.

A dataclass writes and compiles its own comparison and hash for every class, which is two fifths of what the class costs.
There are a hundred such classes, and every start of `plan` pays for them. Those that take part here say `eq=False`.
"""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any


class ByFields:
    """Equal to a record of the same class whose fields are equal; fields that are not compared are left out."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return _values(self) == _values(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self) -> int:
        return hash(_values(self))


def _values(record: Any) -> tuple[Any, ...]:
    return tuple(getattr(record, name) for name in _compared(record.__class__))


@cache
def _compared(kind: Any) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind) if each.compare)
