"""Turn grammar.lark into tables.py: `python -m dsl.generate`, or `--check` to see that they agree.

Lark does the LALR analysis here, when the grammar changes, and not each time a file is read: importing Lark
costs more than four bare interpreters, and its own cache unpickles a file from a shared directory. What is
shipped is plain data that anyone can read.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
HEADER = '''"""The LALR tables of grammar.lark, made by `python -m dsl.generate`; not to be edited by hand."""

# ruff: noqa: E501

'''


def tables() -> str:
    """The text of tables.py for the grammar as it stands."""
    from lark import Lark
    from lark.grammar import Rule
    from lark.lexer import TerminalDef

    grammar = (HERE / "grammar.lark").read_text(encoding="utf-8")
    lark = Lark(grammar, parser="lalr", lexer="contextual", start="file", keep_all_tokens=True)
    data, memo = lark.memo_serialize([TerminalDef, Rule])
    parser = data["parser"]["parser"]
    rules, numbers = _rules(memo)
    moves = {key: _state(parser, numbers, key) for key in parser["states"]}
    order = _order(moves, parser["start_states"]["file"])
    states = [{symbol: order[move] if move >= 0 else move for symbol, move in moves[key].items()} for key in order]
    parts = {
        "TERMINALS": _terminals(lark.terminals),
        "RULES": rules,
        "STATES": states,
        "END": order[parser["end_states"]["file"]],
    }
    return HEADER + "".join(_assignment(name, value) for name, value in parts.items())


def _order(moves: dict[int, dict[str, int]], start: int) -> dict[int, int]:
    """New numbers for the states, in the order in which they are reached: Lark's own vary from run to run."""
    order = {start: 0}
    queue = [start]
    for state in queue:
        for move in moves[state].values():
            if move >= 0 and move not in order:
                order[move] = len(order)
                queue.append(move)
    return order


def _assignment(name: str, value: object) -> str:
    """One constant of the file, a row a line."""
    if isinstance(value, int):
        return f"{name}: int = {value}\n"
    assert isinstance(value, list)
    kinds = {
        "TERMINALS": "list[tuple[str, str]]",
        "RULES": "list[tuple[str, int, str]]",
        "STATES": "list[dict[str, int]]",
    }
    rows = "".join(f"    {row!r},\n" for row in value)
    return f"# fmt: off\n{name}: {kinds[name]} = [\n{rows}]\n# fmt: on\n"


def _terminals(definitions: Any) -> list[tuple[str, str]]:
    """(name, pattern), longest spelling first, without what the grammar ignores or only declares."""
    kept = [d for d in definitions if not d.name.startswith("__")]
    kept.sort(key=lambda d: (-d.pattern.max_width, -len(d.pattern.value), d.name))
    return [(d.name, _plain(d.pattern.to_regexp())) for d in kept]


def _plain(pattern: str) -> str:
    """A pattern without the escapes that Python's own `re.escape` adds to harmless characters."""
    return re.sub(r"\\([=<>:;,{}/%\-])", r"\1", pattern)


def _rules(memo: dict[int, Any]) -> tuple[list[tuple[str, int, str]], dict[int, int]]:
    """(what it makes, how many symbols it takes, its action) of each rule, and Lark's numbers for them."""
    rules: list[tuple[str, int, str]] = []
    numbers: dict[int, int] = {}
    for key, item in sorted(memo.items()):
        if item["__type__"] == "Rule":
            numbers[key] = len(rules)
            rules.append((item["origin"]["name"], len(item["expansion"]), item["alias"]))
    return rules, numbers


def _state(parser: dict[str, Any], numbers: dict[int, int], key: int) -> dict[str, int]:
    """Symbol -> n to go to state n, or ~r to reduce by rule r."""
    tokens, row = parser["tokens"], parser["states"][key]
    moves = {
        tokens[token].lstrip("$"): arg if action == 0 else ~numbers[arg["@"]] for token, (action, arg) in row.items()
    }
    return dict(sorted(moves.items()))


def main(argv: list[str] | None = None) -> int:
    """Write tables.py, or with --check say whether it is what the grammar gives."""
    options = argparse.ArgumentParser(prog="python -m dsl.generate", description=__doc__.splitlines()[0])
    options.add_argument("--check", action="store_true", help="write nothing; fail when the tables are stale")
    arguments = options.parse_args(argv)
    target, text = HERE / "tables.py", tables()
    if not arguments.check:
        target.write_text(text, encoding="utf-8")
        return 0
    if target.read_text(encoding="utf-8") != text:
        print("dsl/tables.py does not match dsl/grammar.lark: run `python -m dsl.generate`", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
