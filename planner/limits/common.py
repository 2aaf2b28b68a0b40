"""What the impossibility proofs share: the information that must be learned, and how scores bound it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

from flint import arb

from planner.channel.channel import Channel
from planner.channel.conditions import ADDS, Condition
from planner.channel.errors import float_error
from planner.model import Limit
from planner.numerics.inequality import Inequality
from planner.numerics.reals import ball, ceil_of, compare, log2


class Carried(NamedTuple):
    """A bound on the bits that scores carry together, and the free numbers that it was reckoned with."""

    bits: Callable[[], arb]
    parameters: tuple[tuple[str, Any], ...] = ()


class LimitTheorem(ABC):
    """One impossibility proof. Subclasses live in a file each and are listed in `limits/__init__.py`."""

    id: ClassVar[str]
    title: ClassVar[str]
    cite: ClassVar[str]
    statement: ClassVar[str]
    conditions: ClassVar[tuple[str, ...]] = ()
    needs: ClassVar[Condition | None] = ADDS  # of the metric; None: it may be any
    releases: ClassVar[tuple[str, ...]] = ("plain",)  # of which it speaks: those that it was proved for
    joint: ClassVar[bool] = False  # whether it speaks of several scores that come back together

    endless: ClassVar[bool] = False  # whether what it says scores carry holds for any number of them

    @abstractmethod
    def apply(self, channel: Channel) -> Limit:
        """What the proof says of the channel."""

    def serves(self, channel: Channel) -> bool:
        """Whether the proof is about metrics of this kind, and of as many scores as come back."""
        if channel.beside and not self.joint:
            return False
        return self.needs is None or self.needs.met(channel)

    def speaks_of(self, channel: Channel) -> bool:
        """Whether the proof is about boards that release scores like this."""
        return channel.released.id in self.releases

    def carried(self, channel: Channel, queries: int) -> Carried | None:
        """The bits that so many scores of this channel tell of the labels at most; None: the proof has no such bound."""
        return None

    def silent(self, why: str) -> Limit:
        """The proof does not apply."""
        return Limit(self.id, self.title, None, False, why, cite=self.cite)

    def excludes_all(self, why: str, *inequalities: Inequality, **parameters: Any) -> Limit:
        """No number of queries suffices."""
        return Limit(self.id, self.title, None, True, why, inequalities, self.cite, tuple(parameters.items()))

    def at_least(
        self, need: Callable[[], arb], each: Callable[[], arb], unit: str, why: str, **parameters: Any
    ) -> Limit:
        """`need` bits at no more than `each` bits a query: one query less is proved to be too few."""
        queries = max(0, ceil_of(lambda: need() / each()))
        record = self._too_few(queries - 1, need, each, unit)
        if queries and not record.holds:
            # An exact quotient cannot be told from one a hair above it: claim only what is proved.
            queries -= 1
            record = self._too_few(queries - 1, need, each, unit)
        proof = (record,) if queries else ()
        return Limit(self.id, self.title, queries, False, why, proof, self.cite, tuple(parameters.items()))

    @staticmethod
    def _too_few(queries: int, need: Callable[[], arb], each: Callable[[], arb], unit: str) -> Inequality:
        return compare(f"{queries} x {unit} < bits needed", lambda: queries * each(), "<", need)


def fano_bits(channel: Channel) -> arb:
    """(1-δ)(N log2 K - log2 V) - h(δ): the information an attack must gain on average."""
    delta, needed = ball(channel.delta), channel.secret.needed()
    if channel.delta == 0:
        return needed
    entropy = -(delta * log2(delta) + (1 - delta) * log2(1 - delta))
    return (1 - delta) * needed - entropy


def rounding_slack(channel: Channel) -> arb:
    """By how much a computed score can differ from the exact one, whatever is submitted."""
    moved = channel.metric.moved(channel)
    if moved is None:
        return arb.pos_inf()
    slack = 2 * channel.scores.half_step() + ball(moved)
    if not channel.metric.adds:
        return slack
    if channel.submission.floating or channel.scores.floating:
        # Showing a score in decimals comes after it was computed, and is no part of how far it may be off.
        slack += float_error(channel, shown=False) * channel.metric.largest_charge(channel, channel.span())
    return slack


def on_lattice(channel: Channel, step: Fraction) -> bool:
    """Whether exact scores are whole multiples of the step: then a shown one is a function of a whole number."""
    return step == channel.metric.lattice(channel)


def spread(channel: Channel) -> arb:
    """The length of an interval that holds every score of one submission, as it is computed."""
    return ball(channel.secret.share) * channel.breadth() + 2 * rounding_slack(channel)
