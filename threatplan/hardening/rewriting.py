"""A file with some of its scenarios changed: whatever does not change stays as it was typed, comments above all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from threatplan.changes import changes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from dsl.reading.syntax import ExpectStatement
    from dsl.reading.text import Source
    from dsl.scenario import Expectation, Scenario

WAS = "# It was:\n"


def rewritten(file: Source, wanted: Mapping[str, Scenario]) -> str:
    """The text in which the wanted scenarios are what they are to be, and all others what they were.

    Where lines of its own cannot say so (it inherits what it must not expect), a scenario is written out below a comment
    that holds what it was.
    """
    from dsl import ThreatError, loads

    aims = {one.name: wanted.get(one.name, one) for one in loads(file.text, file.file)}
    try:
        text = _settled(file.text, aims)
        for _ in aims:
            apart = _apart(text, aims)
            if not apart:
                return text
            text = _settled(_written_out(text, file.text, aims[apart[0]]), aims)
    except ThreatError:  # what one inherits from another may not be lawful beside its own fields
        text = file.text
        for name in {*wanted, *_heirs(file)}:
            text = _written_out(text, file.text, aims[name])
    return text


def differs(one: Scenario, other: Scenario) -> bool:
    """Whether two scenarios hold other values, or expect something else."""
    return bool(changes(one, other)) or {*map(_meant, one.expectations)} != {*map(_meant, other.expectations)}


def _settled(text: str, aims: Mapping[str, Scenario]) -> str:
    """Lines changed until nothing changes any more: what is inherited changes with its ancestor."""
    for _ in aims:
        before = text
        for name in _apart(text, aims):
            text = _expecting(_holding(text, name, aims[name]), name, aims[name])
        if text == before:
            break
    return text


def _apart(text: str, aims: Mapping[str, Scenario]) -> list[str]:
    """The scenarios that are not what they are to be."""
    from dsl import loads

    return [one.name for one in loads(text) if differs(one, aims[one.name])]


def _holding(text: str, name: str, aim: Scenario) -> str:
    """The text with the fields of the named scenario as they are to be."""
    from dsl.checking.fields import FIELDS
    from dsl.writing.edits import set_field

    for one in changes(_named(text, name), aim):
        change = set_field(text, name, one.field, one.new, FIELDS[one.field].operator)
        assert change is not None
        text = change.apply(text)
    return text


def _expecting(text: str, name: str, aim: Scenario) -> str:
    """The text in which the named scenario expects what it is to expect, as far as its own lines decide that."""
    from dsl.writing.edits import add_expectations, leave_out
    from dsl.writing.source import expected

    kept = {*map(_meant, aim.expectations)}
    for statement, one in reversed(list(_own(text, name))):
        if _meant(one) not in kept:
            text = leave_out(text, statement.start, statement.end).apply(text)
    there = {*map(_meant, _named(text, name).expectations)}
    lacking = [expected(aim, one) for one in aim.expectations if _meant(one) not in there]
    change = add_expectations(text, name, lacking) if lacking else None
    return text if change is None else change.apply(text)


def _own(text: str, name: str) -> Iterator[tuple[ExpectStatement, Expectation]]:
    """The statements that say what the named scenario expects, each with what it means; none that are inherited."""
    from dsl.writing.edits import find

    scenario, block = _named(text, name), find(text, name)
    assert scenario.definition is not None
    assert block is not None
    groups = scenario.definition.expectations.values()
    statements = sorted((each for group in groups for each in group), key=lambda each: each.start)
    for statement, one in zip(statements, scenario.expectations, strict=True):
        if block.opened <= statement.start < block.closed:
            yield statement, one


def _written_out(text: str, original: str, aim: Scenario) -> str:
    """The text with a scenario that depends on no other any more, below what it was."""
    from dsl import source
    from dsl.writing.edits import find

    old, block = find(original, aim.name), find(text, aim.name)
    assert old is not None
    assert block is not None
    told = "".join(f"# {line}".rstrip() + "\n" for line in original[old.start : old.closed + 1].split("\n"))
    return f"{text[: block.start]}{WAS}{told}{source(aim).rstrip()}{text[block.closed + 1 :]}"


def _heirs(file: Source) -> Iterator[str]:
    """The scenarios that have a parent."""
    from dsl.reading.parser import parse

    blocks, _ = parse(file)
    yield from (block.name.text for block in blocks if block.name is not None and block.parent is not None)


def _named(text: str, name: str) -> Scenario:
    from dsl import loads

    return next(one for one in loads(text) if one.name == name)


def _meant(one: Expectation) -> tuple[object, ...]:
    """What an expectation says, however it is spelt."""
    from dsl.scenario import ExpectVerdict

    return (one.verdict,) if isinstance(one, ExpectVerdict) else (one.measure, one.comparison, one.value)
