"""No module is imported, on whatever way, by what it imports. Imports inside functions count, those for types do not."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("dsl", "planner", "backends", "threatplan", "tui")


def modules() -> dict[str, str]:
    """The text of every module by its name."""
    files = [file.relative_to(ROOT) for package in PACKAGES for file in (ROOT / package).rglob("*.py")]
    return {".".join(file.with_suffix("").parts).removesuffix(".__init__"): (ROOT / file).read_text() for file in files}


def nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """All of a module but what only type checkers read."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        yield node
        yield from nodes(node)


@cache
def imported(text: str) -> tuple[tuple[str, str], ...]:
    """What a text imports: of `from a import b` a.b, if that is a module, and else a."""
    found: list[tuple[str, str]] = []
    for node in nodes(ast.parse(text)):
        if isinstance(node, ast.ImportFrom):
            found += [(f"{node.module}.{each.name}", str(node.module)) for each in node.names]
        elif isinstance(node, ast.Import):
            found += [(each.name, each.name) for each in node.names]
    return tuple(found)


def sort(texts: dict[str, str]) -> list[str]:
    graph = {
        name: {inner if inner in texts else outer for inner, outer in imported(text)} & texts.keys() - {name}
        for name, text in texts.items()
    }
    return list(TopologicalSorter(graph).static_order())


def test_no_import_comes_back():
    texts = modules()
    assert len(texts) > 500
    order = sort(texts)
    assert order.index("dsl.scenario") < order.index("dsl.checking.points")


def test_an_import_inside_a_function_that_comes_back_is_found():
    scenario = (
        modules()["dsl.scenario"] + "\n\ndef late():\n    from dsl.checking.points import points\n    return points\n"
    )
    with pytest.raises(CycleError, match=r"dsl\.scenario"):
        sort(modules() | {"dsl.scenario": scenario})
