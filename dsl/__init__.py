"""The language: from `.threat` text to checked scenarios. Nothing here knows about attacks.

The names below are loaded when they are first used, so that `import dsl` costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dsl.diagnostics import Diagnostic, ThreatError
    from dsl.layout import format_text
    from dsl.reading import Checked, check, check_file, load, loads
    from dsl.scenario import Scenario
    from dsl.spans import Span
    from dsl.writing import source

__all__ = [
    "Checked",
    "Diagnostic",
    "Scenario",
    "Span",
    "ThreatError",
    "check",
    "check_file",
    "format_text",
    "load",
    "loads",
    "source",
]

_HOMES = {
    "Checked": "dsl.reading",
    "Diagnostic": "dsl.diagnostics",
    "Scenario": "dsl.scenario",
    "Span": "dsl.spans",
    "ThreatError": "dsl.diagnostics",
    "check": "dsl.reading",
    "check_file": "dsl.reading",
    "format_text": "dsl.layout",
    "load": "dsl.reading",
    "loads": "dsl.reading",
    "source": "dsl.writing",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'dsl' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
