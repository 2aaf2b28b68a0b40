"""Parameters of blocks that grow."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from planner.attacks.parameters import Parameters
from planner.channel.conditions import ADAPTIVE, TWO_CLASSES, Condition


@dataclass(frozen=True, eq=False, repr=False)
class GrowingBlocks(Parameters):
    """Blocks that grow: labels already known are predicted confidently, so that the loss and its error shrink.

    Each phase is (labels known before it, blocks asked in it, the block's small probabilities as in ListedBlock).
    A known label's wrong class gets the probability `doubt`.
    """

    kind = "growing_blocks"
    tilted = True  # every phase is read from the largest weight down, by tilted thresholds
    told = 2
    adaptive = True  # known labels are predicted
    doubt: Fraction
    phases: tuple[tuple[int, int, tuple[Fraction, ...]], ...]

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Known labels are predicted."""
        return (TWO_CLASSES, ADAPTIVE)
