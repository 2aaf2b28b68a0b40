"""What a `.threat` file means once it is checked: the Scenario and the values its fields may take.

Nothing here knows about attacks. Every value is exact; where a value came from is kept beside it, but
is no part of equality: two files that say the same thing give equal scenarios.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from math import ceil, floor, prod
from typing import TYPE_CHECKING, Literal

from dsl.alike import ByFields
from dsl.numbers import Real

if TYPE_CHECKING:
    from dsl.checking.inheritance import Definition
    from dsl.checking.progressions import Part
    from dsl.reading.spans import Span

# -- precision ---------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class Arbitrary(ByFields):
    """Exact real arithmetic: the paper's APA."""


@dataclass(frozen=True, eq=False, repr=False)
class FixedPoint(ByFields):
    """A sign, `integer_bits` before the point and `fraction_bits` after it.

    The paper's FPA(phi) has the range and resolution of this format: (phi-1)//2 bits after the point and
    the other phi-1 bits before it.
    """

    integer_bits: int
    fraction_bits: int


@dataclass(frozen=True, eq=False, repr=False)
class Ieee(ByFields):
    """A binary IEEE 754 format: float16, float32 or float64."""

    bits: Literal[16, 32, 64]


Precision = Arbitrary | FixedPoint | Ieee

# -- noise -------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class NoNoise(ByFields):
    """Scores are reported as computed."""


@dataclass(frozen=True, eq=False, repr=False)
class Bounded(ByFields):
    """An arbitrary, even adversarial, error of at most `tau`."""

    tau: Real


@dataclass(frozen=True, eq=False, repr=False)
class Uniform(ByFields):
    """Independent noise, uniform on [a, b]."""

    a: Real
    b: Real


@dataclass(frozen=True, eq=False, repr=False)
class Gaussian(ByFields):
    """Independent normal noise of standard deviation `sigma`."""

    sigma: Real


@dataclass(frozen=True, eq=False, repr=False)
class Laplace(ByFields):
    """Independent Laplace noise of scale `b`."""

    b: Real


@dataclass(frozen=True, eq=False, repr=False)
class Subexponential(ByFields):
    """Independent centred noise with E exp(sX) <= exp(lambda2 s^2/2) for |s| < 1/nu."""

    lambda2: Real
    nu: Real


@dataclass(frozen=True, eq=False, repr=False)
class Multiplicative(ByFields):
    """The score is off by a factor between 1 - alpha and 1 + alpha, chosen adversarially."""

    alpha: Real


@dataclass(frozen=True, eq=False, repr=False)
class Skewed(Multiplicative):
    """The score is off by a factor between 1 - alpha and 1 + above, chosen adversarially."""

    above: Real


Noise = NoNoise | Bounded | Uniform | Gaussian | Laplace | Subexponential | Multiplicative

# -- what is scored ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class Several(ByFields):
    """Scores that all come back for one submission, by their names, in the order in which they are written."""

    metrics: tuple[str, ...]


# -- the rows behind a score --------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class Between(ByFields):
    """A count that is known only to lie between two others, both included."""

    low: int
    high: int


Public = int | Fraction | Between | None  # a count, a share, a range; None: all rows


def scored_rows(rows: int, public: Public) -> tuple[int, int]:
    """The fewest and the most rows that are scored; a share is taken to the nearest row, halves up."""
    if isinstance(public, Between):
        return public.low, public.high
    if isinstance(public, Fraction):
        count = floor(public * rows + Fraction(1, 2))
        return count, count
    return (rows, rows) if public is None else (public, public)


# -- what becomes of scores --------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class Plain(ByFields):
    """Each score is shown."""


@dataclass(frozen=True, eq=False, repr=False)
class BestOnly(ByFields):
    """The best score so far is shown."""


@dataclass(frozen=True, eq=False, repr=False)
class LadderOf(ByFields):
    """What is shown changes for a score that beats it by `eta`, to a multiple of it; it starts at infinity or `start`."""

    eta: Real
    start: Real | None = None


@dataclass(frozen=True, eq=False, repr=False)
class CappedAt(ByFields):
    """Scores above `level` are shown as `level`."""

    level: Real


@dataclass(frozen=True, eq=False, repr=False)
class ChangesOnly(ByFields):
    """The best score so far is shown, until it changed `most` times."""

    most: int


Release = Plain | BestOnly | LadderOf | CappedAt | ChangesOnly

# -- what is shown, and by whom ----------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class Decimals(ByFields):
    """The score is rounded to this many digits after the point."""

    digits: int


@dataclass(frozen=True, eq=False, repr=False)
class Percentage(Decimals):
    """The score is shown in percent, rounded; `digits` are those of the share, two more than are shown."""


@dataclass(frozen=True, eq=False, repr=False)
class Truncated(ByFields):
    """The score is cut off after this many digits, never rounded up."""

    digits: int


@dataclass(frozen=True, eq=False, repr=False)
class Significant(ByFields):
    """The score is rounded to this many significant digits."""

    digits: int


Shown = Decimals | Truncated | Significant | None  # None: in full


@dataclass(frozen=True, eq=False, repr=False)
class Scorer(ByFields):
    """A scorer preset, and the version where that matters."""

    name: str
    version: str | None = None


class Summation(StrEnum):
    """The order in which a floating-point scorer adds its rows."""

    SEQUENTIAL = "sequential"
    PAIRWISE = "pairwise"


class Time(StrEnum):
    """How much computing the attacker may do."""

    POLYNOMIAL = "polynomial"
    EXPONENTIAL = "exponential"


# -- expectations, sweeps, provenance ----------------------------------------------------------------

Verdict = Literal["feasible", "impossible", "unknown"]
Comparison = Literal["<=", ">=", "<", ">", "=="]
Measured = Literal["queries", "exposure", "ceiling", "m", "bits"]
Find = Literal["labels", "labels_and_split"]


@dataclass(frozen=True, eq=False, repr=False)
class ExpectVerdict(ByFields):
    """`expect feasible`, and its like."""

    verdict: Verdict
    text: str = field(compare=False, default="")
    line: int | None = field(compare=False, default=None)


@dataclass(frozen=True, eq=False, repr=False)
class ExpectMeasure(ByFields):
    """`expect queries <= N/5`, and its like."""

    measure: Measured
    comparison: Comparison
    value: Real
    text: str = field(compare=False, default="")
    line: int | None = field(compare=False, default=None)


Expectation = ExpectVerdict | ExpectMeasure


@dataclass(frozen=True, eq=False, repr=False)
class Sweep(ByFields):
    """One `sweep`: the values that a field takes in turn, never written out."""

    field: str
    text: str  # the values in canonical form, for example "2..6"
    size: int
    parts: tuple[Part, ...] = dataclasses.field(compare=False, repr=False)


@dataclass(frozen=True, eq=False, repr=False)
class Origin(ByFields):
    """Where a field's value came from."""

    kind: Literal["written", "inherited", "preset", "default", "sweep"]
    source: str  # for example "written at imdb.threat:4:5", "preset sklearn 1.5", "default"
    span: Span | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Scenario(ByFields):
    """One checked threat model."""

    name: str
    N: int
    K: int = 2
    guess: Fraction | None = None  # share of the labels that an attacker's guess gets right; None: nothing is known
    positives: int | Fraction | None = None  # how many labels are 1, as a count or a share; None: that is not public
    public: Public = None  # rows that the score is computed on, a secret part of those submitted
    find: Find = "labels"
    phi: Precision = Ieee(64)
    score_phi: Precision | None = None  # None: as `phi`
    noise: Noise = NoNoise()
    response: Real | None = None  # epsilon of randomised response: labels are flipped once before anything is scored
    release: Release = Plain()
    shown: Shown = None  # the field `decimals`
    clip: Real | None = None  # probabilities are moved into [clip, 1 - clip]
    columns: int = 1
    scorer: Scorer | None = None
    platform: str | None = None  # one of dsl.checking.platforms
    summation: Summation = Summation.PAIRWISE
    renormalises: bool = False  # whether the scorer divides each row by its sum
    checks: bool = True  # whether predictions outside [0, 1] are refused
    metric: str | Several = "log_loss"  # of dsl.checking.metrics
    predictions: str = "probability"  # what a row holds: "probability", "class" or "real"
    abstain: bool = False  # whether a class that does not exist is taken, and counts as wrong
    reduction: str = "mean"  # of the charges of scored rows: "mean" or "sum"
    queries: int | None = None  # None: unlimited
    accounts: int = 1  # of those who work together; `queries` are of all of them
    time: Time = Time.POLYNOMIAL
    adaptive: bool = True
    goal: Fraction = Fraction(1)  # share of the labels to recover
    confidence: Fraction = Fraction(99, 100)
    expectations: tuple[Expectation, ...] = ()
    title: str | None = None
    sweeps: tuple[Sweep, ...] = ()
    formulas: tuple[tuple[str, str], ...] = ()  # fields that follow the swept ones, and how: ("queries", "N/5")
    file: str | None = field(default=None, compare=False)
    origins: Mapping[str, Origin] = field(default_factory=dict, compare=False, repr=False)
    definition: Definition | None = field(default=None, compare=False, repr=False)
    expand: Callable[[Scenario], Iterator[Scenario]] | None = field(default=None, compare=False, repr=False)

    @property
    def mistakes(self) -> int | None:
        """How many labels the attacker's guess has wrong at most; None: it has none."""
        if self.positives is not None:
            return min(self.ones, self.N - self.ones)
        return None if self.guess is None else self.N - ceil(self.guess * self.N)

    @property
    def ones(self) -> int:
        """The labels that are 1, where their number is public."""
        held = self.positives or 0
        return int(held * self.N) if isinstance(held, Fraction) else held

    @property
    def scored(self) -> tuple[int, int]:
        """The fewest and the most rows that the score may be computed on; a share is taken to the nearest row."""
        return scored_rows(self.N, self.public)

    @property
    def split(self) -> bool:
        """Whether a secret part of the rows is scored."""
        return self.scored != (self.N, self.N)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The scores that come back for a submission, by their names."""
        return self.metric.metrics if isinstance(self.metric, Several) else (self.metric,)

    def showing(self, metric: str) -> Scenario:
        """The same board to somebody who looks at one of its scores alone."""
        return self if self.metric == metric else dataclasses.replace(self, metric=metric)

    @property
    def score_format(self) -> Precision:
        """The format in which charges are added up and the score is shown."""
        return self.score_phi or self.phi

    def line(self, name: str) -> int | None:
        """The line of the file that set field `name`, if a line did."""
        origin = self.origins.get(name)
        return origin.span.line if origin and origin.span else None

    def sweep_size(self) -> int:
        """How many points the sweeps have; 1 without any."""
        return prod(sweep.size for sweep in self.sweeps)

    def points(self) -> Iterator[Scenario]:
        """The concrete scenarios that this one stands for: itself, or one for each point of its sweeps.

        Points are made as they are asked for. One whose values do not fit raises a ThreatError.
        """
        if not self.sweeps:
            return iter((self,))
        assert self.expand is not None, "a scenario with sweeps knows how its points are made"
        return self.expand(self)
