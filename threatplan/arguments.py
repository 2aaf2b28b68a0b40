"""Command-line arguments: argparse with errors that suggest what was meant."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import NoReturn

from threatplan.faults import CommandError, did_you_mean
from threatplan.render.page import Page

_ENTRY = re.compile(r" +\S+ {2,}")  # of a list: what is spoken of


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal; argparse would load shutil to find out, with every argument declared."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=min(Page.of(sys.stdout).width, 100) - 2)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        """Paragraphs as wide as the rest of the help, and lists, whose lines are indented."""
        return "\n\n".join("\n".join(_filled(part, width, indent)) for part in text.split("\n\n"))


def _filled(part: str, width: int, indent: str) -> Iterator[str]:
    """A paragraph; of a list each entry that is too long, folded below what it says."""
    lines = part.splitlines()
    if not any(line.startswith(" ") for line in lines):
        yield from _folded(part, width, indent, indent)
        return
    for line in lines:
        entry = _ENTRY.match(line) if len(line) > width else None
        yield from _folded(line[entry.end() :], width, entry[0], " " * entry.end()) if entry else (line,)


def _folded(text: str, width: int, first: str, rest: str) -> list[str]:
    from textwrap import wrap  # a page knows how, and would load the language for it

    return wrap(text, width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)


class Parser(argparse.ArgumentParser):
    """An argument parser that raises an error with the nearest option instead of leaving the process."""

    def __init__(self, prog: str, description: str, epilog: str | None = None) -> None:
        super().__init__(
            prog=prog,
            description=description,
            epilog=epilog,
            allow_abbrev=False,
            formatter_class=Formatter,
        )

    _given: Sequence[str] = ()

    def parse(self, argv: Sequence[str]) -> argparse.Namespace:
        """The arguments, all of them understood."""
        self._given = argv
        known, unknown = self.parse_known_args(argv)
        if unknown:
            raise self._unknown(unknown[0])
        return known

    def error(self, message: str) -> NoReturn:
        """Raise argparse's complaint; a misspelt option is named before what it leaves missing."""
        for word in self._given:
            if "required" in message and word.startswith("-") and not self._knows(word):
                raise self._unknown(word)
        raise CommandError(message, self._see())

    def _knows(self, word: str) -> bool:
        return word in ("-", "--") or word.partition("=")[0] in self._option_string_actions

    def _unknown(self, word: str) -> CommandError:
        name = word.partition("=")[0]
        hint = did_you_mean(name, list(self._option_string_actions)) or self._see()
        return CommandError(f"unknown option `{name}`", hint)

    def declared(self) -> list[argparse.Action]:
        """The declared arguments, for the completion scripts."""
        return list(self._actions)

    def _see(self) -> str:
        return f"see `{self.prog} --help`"


def word(*known: str) -> Callable[[str], str]:
    """An argument type: one of these words."""

    def parse(text: str) -> str:
        if text in known:
            return text
        hint = did_you_mean(text, known) or f"one of {', '.join(known)}"
        raise argparse.ArgumentTypeError(f"`{text}` is not possible here; {hint}")

    return parse


def count(least: int = 0) -> Callable[[str], int]:
    """An argument type: a whole number, `10_000` and `1e6` included, of at least `least`."""

    def parse(text: str) -> int:
        from fractions import Fraction

        try:
            value = Fraction(text) if len(text) < 40 else None
        except (ValueError, ZeroDivisionError):
            value = None
        if value is None or value.denominator != 1 or value < least:
            raise argparse.ArgumentTypeError(f"`{text}` is not a whole number of at least {least}")
        return int(value)

    return parse


def choice(parser: argparse.ArgumentParser, option: str, known: Sequence[str], help: str) -> None:
    """Declare an option that takes one of a few words, the first being the default."""
    shown = "{" + ",".join(known) + "}"
    parser.add_argument(option, type=word(*known), choices=known, default=known[0], metavar=shown, help=help)


def files(parser: argparse.ArgumentParser) -> None:
    """Declare the files that a command reads."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="a .threat file, a folder of them, a glob, or - for standard input",
    )
    parser.add_argument(
        "-s", "--scenario", action="append", default=[], metavar="NAME", help="only the scenario of this name"
    )


def patience(text: str) -> float:
    """An argument type: a positive number of seconds."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"`{text}` is no number of seconds above 0")
    return value


def seconds(parser: argparse.ArgumentParser, what: str = "a scenario", default: float = 60.0) -> None:
    """Declare how long one scenario may take."""
    help = f"give up on {what} after so long (default: {default:g})"
    parser.add_argument("--seconds", type=patience, default=default, metavar="SECONDS", help=help)


def max_points(parser: argparse.ArgumentParser) -> None:
    """Declare the size of sweep that is refused."""
    help = "refuse larger sweeps (default: 100,000)"
    parser.add_argument("--max-points", type=count(1), default=100_000, metavar="COUNT", help=help)


def common(parser: argparse.ArgumentParser, formats: Sequence[str] = ()) -> None:
    """Declare what every command understands."""
    if formats:
        choice(parser, "--format", formats, "what to write on standard output (default: %(default)s)")
    choice(parser, "--color", ("auto", "always", "never"), "colours (default: %(default)s)")
    parser.add_argument("--debug", action="store_true", help="show the traceback of an internal failure")


def output(parser: argparse.ArgumentParser) -> None:
    """Where to write; `-` is standard output, as it is standard input of a file that is read."""
    said = "write here instead of standard output"
    parser.add_argument("-o", "--output", metavar="FILE", type=lambda path: None if path == "-" else path, help=said)
