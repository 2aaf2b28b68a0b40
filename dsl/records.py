"""Frozen dataclasses that are quick to define.

The standard decorator compiles up to six functions for every class, and its module loads `inspect`: for the seventy
small classes of the language and the planner, a third of the time that the command takes to start. Here only
`__init__` is compiled, and only for a class that makes more than a few objects. The result is a dataclass in every
other respect: type checkers see the standard decorator, `match` works, and so do the functions of the standard
module, for which real fields are made when one of them asks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
    from dataclasses import fields as fields
    from dataclasses import is_dataclass as is_dataclass
    from dataclasses import replace as replace
else:

    def dataclass(cls=None, /, *, frozen=True, slots=False):
        """A frozen dataclass. `slots` is accepted for its meaning to type checkers; it would define the class twice."""
        if not frozen:
            raise TypeError("records are frozen")
        return _record if cls is None else _record(cls)

    def field(**options):
        """What the standard function describes: a default, and whether the field is compared and shown."""
        return Field(**options)

    def fields(record):
        """The fields of a record, or of a class of records."""
        return record.__record_fields__

    def is_dataclass(value):
        """Whether a value is a record, or a class of records."""
        return hasattr(value, "__record_fields__")

    def replace(record, /, **changes):
        """The record with some of its fields changed."""
        kept = {each.name: getattr(record, each.name) for each in fields(record)}
        return type(record)(**{**kept, **changes})


_MISSING: Any = object()
FEW = 24  # objects that a class makes before its `__init__` is compiled, which takes as long as about forty


class Field:
    """One field of a record."""

    __slots__ = ("compare", "default", "default_factory", "name", "repr", "type")
    name: str
    type: Any

    def __init__(
        self,
        *,
        default: Any = _MISSING,
        default_factory: Any = _MISSING,
        repr: bool = True,
        compare: bool = True,
    ) -> None:
        self.default = default
        self.default_factory = default_factory
        self.repr = repr
        self.compare = compare


def _record(cls: type[Any]) -> type[Any]:
    fields = _fields(cls)
    compared = tuple(each.name for each in fields if each.compare)
    shared = {
        "__match_args__": tuple(each.name for each in fields),
        "__init__": _first(cls, fields),
        "__getstate__": _state,
        "__setattr__": _refuse,
        "__delattr__": _refuse,
        "__eq__": _equality(compared),
        "__hash__": lambda self: hash(tuple(getattr(self, name) for name in compared)),
        "__repr__": _representation(tuple(each.name for each in fields if each.repr)),
    }
    cls.__record_fields__ = fields
    cls.__dataclass_fields__ = _STANDARD
    for name, function in shared.items():
        if name not in cls.__dict__:
            setattr(cls, name, function)
    return cls


def _fields(cls: type[Any]) -> tuple[Field, ...]:
    """The fields of the bases, then those that the class declares."""
    found = {each.name: each for base in cls.__mro__[:0:-1] for each in base.__dict__.get("__record_fields__", ())}
    for name, annotation in cls.__annotations__.items():
        if "ClassVar" in str(annotation):
            continue
        given = cls.__dict__.get(name, _MISSING)
        if type(given).__module__ == "dataclasses":
            raise TypeError(f"describe {cls.__qualname__}.{name} by the `field` of records")
        each = given if isinstance(given, Field) else Field(default=given)
        if given is each:  # what the class shows is the default, not its description
            setattr(cls, name, each.default) if each.default is not _MISSING else delattr(cls, name)
        each.name, each.type = name, annotation
        found[name] = each
    return tuple(found.values())


def _first(cls: type[Any], fields: tuple[Field, ...]) -> Any:
    """The `__init__` of a class with few objects: a loop, until they become many or the arguments do not fit."""
    defaults = {each.name: each.default for each in fields if each.default is not _MISSING}
    makers = {each.name: each.default_factory for each in fields if each.default_factory is not _MISSING}
    names = {each.name: None for each in fields}.keys()
    needed = names - defaults.keys() - makers.keys()
    checked = hasattr(cls, "__post_init__")
    left = FEW

    def __init__(self: Any, *values: Any, **named: Any) -> None:  # noqa: N807 - it is that method
        nonlocal left
        left -= 1
        given = {**dict(zip(names, values, strict=False)), **named}
        if left < 0 or len(given) < len(values) + len(named) or not needed <= given.keys() <= names:
            cls.__init__ = compiled = _initialiser(cls, fields)
            compiled(self, *values, **named)
            return
        for name in names:
            value = given[name] if name in given else makers[name]() if name in makers else defaults[name]
            object.__setattr__(self, name, value)
        if checked:
            self.__post_init__()

    return __init__


def _initialiser(cls: type[Any], fields: tuple[Field, ...]) -> Any:
    """`__init__`, compiled: a hot one runs far too often for a loop over the fields."""
    parameters, body = [], []
    scope: dict[str, Any] = {"_set": object.__setattr__, "_missing": _MISSING}
    for each in fields:
        default, value = "", each.name
        if each.default_factory is not _MISSING:
            scope[f"_make_{each.name}"] = each.default_factory
            default, value = "=_missing", f"_make_{each.name}() if {each.name} is _missing else {each.name}"
        elif each.default is not _MISSING:
            scope[f"_default_{each.name}"] = each.default
            default = f"=_default_{each.name}"
        parameters.append(each.name + default)
        body.append(f" _set(self, {each.name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        body.append(" self.__post_init__()")
    exec(f"def __init__(self, {', '.join(parameters)}):\n" + "\n".join(body or [" pass"]), scope)
    scope["__init__"].__qualname__ = f"{cls.__qualname__}.__init__"
    return scope["__init__"]


def _state(self: Any) -> dict[str, Any]:
    """What is copied and pickled: the fields, and nothing that was computed from them and kept."""
    return {each.name: getattr(self, each.name) for each in self.__record_fields__}


def _refuse(self: Any, name: str, *value: Any) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to or delete field {name!r}")


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


class _Standard:
    """`__dataclass_fields__`, made when the standard module looks for it."""

    def __get__(self, record: Any, owner: type[Any]) -> Any:
        from dataclasses import field, make_dataclass

        described = []
        for each in owner.__record_fields__:
            given = {"default": each.default, "default_factory": each.default_factory}
            given = {option: value for option, value in given.items() if value is not _MISSING}
            described.append((each.name, each.type, field(**given, repr=each.repr, compare=each.compare)))
        twin: Any = make_dataclass(owner.__name__, described, init=False, repr=False, eq=False)
        owner.__dataclass_fields__ = twin.__dataclass_fields__
        return owner.__dataclass_fields__


_STANDARD = _Standard()
