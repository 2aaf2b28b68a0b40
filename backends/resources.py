"""What a simulation will cost, so that one that cannot fit is refused before it starts."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.scenario import Arbitrary, Scenario
from planner.model import Plan

FLOAT_ROW = 8  # bytes
OBJECT_ROW = 120  # bytes of an exact rational besides its digits
WORKING_COPIES = 6  # of a query, while it is built and scored
SECONDS_PER_FLOAT_ROW = 60e-9  # one row of one query, built and scored by numpy
SECONDS_PER_EXACT_ROW = 4e-6
SECONDS_PER_OPERATION = 100e-9  # one of the attacker's arithmetic operations on small numbers
SECONDS_PER_WIDE_BIT = 2e-6  # one bit of a logarithm and an exponential at a million bits
WIDE_BITS = 4096  # shorter numbers cost next to nothing


@dataclass(frozen=True, slots=True)
class Limits:
    """What a simulation may use."""

    bytes: int = 8 * 2**30
    seconds: float = 4 * 3600.0


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a simulation will use, to within an order of magnitude."""

    bytes: int
    seconds: float

    def __str__(self) -> str:
        return f"about {readable_bytes(self.bytes)} of memory and {readable_seconds(self.seconds)}"


class ResourceRefusal(RuntimeError):  # noqa: N818 - it is no error of anybody's
    """A simulation that would not fit; it holds the estimate."""

    def __init__(self, attack: str, estimate: Estimate, limits: Limits) -> None:
        super().__init__(
            f"{attack} needs {estimate}; the limits are {readable_bytes(limits.bytes)} and "
            f"{readable_seconds(limits.seconds)}"
        )
        self.estimate = estimate
        self.limits = limits


def estimate(scenario: Scenario, plan: Plan, trials: int) -> Estimate:
    """The cost of simulating a plan, from the sizes that the plan states."""
    exact = isinstance(scenario.phi, Arbitrary)
    entries = scenario.N * (max(1, scenario.columns))
    row = OBJECT_ROW + plan.prediction_bits // 4 if exact else FLOAT_ROW
    wide = max(plan.precision_bits, plan.prediction_bits) if exact else 0
    rows = entries * plan.queries * (SECONDS_PER_EXACT_ROW if exact else SECONDS_PER_FLOAT_ROW)
    digits = max(0, wide - WIDE_BITS) * plan.queries * SECONDS_PER_WIDE_BIT
    memory = max(plan.memory, WORKING_COPIES * entries * row)
    return Estimate(memory, trials * (rows + digits + plan.operations * SECONDS_PER_OPERATION))


def require(attack: str, cost: Estimate, limits: Limits) -> None:
    """Refuse what does not fit."""
    if cost.bytes > limits.bytes or cost.seconds > limits.seconds:
        raise ResourceRefusal(attack, cost, limits)


def readable_bytes(count: int) -> str:
    """A number of bytes for people: 1.4 GiB."""
    exponent = min(max(count.bit_length() - 1, 0) // 10, 6)
    unit = ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")[exponent]
    value = count / 1024**exponent if count < 2**1000 else float("inf")
    if value >= 10_000:
        return f"2^{count.bit_length() - 1} bytes"
    return f"{value:.3g} {unit}"


def readable_seconds(seconds: float) -> str:
    """A duration for people: 3.2 hours."""
    for unit, length in (("years", 31_557_600.0), ("days", 86_400.0), ("hours", 3600.0), ("minutes", 60.0)):
        if seconds >= 2 * length:
            return f"{seconds / length:.3g} {unit}"
    return f"{seconds:.3g} seconds"
