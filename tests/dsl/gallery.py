"""The gallery of wrong and right files: `python -m tests.dsl.gallery` rewrites what each is expected to give.

A wrong file stands beside the text that is shown for it, a right one beside the scenarios that it means.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any

import dsl
from dsl.diagnostics import SHOWN
from dsl.numbers import Real
from dsl.rendering import render_all

GALLERY = Path(__file__).parent.parent / "gallery"
POINTS = 12  # of a sweep that are written out


def wrong() -> list[Path]:
    return sorted((GALLERY / "wrong").glob("*.threat"))


def right() -> list[Path]:
    return sorted((GALLERY / "right").glob("*.threat"))


def rendering(path: Path) -> str:
    """What is shown for a file: its faults, or else its warnings."""
    try:
        warnings = dsl.check(path.read_bytes(), path.name).warnings
    except dsl.ThreatError as error:
        return error.render(color=False)
    return render_all(warnings, SHOWN, color=False)


def meaning(path: Path) -> str:
    """The scenarios of a file, readable and in full, with where each value came from."""
    return json.dumps([_scenario(each) for each in dsl.loads(path.read_bytes(), path.name)], indent=2) + "\n"


def _scenario(scenario: dsl.Scenario) -> dict[str, Any]:
    hidden = ("file", "origins", "definition", "expand", "sweeps", "formulas", "title", "expectations", "name")
    shown = [each for each in dataclasses.fields(scenario) if each.name not in hidden]
    fields = {each.name: f"{_text(getattr(scenario, each.name))} ({_origin(scenario, each.name)})" for each in shown}
    found: dict[str, Any] = {"name": scenario.name, "title": scenario.title, **fields}
    found["expectations"] = [_text(each) for each in scenario.expectations]
    if scenario.sweeps:
        found["sweeps"] = [f"{sweep.field} = {sweep.text} ({sweep.size} points)" for sweep in scenario.sweeps]
        found["formulas"] = [f"{field} = {text or '(follows)'}" for field, text in scenario.formulas]
        found["points"] = [_point(point) for point, _ in zip(scenario.points(), range(POINTS), strict=False)]
    return found


def _point(point: dsl.Scenario) -> str:
    names = sorted({field for field, origin in point.origins.items() if origin.kind == "sweep"} | {"queries", "clip"})
    names = ["shown" if name == "decimals" else name for name in names if name != "shown"]
    return f"{point.name}: " + ", ".join(f"{name} {_text(getattr(point, name))}" for name in names)


def _origin(scenario: dsl.Scenario, name: str) -> str:
    return scenario.origins[name].source


def _text(value: Any) -> str:
    if isinstance(value, Real):
        return str(value)
    if isinstance(value, Fraction | int | str | Enum) or value is None:
        return str(value)
    parts = ", ".join(_text(getattr(value, each.name)) for each in dataclasses.fields(value))
    return f"{type(value).__name__}({parts})"


def main() -> int:
    for path in wrong():
        path.with_suffix(".expected").write_text(rendering(path), encoding="utf-8")
    for path in right():
        path.with_suffix(".expected").write_text(meaning(path), encoding="utf-8")
    print(f"{len(wrong())} wrong and {len(right())} right files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
