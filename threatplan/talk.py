"""What `plan` says to people: faults, warnings and progress, all on standard error."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from threatplan.faults import CommandError, InputError
from threatplan.render.page import Page

if TYPE_CHECKING:
    from dsl import Diagnostic


def report_fault(fault: CommandError | InputError, arguments: Sequence[str]) -> int:
    """Say what is wrong, as text or (with `--format json`) as one JSON object; the exit code."""
    faults = fault.faults if isinstance(fault, InputError) else (fault,)
    if _wants_json(arguments):
        _write_json([entry for one in faults for entry in one.to_json()], "errors")
    else:
        page = Page.of(sys.stderr, _color(arguments))
        print("\n\n".join(_text(one, page) for one in faults), file=sys.stderr)
    return max(getattr(one, "code", 2) for one in faults)


def warn(warnings: Sequence[Diagnostic], as_json: bool, color: str) -> None:
    """Say what is legal but surely meant otherwise."""
    if as_json:
        _write_json([one.to_json() for one in warnings], "warnings")
        return
    page = Page.of(sys.stderr, color)
    for one in warnings:
        print(one.render(page.color), file=sys.stderr)


def _text(fault: Any, page: Page) -> str:
    if not isinstance(fault, CommandError):
        return str(fault.render(page.color)).rstrip("\n")
    from dsl.visible import visible

    said = "plan:" if fault.calm else page.ink("plan: error:", "bad")
    lines = [f"{said} {visible(fault.message)}"]
    if fault.hint:
        lines.append(f"{page.ink('hint:', 'dim')} {visible(fault.hint)}")
    return "\n".join(lines)


def _write_json(entries: list[dict[str, Any]], kind: str) -> None:
    from dsl.visible import json_text

    print(json_text({"schema": 1, kind: entries}), file=sys.stderr)


def _wants_json(arguments: Sequence[str]) -> bool:
    """Whether JSON was asked for, told without parsing: the arguments themselves may be what is wrong."""
    return "--format=json" in arguments or ("--format", "json") in pairwise(arguments)


def _color(arguments: Sequence[str]) -> str:
    for option, value in zip(arguments, [*arguments[1:], ""], strict=True):
        if option == "--color" or option.startswith("--color="):
            return option.partition("=")[2] or value
    return "auto"
