"""The Python interface as a page of the documentation: `python -m threatplan.reference FILE`.

Every public name of `threatplan`, and of `threatplan.scoregate`, with its signature and its own words: the page says what the
code says, and a test compares the two.
"""

from __future__ import annotations

import dataclasses
import inspect
import sys
from collections.abc import Callable, Iterator
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

MODULES = ("threatplan", "threatplan.scoregate")
WIDEST = 80  # characters of code that stand in a line of the page
HEAD = (
    "# The Python interface",
    "",
    "Made from the code by `python -m threatplan.reference docs/reference.md`. `import threatplan as tp` loads next to "
    "nothing: names are read when they are used.",
)


def page() -> str:
    """The whole page."""
    return "\n".join((*HEAD, *(line for name in MODULES for line in _module(import_module(name))))) + "\n"


def _module(module: ModuleType) -> Iterator[str]:
    yield from ("", f"## {module.__name__}", "", *_words(module))
    for name in sorted(module.__all__, key=lambda one: (one[:1].isupper(), one)):
        if not name.startswith("__"):
            yield from _entry(name, getattr(module, name))


def _entry(name: str, thing: Any) -> Iterator[str]:
    yield from ("", f"### {name}", "")
    if inspect.isclass(thing):
        yield from (*_words(thing), *_members(thing))
    elif callable(thing):
        yield from ("```python", *_called(name, thing), "```", "", *_words(thing))
    else:
        yield f"A value: `{thing!r}`."


def _called(name: str, thing: Callable[..., Any]) -> list[str]:
    """A signature in one line, or a line for each parameter where the page would cut it off."""
    found = _typed(thing)
    line = f"{name}{found}"
    if len(line) <= WIDEST:
        return [line]
    parameters = list(found.parameters.values())
    written = [str(one) for one in parameters]
    named = [place for place, one in enumerate(parameters) if one.kind is one.KEYWORD_ONLY]
    if named and not any(one.kind is one.VAR_POSITIONAL for one in parameters):
        written.insert(named[0], "*")
    return [f"{name}(", *(f"    {each}," for each in written), f") -> {found.return_annotation!r}"]


def _members(kind: type) -> Iterator[str]:
    """Fields, then properties and methods, each with the first sentence of its words."""
    rows = [*_fields(kind), *_methods(kind)]
    if rows:
        yield from ("", "| member | what it is |", "|---|---|", *(f"| {member} | {about} |" for member, about in rows))


def _fields(kind: type) -> Iterator[tuple[str, str]]:
    if dataclasses.is_dataclass(kind):
        for one in dataclasses.fields(kind):
            if not one.name.startswith("_"):
                yield f"`{one.name}`", f"`{_annotation(one.type)}`"


def _methods(kind: type) -> Iterator[tuple[str, str]]:
    for name, thing in vars(kind).items():
        if not name.startswith("_") and isinstance(thing, FunctionType | property | cached_property):
            shown = f"{name}{_signature(thing)}" if isinstance(thing, FunctionType) else name
            yield f"`{shown}`".replace("|", "\\|"), _first(thing).replace("|", "\\|")


class _Raw:
    """An annotation that is shown as it is written."""

    def __init__(self, text: object) -> None:
        self._text = text

    def __repr__(self) -> str:
        return str(self._text)


def _signature(thing: Callable[..., Any]) -> str:
    return str(_typed(thing))


def _typed(thing: Callable[..., Any]) -> inspect.Signature:
    """The signature, its annotations as they are written."""
    found = inspect.signature(thing)
    shown = [one.replace(annotation=_raw(one.annotation)) for one in found.parameters.values()]
    return found.replace(parameters=shown, return_annotation=_raw(found.return_annotation))


def _raw(annotation: object) -> object:
    return _Raw(annotation) if isinstance(annotation, str) else annotation


def _annotation(held: object) -> str:
    return str(held).replace("|", "\\|")


def _words(thing: object) -> list[str]:
    return (inspect.getdoc(thing) or "").splitlines()


def _first(thing: object) -> str:
    return " ".join((inspect.getdoc(thing) or "").partition("\n\n")[0].split())


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
