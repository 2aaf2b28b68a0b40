"""Accuracy: the share of rows whose prediction is their label.

N - s - n1 + 2a rows are right: a is told to 2/N once n1 is known, and n1 to 1/N by all rows predicted 1. It adds up what each
row is worth, 0 or 1, so that limits for bounded rows hold with W = 1. Where a class that does not exist is taken, a row that
names it is worth 0 whatever its label: it is neutral.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from planner.channel.metrics.counting import CountingMetric

if TYPE_CHECKING:
    from planner.channel.channel import Channel


class Accuracy(CountingMetric):
    """The mean of [u = y]."""

    id = "accuracy"
    title = "accuracy"
    adds = True
    nonnegative = True
    ones_on_lattice = True

    def unknown(self, channel: Channel) -> tuple[str, ...]:
        """A class that does not exist is one of its words, and so are more than two that do."""
        return tuple(field for field in super().unknown(channel) if field not in ("abstain", "K"))

    def score(self, a: int, s: int, n1: int, N: int) -> Fraction:
        """(N - s - n1 + 2a)/N."""
        return Fraction(N - s - n1 + 2 * a, N)

    def count(self, score: Fraction, s: int, n1: int, N: int) -> Fraction:
        """Solved for a."""
        return (N * score - (N - n1) + s) / 2

    def ones(self, score: Fraction, N: int) -> Fraction:
        """n1/N is shown."""
        return N * score

    def step(self, N: int, n1: int | None) -> Fraction:
        """2/N."""
        return Fraction(2, N)

    def ones_step(self, N: int) -> Fraction | None:
        """1/N."""
        return Fraction(1, N)

    def values(self, channel: Channel) -> int | None:
        """One for each number of right rows; a labeling differs from a guess in no more rows than it has wrong."""
        return min(channel.scored, 2 * channel.radius) + 1 if channel.secret.informed else channel.scored + 1

    # -- what limits ask of a sum ------------------------------------------------------------------------

    def span(self, channel: Channel) -> arb:
        """A row is worth 0 or 1."""
        return arb(1)

    def largest_charge(self, channel: Channel, span: arb) -> arb:
        """1."""
        return span

    def largest_loss(self, channel: Channel, span: arb) -> arb:
        """With room for the error of computing it."""
        return 2 * span

    def lattice(self, channel: Channel) -> Fraction | None:
        """A score is a whole number of right rows over N, whatever becomes of it afterwards."""
        return Fraction(1, channel.scored)


ACCURACY = Accuracy()
