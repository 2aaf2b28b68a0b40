"""Frozen dataclasses that are quick to define.

The standard decorator compiles up to six functions for every class, which for the seventy small classes of the
language and the planner is a third of the time that the command takes to start. Here only `__init__` is compiled;
what else a frozen dataclass does is shared by all of them. The result is a dataclass in every other respect:
`fields`, `replace` and `match` work, and type checkers see the standard decorator.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, frozen=True, slots=False):
        """A frozen dataclass. `slots` is accepted for its meaning to type checkers; it would define the class twice."""
        if not frozen:
            raise TypeError("records are frozen")
        return _record if cls is None else _record(cls)


def _record(cls: type[Any]) -> type[Any]:
    record: Any = dataclasses.dataclass(init=False, repr=False, eq=False)(cls)
    fields = dataclasses.fields(record)
    compared = tuple(each.name for each in fields if each.compare)
    shown = tuple(each.name for each in fields if each.repr)
    shared = {
        "__init__": _initialiser(record, fields),
        "__setattr__": _refuse,
        "__delattr__": _refuse,
        "__eq__": _equality(compared),
        "__hash__": lambda self: hash(tuple(getattr(self, name) for name in compared)),
        "__repr__": _representation(shown),
    }
    for name, function in shared.items():
        if name not in cls.__dict__:
            setattr(record, name, function)
    return cls


def _initialiser(cls: type[Any], fields: tuple[dataclasses.Field[Any], ...]) -> Any:
    """`__init__`, compiled: it runs far too often for a loop over the fields."""
    parameters, body = [], []
    scope: dict[str, Any] = {"_set": object.__setattr__, "_missing": dataclasses.MISSING}
    for each in fields:
        made = each.default_factory is not dataclasses.MISSING
        value = f"_make_{each.name}()"
        if made:
            scope[f"_make_{each.name}"] = each.default_factory
        if each.init:
            default = "=_missing" if made else ""
            if each.default is not dataclasses.MISSING:
                scope[f"_default_{each.name}"] = each.default
                default = f"=_default_{each.name}"
            parameters.append(each.name + default)
            value = f"{value} if {each.name} is _missing else {each.name}" if made else each.name
        elif not made:
            continue  # set by __post_init__, or left to the class's default
        body.append(f" _set(self, {each.name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        body.append(" self.__post_init__()")
    exec(f"def __init__(self, {', '.join(parameters)}):\n" + "\n".join(body or [" pass"]), scope)
    return scope["__init__"]


def _refuse(self: Any, name: str, *value: Any) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to or delete field {name!r}")


def _equality(compared: tuple[str, ...]) -> Any:
    def equal(self: Any, other: Any) -> Any:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in compared)

    return equal


def _representation(shown: tuple[str, ...]) -> Any:
    def representation(self: Any) -> str:
        inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
        return f"{type(self).__qualname__}({inside})"

    return representation
