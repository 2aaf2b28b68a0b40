"""The site shows the examples that pages link to: they stand beside this folder, where a site cannot reach."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

EXAMPLES = Path(__file__).parent.parent / "examples"
LINK = re.compile(r"\]\((?P<up>(?:\.\./)+)examples/(?P<name>[^)#]+\.\w+)\)")


def on_files(files: Files, config: Any) -> Files:
    """Adds each example, as text that a browser shows."""
    for path in sorted(EXAMPLES.rglob("*.*")):
        if path.suffix in (".threat", ".py"):
            uri = f"examples/{path.relative_to(EXAMPLES).as_posix()}.txt"
            files.append(File.generated(config, uri, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Links to a file beside the folder, to what the site has of it: one step less up."""
    return LINK.sub(lambda found: f"]({found['up'][3:]}examples/{found['name']}.txt)", markdown)
