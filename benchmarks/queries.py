"""Queries of every attack on a fixed grid, beside the paper's claim and the lower bounds.

Two columns a class, clip 1e-15, scores shown with d decimals or in full (float64). The paper's claim is that of its
Algorithm 3 where scores are rounded, and of Algorithm 1 where they are not; both are as printed.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

from dsl.numbers import Real
from dsl.scenario import Decimals, Scenario
from planner import plan
from planner.report import Report

SIZES = (100, 198, 306, 569, 1372, 10_000, 25_000, 1_000_000)
DIGITS: tuple[int | None, ...] = (1, 2, 3, 4, 5, 6, None)  # None: float64 in full
CLASSES = (2, 3, 4, 10)
CLIP = Real.of(Fraction(1, 10**15))
PRINTED = ("subset-sums-fpa", "primes-fpa")  # Algorithm 3, else Algorithm 1


@dataclass(frozen=True)
class Point:
    """One point of the grid."""

    N: int
    K: int
    digits: int | None
    adaptive: dict[str, int]  # queries of each attack
    non_adaptive: dict[str, int]  # of those that list all queries beforehand
    paper: int | None
    bound: int  # for adaptive attacks too
    non_adaptive_bound: int

    def ratios(self) -> dict[str, float | None]:
        """The best attacks over their bounds, and the paper's claim over the best attack."""
        best, listed = min(self.adaptive.values(), default=None), min(self.non_adaptive.values(), default=None)
        return {
            "adaptive": best and best / self.bound,
            "non_adaptive": listed and listed / self.non_adaptive_bound,
            "paper": best and self.paper and self.paper / best,
        }

    def to_json(self) -> dict[str, Any]:
        """The point as JSON data."""
        return {**asdict(self), "ratios": self.ratios()}


def measure(sizes: Sequence[int], classes: Sequence[int] = CLASSES) -> Iterator[Point]:
    """Every point of the grid."""
    for N, K, digits in product(sizes, classes, DIGITS):
        shown = None if digits is None else Decimals(digits)
        scenario = Scenario(name="grid", N=N, K=K, shown=shown, clip=CLIP, columns=K)
        report = plan(scenario)
        listed = plan(replace(scenario, adaptive=False))
        claims = {one.attack: one.paper.queries for one in report.candidates if one.paper}
        paper = next((claims[name] for name in PRINTED if name in claims), None)
        bounds = report.lower_bound.queries, listed.lower_bound.queries
        yield Point(N, K, digits, _queries(report), _queries(listed), paper, *bounds)


def _queries(report: Report) -> dict[str, int]:
    return {one.attack: one.certified.queries for one in report.candidates if one.certified is not None}


HEAD = (
    "N",
    "K",
    "d",
    "best attack",
    "queries",
    "bound",
    "ratio",
    "listed",
    "queries",
    "bound",
    "ratio",
    "paper",
    "over best",
)


def rows(points: Sequence[Point]) -> Iterator[list[str]]:
    """A table's cells: adaptive attacks, then those that list their queries, then the paper."""
    for one in points:
        ratios = one.ratios()
        place = [f"{one.N:,}", str(one.K), "float64" if one.digits is None else str(one.digits)]
        best = [*_best(one.adaptive), f"{one.bound:,}", _ratio(ratios["adaptive"])]
        listed = [*_best(one.non_adaptive), f"{one.non_adaptive_bound:,}", _ratio(ratios["non_adaptive"])]
        paper = ["-" if one.paper is None else f"{one.paper:,}", _ratio(ratios["paper"])]
        yield [*place, *best, *listed, *paper]


def _best(queries: dict[str, int]) -> list[str]:
    attack = min(queries, key=queries.__getitem__, default=None)
    return ["-", "-"] if attack is None else [attack, f"{queries[attack]:,}"]


def _ratio(value: float | None) -> str:
    return "-" if value is None else f"{value:.3g}"


def draw(points: Sequence[Point], path: str) -> None:
    """Best queries and bounds against N for two classes, one curve for each number of decimals."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 6), layout="constrained")
    axes = figure.subplots()
    for digits in DIGITS:
        curve = [one for one in points if one.K == 2 and one.digits == digits]
        sizes, name = [one.N for one in curve], "float64" if digits is None else f"d = {digits}"
        best = [float(min(one.adaptive.values(), default=math.nan)) for one in curve]
        (line,) = axes.plot(sizes, best, "o-", label=name)
        axes.plot(sizes, [one.bound for one in curve], ":", color=line.get_color())
    axes.set(xscale="log", yscale="log", xlabel="N", ylabel="queries (dotted: lower bound)", title="K = 2, clip 1e-15")
    axes.legend()
    figure.savefig(path)


def main(argv: Sequence[str] = ()) -> int:
    """Print the grid; fails if an attack asks fewer queries than a bound allows."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks queries", description=__doc__)
    parser.add_argument("N", type=int, nargs="*", default=list(SIZES))
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--plot", metavar="FILE", help="draw the grid for K = 2")
    args = parser.parse_args(argv)
    points = list(measure(args.N))
    if args.plot:
        draw(points, args.plot)
    if args.format == "json":
        print(json.dumps({"queries": [one.to_json() for one in points]}))
    else:
        _print([HEAD, *rows(points)])
    ratios = [ratio for one in points for name in ("adaptive", "non_adaptive") if (ratio := one.ratios()[name])]
    return 0 if min(ratios) >= 1 else 1


def _print(table: Sequence[Sequence[str]]) -> None:
    widths = [max(len(row[i]) for row in table) for i in range(len(HEAD))]
    for row in table:
        print("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
