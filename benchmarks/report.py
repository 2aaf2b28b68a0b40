"""docs/performance.md, made from the benchmarks: `python -m benchmarks report`.

Every benchmark runs in a process of its own. What they measure against stands beside each figure, because it was
measured in the same run; absolute times say more about a machine than about the program and are left out of tables.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.queries import HEAD, Point, rows

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "performance.md"
SHOWN = (100, 1372, 25_000, 1_000_000)  # of the grid, on the page; JSON has all of it
Data = dict[str, Any]


def collect() -> Data:
    """What every benchmark says, as data where it offers data, else as its lines."""
    found: Data = {}
    for name in ("queries", "campaign", "cold"):
        found |= json.loads(_run(name, "--format", "json"))
    for name in ("decode", "exact"):
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
    yield "Made by `python -m benchmarks report`; every figure is a ratio of two measurements of one run."
    yield from _queries(found)
    yield from _section("Planning latency", "The median time to plan a point of the grid, over that for N = 100.")
    yield from _table(("N", "ratio"), [[f"{int(N):,}", f"{ratio:.3g}"] for N, ratio in found["latency"].items()])
    yield from _section(
        "Campaign throughput", "The same random scenarios; what one worker process holds early and late."
    )
    yield from _table(
        ("jobs", "throughput over one job", "MiB when warm", "MiB at the end"),
        [
            [str(one["jobs"]), f"{one['ratio']:.2f}", str(one["warm_mib"]), str(one["last_mib"])]
            for one in found["campaign"]
        ],
    )
    yield from _section("Cold start", "From nothing to the answer, as a multiple of `python -c pass`.")
    yield from _table(("command", "ratio"), [[f"`{name}`", f"{ratio:.1f}"] for name, ratio in found["cold"].items()])
    yield from _section("Decoding", "25,000 labels, against one numpy log-loss pass over them.")
    yield from _block(found["decode"])
    yield from _section("Exact arithmetic", "Theorem 1 end to end, against one exponential and one logarithm.")
    yield from _block(found["exact"])


def _queries(found: Data) -> Iterator[str]:
    text = (
        "Clip 1e-15, a column for each class, d decimals shown. First the best attack and the bound for any attack, then "
        "the best that lists its queries beforehand and the bound for such, then the paper's claim as printed and its "
        "ratio to the best attack: below 1 it promises what is not certified. `python -m benchmarks queries` has the "
        "whole grid and every attack."
    )
    yield from _section("Queries", text)
    points = [Point(**{key: value for key, value in one.items() if key != "ratios"}) for one in found["queries"]]
    yield from _table(HEAD, rows([one for one in points if one.N in SHOWN]))


def _section(title: str, text: str) -> Iterator[str]:
    yield from ("", f"## {title}", "", text, "")


def _table(head: Sequence[str], body: Any) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    yield from (f"| {' | '.join(cells)} |" for cells in body)


def _block(lines: Sequence[str]) -> Iterator[str]:
    yield from ("```text", *(line.rstrip() for line in lines), "```")


def main(argv: Sequence[str] = ()) -> int:
    """Run everything and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks report", description=__doc__)
    parser.add_argument("--json", metavar="FILE", help="keep what was measured in this file too")
    parser.add_argument("--from", dest="source", metavar="FILE", help="write the page from such a file")
    args = parser.parse_args(argv)
    found = json.loads(Path(args.source).read_text(encoding="utf-8")) if args.source else collect()
    if args.json:
        Path(args.json).write_text(json.dumps(found), encoding="utf-8")
    PAGE.write_text("\n".join(page(found)) + "\n", encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
