"""`plan new [PRESET]`: a commented scenario to start from; `--ask` asks about the board and writes the answers down."""

from __future__ import annotations

import sys
from importlib.resources import files
from typing import TYPE_CHECKING

from threatplan.arguments import common, output, word
from threatplan.faults import DONE

if TYPE_CHECKING:
    import argparse

PRESETS = {
    "leaderboard": "a binary leaderboard, every figure yours to set",
    "kaggle": "a competition on a platform, with a secret part of the rows scored",
    "api": "an evaluation API that adds noise",
    "multiclass": "ten classes",
    "paper": "the paper's fixed-point setting, swept over its precision",
}
DESCRIPTION = "Write a commented scenario to start from; --ask asks a few questions instead.\n\npresets:\n" + "\n".join(
    f"  {name:<12} {summary}" for name, summary in PRESETS.items()
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "preset",
        nargs="?",
        default="leaderboard",
        type=word(*PRESETS),
        choices=PRESETS,
        metavar="PRESET",
        help="where to start (default: %(default)s)",
    )
    parser.add_argument("--ask", action="store_true", help="ask about the board, on standard error and standard input")
    output(parser)
    parser.add_argument("--force", action="store_true", help="replace FILE if it exists")
    common(parser)


def run(args: argparse.Namespace) -> int:
    """Write the template, or what was answered."""
    from threatplan.files import must_be_new, write_new

    if args.output is not None:
        must_be_new(args.output, args.force)
    text = _asked() if args.ask else template(args.preset)
    if args.output is None:
        print(text, end="")
        return DONE
    from dsl.visible import visible

    write_new(args.output, text, args.force)
    name = visible(args.output)
    print(f"wrote {name}; next: plan {name}", file=sys.stderr)
    return DONE


def template(preset: str) -> str:
    """The text of a preset's scenario."""
    return files("threatplan").joinpath("templates", f"{preset}.threat").read_text(encoding="utf-8")


def _asked() -> str:
    from threatplan.asking import interview

    return interview(sys.stdin, sys.stderr)
