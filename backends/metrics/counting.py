"""Metrics of predicted classes: functions of the table of right and wrong predictions."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar, NamedTuple

import gmpy2
import numpy as np
from flint import arb

from backends.loader import sklearn_function
from backends.metrics.base import Computation
from backends.rows import Labels, MeanLoss, Query, check
from dsl.scenario import Scenario


class Table(NamedTuple):
    """How often each class was predicted for each label."""

    right_ones: int
    wrong_ones: int  # predicted 1, and 0
    missed_ones: int  # predicted otherwise, and 1
    right_zeros: int

    @property
    def ones(self) -> int:
        """Labels that are 1."""
        return self.right_ones + self.missed_ones

    @property
    def zeros(self) -> int:
        """Labels that are 0."""
        return self.wrong_ones + self.right_zeros

    @property
    def rows(self) -> int:
        """All of them."""
        return sum(self)


class Counted(Computation):
    """One metric of the table, as a fraction; scikit-learn's own function beside it."""

    function: ClassVar[str]
    options: ClassVar[Mapping[str, str]] = {}

    def taken(self, u: Query) -> Query:
        """Predicted classes."""
        return u.astype(np.int64)

    @abstractmethod
    def score(self, table: Table) -> Fraction:
        """The exact score; a ZeroDivisionError where it has none."""

    def of(self, labels: Labels, u: Query) -> Fraction:
        """The exact score of a submission; a ZeroDivisionError where it has none."""
        return self.score(table_of(labels, u))

    def floating(self, scenario: Scenario) -> MeanLoss:
        """The exact score, rounded once; nan where it has none."""

        def loss(labels: Labels, u: Query) -> float:
            try:
                return float(self.of(labels, u))
            except ZeroDivisionError:
                return float("nan")

        return loss

    def exact(self, labels: Labels, u: Query, bits: int, clip: gmpy2.mpq | None, renormalise: bool) -> arb:
        """A ball about the fraction; none about a score that there is not."""
        try:
            score = self.of(labels, u)
        except ZeroDivisionError:
            return arb.nan()
        return self.ball(gmpy2.mpq(score.numerator, score.denominator), bits)

    def sklearn(self, scenario: Scenario) -> MeanLoss:
        """Its function of labels and what it takes for predictions."""
        function = sklearn_function(self.function)

        def loss(labels: Labels, u: Query) -> float:
            check(labels, u)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of scores that are 0 or nan for want of a class
                return float(function(labels, self.taken(u), **self.options))

        return loss


def f1(right: int, wrong: int) -> Fraction:
    """Of one class: rows that are right about it, and rows that are wrong."""
    return Fraction(2 * right, 2 * right + wrong) if right + wrong else Fraction(0)


def table_of(labels: Labels, u: Query) -> Table:
    """The table of a submission; a class that does not exist is predicted for nobody."""
    check(labels, u)
    ones, zeros = labels == 1, u == 0
    predicted = u == 1
    right = int((ones & predicted).sum())
    wrong = int(predicted.sum()) - right
    right_zeros = int((~ones & zeros).sum())
    return Table(right, wrong, int(ones.sum()) - right, right_zeros)
