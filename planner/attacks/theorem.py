"""What a theorem of the catalogue is: a statement, a proposal for a channel or the reasons against it, a runnable form."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, Generic, TypeVar

from dsl.alike import ByFields
from planner.attacks.attack import Attack
from planner.attacks.parameters import Parameters
from planner.attacks.scope import Scope, scope_of
from planner.attacks.sums import OfSums
from planner.channel.channel import Channel
from planner.channel.conditions import UNPROVED, Condition
from planner.model import Certificate, Claim, Refusal, Step
from planner.numerics.inequality import Inequality
from planner.numerics.reals import told_apart

Record = TypeVar("Record", bound=Parameters)
Proposed = TypeVar("Proposed", bound=Parameters, covariant=True)


@dataclass(frozen=True, eq=False, repr=False)
class Proposal(ByFields, Generic[Proposed]):
    """Parameters that a theorem believes in, and what they cost. The certifier has the last word."""

    parameters: Proposed
    labels_per_query: Fraction
    precision_bits: int
    prediction_bits: int
    operations: int
    memory: int
    within: Callable[[int], int]  # labels recovered by about that many queries: a guess
    steps: tuple[Step, ...] = ()


class Theorem(ABC, Generic[Record]):
    """One result, by the kind of parameters that it proposes. Subclasses are listed in the catalogue."""

    id: ClassVar[str]
    title: ClassVar[str]
    cite: ClassVar[str]
    statement: ClassVar[str]
    conditions: ClassVar[tuple[str, ...]] = ()
    erratum: ClassVar[str | None] = None
    scope: ClassVar[Scope]  # of which boards it may be proposed: as its family says
    informed: ClassVar[bool] = False  # whether it starts from a guess of the labels
    partial: ClassVar[bool] = True  # whether fewer labels take fewer queries
    doubtful: ClassVar[bool] = False  # whether some of the labels that it states may be wrong
    compares: ClassVar[bool] = False  # whether rounding serves it as a comparison: an error is what comes before it

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        cls.scope = scope_of(cls)

    def claim(self, channel: Channel) -> Claim | None:
        """What the paper promises for this channel, where it says anything."""
        return None

    @abstractmethod
    def propose(self, channel: Channel) -> Proposal[Record] | tuple[Refusal, ...]:
        """Parameters for the channel, or every reason why there are none."""

    def propose_known(self, channel: Channel) -> Proposal[Record] | tuple[Refusal, ...]:
        """The same with no wrong label among those that are stated; most attacks leave none."""
        return self.propose(channel)

    def likely_right(self, channel: Channel) -> int:
        """About how many labels the budget leaves right, some of those stated being wrong: a guess."""
        return 0

    @abstractmethod
    def build(self, channel: Channel, parameters: Record) -> Attack:
        """The attack with these parameters, ready to run on scores that are means."""

    def runnable(self, channel: Channel, parameters: Record) -> Attack:
        """The attack on scores as the board shows them."""
        built = self.build(channel, parameters)
        return OfSums(built, channel.parts) if channel.summed else built

    def outside(self, channel: Channel) -> tuple[Refusal, ...]:
        """Why the board is none of those that the family speaks of; the first reason stands for all that would follow."""
        if channel.unknown:
            return tuple(self.refuse(channel, field, *UNPROVED) for field in channel.unknown)
        if not self.scope.shown(channel):
            named = self.scope.releases
            need = "each score to be shown" if named == ("plain",) else f"release = {' or '.join(named)}"
            return (self.refuse(channel, "release", need, channel.released.title),)
        if self.scope.needs is not None and not self.scope.fits(channel):
            return self.unmet(channel, self.scope.needs)
        return self.unmet(channel, *self.scope.rows)

    def unmet(self, channel: Channel, *conditions: Condition, see: str = "") -> tuple[Refusal, ...]:
        """A refusal for each condition that the channel does not meet; `see` names what serves there instead."""
        hint = f" (see {see})" if see else ""
        return tuple(
            self.refuse(channel, one.field, one.need + hint, one.have(channel))
            for one in conditions
            if not one.met(channel)
        )

    def failed(self, channel: Channel, certificate: Certificate) -> tuple[Refusal, ...]:
        """What the certifier holds against parameters: the conditions that really fail, with their numbers."""
        duties = (
            self.refuse(channel, one.field, one.need, one.have) for one in certificate.obligations if not one.holds
        )
        unproved = (
            self.refuse(channel, self.deciding(channel), *_needed(one))
            for one in certificate.inequalities
            if not one.holds
        )
        return (*duties, *unproved)

    def deciding(self, channel: Channel) -> str:
        """The field that a user would have to change for an inequality to hold that does not."""
        if self.compares:
            return "noise" if not channel.law.quiet else "phi"
        if channel.shown is not None:
            return "decimals"
        if not channel.law.quiet:
            return "noise"
        return "clip" if channel.submission.exact else "phi"

    def refuse(self, channel: Channel, field: str, need: str, have: str) -> Refusal:
        """A refusal that cites this theorem and points at the field's line."""
        return Refusal(field, need, have, channel.lines.get(field), self.cite)


def unasked(channel: Channel) -> Channel:
    """The channel whatever is asked of it: for what is the same for every goal and budget, and is kept."""
    return replace(channel, wanted=channel.rows, budget=None)


def _needed(one: Inequality) -> tuple[str, str]:
    """An inequality with the number on its right, and that on its left; a name that does not say the relation gets it."""
    left, right = told_apart(one.left, one.right)
    return (f"{one.name} = {right}" if f" {one.relation} " in one.name else f"{one.name}: {one.relation} {right}"), left
