"""The language: from `.threat` text to checked scenarios. Nothing here knows about attacks.

The names below are loaded when they are first used, so that `import dsl` costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dsl.diagnostics import Diagnostic, ThreatError
    from dsl.pipeline import Checked, check, check_file, load, loads
    from dsl.reading.spans import Span
    from dsl.scenario import Scenario
    from dsl.writing.layout import format_text
    from dsl.writing.source import source

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
    "Checked": "dsl.pipeline",
    "Diagnostic": "dsl.diagnostics",
    "Scenario": "dsl.scenario",
    "Span": "dsl.reading.spans",
    "ThreatError": "dsl.diagnostics",
    "check": "dsl.pipeline",
    "check_file": "dsl.pipeline",
    "format_text": "dsl.writing.layout",
    "load": "dsl.pipeline",
    "loads": "dsl.pipeline",
    "source": "dsl.writing.source",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'dsl' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
