"""Parameters of threshold splitting, and how many comparisons it takes."""

from __future__ import annotations

from dataclasses import dataclass

from planner.attacks.threshold.parameters import Thresholds
from planner.channel.conditions import INFORMED, TWO_CLASSES, Condition


@dataclass(frozen=True, eq=False, repr=False)
class Hunt(Thresholds):
    """Rows whose label the guess has wrong, found by comparisons "is any of these wrong?".

    The offset's rows are counted first, and their own labels come last.
    """

    kind = "threshold_splitting"
    wrong: int  # labels that the guess may have wrong

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Comparisons, and a guess of two classes."""
        return (*super().conditions, INFORMED, TWO_CLASSES)

    @property
    def splits_offset(self) -> bool:
        """Whether the offset's own labels are hunted, too: where that is sure to take less than one by one."""
        return most_tests(self.offset_rows, self.wrong) + 1 < self.offset_rows - 1

    @property
    def asked(self) -> int:
        """Queries: the bootstrap, the hunt and a verification of what it left, and the offset's own labels."""
        outside = most_tests(self.rows - self.offset_rows, self.wrong) + 1
        split = most_tests(self.offset_rows, self.wrong) + 1
        return self.bootstrap + outside + (split if self.splits_offset else max(0, self.offset_rows - 1))


def most_tests(rows: int, wrong: int) -> int:
    """Tests that find all wrong rows for certain, if they are no more than `wrong` (Hwang's generalised binary splitting).

    With l = rows - wrong + 1 = 2^a wrong + 2^a p + t, p < wrong and t < 2^a, they are (a + 2) wrong + p - 1.
    """
    if wrong <= 0 or rows <= 0:
        return 0
    if rows <= 2 * wrong - 2:
        return rows
    a = group_bits(rows, wrong)
    p = (rows - wrong + 1 >> a) - wrong
    return (a + 2) * wrong + p - 1


def group_bits(rows: int, wrong: int) -> int:
    """log2 of how many rows are tested together, where at most `wrong` of them are wrong: 0 where they are many."""
    if rows <= 2 * wrong - 2:
        return 0
    return ((rows - wrong + 1) // wrong).bit_length() - 1
