"""The vocabulary of a plan: refusals, certificates, candidates, limits and the report that holds them.

Everything is frozen data. Text, JSON, Markdown and the explorer render a Report; none of them computes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dsl.alike import ByFields
from planner.numerics.inequality import Inequality
from planner.numerics.reals import working

if TYPE_CHECKING:
    from planner.attacks.attack import Attack, Labels
    from planner.attacks.parameters import Parameters
    from planner.attacks.promise import Obligation, Promise
    from planner.attacks.theorem import Theorem
    from planner.channel.channel import Channel


class Verdict(StrEnum):
    """The answer to one scenario."""

    FEASIBLE = "feasible"
    IMPOSSIBLE = "impossible"
    UNKNOWN = "unknown"


class Status(StrEnum):
    """What became of one attack."""

    FEASIBLE = "feasible"
    OVER_BUDGET = "over_budget"
    REFUSED = "refused"


@dataclass(frozen=True, eq=False, repr=False)
class Refusal(ByFields):
    """Why something does not apply: the field that decides, what it needs and what the scenario has."""

    field: str
    need: str
    have: str
    line: int | None = None
    cite: str = ""

    def __str__(self) -> str:
        return f"{self.field}: needs {self.need}; here: {self.have}"


@dataclass(frozen=True, eq=False, repr=False)
class Claim(ByFields):
    """What the paper says an attack does; nothing here is relied on."""

    labels_per_query: int
    queries: int
    erratum: str | None = None  # id of the erratum, where the claim is wrong


@dataclass(frozen=True, eq=False, repr=False)
class Certificate(ByFields):
    """A promise, the obligations by which the channel lets it count, and the inequalities that prove it."""

    parameters: Parameters
    promise: Promise
    obligations: tuple[Obligation, ...]
    guarantee: str
    inequalities: tuple[Inequality, ...]

    @property
    def holds(self) -> bool:
        """Whether every obligation is met and every inequality proved."""
        if not (self.obligations and self.inequalities):
            return False
        return all(one.holds for one in self.obligations) and all(one.holds for one in self.inequalities)


@dataclass(frozen=True, eq=False, repr=False)
class Step(ByFields):
    """One link of the chain from the scenario to the attack: a reduction, or the attack itself."""

    id: str
    text: str


@dataclass(frozen=True, eq=False, repr=False)
class Plan(ByFields):
    """A certified attack with its price."""

    labels_per_query: Fraction
    queries: int
    precision_bits: int  # bits after the point that the score must hold
    prediction_bits: int  # bits that a submitted probability must hold
    operations: int  # arithmetic operations at the attacker
    memory: int  # bytes at the attacker
    exposure: int | None  # labels recovered within the budget; None: not known, it asks for more queries
    certificate: Certificate
    chain: tuple[Step, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class Candidate(ByFields):
    """One attack of the catalogue against one channel: the paper's claim and the certified plan, or reasons."""

    attack: str
    theorem: str
    status: Status
    paper: Claim | None = None
    certified: Plan | None = None
    reasons: tuple[Refusal, ...] = ()
    channel: Channel | None = field(default=None, repr=False, compare=False)
    guess: int = field(default=0, repr=False, compare=False)  # labels that the budget may recover; nothing is promised
    builder: Theorem[Any] | None = field(default=None, repr=False, compare=False)  # the theorem that proposed it

    def build(self, guess: Labels | None = None) -> Attack:
        """The runnable form of a certified candidate; one that starts from a guess takes it here (default: all 0)."""
        if self.certified is None or self.channel is None or self.builder is None:
            raise ValueError(f"{self.attack} is not certified for this scenario, so there is nothing to run")
        with working(self.channel.working_bits):
            held = self.builder.scope.read(self.channel)
            return self.builder.runnable(held, self.certified.certificate.parameters).knowing(guess)


@dataclass(frozen=True, eq=False, repr=False)
class Limit(ByFields):
    """An impossibility proof applied to a channel: at least `queries` are needed, or no number suffices."""

    id: str
    title: str
    queries: int | None  # the least number of queries not excluded; None: nothing is excluded
    excludes_all: bool  # no number of queries suffices
    why: str
    inequalities: tuple[Inequality, ...] = ()
    cite: str = ""
    parameters: tuple[tuple[str, Any], ...] = ()  # exact inputs of the inequalities, beside the channel

    def excludes(self, queries: int | None) -> bool:
        """Whether so many queries are proved to be too few; None: as many as one likes."""
        short = queries is not None and self.queries is not None and queries < self.queries
        return self.excludes_all or short


@dataclass(frozen=True, eq=False, repr=False)
class LowerBound(ByFields):
    """The strongest lower bound on queries, and the limit that proves it."""

    queries: int
    by: str | None


@dataclass(frozen=True, eq=False, repr=False)
class Exposure(ByFields):
    """How many labels the best certified attack recovers within the budget; None: not known, nothing is certified."""

    labels: int | None  # known: all that are stated are right
    fraction: float | None
    queries: int
    attack: str | None = None
    candidate: Candidate | None = field(default=None, repr=False, compare=False)  # certified for just these labels
    right: int | None = None  # in the end, be it not known which: those of a guess too, and of attacks that err
    corrected: int | None = None  # of the labels that a guess has wrong; None: there is no guess
    averaged: Candidate | None = field(default=None, repr=False, compare=False)  # leaves more right than are known


@dataclass(frozen=True, eq=False, repr=False)
class Outcome(ByFields):
    """An expectation and whether it holds."""

    text: str
    line: int | None
    holds: bool
    actual: str  # the figure, or the verdict
    told: str = ""  # the same in words; empty: it needs none

    @property
    def failure(self) -> str:
        """What was expected, and what is."""
        return f"expected {self.text}: {self.told or self.actual}"
