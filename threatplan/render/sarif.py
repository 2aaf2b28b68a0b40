"""Expectations as SARIF 2.1.0, which code-scanning services show at the lines of a pull request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from dsl.visible import json_text, visible

if TYPE_CHECKING:
    from threatplan.gate import Gate, Problem

VERSION = "2.1.0"
RULES = {
    "expectation": "What a scenario expects of its board does not hold",
    "empty": "A file holds no expectation, so that its gate checks nothing",
    "gave-up": "A scenario took longer than it was given, so that there is no verdict",
    "input": "A file cannot be read as scenarios",
}


def render(gates: Sequence[Gate], problems: Sequence[Problem]) -> Iterator[str]:
    """One result for everything that is not as expected; a board that holds has none."""
    from threatplan import __version__

    results = [*(one for gate in gates for one in _of_gate(gate)), *map(_of_problem, problems)]
    driver = {"name": "threatplan", "version": __version__, "rules": [_rule(id) for id in RULES]}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    yield json_text({"version": VERSION, "runs": [run]}, indent=1)


def _of_gate(gate: Gate) -> Iterator[dict[str, Any]]:
    for one in gate.outcomes:
        if not one.holds:
            yield _result("expectation", f"{gate.name}: {one.failure}", gate.file, one.line)
    if gate.gave_up is not None:
        yield _result("gave-up", f"{gate.name}: {gate.shut}", gate.file)
    elif gate.lack is not None:
        yield _result("empty", gate.lack, gate.file)


def _of_problem(problem: Problem) -> dict[str, Any]:
    return _result("input", problem.message, problem.file, problem.line, problem.column)


def _rule(id: str) -> dict[str, Any]:
    return {"id": id, "shortDescription": {"text": RULES[id]}, "defaultConfiguration": {"level": "error"}}


def _result(
    rule: str, message: str, file: str | None, line: int | None = None, column: int | None = None
) -> dict[str, Any]:
    text = " ".join(visible(part) for part in message.split("\n"))
    result: dict[str, Any] = {"ruleId": rule, "ruleIndex": list(RULES).index(rule), "level": "error"}
    result["message"] = {"text": text}
    if file is not None and file != "-":
        place: dict[str, Any] = {"artifactLocation": {"uri": quote(file.replace("\\", "/"))}}
        if line:
            place["region"] = {"startLine": line} | ({"startColumn": column} if column else {})
        result["locations"] = [{"physicalLocation": place}]
    return result
