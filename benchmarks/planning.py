"""In-process planning by the number of labels, and at the extremes of every other field: milliseconds each.

Processor time, best of several rounds; every round plans anew with the planner's own caches warm, as a sweep does.
The first plan of a kind is timed by itself: it is what one plan costs whoever asks for only one.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from time import process_time

from dsl.numbers import Real
from dsl.scenario import Arbitrary, Bounded, Decimals, FixedPoint, Gaussian, Multiplicative, Scenario
from planner import plan

CLIP = Real.of(Fraction(1, 10**15))
SMALL, LARGE = 10**3, 10**12
SIZES = (10**3, 10**6, 10**9, 10**12)


def _noise(digits: int) -> Real:
    return Real.of(Fraction(1, 10**digits))


SCENARIOS: dict[str, Scenario] = {
    "float64": Scenario(name="float64", N=1, clip=CLIP),
    "float64, two columns, 6 decimals": Scenario(name="rounded", N=1, clip=CLIP, columns=2, shown=Decimals(6)),
    "ten classes, 4 decimals": Scenario(name="classes", N=1, K=10, columns=10, clip=CLIP, shown=Decimals(4)),
    "fixed point, phi = 64": Scenario(name="fixed", N=1, phi=FixedPoint(32, 31)),
    "arbitrary precision": Scenario(name="arbitrary", N=1, phi=Arbitrary()),
    "bounded noise 1e-6": Scenario(name="bounded", N=1, clip=CLIP, noise=Bounded(_noise(6))),
    "Gaussian noise 1e-3": Scenario(name="gaussian", N=1, clip=CLIP, noise=Gaussian(_noise(3))),
}

BASE = Scenario(name="extreme", N=SMALL, clip=CLIP)
EXTREMES: dict[str, dict[str, Scenario]] = {
    "classes": {f"K = 10^{n}": replace(BASE, K=10**n, columns=10**n) for n in (1, 2, 4, 5, 6)},
    "fixed point": {
        f"phi = 10^{n}": replace(BASE, clip=None, phi=FixedPoint(10**n // 2, 10**n // 2)) for n in (2, 3, 4)
    },
    "fixed point, noise": {
        f"phi = 10^{n}": replace(BASE, clip=None, phi=FixedPoint(2, 10**n), noise=Multiplicative(_noise(2)))
        for n in (2, 3, 4, 5)
    },
    "confidence": {
        f"1 - 10^-{n}": replace(BASE, confidence=1 - Fraction(1, 10**n), noise=Gaussian(_noise(6))) for n in (2, 9, 30)
    },
    "decimals": {f"d = {n}": replace(BASE, N=10**6, shown=Decimals(n)) for n in (0, 2, 4, 9)},
}


def latency(name: str, N: int, rounds: int = 3) -> float:
    """Seconds of processor time that one plan of an ordinary scenario takes at least."""
    return seconds_of(replace(SCENARIOS[name], N=N), rounds)


def seconds_of(scenario: Scenario, rounds: int) -> float:
    """Seconds of processor time that one plan takes at least."""
    times = []
    for _ in range(rounds):
        start = process_time()
        plan(scenario)
        times.append(process_time() - start)
    return min(times)


def extremes(rounds: int) -> dict[str, dict[str, dict[str, float]]]:
    """The first and the best time of every extreme scenario."""
    return {
        field: {name: {"first": seconds_of(one, 1), "best": seconds_of(one, rounds)} for name, one in family.items()}
        for field, family in EXTREMES.items()
    }


def ratio_of(family: Mapping[str, Mapping[str, float]]) -> float:
    """The most extreme scenario's time against that of the least."""
    times = [each["best"] for each in family.values()]
    return times[-1] / times[0]


def worst_of(table: Mapping[str, Mapping[str, Mapping[str, float]]]) -> tuple[str, float]:
    """The slowest first plan, and its time."""
    return max(
        ((f"{field}, {name}", times["first"]) for field, family in table.items() for name, times in family.items()),
        key=lambda one: one[1],
    )


def main(argv: Sequence[str] = ()) -> int:
    """Print the milliseconds of every scenario at every size and at the extremes, with ratios and the worst."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks planning", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--format", choices=("text", "json"), default="text")
    args = parser.parse_args(argv)
    table = {name: {N: latency(name, N, args.rounds) for N in SIZES} for name in SCENARIOS}
    ratios = {name: row[LARGE] / row[SMALL] for name, row in table.items()}
    far = extremes(args.rounds)
    worst, seconds = worst_of(far)
    if args.format == "json":
        spread = {field: ratio_of(family) for field, family in far.items()}
        shown = {"planning": table, "ratio": ratios, "extremes": far, "extremes_ratio": spread}
        print(json.dumps({**shown, "worst": {"scenario": worst, "seconds": seconds}}))
        return 0
    _print_sizes(table, ratios)
    _print_extremes(far)
    print(f"\nslowest first plan: {worst}, {seconds * 1000:.1f} ms")
    return 0


def _print_sizes(table: Mapping[str, Mapping[int, float]], ratios: Mapping[str, float]) -> None:
    heads = "".join(f"{f'N = 10^{len(str(N)) - 1}':>12}" for N in SIZES)
    print(f"{'milliseconds a plan':<36}{heads}{'ratio':>9}")
    for name, row in table.items():
        print(f"{name:<36}" + "".join(f"{row[N] * 1000:>12.1f}" for N in SIZES) + f"{ratios[name]:>9.2f}")


def _print_extremes(far: Mapping[str, Mapping[str, Mapping[str, float]]]) -> None:
    print(f"\n{'extremes':<36}{'first':>12}{'best':>12}{'ratio':>9}")
    for field, family in far.items():
        for name, times in family.items():
            print(f"{f'{field}, {name}':<36}{times['first'] * 1000:>12.1f}{times['best'] * 1000:>12.1f}")
        print(f"{'':<60}{ratio_of(family):>9.2f}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
