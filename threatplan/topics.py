"""Everything that can be explained: the theory, the language's fields and scorers, its error codes, the words of reports."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Topic:
    """One thing that can be explained."""

    id: str
    kind: str
    title: str
    statement: str
    conditions: tuple[str, ...] = ()
    source: str = ""
    related: tuple[str, ...] = ()
    example: str = ""
    also: tuple[str, ...] = ()  # other forms that are printed

    @property
    def names(self) -> tuple[str, ...]:
        """Whatever it is called by."""
        return (self.id, *self.also)


def topics() -> Iterator[Topic]:
    """All of them, the theory first."""
    yield from _theory()
    yield from _fields()
    yield from _presets()
    yield from _platforms()
    yield from _codes()
    yield from _words()


def _theory() -> Iterator[Topic]:
    from planner.theory import entries

    for one in entries():
        yield Topic(one.id, one.kind, one.title, one.statement, one.conditions, one.source, one.related)


def _fields() -> Iterator[Topic]:
    from dsl.checking.fields import FIELDS

    for field in FIELDS.values():
        default = f"default: {field.default}" if field.default else "required"
        title, _, more = field.documentation.partition(". ")
        statement = f"{more}\n" if more else ""
        statement += f"values: {field.values}; {default}"
        yield Topic(field.name, "field", title.rstrip("."), statement, source="the language")


def _presets() -> Iterator[Topic]:
    from dsl.checking.presets import PRESETS

    for preset in PRESETS.values():
        facts = (f"{one.versions or 'any version'}: {one.provenance}" for one in preset.releases)
        yield Topic(preset.name, "scorer", preset.title, "\n".join(facts), source="the language")


def _platforms() -> Iterator[Topic]:
    from dsl.checking.platforms import PLATFORMS

    for one in PLATFORMS.values():
        failures = "\nsubmissions that fail are not counted" if one.failures_free else ""
        facts = f"readable: decimals = {one.decimals}; {one.shown}\nallowed: {one.allowed}{failures}\n{one.provenance}"
        yield Topic(one.name, "platform", one.title, facts, source="the language")


def _words() -> Iterator[Topic]:
    """What reports print besides."""
    from threatplan.words import WORDS

    for one in WORDS:
        yield Topic(one.id, one.kind, one.title, one.statement, source="reports", also=one.also)


def _codes() -> Iterator[Topic]:
    from dsl.codes import CODES

    for code, one in CODES.items():
        kind = "warning" if code >= "T100" else "error"
        example = one.example if len(one.example) < 500 else ""
        yield Topic(code, kind, one.title, one.explanation, source="the language", example=example)
