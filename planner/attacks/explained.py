"""Whatever a decoder returns explains every score that it saw, within the error that it was certified for.

Labels are encoded again: the sum of charges that they predict is held against the sum that was seen. What a score may
miss is what its certificate counts and nothing more: a decoder that finds the nearest labeling and stops there would
return one for any score at all. Bounds are rounded up, so that no score that the channel can show is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any

from flint import arb

from planner.attacks.attack import InconsistentScores
from planner.channel.channel import Channel
from planner.channel.errors import Errors
from planner.numerics.reals import ball, upper

if TYPE_CHECKING:
    from numpy.typing import NDArray

READ_BITS = 52  # a decimal that is read as float64 is off by less than 2^-52 of itself
SHARE_BITS = 128  # to which a share is rounded up
FLOAT_ROOM = Fraction(2**48 + 1, 2**48)  # far above what a few operations on float64 lose


def unexplained() -> InconsistentScores:
    """The failure of a decoder whose labels do not predict what was seen."""
    return InconsistentScores("a score fits no labeling within the error that this attack was certified for")


@dataclass(frozen=True)
class Allowance:
    """How far a sum of charges that was seen may be from the sum that labels predict: fixed + share * predicted."""

    fixed: Fraction
    share: Fraction

    @classmethod
    def certified(
        cls, channel: Channel, errors: Errors, loss: arb, gap: arb, deviation: arb | None = None
    ) -> Allowance:
        """What a certificate counts as E where no labeling scores above `loss`, and how finely a score can be read.

        The gap is the one that the certificate holds against 2E, of the decoder that it is about.
        The part that grows with the loss is charged at the predicted loss, everything else at the largest.
        """
        largest = errors.sum_error(loss)
        fixed = largest - channel.scored * errors.relative() * loss + _reading(channel, loss, gap, gap - 2 * largest)
        return cls(upper(fixed if deviation is None else fixed + deviation), upper(errors.relative()))

    @classmethod
    def at_most(cls, channel: Channel, error: arb, loss: arb, gap: arb) -> Allowance:
        """A certificate's E, whatever the loss, and how finely a score can be read."""
        return cls(upper(error + _reading(channel, loss, gap, gap - 2 * error)), Fraction(0))

    def bears(self, missed: arb, predicted: arb) -> bool:
        """Whether a sum may be off by so much; a doubt is no reason to refuse a score."""
        return not missed > ball(self.fixed) + ball(self.share) * predicted

    def require(
        self, residuals: NDArray[Any], predicted: NDArray[Any], scale: int, rounded: int, constant: int = 0
    ) -> None:
        """Refuse residuals, integers in units of 2^-scale, beyond the allowance and `rounded` units of the decoder's own.

        What labels predict is `predicted` and the constant that all sums share.
        """
        fixed = self.fixed * 2**scale + rounded + self.share * max(constant, 0)
        if residuals.dtype == object:  # integers of any length: no float holds them
            share, most = ceil(self.share * 2**SHARE_BITS), ceil(fixed) + 1
            pairs = zip(residuals.tolist(), predicted.tolist(), strict=True)
            beyond = any(abs(left) > most + (share * total >> SHARE_BITS) for left, total in pairs)
        else:
            allowed = float(fixed * FLOAT_ROOM) + float(self.share * FLOAT_ROOM) * predicted
            beyond = bool((abs(residuals) > allowed).any())
        if beyond:
            raise unexplained()


def _reading(channel: Channel, loss: arb, gap: arb, margin: arb) -> arb:
    """What a score may lose on its way to the decoder, where the channel's own errors do not count it.

    A real number is read to finitely many digits: those that a plan asks for leave a sixteenth of the gap, or half of
    what is left beyond the error. A decimal is read as the nearest float64.
    """
    if channel.scores.floating:
        return arb(0)
    if channel.shown is not None:
        return channel.scored * loss * arb(2) ** -READ_BITS
    if not channel.scores.exact:
        return arb(0)
    return (gap / 16).min(margin / 4) if margin > 0 else gap / 16
