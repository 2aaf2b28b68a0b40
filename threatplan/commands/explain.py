"""`plan explain ID`: a theorem, attack, limit, erratum, field, preset or error code."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from threatplan.arguments import common
from threatplan.faults import DONE, CommandError, did_you_mean
from threatplan.render.page import Page

if TYPE_CHECKING:
    import argparse

    from threatplan.topics import Topic

WRITTEN = ("keyword", "field", "value")  # what somebody who asks has most often before them
DESCRIPTION = """State a theorem, attack, reduction, limit, erratum, field, scorer preset or error code, with its source;
or any word that a report prints."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "ids", nargs="*", metavar="ID", help="for example block, I2, E-A1, T012, clip, kaggle, exposure or W"
    )
    parser.add_argument("--list", action="store_true", help="everything that can be explained")
    common(parser, ("text", "json", "markdown"))


def run(args: argparse.Namespace) -> int:
    """Explain each id, or list them all."""
    from threatplan.topics import topics

    if not args.ids and not args.list:
        raise CommandError("what shall be explained?", "give an id, or --list to see them all")
    known = list(topics())
    wanted = known if args.list else explained(args.ids, known)
    if args.format == "json":
        _json(wanted)
        return DONE
    page = Page.of(sys.stdout, args.color)
    lines = (
        _markdown(wanted) if args.format == "markdown" else _index(wanted, page) if args.list else _text(wanted, page)
    )
    for line in lines:
        print(line)
    return DONE


def explained(ids: Sequence[str], known: Sequence[Topic]) -> list[Topic]:
    """All that is asked for; words that make one name together, such as `lower bound`, may stand apart."""
    together = _called(" ".join(ids), known)
    return together or [topic for id in ids for topic in _find(id, known)]


def _find(id: str, known: Sequence[Topic]) -> list[Topic]:
    """All that goes by the name, which a field and a reduction may share."""
    found = _called(id, known)
    if not found:
        names = [name for topic in known for name in topic.names]
        hint = did_you_mean(id, names) or "`plan explain --list` names them all"
        raise CommandError(f"nothing is called `{id}`", hint)
    return found


def _called(id: str, known: Sequence[Topic]) -> list[Topic]:
    """What is called so, whatever the case if need be; or the attacks that rest on it, as the column `theorem` has it."""
    exact = [topic for topic in known if id in topic.names]
    folded = exact or [topic for topic in known if id.lower() in (name.lower() for name in topic.names)]
    return sorted(folded, key=lambda topic: topic.kind not in WRITTEN) or [
        topic for topic in known if topic.kind == "attack" and id.lower() in _cited(topic)
    ]


def _cited(topic: Topic) -> list[str]:
    return [part.lower() for part in (topic.source, *topic.source.split("; "))]


def _text(wanted: Sequence[Topic], page: Page) -> Iterator[str]:
    for number, topic in enumerate(wanted):
        if number:
            yield ""
        yield from page.wrap(f"{page.ink(topic.id, 'bold')}: {topic.title} ({topic.kind})", rest="  ")
        yield ""
        for paragraph in topic.statement.split("\n"):
            yield from page.wrap(paragraph, "  ")
        for title, items in (("needs", topic.conditions), ("source", (topic.source,)), ("see", topic.related)):
            shown = "; ".join(item for item in items if item)
            if shown:
                yield from page.wrap(shown, f"  {page.ink(f'{title:<7}', 'dim')} ")
        for line in topic.example.splitlines():
            yield f"      {line}"


def _index(wanted: Sequence[Topic], page: Page) -> Iterator[str]:
    from itertools import groupby

    room = max(len(topic.id) for topic in wanted) + 2
    for kind, group in groupby(wanted, key=lambda topic: topic.kind):
        yield page.ink(kind, "head")
        for topic in group:
            yield from page.wrap(topic.title, f"  {topic.id:{room}}")


def _markdown(wanted: Sequence[Topic]) -> Iterator[str]:
    from threatplan.render.markdown import escape, prose

    for topic in wanted:
        yield f"## {escape(topic.id)}: {escape(topic.title)}"
        yield ""
        for paragraph in topic.statement.split("\n"):
            yield from (prose(paragraph), "")
        if topic.example:
            yield from ("```", *topic.example.splitlines(), "```", "")
        yield from (f"- needs: {escape(one)}" for one in topic.conditions)
        yield f"- source: {escape(topic.source)}"
        yield from (f"- see: {escape(one)}" for one in topic.related)
        yield ""


def _json(wanted: Sequence[Topic]) -> None:
    from dataclasses import asdict

    from threatplan.render.json import JsonList

    with JsonList("topics") as document:
        for topic in wanted:
            document.add(asdict(topic))
