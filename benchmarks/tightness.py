"""How near attacks and limits come on realistic boards, with the energy limit I6 and without it, in one run.

A seeded grid in three strata: scores that are rounded (or full), noisy, or shown with significant digits. Boards of 100 to
10^6 labels and 2, 3 or 10 classes, clips of common scorers, budgets of 10 to 10^5 queries; a submission with a column a class
is charged as scikit-learn does from 1.5 on, whatever its rows sum to. A board is unknown where no
attack is certified within the budget and no limit excludes it; best/bound is the fewest queries of a certified attack,
whatever the budget, over the best lower bound.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from statistics import quantiles
from typing import Any

from dsl.numbers import Real
from dsl.scenario import (
    Bounded,
    Decimals,
    Gaussian,
    Laplace,
    Noise,
    NoNoise,
    Scenario,
    Scorer,
    Shown,
    Significant,
    Uniform,
)
from planner import plan
from planner.model import Limit, Verdict
from planner.report import Report

SCENARIOS, SEED = 3000, 1
STRATA = ("rounding", "noise", "significant digits")
CLASSES, CLIPS = (2, 3, 10), ("1e-15", "1e-7", "1e-3")
LABELS, BUDGETS, SIZES = (2, 6), (1, 5), (-5, -1)  # powers of ten; the last: of noise
ENERGY = "I6"
SCORER = Scorer("sklearn", "1.5")
ONE_COLUMN, SEVERAL = "one column", "a column a class"


@dataclass(frozen=True)
class Board:
    """What is known of one board, by all limits and by all but the energy limit."""

    stratum: str
    columns: str
    best: int | None  # queries of the certified attack that asks fewest
    before: int  # lower bounds
    after: int
    verdict_before: str
    verdict_after: str


def boards(count: int, seed: int) -> Iterator[tuple[str, Scenario]]:
    """The grid: strata take turns, and each board has coins of its own."""
    for index in range(count):
        stratum = STRATA[index % len(STRATA)]
        yield stratum, board(stratum, random.Random(f"{seed} {index}"))


def board(stratum: str, draw: random.Random) -> Scenario:
    """One board of a stratum."""
    K = draw.choice(CLASSES)
    rounded: Shown = draw.choice([None, *(Decimals(d) for d in range(1, 7))])
    significant = Significant(draw.randint(3, 6))
    made = Scenario(
        name="board",
        N=_whole(draw, LABELS),
        K=K,
        columns=draw.choice([1, 2]) if K == 2 else K,
        clip=Real.of(Fraction(draw.choice(CLIPS))),
        shown=significant if stratum == "significant digits" else rounded,
        noise=_noise(draw) if stratum == "noise" else NoNoise(),
        adaptive=draw.random() < 0.5,
        queries=_whole(draw, BUDGETS),
    )
    return replace(made, scorer=SCORER) if made.columns > 1 else made


def _whole(draw: random.Random, powers: tuple[int, int]) -> int:
    return round(10 ** draw.uniform(*powers))


def _noise(draw: random.Random) -> Noise:
    size = Real.of(Fraction(f"{10 ** draw.uniform(*SIZES):.2e}"))
    laws: list[Noise] = [Gaussian(size), Laplace(size), Uniform(Real.of(-size.lo), size), Bounded(size)]
    return draw.choice(laws)


# -- measuring ----------------------------------------------------------------------------------------


def measure(count: int, seed: int) -> Iterator[Board]:
    """Every board of the grid, planned once."""
    for stratum, scenario in boards(count, seed):
        report = plan(scenario)
        without = tuple(one for one in report.limits if one.id != ENERGY)
        certified = [one.certified.queries for one in report.candidates if one.certified is not None]
        yield Board(
            stratum,
            SEVERAL if scenario.columns > 1 else ONE_COLUMN,
            min(certified, default=None),
            _bound(without),
            _bound(report.limits),
            _verdict(report, without),
            _verdict(report, report.limits),
        )


def _bound(limits: Sequence[Limit]) -> int:
    return max(1, *(one.queries or 0 for one in limits))


def _verdict(report: Report, limits: Sequence[Limit]) -> str:
    """The verdict as these limits alone would have it."""
    if report.verdict is Verdict.FEASIBLE:
        return "feasible"
    return "impossible" if any(one.excludes(report.scenario.queries) for one in limits) else "unknown"


@dataclass(frozen=True)
class Row:
    """What a stratum comes to."""

    stratum: str
    boards: int
    feasible: float  # shares
    unknown_before: float
    unknown_after: float
    attacked: int  # boards with a certified attack
    ratios_before: list[float]  # quartiles of best/bound
    ratios_after: list[float]


def summed(found: Sequence[Board]) -> Iterator[Row]:
    """Every stratum, both kinds of submissions, and all of them."""
    for stratum in (*STRATA, ONE_COLUMN, SEVERAL, "all"):
        own = [one for one in found if stratum in (one.stratum, one.columns, "all")]
        ratios = [(one.best / one.before, one.best / one.after) for one in own if one.best is not None]
        yield Row(
            stratum,
            len(own),
            _share(own, "verdict_after", "feasible"),
            _share(own, "verdict_before", "unknown"),
            _share(own, "verdict_after", "unknown"),
            len(ratios),
            _quartiles([before for before, _ in ratios]),
            _quartiles([after for _, after in ratios]),
        )


def _share(found: Sequence[Board], field: str, verdict: str) -> float:
    return sum(getattr(one, field) == verdict for one in found) / len(found) if found else 0.0


def _quartiles(values: Sequence[float]) -> list[float]:
    return quantiles(values, n=4, method="inclusive") if len(values) > 1 else list(values) * 3


# -- telling ------------------------------------------------------------------------------------------

HEAD = (
    "stratum",
    "boards",
    "feasible",
    "unknown without I6",
    "with I6",
    "attacked",
    "best/bound without I6",
    "with I6",
)


def rows(found: Sequence[Row]) -> Iterator[list[str]]:
    """A table's cells: shares of verdicts, and quartiles of ratios."""
    for one in found:
        shares = [f"{share:.1%}" for share in (one.feasible, one.unknown_before, one.unknown_after)]
        ratios = [" / ".join(f"{ratio:.2f}" for ratio in each) or "-" for each in (one.ratios_before, one.ratios_after)]
        yield [one.stratum, f"{one.boards:,}", *shares, f"{one.attacked:,}", *ratios]


def main(argv: Sequence[str] = ()) -> int:
    """Print the table; fails if an attack asks fewer queries than a bound allows."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks tightness", description=__doc__)
    parser.add_argument("--scenarios", type=int, default=SCENARIOS, metavar="N", help=f"boards (default: {SCENARIOS})")
    parser.add_argument("--seed", type=int, default=SEED, help=f"of the grid (default: {SEED})")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    args = parser.parse_args(argv)
    found = list(measure(args.scenarios, args.seed))
    table = list(summed(found))
    if args.format == "json":
        print(json.dumps({"tightness": [asdict(one) for one in table]}))
    else:
        _print([HEAD, *rows(table)])
    return int(any(one.best is not None and one.best < one.after for one in found))


def _print(table: Sequence[Any]) -> None:
    widths = [max(len(row[i]) for row in table) for i in range(len(HEAD))]
    for row in table:
        print("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
