"""A report as a file, in the format that the file's ending names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from dsl.visible import json_text
from tui.document import FileFault, write

if TYPE_CHECKING:
    from planner.report import Report

ENDINGS = (".json", ".md", ".svg")


def export(path: Path, report: Report, picture: Callable[[], str]) -> None:
    """Write the report as JSON or Markdown, or the screen as SVG; raises FileFault."""
    match path.suffix.lower():
        case ".json":
            from planner.report import SCHEMA
            from threatplan.render.json import finite

            document = {"schema": SCHEMA, "scenarios": [finite(report.to_json())]}
            text = json_text(document, indent=2) + "\n"
        case ".md":
            text = markdown(report)
        case ".svg":
            text = picture()
        case other:
            raise FileFault(f"{other or path.name!r} is no format; the name must end in {', '.join(ENDINGS)}")
    write(path, text)


def markdown(report: Report) -> str:
    """The report as the command line writes it."""
    from threatplan.render.markdown import render

    return "\n".join(render(report, explain=True)) + "\n"
