"""A Scenario back to the text that means it."""

from __future__ import annotations

import re
from typing import Any, Final

from dsl.checking import expectations
from dsl.checking.assembly import Assembly, phrase
from dsl.checking.faults import Fault, Offsets, Silent
from dsl.checking.fields import FIELDS, KEYWORDS
from dsl.checking.inheritance import Definition
from dsl.checking.points import bases
from dsl.checking.spelling import expression, field_value, quoted, real
from dsl.checking.values import CONVERT
from dsl.reading.syntax import Expr
from dsl.reading.text import Source
from dsl.scenario import Expectation, ExpectVerdict, Scenario
from dsl.writing.layout import format_text

MISSING: Final = object()


def source(scenario: Scenario) -> str:
    """Canonical text that loads as an equal scenario.

    A formula of the file (`queries <= N/5`) is kept as long as it gives the value that the scenario has. What
    was inherited is written out. A point of a sweep has a name that is no word; it is given one.
    """
    writer = _Writer(scenario)
    title = f" {quoted(scenario.title)}" if scenario.title is not None else ""
    lines = [f"scenario {_word(scenario.name)}{title} {{", *writer.fields()]
    lines += [f"sweep {sweep.field} = {sweep.text}" for sweep in scenario.sweeps]
    if scenario.expectations:
        lines += ["", *(f"expect {writer.expectation(each)}" for each in scenario.expectations)]
    return format_text("\n".join([*lines, "}"]))


def expected(scenario: Scenario, one: Expectation) -> str:
    """What follows `expect` in the text of a scenario."""
    return _Writer(scenario).expectation(one)


def _word(name: str) -> str:
    """The name itself where the language can say it, else a word that is near."""
    if re.fullmatch(r"[^\W\d]\w*", name) and name not in KEYWORDS:
        return name
    word = re.sub(r"\W+", "_", name).strip("_")
    if word in KEYWORDS:
        return f"{word}_"
    return word if re.match(r"[^\W\d]", word) else f"_{word}"


class _Writer:
    """Finds the words for what a scenario holds."""

    def __init__(self, scenario: Scenario) -> None:
        self.definition = scenario.definition or _blank(scenario)
        self.held = {name: getattr(scenario, field.slot) for name, field in FIELDS.items()}
        self.formulas = dict(scenario.formulas)
        self.bases = bases(scenario.sweeps, self.definition)

    def fields(self) -> list[str]:
        """The lines of the fields, in the order of the table."""
        texts = ((field, self._text(name)) for name, field in FIELDS.items())
        return [f"{field.name} {field.operator} {text}" for field, text in texts if text]

    def _text(self, name: str) -> str:
        """What is written for a field; empty where it goes without saying."""
        if name in self.formulas:
            return self.formulas[name]
        statement = self.definition.fields.get(name)
        if statement is not None and self._gives(name, statement.value) == self.held[name]:
            return expression(statement.value)
        if statement is None and self._gives(name, None) == self.held[name]:
            return ""
        return field_value(name, self.held[name])

    def _gives(self, name: str, node: Expr | None) -> Any:
        """What a formula gives for a field beside the others' values; for None, what it holds unsaid."""
        scope = self._scope(name)
        try:
            return CONVERT[name](node, scope) if node is not None else scope.value(name)
        except (Fault, Silent):
            return MISSING

    def _scope(self, without: str) -> Assembly:
        fixed = {name: held for name, held in self.held.items() if name != without}
        return Assembly(self.definition, lambda fault: None, self.bases, fixed)

    def expectation(self, expected: Expectation) -> str:
        """What follows `expect`."""
        if isinstance(expected, ExpectVerdict):
            return expected.verdict
        relation = f"{expected.measure} {expected.comparison} "
        node = phrase(expected.text.removeprefix(relation)) if expected.text.startswith(relation) else None
        try:
            if node and expectations.bound(node, expected.measure, self._scope("")) == expected.value:
                return expected.text
        except (Fault, Silent):
            pass
        return relation + real(expected.value)


def _blank(scenario: Scenario) -> Definition:
    """The definition of a scenario that was made by hand."""
    nowhere = Source("", scenario.file or "<scenario>")
    return Definition(nowhere, scenario.name, scenario.title, {}, {}, {}, {}, frozenset(), False, Offsets(0, 0))
