"""Theorem 1 end to end in exact arithmetic, against one exponential and one logarithm at the same precision.

Fails if a label is wrong, or if from N = 100,000 on the whole attack takes more than three times as long as
exp and log alone; below that the work for each label, not the arithmetic, sets the time.
"""

from __future__ import annotations

import argparse
import resource
import sys
from collections.abc import Sequence
from time import perf_counter

from flint import arb, ctx

from backends.resources import Limits, estimate
from backends.simulate import simulate
from dsl.scenario import Arbitrary, Scenario
from planner import plan
from planner.model import Plan
from planner.numerics.reals import working
from planner.report import Report

ATTACK = "primes-apa"
LIMIT, LIMIT_FROM = 3.0, 100_000
PLANNED_ONLY = 1_000_000


def planned(N: int) -> tuple[Report, Plan]:
    """The report on N labels in exact arithmetic, and Theorem 1's plan."""
    report = plan(Scenario(name=f"theorem-1-{N}", N=N, phi=Arbitrary()))
    certified = next(one.certified for one in report.candidates if one.attack == ATTACK)
    assert certified is not None
    return report, certified


def baseline(bits: int) -> float:
    """Seconds for one log and one exp of an irrational number."""
    ctx.cleanup()  # constants that an earlier call left behind would make this one cheaper
    with working(bits):
        number = arb(3).sqrt()
        start = perf_counter()
        number.log().exp()
        return perf_counter() - start


def measure(N: int) -> bool:
    """Run and print one size; whether every label is right and the time within the limit."""
    report, certified = planned(N)
    alone = baseline(certified.precision_bits)
    ctx.cleanup()
    run = simulate(report, attack=ATTACK, limits=Limits(seconds=float("inf")))
    spent, ratio = run.seconds, run.seconds.total / alone
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    right = run.total_labels - run.wrong_labels
    print(f"N = {N:,}: {certified.precision_bits:,} bits, {right:,} of {run.total_labels:,} labels right")
    print(f"  encode {spent.encode:.2f} s + score {spent.score:.2f} s + decode {spent.decode:.2f} s", end="")
    print(f" = {spent.total:.2f} s; one exp and one log {alone:.2f} s; ratio {ratio:.2f}")
    print(f"  peak memory of the process {peak:.0f} MiB; estimate {estimate(report.scenario, certified, 1)}")
    return run.exact_trials == 1 and (ratio <= LIMIT or N < LIMIT_FROM)


def main(argv: Sequence[str] = ()) -> int:
    """Measure each size, and plan a million labels."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks exact", description=__doc__)
    parser.add_argument("N", type=int, nargs="*", default=[10_000, 100_000])
    kept = [measure(N) for N in parser.parse_args(argv).N]
    report, certified = planned(PLANNED_ONLY)
    cost = estimate(report.scenario, certified, 1)
    print(f"N = {PLANNED_ONLY:,}: planned only; {certified.precision_bits:,} bits, {cost}")
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
