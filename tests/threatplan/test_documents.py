"""The documents do what they say: commands run, shown output is real, links lead somewhere.

A marker before a fenced block says what is done with it: `<!-- run -->` executes each line of it,
`<!-- output: COMMAND -->` compares it with what the command prints, `<!-- file: PATH -->` with a file, and
`<!-- python -->` executes it; `<!-- table: COMMAND -->` holds the table that the command writes, up to
`<!-- end -->`. UPDATE_GOLDEN=1 rewrites what is shown.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from planner.theory import entries

ROOT = Path(__file__).parent.parent.parent
DOCUMENTS = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")] + sorted(
    (ROOT / "docs").rglob("*.md")
)
BLOCK = re.compile(r"<!-- (run|output|file|python)(?:: ([^\n]*))? -->\n```\w*\n(.*?)```", re.DOTALL)
TABLE = re.compile(r"<!-- (table): ([^\n]*) -->\n(.*?)<!-- end -->", re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)#:]+)(?:#[^)]*)?\)")


class Block(NamedTuple):
    document: Path
    kind: str
    argument: str
    body: str


def blocks(*kinds: str) -> list[Block]:
    return [
        Block(document, match[1], match[2] or "", match[3])
        for document in DOCUMENTS
        for pattern in (BLOCK, TABLE)
        for match in pattern.finditer(document.read_text(encoding="utf-8"))
        if match[1] in kinds
    ]


def named(block: Block) -> str:
    return f"{block.document.name}-{(block.argument or block.body.splitlines()[0])[:40]}"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the examples in it and `plan` on its path."""
    folder = tmp_path_factory.mktemp("documents")
    (folder / "examples").symlink_to(ROOT / "examples")
    (folder / "bin").mkdir()
    script = folder / "bin" / "plan"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -m threatplan "$@"\n')
    script.chmod(0o755)
    return folder


def execute(line: str, place: Path) -> subprocess.CompletedProcess[str]:
    path = f"{place / 'bin'}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "COLUMNS": "100", "NO_COLOR": "1"}
    return subprocess.run(["bash", "-c", line], cwd=place, env=env, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("document", sorted({one.document for one in blocks("run")}), ids=lambda path: path.name)
def test_commands_run(document: Path, place: Path) -> None:
    """One after the other, as somebody reads them: what one writes the next may use."""
    for line in "".join(one.body for one in blocks("run") if one.document == document).splitlines():
        done = execute(line, place)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize("block", blocks("output"), ids=named)
def test_output_is_what_is_shown(block: Block, place: Path) -> None:
    done = execute(block.argument, place)
    assert done.returncode in (0, 1), done.stderr
    compare(block, done.stdout.strip("\n") + "\n")


@pytest.mark.parametrize("block", blocks("table"), ids=named)
def test_tables_are_what_the_command_makes(block: Block, place: Path) -> None:
    done = execute(block.argument, place)
    assert done.returncode == 0, done.stderr
    compare(block, "".join(f"{line}\n" for line in done.stdout.splitlines() if line.startswith("|")))


@pytest.mark.parametrize("block", blocks("file"), ids=named)
def test_files_are_what_is_shown(block: Block) -> None:
    compare(block, (ROOT / block.argument).read_text(encoding="utf-8"))


def compare(block: Block, actual: str) -> None:
    if os.environ.get("UPDATE_GOLDEN") and block.body != actual:
        text = block.document.read_text(encoding="utf-8")
        marker = text.index(f"<!-- {block.kind}: {block.argument} -->")
        fence = marker if block.kind == "table" else text.index("```", marker)
        start = text.index("\n", fence) + 1
        text = text[:start] + actual + text[start + len(block.body) :]
        block.document.write_text(text, encoding="utf-8")
        return
    assert block.body == actual


@pytest.mark.parametrize("block", blocks("python"), ids=named)
def test_python_runs(block: Block, place: Path) -> None:
    (place / "example.py").write_text(block.body, encoding="utf-8")
    done = execute(f"{sys.executable} example.py", place)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    targets = LINK.findall(document.read_text(encoding="utf-8"))
    missing = [target for target in targets if not (document.parent / target).exists()]
    assert missing == []


def test_the_theory_is_documented_whole() -> None:
    pages = [ROOT / "docs/theory.md", *(ROOT / "docs/theory").glob("*.md")]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    described = [one.id for one in entries() if one.kind != "problem"]
    assert [id for id in described if f"`{id}`" not in text] == []


def test_the_test_command_is_where_ci_looks_for_it() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    at = lines.index("<!-- test-command -->")
    assert lines[at + 1] == "```sh"
    assert "pytest" in lines[at + 2]
    assert lines[at + 3] == "```"
