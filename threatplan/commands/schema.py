"""`plan schema NAME`: the JSON Schema of what a command writes with --format json."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from threatplan.arguments import common, word
from threatplan.faults import DONE

if TYPE_CHECKING:
    import argparse

SCHEMAS = (
    *("plan", "check", "sweep", "harden", "diff", "run", "verify", "explain", "graph", "campaign"),
    "faults",  # on standard error
)
DESCRIPTION = """Write the JSON Schema of a command's JSON.

`plan schema plan` is that of `plan FILE --format json`; `faults` is what all commands write on standard error."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    shown = "{" + ",".join(SCHEMAS) + "}"
    parser.add_argument("name", type=word(*SCHEMAS), choices=SCHEMAS, metavar=shown, help="the command")
    common(parser)


def run(args: argparse.Namespace) -> int:
    """Write the schema."""
    print(schema(args.name), end="")
    return DONE


def schema(name: str) -> str:
    """The text of a schema."""
    return files("threatplan").joinpath("schemas", f"{name}.json").read_text(encoding="utf-8")
