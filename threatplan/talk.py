"""What `plan` says to people: faults, warnings and progress, all on standard error."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from threatplan.faults import BadInput, Fault
from threatplan.render.page import Page


def report_fault(fault: Fault | BadInput, arguments: Sequence[str]) -> int:
    """Say what is wrong, as text or (with `--format json`) as one JSON object; the exit code."""
    faults = fault.faults if isinstance(fault, BadInput) else (fault,)
    if _wants_json(arguments):
        _write_json([entry for one in faults for entry in one.to_json()])
    else:
        page = Page.of(sys.stderr, _color(arguments))
        print("\n\n".join(_text(one, page) for one in faults), file=sys.stderr)
    return max(getattr(one, "code", 2) for one in faults)


def _text(fault: Any, page: Page) -> str:
    if not isinstance(fault, Fault):
        return str(fault.render(color=page.color))
    lines = [f"{page.ink('plan: error:', 'bad')} {fault.message}"]
    if fault.hint:
        lines.append(f"{page.ink('hint:', 'dim')} {fault.hint}")
    return "\n".join(lines)


def _write_json(errors: list[dict[str, Any]]) -> None:
    import json

    print(json.dumps({"schema": 1, "errors": errors}, ensure_ascii=False), file=sys.stderr)


def _wants_json(arguments: Sequence[str]) -> bool:
    """Whether JSON was asked for, told without parsing: the arguments themselves may be what is wrong."""
    pairs = zip(arguments, arguments[1:], strict=False)
    return "--format=json" in arguments or ("--format", "json") in pairs


def _color(arguments: Sequence[str]) -> str:
    for option, value in zip(arguments, [*arguments[1:], ""], strict=True):
        if option == "--color" or option.startswith("--color="):
            return option.partition("=")[2] or value
    return "auto"
