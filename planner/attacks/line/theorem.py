"""Free predictions under squared error: no rounding and no bounded noise outweighs a row that may weigh anything."""

from __future__ import annotations

from fractions import Fraction
from math import floor, log2
from typing import TYPE_CHECKING

from flint import arb

from planner.attacks.attack import Attack
from planner.attacks.costs import block_cost
from planner.attacks.parameters import blocks_of
from planner.attacks.theorem import Proposal, Theorem
from planner.channel.channel import Channel
from planner.channel.conditions import DOUBLES, FREE_PREDICTIONS, TWO_CLASSES
from planner.model import Refusal

if TYPE_CHECKING:
    from planner.attacks.line.parameters import FreeBlock

SIXTEENTHS = range(16, 32)  # gaps between two powers of two that are tried
MOST_PLACES = 60  # of a float64 there are 53
LEAST_GAP = 2.0**-48
OCTAVES = 4  # above the least gap: a larger one leaves less of float64


class FreeBlocks(Theorem["FreeBlock"]):
    """Powers of two, as large as they need be."""

    id = "free-block"
    title = "Blocks of free predictions under squared error"
    cite = "line metrics"
    statement = (
        "A row at u charges label 1 by 1 - 2u more than label 0, whatever number u is. So weights g, 2g, 4g, .. with g above "
        "2E, the error of N times a score, tell a block of labels however few decimals are shown and however large a bounded "
        "noise is: all that ends the block is float64 itself, since the charges grow like the squares of the weights."
    )
    conditions = ("metric = mse, predictions = real", "g > 2E at the largest sum of charges")

    def propose(self, channel: Channel) -> Proposal[FreeBlock] | tuple[Refusal, ...]:
        """The largest block over gaps from just above the least one."""
        reasons = self.unmet(channel, TWO_CLASSES, FREE_PREDICTIONS, DOUBLES)
        if reasons:
            return reasons
        found = _best(channel)
        if found is None:
            need = "an error that a prediction of float64 outweighs"
            return (self.refuse(channel, self.deciding(channel), need, "none does"),)
        return block_cost(channel, found, found.m, precision_bits=64, prediction_bits=64)

    def build(self, channel: Channel, parameters: FreeBlock) -> Attack:
        """A runnable block attack."""
        from planner.attacks.line.run import FreeBlockAttack

        return FreeBlockAttack(self.id, channel, parameters)


def _best(channel: Channel) -> FreeBlock | None:
    """The largest block over short gaps from the least error on: found in floats, then proved, or a label less."""
    from planner.attacks.line.certify import prove
    from planner.attacks.line.parameters import FreeBlock

    errors = channel.errors(channel.wanted)
    idle = 2 * errors.sum_error(arb(1) / 4)
    if not idle.is_finite() or not errors.relative().is_finite():
        return None
    least, constant, relative = float(idle), float(channel.scored * errors.constant()), float(errors.relative())
    exponent = floor(log2(max(least, LEAST_GAP)))
    gaps = (part * 2.0**octave / 16 for octave in range(exponent, exponent + OCTAVES) for part in SIXTEENTHS)
    m, gap = max(((_labels(channel.rows, gap, constant, relative), -gap) for gap in gaps), default=(0, 0.0))
    for size in range(m, 0, -1):
        found = FreeBlock(blocks_of(channel.wanted, size), channel.wanted, size, Fraction(-gap))
        if prove(channel, found).holds:
            return found
    return None


def _labels(rows: int, gap: float, constant: float, relative: float) -> int:
    """About how many labels a block of this gap tells."""
    m, charged = 0, rows / 4
    while m < min(rows, MOST_PLACES):
        charged += ((1 + gap * 2.0**m) / 2) ** 2 - 0.25
        if not gap > 2 * (constant + relative * charged):
            break
        m += 1
    return m
