"""Parameters of the attacks that average random noise: a Hadamard matrix of blocks, each a butterfly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from planner.attacks.parameters import Parameters
from planner.channel.conditions import AVERAGING, RANDOM_NOISE, Condition
from planner.channel.metrics import metric_of
from planner.channel.metrics.base import Metric
from planner.channel.sides import bits_of
from planner.designs.sets import BitSet

LARGEST_CORE = 10  # of a base row's Conway-Guy set; larger ones gain next to nothing
MOST_WEIGHTS = 4096  # of a base row in a record: a million would fill the memory before anything is proved


def base_set(size: int) -> BitSet:
    """The base row of a butterfly: a Conway-Guy set, doubled where it is large. Weights have as many bits as there are."""
    if size > MOST_WEIGHTS:
        raise ValueError(f"a base row of {size:,} weights")
    core = min(size, LARGEST_CORE)
    return BitSet(core, size - core)


@dataclass(frozen=True, eq=False, repr=False)
class Spread(Parameters):
    """S: query (tau, t) weighs block b by H[tau, b] times row t of a butterfly; H where a block is one label.

    More than two classes are asked bit by bit of their number. Each query is asked `repeats` times. `centre` is
    subtracted from every score, and no score may then be off by more than `tolerance`. Rows beyond the labels are idle: an
    even prediction says nothing about theirs.
    """

    kind = "spread"
    rows: int  # of a submission; labels of the first ones are recovered
    classes: int
    metric: str
    columns: int
    small: Fraction  # smallest probability that a row gives a class
    order: int
    rounds: int
    base: int
    repeats: int
    centre: Fraction
    tolerance: Fraction
    seed: int

    @property
    def told(self) -> int:
        """Bit by bit of their number."""
        return self.classes

    @property
    def listed(self) -> int | None:
        """Every sum as often as it is repeated."""
        return self.sums * self.repeats

    @property
    def fixes(self) -> dict[str, str]:
        """Every row is charged in every query, be it asked or idle."""
        return {
            "N": f"{self.rows}",
            "K": f"{self.classes}",
            "metric": self.metric,
            "columns": f"{self.columns}",
        }

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Averages of random noise."""
        return (*AVERAGING, RANDOM_NOISE)

    @property
    def block(self) -> int:
        """Labels a block."""
        return -(-self.labels // self.order)

    @property
    def bits(self) -> int:
        """Passes over the labels: one for each bit of a class."""
        return bits_of(self.classes)

    @property
    def sums(self) -> int:
        """Measurements that all have to come out right."""
        return self.order * self.rounds * self.bits

    @property
    def scored_by(self) -> Metric:
        """The metric whose charges are averaged."""
        return metric_of(self.metric)

    @property
    def gap(self) -> float:
        """The log-odds of an entry 1, in nats."""
        return self.scored_by.strength_float(self.small, self.classes) / base_set(self.base).maximum


@dataclass(frozen=True, eq=False, repr=False)
class HadamardMean(Spread):
    """H: every label a block of its own; `wrong` of them may come out wrong."""

    kind = "hadamard_mean"
    wrong: int

    @property
    def mistakes(self) -> int:
        """Those that the averages may leave."""
        return self.wrong

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Any errors that do not grow with the loss."""
        return AVERAGING
