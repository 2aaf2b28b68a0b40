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
    yield from _keywords()
    yield from _fields()
    yield from _values()
    yield from _presets()
    yield from _platforms()
    yield from _codes()
    yield from _words()


def _theory() -> Iterator[Topic]:
    from planner.theory import entries

    for one in entries():
        also = tuple(_short(one.title)) if one.kind == "limit" else ()
        yield Topic(one.id, one.kind, one.title, one.statement, one.conditions, one.source, one.related, also=also)


def _short(title: str) -> Iterator[str]:
    """What a limit is called by in a hurry: its title, and the first word that says something."""
    yield title.lower()
    yield next(word for word in title.lower().split() if word not in ("a", "the", "labels"))


def _keywords() -> Iterator[Topic]:
    from dsl.checking.fields import KEYWORDS

    for word, said in KEYWORDS.items():
        title, _, more = said.partition(": ")
        yield Topic(word, "keyword", title, more, source="the language")


def _fields() -> Iterator[Topic]:
    from dsl.checking.fields import FIELDS

    for field in FIELDS.values():
        default = f"default: {field.default}" if field.default else "required"
        title, _, more = field.documentation.partition(". ")
        statement = f"{more}\n" if more else ""
        statement += f"values: {field.values}; {default}"
        yield Topic(field.name, "field", title.rstrip("."), statement, source="the language")


def _values() -> Iterator[Topic]:
    """Words that fields take, each once; what a metric is stands in the language's table of them."""
    from dsl.checking.fields import FIELDS
    from dsl.checking.metrics import METRICS

    taken: dict[str, list[str]] = {}
    for field in FIELDS.values():
        for written in (*field.words, *field.calls):
            taken.setdefault(written.partition("(")[0], []).append(f"{field.name} {field.operator} {written}")
    scores = {one.name: one.meaning for one in METRICS}
    for word in sorted(taken.keys() - FIELDS.keys() - _named_elsewhere()):
        fields = [FIELDS[name] for name in dict.fromkeys(use.partition(" ")[0] for use in taken[word])]
        meaning = scores.get(word, "")
        title = meaning[:1].upper() + meaning[1:] or f"Written as {' or '.join(f'`{use}`' for use in taken[word])}"
        facts = "\n".join(f"{field.name}: {field.documentation}" for field in fields)
        yield Topic(word, "value", title, facts, source="the language", related=tuple(one.name for one in fields))


def _named_elsewhere() -> set[str]:
    """Words that have a page of their own."""
    from dsl.checking.platforms import PLATFORMS
    from dsl.checking.presets import PRESETS
    from threatplan.words import WORDS

    return {*PRESETS, *PLATFORMS, *(one.id for one in WORDS)}


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
