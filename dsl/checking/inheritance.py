"""From the blocks of a file to one definition a scenario, with what it inherits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from dsl.checking.faults import Fault, Offsets
from dsl.checking.fields import FIELDS, MEASURES, NAMES, VERDICTS
from dsl.reading.suggest import nearest
from dsl.reading.syntax import Block, Broken, ExpectStatement, FieldStatement, Name, Statement, SweepStatement
from dsl.reading.text import Source

Report = Callable[[Fault], None]


class Definition(NamedTuple):
    """All that is said of one scenario, by itself and by its ancestors."""

    source: Source
    name: str
    title: str | None
    fields: dict[str, FieldStatement]
    sweeps: dict[str, SweepStatement]
    expectations: dict[str, list[ExpectStatement]]  # by what they are about
    owners: dict[str, str]  # the ancestor that a field was inherited from
    broken: frozenset[str]  # fields whose statement could not be read, or that was refused already
    damaged: bool  # whether a statement was lost, no one knows of which field
    place: Offsets


def define(blocks: list[Block], source: Source, report: Report) -> list[Definition]:
    """The definitions in the order of the file; what cannot be defined is reported and left out."""
    named = _by_name(blocks, report)
    incomplete = any(block.name is None for block in blocks)
    own = {id(block): _own(block, source, report) for block in blocks}
    done: dict[str, Definition | None] = {}
    for name in named:
        if name not in done:
            _resolve(name, named, own, done, report, incomplete)
    made: list[Definition] = []
    for block in blocks:
        definition = done.get(block.name.text) if block.name else None
        if definition is not None and block.name and named[block.name.text] is block:
            made.append(definition)
    return made


def _by_name(blocks: list[Block], report: Report) -> dict[str, Block]:
    named: dict[str, Block] = {}
    for block in blocks:
        if block.name is None:
            continue
        if block.name.text in named:
            line = f"`{block.name.text}` stands above already"
            report(Fault("T020", f"two scenarios are named `{block.name.text}`", block.name, line))
        else:
            named[block.name.text] = block
    return named


def _resolve(
    name: str,
    named: dict[str, Block],
    own: dict[int, Definition],
    done: dict[str, Definition | None],
    report: Report,
    incomplete: bool,
) -> None:
    """Define a scenario and, before it, its ancestors; without recursion, as chains are long."""
    chain: dict[str, Block] = {}
    at: str | None = name
    while at is not None and at not in done:
        block = named[at]
        chain[at] = block
        at = _parent(block, named, report, incomplete)
        if at in chain:
            _cycle(at, chain, report)
            done.update(dict.fromkeys(chain))
            return
    for each, block in reversed(chain.items()):
        definition = own[id(block)]
        if block.parent is None:
            done[each] = definition
        else:
            parent = done.get(block.parent.text)
            done[each] = None if parent is None else _inherit(definition, parent)


def _parent(block: Block, named: dict[str, Block], report: Report, incomplete: bool) -> str | None:
    if block.parent is None or block.parent.text in named:
        return block.parent.text if block.parent else None
    if not incomplete:
        hint = nearest(block.parent.text, named) or "a parent is a scenario of the same file"
        report(Fault("T022", f"unknown parent `{block.parent.text}`", block.parent, hint))
    return None


def _cycle(start: str, chain: dict[str, Block], report: Report) -> None:
    names = list(chain)
    loop = names[names.index(start) :]
    shown = loop if len(loop) <= 6 else [*loop[:3], "…", loop[-1]]
    parent = chain[loop[-1]].parent
    assert parent is not None
    path = " : ".join([*shown, start])
    report(Fault("T023", f"`{start}` inherits from itself: {path}", parent, "one of them must have no parent"))


def _inherit(child: Definition, parent: Definition) -> Definition:
    """A child's own statements over its parent's; what it says of a field replaces what was said."""
    said = child.fields.keys() | child.sweeps.keys()
    owners = {name: parent.owners.get(name, parent.name) for name in parent.fields if name not in child.fields}
    return child._replace(
        fields={**parent.fields, **child.fields},
        sweeps={**{name: each for name, each in parent.sweeps.items() if name not in said}, **child.sweeps},
        expectations={**parent.expectations, **child.expectations},
        owners=owners,
        broken=(parent.broken - said) | child.broken,
        damaged=parent.damaged or child.damaged,
    )


def _own(block: Block, source: Source, report: Report) -> Definition:
    """What a block says by itself, each statement checked for its name and its relation."""
    place = Offsets(block.name.start, block.name.end) if block.name else Offsets(block.start, block.brace + 1)
    fields: dict[str, FieldStatement] = {}
    sweeps: dict[str, SweepStatement] = {}
    expectations: dict[str, list[ExpectStatement]] = {}
    broken: set[str] = set()
    damaged = block.name is None
    for statement in block.body:
        try:
            if isinstance(statement, FieldStatement):
                name = _field(statement, fields)
                fields[name] = statement
            elif isinstance(statement, SweepStatement):
                sweeps[_sweep(statement, sweeps)] = statement
            elif isinstance(statement, ExpectStatement):
                expectations.setdefault(_subject(statement), []).append(statement)
            else:
                damaged = True
                broken.add(NAMES.get(statement.text, ""))
        except Fault as fault:
            report(fault)
            broken.update(_meant(statement, fields))
    name = block.name.text if block.name else ""
    title = block.title.text if block.title else None
    return Definition(source, name, title, fields, sweeps, expectations, {}, frozenset(broken), damaged, place)


def _meant(statement: Statement, fields: dict[str, FieldStatement]) -> Iterator[str]:
    """The field that a refused statement was about, so that its absence is not reported as well."""
    if isinstance(statement, Broken | ExpectStatement):
        return
    from dsl.reading.suggest import nearest_name

    found = nearest_name(statement.name.text, NAMES)
    if found and NAMES[found] not in fields:
        yield NAMES[found]


def known_field(name: Name) -> str:
    """The field that a word names."""
    field = NAMES.get(name.text)
    if field is None:
        hint = nearest(name.text, NAMES) or f"the fields are {', '.join(FIELDS)}"
        raise Fault("T012", f"unknown field `{name.text}`", name, hint)
    return field


def _field(statement: FieldStatement, before: dict[str, FieldStatement]) -> str:
    name = known_field(statement.name)
    if name in before:
        raise Fault("T021", f"`{name}` is set twice", statement.name, "remove one of the two")
    wanted = FIELDS[name].operator
    if statement.relation.text != wanted:
        role = "a bound, written" if wanted == "<=" else "set"
        hint = f"write `{name} {wanted} …`"
        raise Fault("T016", f"`{name}` is {role} with `{wanted}`", statement.relation, hint)
    return name


def _sweep(statement: SweepStatement, before: dict[str, SweepStatement]) -> str:
    name = known_field(statement.name)
    if name in before:
        raise Fault("T021", f"`{name}` is swept twice", statement.name, "put all its values into one `sweep`")
    if statement.relation.text != "=":
        raise Fault("T016", "a sweep is written with `=`", statement.relation, f"write `sweep {name} = …`")
    return name


def _subject(statement: ExpectStatement) -> str:
    """What an expectation is about: "verdict", or the thing that it measures."""
    name = statement.name.text
    if statement.relation is None:
        if name in VERDICTS:
            return "verdict"
        hint = f"compare it: `expect {name} <= …`" if name in MEASURES else nearest(name, [*VERDICTS, *MEASURES])
        offer = f"a verdict is {', '.join(VERDICTS)}"
        raise Fault("T060", f"`{name}` is no verdict", statement.name, hint or offer)
    if name in MEASURES:
        return name
    hint = f"write `expect {name}`" if name in VERDICTS else nearest(name, MEASURES)
    offer = f"there are {', '.join(MEASURES)}"
    raise Fault("T060", f"`{name}` cannot be measured", statement.name, hint or offer)
