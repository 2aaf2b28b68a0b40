"""Records that are equal when their fields are, and show them, said once for all of them.

A dataclass writes and compiles its own comparison, hash and text for every class, which is two fifths of what it costs.
There are a hundred such classes, and every start of `plan` pays for them. Those that take part here say `eq=False` and
`repr=False`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import cache
from operator import attrgetter
from reprlib import recursive_repr
from typing import Any


class ByFields:
    """Equal to a record of the same class whose fields are equal; fields that are not compared are left out."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return bool(_values(self) == _values(other)) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self) -> int:
        return hash(_values(self))

    @recursive_repr()
    def __repr__(self) -> str:
        return f"{self.__class__.__qualname__}({', '.join(_shown(self))})"


def _values(record: Any) -> object:
    return _compared(record.__class__)(record)


def _shown(record: Any) -> Iterator[str]:
    return (f"{each.name}={getattr(record, each.name)!r}" for each in fields(record) if each.repr)


@cache
def _compared(kind: Any) -> Callable[[object], object]:
    """What reads the fields that are compared."""
    names = tuple(each.name for each in fields(kind) if each.compare)
    return attrgetter(*names) if names else type
