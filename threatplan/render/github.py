"""Expectations as GitHub annotations, shown at their line in a pull request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dsl.visible import visible

if TYPE_CHECKING:
    from threatplan.gate import Gate, Problem


def render(gates: Sequence[Gate], problems: Sequence[Problem]) -> Iterator[str]:
    """One annotation for everything that is not as expected."""
    for gate in gates:
        for one in gate.outcomes:
            if not one.holds:
                message = f"{gate.name}: {one.failure}"
                yield _annotation("expectation", message, gate.file, one.line, None)
        if gate.gave_up is not None:
            yield _annotation("gave up", f"{gate.name}: {gate.shut}", gate.file, None, None)
        elif gate.lack is not None:
            yield _annotation("expectation", gate.lack, gate.file, None, None)
    for problem in problems:
        yield _annotation("input", problem.message, problem.file, problem.line, problem.column)


def _annotation(title: str, message: str, file: str | None, line: int | None, column: int | None) -> str:
    given = {"file": file, "line": line, "col": column, "title": f"plan check: {title}"}
    properties = ",".join(f"{name}={_property(str(value))}" for name, value in given.items() if value)
    return f"::error {properties}::{_data(message)}"


def _data(text: str) -> str:
    """Text as the runner takes it back: whatever else it would obey is made visible, line by line."""
    text = "\n".join(map(visible, text.replace("\r", "\n").split("\n")))
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
