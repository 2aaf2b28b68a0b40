"""Expectations of a scenario, judged against its report."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from dsl.scenario import ExpectMeasure, ExpectVerdict
from planner.ceiling import percent, percent_above
from planner.model import Outcome
from planner.report import Report

RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
    "==": operator.eq,
}


def outcome_of(expectation: ExpectVerdict | ExpectMeasure, report: Report) -> Outcome:
    """Whether the expectation holds, and what is the case."""
    if isinstance(expectation, ExpectVerdict):
        holds = report.verdict == expectation.verdict
        told = f"the verdict is {report.verdict}"
        return Outcome(expectation.text, expectation.line, holds, str(report.verdict), told)
    actual = measure(expectation.measure, report)
    if actual is None:
        return Outcome(expectation.text, expectation.line, False, _missing(expectation.measure, report))
    relation = RELATIONS[expectation.comparison]
    # An irrational right-hand side is an enclosure: the relation must hold at both of its ends.
    holds = relation(actual, expectation.value.lo) and relation(actual, expectation.value.hi)
    return Outcome(
        expectation.text, expectation.line, holds, _shown(actual), _told(expectation.measure, actual, report)
    )


def measure(name: str, report: Report) -> Fraction | None:
    """The figure that an expectation speaks of; None where no attack is feasible, or none is certified at all."""
    if name == "exposure":
        return None if report.exposure.labels is None else Fraction(report.exposure.labels)
    if name == "ceiling":
        return Fraction(report.ceiling.labels)
    certified = report.best.certified if report.best else None
    if certified is None:
        return None
    if name == "m":
        return certified.labels_per_query
    return Fraction(certified.queries if name == "queries" else certified.precision_bits)


def _missing(name: str, report: Report) -> str:
    """Why there is no such figure. What is not known is neither small nor large: no expectation of it holds."""
    if name == "exposure":
        return (
            "exposure not known: no attack is certified within the budget, and no proof says that there is none; "
            "`expect ceiling` speaks of what is proved"
        )
    return f"nothing is feasible ({report.why})"


def _told(name: str, actual: Fraction, report: Report) -> str:
    """What a measure's figure says; labels are counted out of how many and as a share, whichever was asked."""
    count = _counted(actual)
    match name:
        case "exposure":
            noun = "row" if report.channel.split else "label"
            verb = "is" if actual == 1 and not report.channel.split else "are"
            share = percent(actual / report.channel.rows)
            where = "the labels, where scored, of " if report.channel.split else ""
            return f"{where}{_out_of(actual, report.channel.rows, noun, share)} {verb} exposed"
        case "ceiling" if report.ceiling.fraction >= 1:
            return "no ceiling is proved"
        case "ceiling":
            share, noun = percent_above(report.ceiling.fraction), "scored label" if report.channel.split else "label"
            return f"no attack gets more than {_out_of(actual, report.channel.scored, noun, share)} right on average"
        case "m":
            return f"the best attack recovers {count} {'label' if actual == 1 else 'labels'} a query"
        case "bits":
            return f"the best attack needs {count} {'bit' if actual == 1 else 'bits'}"
    return f"the best attack needs {count} {'query' if actual == 1 else 'queries'}"


def _out_of(part: Fraction, total: int, noun: str, share: str) -> str:
    return f"{_counted(part)} of {total:,} {noun}{'s' if total != 1 else ''} ({share})"


def _counted(value: Fraction) -> str:
    return f"{value.numerator:,}" if value.denominator == 1 else _shown(value)


def _shown(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{float(value):.4g}"
