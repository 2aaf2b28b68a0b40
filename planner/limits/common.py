"""What the impossibility proofs share: the information that must be learned, and how scores bound it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar

from flint import arb

from dsl.scenario import FixedPoint, Ieee
from planner.channel.channel import Channel, float_error, prepared_units, unit_roundoff
from planner.model import Limit
from planner.numerics.inequality import Inequality
from planner.numerics.reals import ball, ceil_of, compare


class LimitTheorem(ABC):
    """One impossibility proof. Subclasses live in a file each and are listed in the catalogue."""

    id: ClassVar[str]
    title: ClassVar[str]
    cite: ClassVar[str]
    statement: ClassVar[str]
    conditions: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def apply(self, channel: Channel) -> Limit:
        """What the proof says of the channel."""

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


def log2(value: arb) -> arb:
    """The binary logarithm."""
    return value.log() / arb(2).log()


def tolerated(channel: Channel) -> arb:
    """log2 of the number of labelings within the admissible distance of the truth, from above.

    The terms C(N,j)(K-1)^j rise up to j = r by factors of at least 1/q, q = r/((N-r+1)(K-1)), so their sum is at
    most the last one over 1-q.
    """
    N, r, K = channel.N, channel.wrong_allowed, channel.K
    if r == 0:
        return arb(0)
    q = Fraction(r, (N - r + 1) * (K - 1))
    if q >= 1:
        return N * log2(ball(K))
    choose = ball(N + 1).lgamma() - ball(r + 1).lgamma() - ball(N - r + 1).lgamma()
    return (choose + r * ball(K - 1).log() - (1 - ball(q)).log()) / arb(2).log()


def labels_bits(channel: Channel) -> arb:
    """N log2 K less what need not be known."""
    return channel.N * log2(ball(channel.K)) - tolerated(channel)


def fano_bits(channel: Channel) -> arb:
    """(1-δ)(N log2 K - log2 V) - h(δ): the information an attack must gain on average."""
    delta = ball(channel.delta)
    if channel.delta == 0:
        return labels_bits(channel)
    entropy = -(delta * log2(delta) + (1 - delta) * log2(1 - delta))
    return (1 - delta) * labels_bits(channel) - entropy


def rounding_slack(channel: Channel) -> arb:
    """By how much a computed score can differ from the exact one, whatever is submitted."""
    slack = arb(0)
    if isinstance(channel.score_precision, FixedPoint):
        slack += ball(Fraction(1, 2**channel.score_precision.fraction_bits))
    if isinstance(channel.precision, Ieee):
        slack += max(4, prepared_units(channel)) * ball(unit_roundoff(channel.precision))
    if any(isinstance(one, Ieee) for one in channel.formats):
        reach = channel.reach_limit()
        assert reach is not None
        # Showing a score in decimals comes after it was computed, and is no part of how far it may be off.
        # A renormalised row of K entries can charge up to ln K more than its spread.
        largest = reach + ball(channel.K).log() + 1
        slack += float_error(replace(channel, shown=None)) * largest
    return slack
