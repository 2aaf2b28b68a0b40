"""Parameters of attacks: what a theorem proposes, the certifier re-checks and an encoder runs.

Each kind is plain, frozen data that survives a round trip through JSON, so that a certificate can be checked
again by someone who holds nothing but the channel and this record.
"""

from __future__ import annotations

from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from dsl.records import dataclass, fields, is_dataclass
from planner.conditions import (
    ADAPTIVE,
    COLUMN_A_CLASS,
    EXACT_PREDICTIONS,
    FLOATING_PREDICTIONS,
    TWO_CLASSES,
    Condition,
)
from planner.promise import NOISE, NOTHING

if TYPE_CHECKING:
    from planner.channel import Channel
    from planner.designs import Design

KINDS: dict[str, type[Parameters]] = {}


@dataclass(frozen=True)
class Parameters:
    """What all attacks share: how many queries they ask, and for how many labels.

    The properties say what such a record promises beside that. Their defaults are the safe ones: a record that does
    not say how many classes it tells apart tells none.
    """

    kind: ClassVar[str]
    queries: int
    labels: int

    @property
    def told(self) -> int:
        """Classes that are told apart."""
        return 1

    @property
    def listed(self) -> int | None:
        """How many queries are listed beforehand; None: they are made up on the way, within `queries`."""
        return None

    @property
    def adaptive(self) -> bool:
        """Whether later queries depend on earlier scores."""
        return False

    @property
    def mistakes(self) -> int:
        """How many of the labels may come out wrong."""
        return 0

    def over(self, channel: Channel) -> str:
        """What the chance of failure is taken over."""
        return NOISE if channel.random else NOTHING

    @property
    def fixes(self) -> dict[str, str]:
        """Facts of the channel that are written into the record."""
        return {}

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """What the channel must be like for such a record to be run at all."""
        return ()

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        KINDS[cls.kind] = cls

    @property
    def tilted(self) -> bool:
        """Whether the decoder parts two sums midway between what noise that grows with the loss makes of them.

        Only such a decoder earns the factor 1 + α of the gap; one that takes the nearest sum, or rounds, does not.
        """
        return False

    def to_json(self) -> dict[str, Any]:
        """The parameters as JSON data; rationals are written as strings."""
        data = {each.name: _plain(getattr(self, each.name)) for each in fields(self)}
        return {"kind": self.kind, **data}


def blocks_of(labels: int, m: int) -> int:
    """Queries of m labels each."""
    return -(-labels // m) if m > 0 else 0


def parameters_from_json(data: dict[str, Any]) -> Parameters:
    """The parameters that `to_json` wrote."""
    kind = KINDS[data["kind"]]
    return kind(**{each.name: _restored(data[each.name]) for each in fields(kind)})


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        # Hexadecimal: numbers of many thousand bits are written and read in linear time.
        return {"fraction": f"{value.numerator:#x}/{value.denominator:#x}"}
    if is_dataclass(value):
        inside = {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
        return {"type": _name_of_part(value), **inside}
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return value


def _restored(value: Any) -> Any:
    if isinstance(value, dict) and "fraction" in value:
        numerator, _, denominator = value["fraction"].partition("/")
        return Fraction(int(numerator, 0), int(denominator, 0))
    if isinstance(value, dict):
        return _part(value["type"])(**{key: _restored(one) for key, one in value.items() if key != "type"})
    if isinstance(value, list):
        return tuple(_restored(one) for one in value)
    return value


def _name_of_part(part: Any) -> str:
    """What a record calls a part of a design."""
    from planner.designs import PARTS

    home = type(part).__module__, type(part).__qualname__
    return next(name for name, place in PARTS.items() if place == home)


def _part(name: str) -> Any:
    """A class of the designs, by the name that a record gives."""
    from planner.designs import PARTS

    if name not in PARTS:
        raise ValueError(f"{name} is no part of a design")
    module, attribute = PARTS[name]
    return getattr(import_module(module), attribute)


@dataclass(frozen=True)
class ListedBlock(Parameters):
    """A block of labels a query, each with its own small probability of class 1; all other rows are uniform.

    `rows` ascend in weight ln((1-p)/p). With core = 0 each weight exceeds the sum of the smaller ones. Otherwise the
    weights are near multiples of one gap, the multiples being 1, 2, 4, ... and then the Conway-Guy set of `core`
    elements times the next power of two.
    """

    kind = "listed_block"
    rows: tuple[Fraction, ...]
    core: int = 0

    @property
    def told(self) -> int:
        """Binary labels."""
        return 2

    @property
    def listed(self) -> int | None:
        """A query a block."""
        return blocks_of(self.labels, self.m)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """A weight a label."""
        return (TWO_CLASSES,)

    @property
    def m(self) -> int:
        """Labels a query."""
        return len(self.rows)

    @property
    def tilted(self) -> bool:
        """Powers of two are read from the largest down by tilted thresholds; levels of a set are rounded to."""
        return self.core == 0


@dataclass(frozen=True)
class GeometricOdds(Parameters):
    """A block of m labels a query with odds base^(exponent * 2^i), i < m: rational, of any size."""

    kind = "geometric_odds"
    m: int
    base: int
    exponent: int

    @property
    def tilted(self) -> bool:
        """Read from the largest down, by tilted thresholds."""
        return True

    @property
    def told(self) -> int:
        """Binary labels."""
        return 2

    @property
    def listed(self) -> int | None:
        """A query a block."""
        return blocks_of(self.labels, self.m)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The odds are rationals of any length."""
        return (TWO_CLASSES, EXACT_PREDICTIONS)


@dataclass(frozen=True)
class DyadicWeights(Parameters):
    """A block of m labels with log-odds near 2^(i-m+1-shift), i < m, from probabilities of `bits` binary digits."""

    kind = "dyadic_weights"
    m: int
    bits: int
    shift: int

    @property
    def told(self) -> int:
        """Binary labels."""
        return 2

    @property
    def listed(self) -> int | None:
        """A query a block."""
        return blocks_of(self.labels, self.m)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The probabilities have as many digits as the record says."""
        return (TWO_CLASSES, EXACT_PREDICTIONS)


@dataclass(frozen=True)
class PrimePowers(Parameters):
    """A block of m labels a query whose odds are powers 0..`powers` of the first m primes.

    Two classes need one power. With more classes, each query looks at `powers` classes at a time, and all other
    classes share the power 0. Predictions are rounded to `bits` binary digits; None: they are exact rationals.
    """

    kind = "prime_powers"
    m: int
    powers: int
    class_blocks: int
    decoder: Literal["nearest", "divide"]
    exact: bool

    @property
    def told(self) -> int:
        """Those of all class blocks, and the class that none of them looks at."""
        return self.powers * self.class_blocks + 1

    @property
    def listed(self) -> int | None:
        """A query for each block of labels and of classes."""
        return blocks_of(self.labels, self.m) * self.class_blocks

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Exact rationals are submitted as they are."""
        return (COLUMN_A_CLASS, EXACT_PREDICTIONS) if self.exact else (COLUMN_A_CLASS,)


@dataclass(frozen=True)
class DesignStages(Parameters):
    """Every label in every query: a design asked once, or once for each binary digit of the class.

    A label whose entry is e is charged `gap` * e more if it belongs to the classes asked about.
    """

    kind = "design_stages"
    design: Design
    gap: Fraction
    digits: int  # 1: the design tells whole labels; else one stage a binary digit of the class

    @property
    def told(self) -> int:
        """A design of K classes tells K classes; binary stages tell 2^digits."""
        if self.digits == 1:
            return self.design.K
        return 2**self.digits if self.design.K == 2 and self.digits > 0 else 1

    @property
    def listed(self) -> int | None:
        """The design once a stage."""
        return self.design.M * self.digits

    @property
    def fixes(self) -> dict[str, str]:
        """A design's rows are submitted as they are; stages ask for the digits of as many classes as there are."""
        return {"K": f"{self.design.K}"} if self.digits == 1 else {}

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Rows of several classes need their columns."""
        return (COLUMN_A_CLASS, FLOATING_PREDICTIONS)


@dataclass(frozen=True)
class DigitBlock(Parameters):
    """A block of labels of K classes a query; row i predicts class k with probability rows[i][k].

    Rows ascend: the step between two classes of a row exceeds the spread of all rows before it.
    """

    kind = "digit_block"
    rows: tuple[tuple[Fraction, ...], ...]

    @property
    def m(self) -> int:
        """Labels a query."""
        return len(self.rows)

    @property
    def tilted(self) -> bool:
        """Read from the largest row down, by tilted thresholds."""
        return True

    @property
    def told(self) -> int:
        """As many as the shortest row has levels."""
        return min(map(len, self.rows), default=1)

    @property
    def listed(self) -> int | None:
        """A query a block."""
        return blocks_of(self.labels, self.m)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """A level a class."""
        return (COLUMN_A_CLASS,)

    @property
    def fixes(self) -> dict[str, str]:
        """Rows are submitted as they are written."""
        return {"K": f"{self.told}"}


@dataclass(frozen=True)
class GrowingBlocks(Parameters):
    """Blocks that grow: labels already known are predicted confidently, so that the loss and its error shrink.

    Each phase is (labels known before it, blocks asked in it, the block's small probabilities as in ListedBlock).
    A known label's wrong class gets the probability `doubt`.
    """

    kind = "growing_blocks"
    doubt: Fraction
    phases: tuple[tuple[int, int, tuple[Fraction, ...]], ...]

    @property
    def tilted(self) -> bool:
        """Every phase is read from the largest weight down, by tilted thresholds."""
        return True

    @property
    def told(self) -> int:
        """Binary labels."""
        return 2

    @property
    def adaptive(self) -> bool:
        """Known labels are predicted."""
        return True

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Known labels are predicted."""
        return (TWO_CLASSES, ADAPTIVE)
