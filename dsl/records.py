"""Frozen dataclasses that are quick to define.

The standard decorator compiles up to six functions for every class, and its module loads `inspect`: for the seventy
small classes of the language and the planner, a third of the time that the command takes to start. Here only
`__init__` is compiled, and only when a class makes its first object; most make none in a given run. The result is a
dataclass in every other respect: type checkers see the standard decorator, `match` works, and so do the functions of
the standard module, for which real fields are made when one of them asks.
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
        """What the standard function describes: a default, or whether the field is compared, shown or passed."""
        return Field(**options)

    def fields(record):
        """The fields of a record, or of a class of records."""
        return record.__record_fields__

    def is_dataclass(value):
        """Whether a value is a record, or a class of records."""
        return hasattr(value, "__record_fields__")

    def replace(record, /, **changes):
        """The record with some of its fields changed."""
        kept = {each.name: getattr(record, each.name) for each in fields(record) if each.init}
        return type(record)(**{**kept, **changes})


_MISSING: Any = object()


class Field:
    """One field of a record."""

    __slots__ = ("compare", "default", "default_factory", "init", "name", "repr", "type")
    name: str
    type: Any

    def __init__(
        self,
        *,
        default: Any = _MISSING,
        default_factory: Any = _MISSING,
        init: bool = True,
        repr: bool = True,
        compare: bool = True,
    ) -> None:
        self.default = default
        self.default_factory = default_factory
        self.init = init
        self.repr = repr
        self.compare = compare


def _record(cls: type[Any]) -> type[Any]:
    fields = _fields(cls)
    compared = tuple(each.name for each in fields if each.compare)
    shared = {
        "__match_args__": tuple(each.name for each in fields if each.init),
        "__init__": _first(cls, fields),
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
    """The `__init__` of a class without objects: it makes way for the compiled one."""

    def __init__(self: Any, *values: Any, **named: Any) -> None:  # noqa: N807 - it is that method
        compiled = _initialiser(cls, fields)
        type.__setattr__(cls, "__init__", compiled)
        compiled(self, *values, **named)

    return __init__


def _initialiser(cls: type[Any], fields: tuple[Field, ...]) -> Any:
    """`__init__`, compiled: it runs far too often for a loop over the fields."""
    parameters, body = [], []
    scope: dict[str, Any] = {"_set": object.__setattr__, "_missing": _MISSING}
    for each in fields:
        made = each.default_factory is not _MISSING
        value = f"_make_{each.name}()"
        if made:
            scope[f"_make_{each.name}"] = each.default_factory
        if each.init:
            default = "=_missing" if made else ""
            if each.default is not _MISSING:
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
    scope["__init__"].__qualname__ = f"{cls.__qualname__}.__init__"
    return scope["__init__"]


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
            described.append(
                (each.name, each.type, field(**given, init=each.init, repr=each.repr, compare=each.compare))
            )
        twin: Any = make_dataclass(owner.__name__, described, init=False, repr=False, eq=False)
        owner.__dataclass_fields__ = twin.__dataclass_fields__
        return owner.__dataclass_fields__


_STANDARD = _Standard()
