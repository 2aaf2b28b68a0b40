"""The manual page, made from what the commands declare: `python -m threatplan.manual > docs/plan.1`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from threatplan.commands import COMMANDS, DEFAULT, load

if TYPE_CHECKING:
    import argparse

EXIT_CODES = {
    "0": "done",
    "1": "an expectation does not hold; a file has none (check); it would be reformatted (fmt --check); a board gives away "
    "more than before (diff --fail-if-worse)",
    "2": "bad usage or input; or a scenario was given up after --seconds",
    "3": "a backend or internal failure, or an optional package that is not installed",
    "130": "interrupted; what was finished is kept",
    "141": "the reader of standard output went away",
}
ENVIRONMENT = {
    "NO_COLOR, FORCE_COLOR": "no colours, colours in pipes too",
    "COLUMNS": "the width of the page",
}


def manual() -> str:
    """The page in roff."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    from threatplan import __version__

    yield f'.TH PLAN 1 "" "threatplan {__version__}" "User Commands"'
    yield from (".SH NAME", "plan \\- does the score you publish give away the labels you hide?")
    yield from (".SH SYNOPSIS", ".B plan", "FILE... [options]", ".br", ".B plan", "COMMAND ... [options]")
    yield from (".SH DESCRIPTION", *_prose(load(DEFAULT)[0].DESCRIPTION))
    yield from (".SH OPTIONS", *_options(DEFAULT))
    yield ".SH COMMANDS"
    for name, summary in COMMANDS.items():
        yield from (f".SS {name}", *_prose(f"{summary[:1].upper()}{summary[1:]}."), *_options(name))
    yield ".SH EXIT STATUS"
    for code, text in EXIT_CODES.items():
        yield from (".TP", f".B {code}", _text(text))
    yield ".SH ENVIRONMENT"
    for names, text in ENVIRONMENT.items():
        yield from (".TP", f".B {names}", _text(text))


def _options(name: str) -> Iterator[str]:
    for action in load(name)[1].declared():
        if "--help" not in action.option_strings:
            yield from (".TP", _called(action), _text(_help(action)))


def _called(action: argparse.Action) -> str:
    value = action.metavar or (action.dest if not action.option_strings else "")
    shown = str(value) if action.nargs != 0 else ""
    names = ", ".join(action.option_strings)
    return f".B {_text(f'{names} {shown}'.strip())}"


def _help(action: argparse.Action) -> str:
    text = action.help or ", ".join(map(str, action.choices or ()))
    return text % {"default": action.default}


def _prose(text: str) -> Iterator[str]:
    for number, paragraph in enumerate(text.split("\n\n")):
        if number:
            yield ".PP"
        yield from (_text(line) for line in paragraph.splitlines())


def _text(text: str) -> str:
    """A line that roff takes as it is."""
    shown = text.strip().replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{shown}" if shown.startswith((".", "'")) else shown


if __name__ == "__main__":
    print(manual(), end="")
