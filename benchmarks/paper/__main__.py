"""`python -m benchmarks.paper`: the paper's figures beside what is measured here."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from backends.loader import MissingLibraryError
from benchmarks.paper.algorithm3 import algorithm3
from benchmarks.paper.experiment import Experiment
from benchmarks.paper.figure1 import bounded_noise, many_queries, single_query
from benchmarks.paper.multiclass import multiclass
from benchmarks.paper.table2 import doubling, table2

EXPERIMENTS: dict[str, Callable[[int], Experiment]] = {
    "table2": table2,
    "doubling": doubling,
    "single-query": single_query,
    "many-queries": many_queries,
    "algorithm2": bounded_noise,
    "algorithm3": algorithm3,
    "multiclass": multiclass,
}


def main(argv: list[str] | None = None) -> int:
    """Run the experiments named, or all of them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.paper", description=__doc__)
    known = ", ".join(EXPERIMENTS)
    parser.add_argument("experiment", nargs="*", metavar="EXPERIMENT", help=f"any of {known}")
    parser.add_argument("--seed", type=int, default=0, help="of all that is random (default 0)")
    parser.add_argument("--plot", type=Path, metavar="DIR", help="also draw them there, as PNG and SVG")
    args = parser.parse_args(argv)
    unknown = [name for name in args.experiment if name not in EXPERIMENTS]
    if unknown:
        parser.error(f"no experiment {unknown[0]!r}; there are {known}")
    try:
        if args.plot is not None:
            args.plot.mkdir(parents=True, exist_ok=True)
        for name in args.experiment or EXPERIMENTS:
            _show(EXPERIMENTS[name](args.seed), args.plot)
    except (MissingLibraryError, OSError) as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 3
    return 0


def _show(experiment: Experiment, folder: Path | None) -> None:
    print("\n".join(experiment.lines()), end="\n\n", flush=True)
    if folder is not None:
        from benchmarks.paper.plots import draw

        for curve in experiment.curves:
            for path in draw(curve, folder):
                print(f"wrote {path}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
