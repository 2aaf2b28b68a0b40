"""The error of a score: what the metric's arithmetic, the formats, the noise and the digits shown add up to.

A score is computed in floating point (relative to the loss), changed by noise, and shown in digits. E is the error of
the sum of charges: as many times that of the score as rows are scored.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from dsl.alike import ByFields
from dsl.scenario import Summation
from planner.channel.formats.summation import BLOCK, REMAINDER, additions, pairwise_depth
from planner.numerics.reals import ball, per_precision

if TYPE_CHECKING:
    from planner.channel.channel import Channel

WHOLE = Fraction(1)  # of delta


@dataclass(frozen=True, eq=False, repr=False)
class Errors(ByFields):
    """The error of a score, as a function of the largest loss that a query can show."""

    channel: Channel
    queries: int
    share: Fraction = WHOLE  # of delta: random noise leaves its bound no more often

    def sum_error(self, loss: arb, heaviest: arb | None = None) -> arb:
        """E: the error of the sum of charges when no labeling scores above `loss`, nor a row above `heaviest`."""
        return self.channel.scored * self.score_error(loss, heaviest)

    def score_error(self, loss: arb, heaviest: arb | None = None) -> arb:
        """The error of one score when no labeling scores above `loss`.

        Attacks that tell the heaviest charge of a row also reckon with the entries as they wrote them.
        """
        before_rounding = self.constant() + self._growing(loss, heaviest)
        if heaviest is not None:
            before_rounding -= self._written()
        return before_rounding + self.channel.digits.relative(loss + before_rounding + self.channel.law.size())

    @per_precision
    def constant(self) -> arb:
        """The part that does not depend on the loss: noise, rounding to decimals or to a fixed grid."""
        c = self.channel
        prepared = c.metric.prepared(c)
        if c.unknown or prepared is None:
            return arb.pos_inf()
        total: arb = self.noise() + hidden(c)
        total += ball(prepared) * (1 + c.law.factor())
        return total + self._rounded_noise()

    def noise(self) -> arb:
        """tau: what the noise of no query exceeds, but for a share of delta where it is random."""
        return self.channel.law.within(self.channel.delta * self.share, self.queries)

    @per_precision
    def _written(self) -> arb:
        """The part that entries lose in being written down."""
        c = self.channel
        return ball(c.metric.written(c)) * (1 + c.law.factor())

    def _rounded_noise(self) -> arb:
        """Random noise is added in the format: the sum is rounded at the noise's own size, and again when shown."""
        c = self.channel
        if not c.law.random:
            return arb(0)
        largest = c.law.size() + self.noise()
        return ball(c.scores.unit * (1 + c.digits.roundings)) * largest

    @per_precision
    def relative(self) -> arb:
        """The part that grows with the loss: floating-point evaluation and multiplicative noise."""
        factor = self.channel.law.factor()
        return factor + float_error(self.channel) * (1 + factor)

    def _growing(self, loss: arb, heaviest: arb | None) -> arb:
        """What grows with the loss. Where no row is very heavy, each of numpy's additions can be counted."""
        c = self.channel
        plain = self.relative() * loss
        if heaviest is None or not c.scores.floating or c.summation is not Summation.PAIRWISE:
            return plain
        counted, remainder = self._counted()
        factor = c.law.factor()
        last = loss.min(BLOCK * heaviest / c.scored)
        return plain.min(factor * loss + (1 + factor) * (counted * loss + remainder * last))

    @per_precision
    def _counted(self) -> tuple[arb, arb]:
        """The relative error by the additions that every row may see, and that of the last block's rows by the rest."""
        c = self.channel
        # The remainder's additions come after those of the last block, and touch no other: hence 1 + REMAINDER.
        return float_error(c, pairwise_depth(c.scored)), accumulated((1 + REMAINDER) * c.scores.unit)


def accumulated(share: Fraction) -> arb:
    """The relative error of a value that was rounded several times, from the sum of the single roundings' errors."""
    return arb.pos_inf() if share >= Fraction(1, 2) else ball(share / (1 - share))


def float_error(channel: Channel, added: int | None = None, shown: bool = True) -> arb:
    """The relative error of a mean of charges: charges, sum, division, rounding; none where all is exact.

    Sum, division and the decimals shown are rounded in the score's format.
    """
    charges = channel.metric.charge_error(channel)
    if charges is None:
        return arb.pos_inf()
    in_sum = additions(channel.scored, channel.summation) if added is None else added
    roundings = in_sum + 1 + (channel.digits.roundings if shown else 0)
    return accumulated(roundings * channel.scores.unit + charges)


def growth(channel: Channel) -> arb:
    """The factor by which rounding can at most enlarge a sum of charges, however many there are: (1 + u)^k <= e^(uk)."""
    charges = channel.metric.charge_error(channel)
    if charges is None:
        return arb.pos_inf()
    return ball(charges + (additions(channel.scored, channel.summation) + 2) * channel.scores.unit).exp()


def hidden(channel: Channel) -> arb:
    """Half a unit of the last place shown, and of the last place of a fixed-point score."""
    return channel.digits.half_unit() + channel.scores.half_step()
