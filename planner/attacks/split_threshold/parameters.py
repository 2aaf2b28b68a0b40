"""Parameters of comparisons on a secret part of the rows, and how many of them it takes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from planner.attacks.hunting.parameters import most_tests
from planner.attacks.parameters import Parameters
from planner.attacks.promise import NOISE, NOTHING
from planner.channel.conditions import COMPARATOR, CORNERED, COUNT_KNOWN, PART_SCORED, TWO_CLASSES, Condition

if TYPE_CHECKING:
    from planner.channel.channel import Channel

BLOCKS = 256  # of numbers of members that are reckoned with together: of up to so many each by itself


@dataclass(frozen=True, eq=False, repr=False)
class SplitThresholds(Parameters):
    """Rounded scores as comparisons; all rows together move a sum to a boundary.

    First all rows at one weight, from `start` on, count the classes. Then rows are tested for members of one class at the
    weight `most` while all others move the sum by their own, between `least` and `turn`; at last, if that is asked, for
    members of the other class while those that were found move it.
    """

    kind = "split_thresholds"
    told = 2  # both classes
    adaptive = True  # what is asked next depends on what was found
    start: Fraction
    least: Fraction
    turn: Fraction
    most: Fraction
    rarest: int  # members that a class has at least which is looked for first
    both: bool  # whether it is asked which rows are scored

    @property
    def membership(self) -> bool:
        """Whether members of both classes are looked for."""
        return self.both

    def over(self, channel: Channel) -> str:
        """Comparisons are exact, but for noise that has no bound for certain."""
        return NOISE if channel.law.tailed else NOTHING

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Rounding of what is off by no more than a bound, and a known number of scored rows."""
        return (*COMPARATOR, CORNERED, TWO_CLASSES, PART_SCORED, COUNT_KNOWN)


def comparisons(rows: int, scored: int, rarest: int, both: bool) -> int:
    """Comparisons that suffice for every labeling and every split: those that count, and those that find."""
    return scored.bit_length() + (both_classes(rows, scored) if both else one_class(rows, scored, rarest))


def one_class(rows: int, scored: int, rarest: int) -> int:
    """Tests that find all members of one class: the rarer one, unless it has fewer than `rarest`; of one class alone none.

    Tests never fall as members or rows grow: with a = log2 of the size of a group they are
    (a + 1) m + floor((n - m + 1)/2^a) - 1 for m members among n rows.
    """
    rarer = most_tests(rows, scored // 2)
    return rarer if rarest <= 1 else max(rarer, most_tests(rows, scored - 1))


def both_classes(rows: int, scored: int) -> int:
    """Tests that find the members of the commoner class among all rows, then those of the other among the rest, at worst.

    Commoner classes of a few sizes are reckoned with together: as many members as the largest has, and as many rows and
    members left as the smallest leaves.
    """
    least = (scored + 1) // 2
    step = -(-(scored - least + 1) // BLOCKS)
    return max(
        most_tests(rows, min(low + step - 1, scored)) + most_tests(rows - low, scored - low)
        for low in range(least, scored + 1, step)
    )
