"""In-process planning by the number of labels: milliseconds each, and the ratio of 10^12 labels to 10^3.

Processor time, best of several rounds; every round plans anew with the planner's own caches warm, as a sweep does.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from time import process_time

from dsl.numbers import Real
from dsl.scenario import Arbitrary, Bounded, Decimals, FixedPoint, Gaussian, Scenario
from planner import plan

CLIP = Real.of(Fraction(1, 10**15))
SMALL, LARGE = 10**3, 10**12
SIZES = (10**3, 10**6, 10**9, 10**12)
SCENARIOS: dict[str, Scenario] = {
    "float64": Scenario(name="float64", N=1, clip=CLIP),
    "float64, two columns, 6 decimals": Scenario(name="rounded", N=1, clip=CLIP, columns=2, shown=Decimals(6)),
    "ten classes, 4 decimals": Scenario(name="classes", N=1, K=10, columns=10, clip=CLIP, shown=Decimals(4)),
    "fixed point, phi = 64": Scenario(name="fixed", N=1, phi=FixedPoint(32, 31)),
    "arbitrary precision": Scenario(name="arbitrary", N=1, phi=Arbitrary()),
    "bounded noise 1e-6": Scenario(name="bounded", N=1, clip=CLIP, noise=Bounded(Real.of(Fraction(1, 10**6)))),
    "Gaussian noise 1e-3": Scenario(name="gaussian", N=1, clip=CLIP, noise=Gaussian(Real.of(Fraction(1, 1000)))),
}


def latency(name: str, N: int, rounds: int = 3) -> float:
    """Seconds of processor time that one plan takes at least."""
    scenario = replace(SCENARIOS[name], N=N)
    times = []
    for _ in range(rounds):
        start = process_time()
        plan(scenario)
        times.append(process_time() - start)
    return min(times)


def main(argv: Sequence[str] = ()) -> int:
    """Print the milliseconds of every scenario at every size, and the ratio of the largest to the smallest size."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks planning", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--format", choices=("text", "json"), default="text")
    args = parser.parse_args(argv)
    table = {name: {N: latency(name, N, args.rounds) for N in SIZES} for name in SCENARIOS}
    ratios = {name: row[LARGE] / row[SMALL] for name, row in table.items()}
    if args.format == "json":
        print(json.dumps({"planning": table, "ratio": ratios}))
        return 0
    print(
        f"{'milliseconds a plan':<36}" + "".join(f"{f'N = 10^{len(str(N)) - 1}':>12}" for N in SIZES) + f"{'ratio':>9}"
    )
    for name, row in table.items():
        print(f"{name:<36}" + "".join(f"{row[N] * 1000:>12.1f}" for N in SIZES) + f"{ratios[name]:>9.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
