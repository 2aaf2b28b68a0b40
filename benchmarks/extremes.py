"""Planning at the legal extremes of all fields at once: seconds and memory, each scenario in a process of its own.

Scenarios are drawn from a seed. Fails if one ends in anything but a report, or goes beyond the seconds or the memory
that are allowed for it.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from time import monotonic, process_time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

COUNT = 200
SECONDS, MEGABYTES = 2.0, 200.0
PATIENCE = 60.0  # seconds after which a scenario is stopped

SIZES = ("1", "2", "7", "100", "5000", "10^6", "10^12", "10^16", "10^18")
CLASSES = ("2", "2", "2", "3", "7", "128", "1000", "10^5", "10^6")
FORMATS = ("float16", "float32", "float64", "float64", "arbitrary", "3", "16", "64", "1000", "5000", "30000", "100000",
           "fixed(0, 50000)", "fixed(2, 7)", "fixed(90000, 4)", "fixed(1, 10^6)")  # fmt: skip
CLIPS = ("none", "1e-300", "1e-15", "1e-7", "0.2", "0.49", "2^-52", "1e-30")
NOISES = ("none", "none", "bounded(1e-300)", "bounded(1e-6)", "bounded(1000)", "uniform(-1, 1)", "uniform(0, 1e-9)",
          "gaussian(1e-300)", "gaussian(1e-4)", "gaussian(1e6)", "laplace(1e-9)", "laplace(100)",
          "subexponential(1e-6, 1e-6)", "subexponential(4, 1000)", "multiplicative(1e-300)", "multiplicative(0.9)",
          "multiplicative(1e-3)")  # fmt: skip
SHOWN = (
    "full",
    "full",
    "0",
    "1",
    "3",
    "6",
    "17",
    "300",
    "1000",
    "significant(1)",
    "significant(4)",
    "significant(300)",
)
BUDGETS = ("unlimited", "unlimited", "1", "2", "50", "10^6", "10^15")
GOALS = ("100 %", "100 %", "50 %", "99.9 %", "1e-9 %")
CONFIDENCES = ("95 %", "50 %", "99.9999 %", "1 - 1e-30")


@dataclass(frozen=True, slots=True)
class Cost:
    """What one scenario took."""

    text: str
    seconds: float
    megabytes: float
    ended: str  # the verdict, or the fault


def texts(count: int, seed: int) -> Iterator[str]:
    """Scenarios, all fields drawn at once; some contradict themselves and are refused by the language."""
    draw = random.Random(seed)
    for _ in range(count):
        fields = {
            "N": draw.choice(SIZES),
            "K": draw.choice(CLASSES),
            "phi": draw.choice(FORMATS),
            "clip": draw.choice(CLIPS),
            "noise": draw.choice(NOISES),
            "decimals": draw.choice(SHOWN),
            "summation": draw.choice(("pairwise", "sequential")),
            "renormalises": draw.choice(("yes", "no")),
            "adaptive": draw.choice(("yes", "no")),
            "queries": f"<= {draw.choice(BUDGETS)}",
            "goal": draw.choice(GOALS),
            "confidence": draw.choice(CONFIDENCES),
        }
        written = (f"{name} {value}" if name == "queries" else f"{name} = {value}" for name, value in fields.items())
        yield "scenario extreme { " + "; ".join(written).replace("<= unlimited", "= unlimited") + " }"


def _child(text: str, answer: Connection) -> None:
    from dsl import ThreatError, loads
    from planner import plan

    start = process_time()
    try:
        ended = str(plan(loads(text)[0]).verdict)
    except ThreatError:
        ended = "no scenario"
    except Exception as fault:
        ended = f"{type(fault).__name__}: {fault}"
    answer.send((process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, ended))


def cost_of(text: str, patience: float = PATIENCE) -> Cost:
    """Plan one scenario in a process of its own."""
    context: Any = get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    start = monotonic()
    child = context.Process(target=_child, args=(text, sender))
    child.start()
    sender.close()
    try:
        seconds, megabytes, ended = receiver.recv() if receiver.poll(patience) else (patience, 0.0, "stopped")
    except EOFError:
        seconds, megabytes, ended = monotonic() - start, 0.0, "died"
    if ended == "stopped":
        child.terminate()
    child.join()
    return Cost(text, seconds, megabytes, ended)


def main(argv: Sequence[str] = ()) -> int:
    """Print what costs too much or fails, and the slowest and the largest."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks extremes", description=__doc__)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--megabytes", type=float, default=MEGABYTES)
    args = parser.parse_args(argv)
    import planner.planning  # noqa: F401 - read once, before the processes part

    costs = [cost_of(text) for text in texts(args.count, args.seed)]
    planned = [one for one in costs if one.ended != "no scenario"]
    bad = [one for one in planned if _beyond(one, args.seconds, args.megabytes)]
    for one in sorted(bad, key=lambda one: -one.seconds):
        print(f"{one.seconds:6.1f} s {one.megabytes:6.0f} MB  {one.ended}\n    {one.text}")
    slowest, largest = max(one.seconds for one in planned), max(one.megabytes for one in planned)
    print(
        f"{len(planned)} of {args.count} are scenarios; slowest {slowest:.1f} s, largest {largest:.0f} MB, {len(bad)} bad"
    )
    return 1 if bad else 0


def _beyond(one: Cost, seconds: float, megabytes: float) -> bool:
    ordinary = one.ended in ("feasible", "impossible", "unknown")
    return not ordinary or one.seconds > seconds or one.megabytes > megabytes


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
