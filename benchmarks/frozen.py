"""Compares today's reports with a frozen set: every changed part of every report, grouped, old -> new.

The set holds the texts of the scenarios (the gallery of right files, the examples, 2,000 random ones) beside their
reports, so nothing but the planner can change a report. A change that is meant is explained in
tests/frozen/explained.toml; any other is a failure. `--rebuild` freezes today's reports under today's version.
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks._differences import Difference, Explanation, differences, explanation_of, explanations, shortest

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "tests" / "frozen"
SET, EXPLAINED = FOLDER / "reports.json.xz", FOLDER / "explained.toml"
RANDOM, SEED = 2000, 12
POINTS = 12  # of a sweep that are kept
WIDTH = 160  # of a line that shows a change
Entry = dict[str, Any]  # origin, text, reports


def sources() -> Iterator[tuple[str, str]]:
    """The scenarios of a new set: where each is from, and its text."""
    from threatplan.campaign.generator import random_scenario

    files = [ROOT / "tests" / "gallery" / "right", ROOT / "examples", ROOT / "examples" / "paper"]
    for path in (path for folder in files for path in sorted(folder.glob("*.threat"))):
        yield path.relative_to(ROOT).as_posix(), path.read_bytes().decode()
    yield from ((f"random {index}", random_scenario(SEED, index)) for index in range(RANDOM))


def reports(origin: str, text: str) -> list[dict[str, Any]]:
    """What the planner says today about every scenario of a text."""
    from dsl import ThreatError, loads

    try:
        scenarios = loads(text.encode(), origin)
    except ThreatError as error:
        return [{"name": origin, "failure": f"refused: {error.diagnostics[0].code}"}]
    return [_report(point) for one in scenarios for point in islice(one.points(), POINTS)]


def _report(scenario: Any) -> dict[str, Any]:
    from planner import plan
    from threatplan.render.json import finite

    try:
        plain: dict[str, Any] = json.loads(json.dumps(finite(plan(scenario).to_json())))
    except Exception as error:  # a report that fails is a difference, and the rest is still compared
        return {"name": scenario.name, "failure": f"{type(error).__name__}: {error}"}
    return plain


def freeze() -> dict[str, Any]:
    """A new set."""
    import threatplan

    entries = [{"origin": origin, "text": text, "reports": reports(origin, text)} for origin, text in sources()]
    return {"version": threatplan.__version__, "entries": entries}


def frozen() -> dict[str, Any]:
    """The set in the repository."""
    found: dict[str, Any] = json.loads(lzma.decompress(SET.read_bytes()))
    return found


def compare(entries: Sequence[Entry]) -> Iterator[Difference]:
    """Every difference between the entries and today's reports of their texts."""
    for entry in entries:
        old, new = entry["reports"], reports(entry["origin"], entry["text"])
        if len(old) != len(new):
            yield Difference(entry["origin"], entry["text"], "scenarios", len(old), len(new))
        for one, other in zip(old, new, strict=False):
            yield from differences(f"{entry['origin']}: {one['name']}", entry["text"], one, other)


def sample(entries: Sequence[Entry], size: int) -> list[Entry]:
    """A part of the set in which every verdict and every best attack has its share; sweeps are left out."""
    groups: dict[str, list[Entry]] = defaultdict(list)
    for entry in (one for one in entries if len(one["reports"]) == 1):
        first = entry["reports"][0]
        groups[f"{first.get('verdict')} {(first.get('best') or {}).get('attack')}"].append(entry)
    turns = [group[turn] for turn in range(len(entries)) for group in groups.values() if turn < len(group)]
    return turns[:size]


# -- telling ------------------------------------------------------------------------------------------


def unexplained(found: Sequence[Difference], known: Sequence[Explanation]) -> list[Difference]:
    """The differences that nothing explains."""
    return [one for one in found if explanation_of(one, known) is None]


def lines(found: Sequence[Difference], show: int) -> Iterator[str]:
    """The differences by kind, the frequent ones first, with examples."""
    groups: dict[str, list[Difference]] = defaultdict(list)
    for one in found:
        groups[one.kind].append(one)
    for kind, group in sorted(groups.items(), key=lambda item: -len(item[1])):
        yield f"{len(group):5}  {kind}"
        for one in group[:show]:
            yield f"         {one.origin}: {shortest(one.old, one.new)}"[:WIDTH]


def _explained(found: Sequence[Difference], known: Sequence[Explanation]) -> Iterator[str]:
    """How much each explanation covers; one that covers nothing is out of date."""
    counts = Counter(explanation_of(one, known) for one in found)
    for one in known:
        yield (
            f"{counts[one]:5}  {', '.join(one.parts)}: {one.why}"
            if counts[one]
            else f"    -  explains nothing: {one.why}"
        )


def main(argv: Sequence[str] = ()) -> int:
    """Compare with the set, or make a new one."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks frozen", description=__doc__)
    parser.add_argument("--rebuild", action="store_true", help="freeze today's reports")
    parser.add_argument("--show", type=int, default=2, metavar="N", help="examples of each kind (default: 2)")
    parser.add_argument("--sample", type=int, metavar="N", help="compare a part of the set only")
    args = parser.parse_args(argv)
    if args.rebuild:
        return _rebuild()
    kept = frozen()
    entries = kept["entries"] if args.sample is None else sample(kept["entries"], args.sample)
    found, known = list(compare(entries)), explanations(EXPLAINED)
    left = unexplained(found, known)
    count = sum(len(entry["reports"]) for entry in entries)
    print(f"{count} reports of version {kept['version']}: {len(found)} parts differ, {len(left)} of them unexplained")
    if found and not left:
        print("all differences are explained:")
    print("\n".join([*_explained(found, known), *lines(left, args.show)]))
    return 1 if left else 0


def _rebuild() -> int:
    made = freeze()
    text = json.dumps(made, ensure_ascii=False, separators=(",", ":"))
    SET.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
    size = SET.stat().st_size / 1e6
    print(f"froze {sum(len(one['reports']) for one in made['entries'])} reports, {size:.2f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
