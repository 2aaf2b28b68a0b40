"""A property that is computed once, and holds no lock while it is computed.

Python 3.11's own holds one lock for all objects of a class. A thread that computes such a property and waits for
the working precision would wait for ever on one that has the precision and asks for the same property.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

Value = TypeVar("Value")


class cached_property(Generic[Value]):  # noqa: N801 - it stands where Python's own would
    """The value of a method, kept in the object. Two threads may both compute it: they get the same."""

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self.compute = compute
        self.name = compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, record: None, owner: type) -> cached_property[Value]: ...

    @overload
    def __get__(self, record: object, owner: type) -> Value: ...

    def __get__(self, record: object | None, owner: type) -> cached_property[Value] | Value:
        if record is None:
            return self
        value: Value = record.__dict__.setdefault(self.name, self.compute(record))
        return value
