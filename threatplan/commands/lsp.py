"""`plan lsp`: the language server, over standard input and output."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from threatplan.arguments import common, seconds
from threatplan.faults import DONE, missing

if TYPE_CHECKING:
    import argparse

DESCRIPTION = "Serve editors over standard input and output: diagnostics, hover, completion, formatting."


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--stdio", action="store_true", help="the default, and the only way; editors pass it")
    seconds(parser, "the verdict in a hover", 2.0)
    common(parser)


def run(args: argparse.Namespace) -> int:
    """Serve until the editor leaves."""
    try:
        import pygls  # noqa: F401
    except ImportError:
        raise missing("the language server", "pygls", "lsp") from None
    from threatplan.language.server import server

    server.seconds = args.seconds
    # The server closes its output when the editor leaves; ours must outlive it.
    server.start_io(sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb"))
    return DONE
