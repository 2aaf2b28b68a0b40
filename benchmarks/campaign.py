"""Throughput of a campaign by jobs, and what its workers hold as time goes by.

The same random scenarios run with one worker process, then with two, up to the cores; each run also compares what a
worker holds early and late. Fails if memory grows by more than a quarter.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from time import perf_counter
from typing import Any

from threatplan.campaign.engines import processes
from threatplan.campaign.run import Memory
from threatplan.campaign.spec import of_seed
from threatplan.campaign.terms import MIB, Terms

SCENARIOS, SEED = 800, 1
GROWTH = 1.25
TERMS = Terms(trials=1)


def measure(jobs: int, scenarios: int) -> dict[str, Any]:
    """One campaign, without a journal; the workers are up before the clock starts."""
    memory = Memory()
    with processes(jobs, TERMS) as engine:
        for _ in engine(of_seed(2 * jobs, SEED).sources(())):
            pass
        start = perf_counter()
        for answer in engine(of_seed(scenarios, SEED).sources(())):
            memory.note(answer)
        seconds = perf_counter() - start
    worker = max(memory.counts, key=lambda one: memory.counts[one])
    held = {"warm_mib": memory.warm[worker] // MIB, "last_mib": memory.last[worker] // MIB}
    return {"jobs": jobs, "scenarios": scenarios, "a_second": round(scenarios / seconds, 2), **held}


def main(argv: Sequence[str] = ()) -> int:
    """Print throughput as a multiple of one worker's."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks campaign", description=__doc__)
    parser.add_argument("--jobs", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--scenarios", type=int, default=SCENARIOS)
    parser.add_argument("--format", choices=("text", "json"), default="text")
    args = parser.parse_args(argv)
    runs = [measure(jobs, args.scenarios) for jobs in args.jobs]
    for one in runs:
        one["ratio"] = round(one["a_second"] / runs[0]["a_second"], 2)
    if args.format == "json":
        print(json.dumps({"campaign": runs}))
    else:
        for one in runs:
            print(
                f"{one['jobs']} jobs: {one['a_second']:6.1f} scenarios a second, {one['ratio']:.2f} x one; "
                f"a worker held {one['warm_mib']} MiB when warm, {one['last_mib']} MiB at the end"
            )
    return 0 if all(one["last_mib"] <= GROWTH * one["warm_mib"] for one in runs) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
