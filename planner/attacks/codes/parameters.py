"""Parameters of averages whose passes are the bits of a code."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from planner.attacks.consistent.parameters import ConsistentSpread


@dataclass(frozen=True, eq=False, repr=False)
class CodedSpread(ConsistentSpread):
    """Averages as in `consistent`, a label a block: pass j asks for bit j of the word of every label's class.

    Word k is that of class k. A label's class is the one whose word is nearest to what all passes read of it.
    """

    kind = "coded_spread"
    words: tuple[int, ...]
    length: int  # bits of a word

    @property
    def bits(self) -> int:
        """Passes over the labels."""
        return self.length

    @property
    def distance(self) -> int:
        """Bits in which any two words differ, at least; 0: they are not told apart."""
        return min(((one ^ other).bit_count() for one, other in combinations(self.words, 2)), default=0)
