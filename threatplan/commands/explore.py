"""`plan explore [FILE]`: the explorer, in the terminal or in a browser."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from threatplan.arguments import common, count
from threatplan.faults import CommandError, missing

if TYPE_CHECKING:
    import argparse

DESCRIPTION = "Turn the knobs of a scenario and see which attacks live and die, and why."


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", nargs="?", metavar="FILE", help="a .threat file to open")
    parser.add_argument("--serve", action="store_true", help="show it in a browser, on this machine only")
    parser.add_argument("--port", type=count(1), default=8000, metavar="NUMBER", help="for --serve (default: 8000)")
    common(parser)


def run(args: argparse.Namespace) -> int:
    """Open the explorer."""
    if args.serve:
        _must_serve()
        from tui.serve import serve

        return serve(args.file, args.port)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise CommandError("the explorer needs a terminal", "for a browser: plan explore --serve")
    from tui.app import run as explore

    return explore(args.file)


def _must_serve() -> None:
    try:
        import textual_serve  # noqa: F401
    except ImportError:
        raise missing("the browser version", "textual-serve", "serve") from None
