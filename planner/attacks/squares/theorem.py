"""Free predictions behind a root or a quotient of squared errors."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from planner.attacks.attack import Attack
from planner.attacks.costs import block_cost
from planner.attacks.inequalities import alike
from planner.attacks.parameters import blocks_of
from planner.attacks.theorem import Proposal, Theorem
from planner.channel.channel import Channel
from planner.channel.conditions import DOUBLES, TWO_CLASSES
from planner.channel.metrics.squares import SquaresMetric
from planner.model import Refusal
from planner.numerics.search import first_above

if TYPE_CHECKING:
    from flint import arb

    from planner.attacks.squares.parameters import SquareBlock

MOST_PLACES = 60  # of a float64 there are 53
OCTAVES = range(-60, 40, 2)  # of a gap: coarse, then the neighbours of the best
LARGEST_T = 50  # as a power of two


class SquareBlocks(Theorem["SquareBlock"]):
    """Powers of two, as large as they need be."""

    id = "square-block"
    title = "Blocks under a root or a quotient of squared errors"
    cite = "line metrics"
    statement = (
        "A row at u charges label 1 by 1 - 2u more than label 0 in the sum S of squared errors, whatever number u is, and "
        "weights g, 2g, 4g, .. tell a block of labels. RMSE shows sqrt(S/N), of which neighbouring sums are farther apart "
        "than 10^-d, however large the gap, only while 4^m - 1 < 3*10^(2d)/N. R2 shows 1 - S N/(n0 n1): all rows at t "
        "tell n1, or all at 1 - t beside them, and then no rounding ends a block but that of float64."
    )
    conditions = ("metric = rmse or r2", "scores of neighbouring sums more than 2E apart")

    def propose(self, channel: Channel) -> Proposal[SquareBlock] | tuple[Refusal, ...]:
        """The largest block over gaps that are powers of two."""
        reasons = self.unmet(channel, TWO_CLASSES, DOUBLES)
        if reasons:
            return reasons
        if alike(channel) and not channel.metric.one_class:
            return (
                self.refuse(channel, "positives" if channel.exactly else "N", "labels of both classes", "one class"),
            )
        found = _best(channel)
        if found is None:
            need = "an error that a prediction of float64 outweighs"
            return (self.refuse(channel, self.deciding(channel), need, "none does"),)
        return block_cost(channel, found, found.m, precision_bits=64, prediction_bits=64)

    def build(self, channel: Channel, parameters: SquareBlock) -> Attack:
        """A runnable block attack."""
        from planner.attacks.squares.run import SquareBlockAttack

        return SquareBlockAttack(self.id, channel, parameters)


def _best(channel: Channel) -> SquareBlock | None:
    """The largest block that is certified; of equals that of the smallest gap."""
    from planner.attacks.squares.certify import prove
    from planner.attacks.squares.parameters import SquareBlock

    metric = channel.metric
    assert isinstance(metric, SquaresMetric)
    ways = _constants(channel) if metric.needs_ones and not channel.exactly else ((Fraction(0), 0),)
    coarse = max(((_labels(channel, 2.0**octave), -octave) for octave in OCTAVES), default=(0, 0))
    fine = (coarse[1] + step for step in (-1, 0, 1))
    best = max(coarse, *((_labels(channel, 2.0**-octave), octave) for octave in fine))
    for m in range(best[0], 0, -1):
        for t, before in ways:
            queries = blocks_of(channel.wanted, m) + before
            found = SquareBlock(queries, channel.wanted, m, Fraction(2) ** -best[1], t, before)
            if prove(channel, found).holds:
                return found
    return None


def _constants(channel: Channel) -> tuple[tuple[Fraction, int], ...]:
    """Ways to learn how many labels are 1, as t and the submissions it takes: one at 1, one farther out, or two."""
    errors, N = channel.errors(channel.wanted), channel.scored
    off = errors.constant() + errors.relative()
    if not off.is_finite():
        return ()

    def least(*bounds: arb | int) -> tuple[Fraction, ...]:
        """The least power of two t with 2t - 1 above all of these."""
        power = first_above(lambda power: all((2 ** (power + 1) - 1) > one for one in bounds), -1, LARGEST_T)
        return () if power is None else (Fraction(2**power),)

    one, two = (Fraction(1), *least(4 * N * off, 2 * N)), least(N * off)
    return (*((t, 1) for t in one), *((t, 2) for t in two))


def _labels(channel: Channel, gap: float) -> int:
    """About how many labels a block of this gap tells: in floats, whatever comes out is certified afterwards."""
    metric, N = channel.metric, channel.scored
    assert isinstance(metric, SquaresMetric)
    errors = channel.errors(channel.wanted)
    constant, relative = float(errors.constant()), float(errors.relative())
    if channel.digits.grows:
        relative += 10.0 ** (1 - channel.digits.digits) / 2  # of a score just above a power of ten
    m, charged = 0, N / 4
    while m < min(channel.rows, MOST_PLACES):
        charged += ((1 + gap * 2.0**m) / 2) ** 2 - 0.25
        score = (charged / N) ** 0.5
        if metric.needs_ones:
            holds = gap > 2 * (N / 4 * constant + relative * (N / 4 + charged))
        else:
            holds = gap / (N * (score + max(charged - gap, 0.0) ** 0.5 / N**0.5)) > 2 * (constant + relative * score)
        if not holds:
            break
        m += 1
    return m
