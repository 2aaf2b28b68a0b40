"""docs/performance.md, made from the benchmarks: `python -m benchmarks report`.

Every benchmark runs in a process of its own; one that offers more than lines of text gets a table.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.__main__ import APART
from benchmarks.__main__ import NAMES as ALL
from benchmarks.queries import HEAD, Point, rows
from benchmarks.tightness import HEAD as TIGHTNESS_HEAD
from benchmarks.tightness import Row
from benchmarks.tightness import rows as tightness_rows

HERE = Path(__file__).parent
ROOT = HERE.parent
NAMES = ["queries", *(name for name in ALL if name not in (*APART, "queries"))]
PAGE = ROOT / "docs" / "performance.md"
SHOWN = (100, 1372, 25_000, 1_000_000)  # of the grid, on the page; JSON has all of it
Data = dict[str, Any]


def collect(names: Sequence[str]) -> Data:
    """What every benchmark says, as data where the page has a table for it, else as its lines."""
    found: Data = {}
    for name in names:
        print(f"benchmarks: {name} ...", file=sys.stderr, flush=True)
        if name in TABLES:
            found |= json.loads(_run(name, "--format", "json"))
        else:
            found[name] = _run(name).splitlines()
    return found


def _run(*arguments: str) -> str:
    """A benchmark's own lines."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode not in (0, 1) or not done.stdout:
        raise RuntimeError(f"benchmark {arguments[0]}: {done.stderr}")
    if done.returncode:
        print(f"benchmarks: {arguments[0]} misses its mark", file=sys.stderr)
    return "\n".join(line for line in done.stdout.splitlines() if not line.startswith("== "))


def page(found: Data) -> Iterator[str]:
    """The page, line by line."""
    yield "# Performance"
    yield ""
    yield "Made by `python -m benchmarks report`. What each figure is measured against was measured in the same run, since"
    yield "a time by itself says more about a machine than about the program."
    for name, data in found.items():
        yield from TABLES.get(name, _marked if name in MARKED else _lines)(name, data)


def _queries(name: str, data: Any) -> Iterator[str]:
    text = (
        "Clip 1e-15, a column for each class, d decimals shown. First the best attack and the bound for any attack, then "
        "the best that lists its queries beforehand and the bound for such, then the paper's claim as printed and its "
        "ratio to the best attack: below 1 it promises what is not certified. `python -m benchmarks queries` has the "
        "whole grid and every attack."
    )
    yield from _section("Queries", text)
    points = [Point(**{key: value for key, value in one.items() if key != "ratios"}) for one in data]
    yield from _table(HEAD, rows([one for one in points if one.N in SHOWN]))


def _tightness(name: str, data: Any) -> Iterator[str]:
    text = (
        f"{data[-1]['boards']:,} realistic boards, planned once each: which verdicts stay unknown, and quartiles of the "
        "fewest queries of a certified attack over the best lower bound, with the energy limit I6 and as the other limits "
        "alone would have it. `python -m benchmarks tightness` says what the boards are; `--scenarios N` takes fewer. "
        "Without the attacks on rows that need not sum to 1 the unknown shares with I6 were 7.3 %, 10.8 % and 12.0 %, of all "
        "boards 10.0 %. [Where the rest is](theory/limits.md#unknown)."
    )
    yield from _section("Tightness", text)
    yield from _table(TIGHTNESS_HEAD, tightness_rows([Row(**one) for one in data]))


def _campaign(name: str, data: Any) -> Iterator[str]:
    yield from _section("Campaign throughput", "The same random scenarios; what one worker holds early and late.")
    head = ("jobs", "throughput over one job", "MiB when warm", "MiB at the end")
    figures = ("jobs", "ratio", "warm_mib", "last_mib")
    yield from _table(head, [[str(one[figure]) for figure in figures] for one in data])


def _cold(name: str, data: Any) -> Iterator[str]:
    text = "From nothing to the answer, as a multiple of `python -c pass`: processor time, the least of some rounds."
    yield from _section("Cold start", text)
    yield from _table(("command", "ratio"), [[f"`{command}`", f"{ratio:.1f}"] for command, ratio in data.items()])


def _lines(name: str, data: Any) -> Iterator[str]:
    """A benchmark that has no table here: its own first words, and its lines as they are."""
    first = (import_module(f"benchmarks.{name}").__doc__ or "").strip().split("\n\n")[0]
    yield from _section(name.capitalize(), " ".join(first.split()))
    yield from ("```text", *(line.rstrip() for line in data), "```")


def _marked(name: str, data: Any) -> Iterator[str]:
    """A benchmark whose lines are a table already: under its own words."""
    words = " ".join((import_module(f"benchmarks.{name}").__doc__ or "").split())
    yield from _section(name.capitalize(), f"{words} `python -m benchmarks {name}`.")
    yield from (line.rstrip() for line in data)


MARKED = ("guesses",)
TABLES: dict[str, Callable[[str, Any], Iterator[str]]] = {
    "queries": _queries,
    "tightness": _tightness,
    "campaign": _campaign,
    "cold": _cold,
}


def _section(title: str, text: str) -> Iterator[str]:
    yield from ("", f"## {title}", "", text, "")


def _table(head: Sequence[str], body: Any) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    yield from (f"| {' | '.join(cells)} |" for cells in body)


def main(argv: Sequence[str] = ()) -> int:
    """Run everything and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks report", description=__doc__)
    parser.add_argument("names", nargs="*", default=NAMES, metavar="NAME", help="benchmarks (default: all)")
    parser.add_argument("--json", metavar="FILE", help="keep what was measured in this file too")
    parser.add_argument("--from", dest="source", metavar="FILE", help="write the page from such a file")
    args = parser.parse_args(argv)
    found = json.loads(Path(args.source).read_text(encoding="utf-8")) if args.source else collect(args.names)
    if args.json:
        Path(args.json).write_text(json.dumps(found), encoding="utf-8")
    PAGE.write_text("\n".join(page(found)) + "\n", encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
