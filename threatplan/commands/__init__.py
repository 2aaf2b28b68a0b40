"""The commands of `plan`, one file each; a command's file is read only when it is used.

Each offers `DESCRIPTION`, `configure(parser)`, which declares its arguments, and `run(args) -> int`, which
does the work and returns the exit code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    import argparse

    from threatplan.arguments import Parser

COMMANDS = {
    "run": "simulate the best plan, or one that you choose, and report its accuracy",
    "verify": "reports proved again from their JSON alone",
    "check": "expectations as a gate: exit 1 when one does not hold",
    "sweep": "the table, and on request a plot, over the scenario's sweeps",
    "campaign": "many scenarios planned, simulated and checked; resumes when killed",
    "diff": "what a change of configuration does: OLD and NEW side by side",
    "harden": "settings at which recovery becomes impossible, what asks least of everybody first",
    "report": "one page of HTML to show to whoever decides",
    "explain": "a theorem, attack, limit, erratum, error code, or any word that a report prints",
    "fmt": "the canonical form, comments kept",
    "explore": "the explorer, in the terminal or in a browser",
    "new": "a commented scenario to start from",
    "import": "a platform's own configuration file as a commented scenario",
    "graph": "the theory as a graph, for other tools",
    "schema": "the JSON Schema of what a command writes as JSON",
    "completion": "completion for bash, zsh or fish",
    "lsp": "the language server, for editors",
}
DEFAULT = "plan"  # `plan FILE`, without a command


class Command(Protocol):
    """What a command's file offers."""

    DESCRIPTION: str

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Declare the arguments."""
        ...

    def run(self, args: argparse.Namespace) -> int:
        """Do the work; the exit code."""
        ...


def load(name: str) -> tuple[Command, Parser]:
    """The command of this name, and the parser of its arguments."""
    from importlib import import_module
    from keyword import iskeyword

    from threatplan.arguments import Parser

    file = f"{name}_" if iskeyword(name) else name
    command = cast(Command, import_module(f"{__name__}.{file}"))
    parser = Parser("plan" if name == DEFAULT else f"plan {name}", command.DESCRIPTION)
    command.configure(parser)
    return command, parser
