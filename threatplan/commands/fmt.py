"""`plan fmt FILE...`: the canonical form, comments kept."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from threatplan.arguments import common
from threatplan.faults import DONE, UNMET, CommandError, InputError

if TYPE_CHECKING:
    import argparse

    from dsl import ThreatError

DESCRIPTION = """Rewrite files in the canonical form; comments stay.

Standard input (-) is formatted to standard output. A file that cannot be understood is left as it is."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a .threat file, a folder, a glob, or -")
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 if a file would change")
    parser.add_argument("--diff", action="store_true", help="change nothing; show what would change")
    common(parser)


def run(args: argparse.Namespace) -> int:
    """Format each file."""
    from dsl import ThreatError
    from threatplan.inputs import paths

    changed = 0
    faults: list[CommandError | ThreatError] = []
    for path in paths(args.files, faults):
        try:
            changed += _format(path, args)
        except ThreatError as error:
            faults.append(error)
    if faults:
        raise InputError(faults)
    return UNMET if changed and args.check else DONE


def _format(path: str, args: argparse.Namespace) -> bool:
    """Format one file; whether that changes it."""
    from dsl import format_text
    from dsl.reading.text import read
    from dsl.visible import visible
    from threatplan.inputs import STDIN

    source = read(path)
    after = format_text(source.text, source.file)
    changed = after != source.text
    if args.diff:
        _show(source.text, after, source.file)
    elif path == STDIN and not args.check:
        print(after if not sys.stdout.isatty() else "\n".join(map(visible, after.split("\n"))), end="")
    elif changed and args.check:
        print(f"would reformat {visible(source.file)}", file=sys.stderr)
    elif changed:
        _write(path, after)
    return changed


def _write(path: str, text: str) -> None:
    from dsl.visible import visible
    from threatplan.files import write_atomically

    write_atomically(path, text)
    print(f"reformatted {visible(path)}", file=sys.stderr)


def _show(before: str, after: str, name: str) -> None:
    from difflib import unified_diff

    from dsl.visible import visible

    old, new = (text.removesuffix("\n").split("\n") for text in (before, after))  # nothing else ends a line here
    for line in unified_diff(old, new, name, f"{name} (formatted)", lineterm=""):
        print(visible(line))
