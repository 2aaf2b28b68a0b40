"""Expectations as JUnit XML, which every CI system can show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dsl.visible import visible

if TYPE_CHECKING:
    from threatplan.gate import Gate, Problem


def render(gates: Sequence[Gate], problems: Sequence[Problem]) -> Iterator[str]:
    """One suite a scenario, one case an expectation; what cannot be read is a case in error.

    JUnit knows no other failure than that of a case, so a file without expectations and a scenario that was given up
    count as one.
    """
    lacks = sum(gate.shut is not None for gate in gates)
    tests = sum(len(gate.outcomes) for gate in gates) + lacks + len(problems)
    failures = sum(gate.failures for gate in gates) + lacks
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<testsuites name="plan check" tests="{tests}" failures="{failures}" errors="{len(problems)}">'
    for gate in gates:
        yield from _suite(gate)
    if problems:
        yield f'  <testsuite name="input" tests="{len(problems)}" failures="0" errors="{len(problems)}">'
        for one in problems:
            head = _head("input", one.file or "input", one.file, one.line)
            yield from (f"{head}>", f'      <error message="{attribute(one.message)}"/>', "    </testcase>")
        yield "  </testsuite>"
    yield "</testsuites>"


def _suite(gate: Gate) -> Iterator[str]:
    lacks = gate.shut is not None
    counts = f'tests="{len(gate.outcomes) + lacks}" failures="{gate.failures + lacks}" errors="0"'
    yield f'  <testsuite name="{attribute(gate.title)}" {counts}>'
    for one in gate.outcomes:
        head = _head(gate.title, one.text, gate.file, one.line)
        if one.holds:
            yield f"{head}/>"
        else:
            yield from _failure(head, one.failure)
    if gate.shut is not None:
        case = "is planned in time" if gate.gave_up else "has expectations"
        yield from _failure(_head(gate.title, case, gate.file, None), gate.shut)
    yield "  </testsuite>"


def _failure(head: str, message: str) -> Iterator[str]:
    yield from (f"{head}>", f'      <failure message="{attribute(message)}"/>', "    </testcase>")


def _head(suite: str, name: str, file: str | None, line: int | None) -> str:
    place = (f' file="{attribute(file)}"' if file else "") + (f' line="{line}"' if line else "")
    return f'    <testcase classname="{attribute(suite)}" name="{attribute(name)}"{place}'


def attribute(text: str) -> str:
    """Text as an attribute's value; what XML cannot hold, or nobody can see, is shown by its number."""
    text = "\n".join(map(visible, text.split("\n")))
    for plain, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("\n", "&#10;")):
        text = text.replace(plain, entity)
    return text
