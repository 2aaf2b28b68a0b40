"""What a reader has to follow: the files that a plan enters, and the lines of code that its certificate rests on."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

from benchmarks._walking import Walk, walk
from dsl import load, loads
from dsl.scenario import Scenario
from planner import plan
from planner.certify import certify
from planner.model import Candidate

EXAMPLE = Path(__file__).parent.parent / "examples" / "bowl.threat"
BOARDS = {
    "Gaussian noise": "N = 1000; clip = 1e-9; noise = gaussian(0.01)",
    "rounding past the limit": "N = 1000; clip = 1e-9; decimals = 1",
}


@dataclass(frozen=True)
class Measured:
    """One board."""

    board: str
    attack: str
    files: int  # that planning enters
    switches: int  # between rooms, call by call
    trusted_files: int  # that the certificate's proof enters
    trusted_lines: int  # of the functions in them


def boards() -> Iterator[tuple[str, Scenario]]:
    """The bowl of the README, and two that other attacks serve."""
    yield "bowl", load(EXAMPLE)[0]
    for name, fields in BOARDS.items():
        yield name, loads(f"scenario board {{ {fields} }}")[0]


def trusted(candidate: Candidate) -> Walk:
    """What proving a certified candidate enters, from a channel of which nothing has been computed yet."""
    assert candidate.certified is not None
    assert candidate.channel is not None
    channel, parameters = replace(candidate.channel), candidate.certified.certificate.parameters
    return walk(lambda: certify(channel, parameters))


def measure() -> Iterator[Measured]:
    """Every board, planned once before: what is loaded late is no part of a walk."""
    for name, scenario in boards():
        best = plan(scenario).best
        assert best is not None
        planned, proved = walk(partial(plan, scenario)), trusted(best)
        lines = proved.files
        yield Measured(name, best.attack, len(planned.files), planned.switches, len(lines), lines.total())


def main(argv: Sequence[str] = ()) -> int:
    """Print a line a board."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks walks", description=__doc__)
    parser.add_argument("--format", choices=("text", "json"), default="text")
    args, found = parser.parse_args(argv), list(measure())
    if args.format == "json":
        print(json.dumps({"walks": [asdict(one) for one in found]}))
        return 0
    for one in found:
        print(
            f"{one.board + ', ' + one.attack:<34} plan: {one.files} files, {one.switches:,} switches between rooms; "
            f"certificate: {one.trusted_lines} lines of functions in {one.trusted_files} files"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
