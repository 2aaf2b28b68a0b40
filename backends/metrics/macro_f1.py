"""Macro-averaged F1, computed."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar

from backends.metrics.counting import Counted, Table, f1


class MacroF1(Counted):
    """The mean of F1 of the classes that there are, among labels or predictions."""

    id = "macro_f1"
    function = "f1_score"
    options: ClassVar[Mapping[str, str]] = {"average": "macro"}

    def score(self, table: Table) -> Fraction:
        """Of labels that are all 1 and predicted so, 1."""
        wrong = table.wrong_ones + table.missed_ones
        found = [f1(right, wrong) for right in (table.right_ones, table.right_zeros) if right + wrong]
        return sum(found, Fraction(0)) / len(found)


MACRO_F1 = MacroF1()
