"""What a theorem of the catalogue is: a statement, a proposal for a channel or the reasons against it, a runnable form."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction
from typing import Any, ClassVar

from dsl.records import dataclass
from planner.attack import Attack
from planner.channel import Channel
from planner.model import Claim, Refusal, Step
from planner.parameters import Parameters


@dataclass(frozen=True)
class Proposal:
    """Parameters that a theorem believes in, and what they cost. The certifier has the last word."""

    parameters: Parameters
    labels_per_query: Fraction
    precision_bits: int
    prediction_bits: int
    operations: int
    memory: int
    within: Callable[[int], int]  # labels recovered by that many queries
    steps: tuple[Step, ...] = ()


class Theorem(ABC):
    """One result. Subclasses live in a file each and are listed in the catalogue."""

    id: ClassVar[str]
    title: ClassVar[str]
    cite: ClassVar[str]
    statement: ClassVar[str]
    conditions: ClassVar[tuple[str, ...]] = ()
    erratum: ClassVar[str | None] = None

    def claim(self, channel: Channel) -> Claim | None:
        """What the paper promises for this channel, where it says anything."""
        return None

    @abstractmethod
    def propose(self, channel: Channel) -> Proposal | tuple[Refusal, ...]:
        """Parameters for the channel, or every reason why there are none."""

    @abstractmethod
    def build(self, channel: Channel, parameters: Any) -> Attack:
        """The attack with these parameters, ready to run."""

    def refuse(self, channel: Channel, field: str, need: str, have: str) -> Refusal:
        """A refusal that cites this theorem and points at the field's line."""
        return Refusal(field, need, have, channel.lines.get(field), self.cite)
