"""`plan import FILE`: a platform's own configuration file as a commented scenario."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from threatplan.arguments import common, count, output
from threatplan.faults import DONE, CommandError

if TYPE_CHECKING:
    import argparse

    from threatplan.importing.board import Board

DESCRIPTION = """Write the scenario that a platform's own configuration file describes.

Read are competition.yaml (Codabench, CodaLab), challenge_config.yaml (EvalAI), conf.json (Hugging Face competitions) and a
phase of Grand Challenge as JSON. What the file does not say, the number of rows above all, becomes a comment to fill in."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", metavar="FILE", help="the configuration file")
    parser.add_argument("--rows", type=count(1), metavar="N", help="rows that the score is computed on")
    output(parser)
    parser.add_argument("--force", action="store_true", help="replace the output if it exists")
    common(parser)


def run(args: argparse.Namespace) -> int:
    """Read the file, write the scenario."""
    from pathlib import Path

    from dsl.visible import visible
    from threatplan.files import write_new
    from threatplan.importing.writing import planned, written

    board = read(args.file)
    if not planned(board):
        shown = dict.fromkeys(column.name for phase in board.phases for column in phase.columns)
        raise CommandError(
            f"{visible(args.file)}: no phase shows a metric that the language knows", _shown(list(shown))
        )
    text = written(board, Path(args.file).name, args.rows)
    if args.output is None:
        print(text, end="")
        return DONE
    write_new(args.output, text, args.force)
    name = visible(args.output)
    todo = (
        "" if args.rows or all(phase.rows for phase in planned(board)) else "fill in N (or write it with --rows), then "
    )
    print(f"wrote {name}; next: {todo}plan {name}", file=sys.stderr)
    return DONE


def read(path: str) -> Board:
    """The board that a file describes, by the platform whose keys it has."""
    from threatplan.importing import codabench, codalab, evalai, grand_challenge, huggingface
    from threatplan.importing.board import Part, Platform
    from threatplan.importing.loading import load

    data = load(path)
    if not isinstance(data, dict):
        raise CommandError(f"{path}: expected keys with values", "a platform's configuration is a mapping")
    part = Part(data)
    platforms: tuple[Platform, ...] = (codabench, codalab, evalai, huggingface, grand_challenge)
    for platform in platforms:
        if platform.fits(part):
            return platform.read(part)
    known = "; ".join(f"{platform.NAME}: {platform.FILE}" for platform in platforms)
    raise CommandError(f"{path}: the configuration of no platform that is known here", known)


def _shown(names: list[str]) -> str:
    from threatplan.importing.writing import plain

    return f"it shows {', '.join(map(plain, names[:8]))}" if names else "it shows no metric at all"
