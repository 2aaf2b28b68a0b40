"""Numbers as people read them."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dsl.scenario import Scenario
    from planner.model import Exposure
    from planner.report import Report

NOT_KNOWN = "not known"
_SPELT_OUT = 10**15  # from here on a count is shown as a power of ten


def whole(value: int) -> str:
    """A count: `25,000`, or `1.20e18` where digits stop helping."""
    if abs(value) < _SPELT_OUT:
        return f"{value:,}"
    digits = _digits(value)
    leading = str(value // 10 ** (digits - 3))
    return f"{leading[0]}.{leading[1:]}e{digits - 1}"


def rate(value: Fraction) -> str:
    """Labels a query: whole where it is whole, else to one digit, rounded down (a rate is a promise)."""
    if value.denominator == 1:
        return whole(value.numerator)
    if value < 1:
        return f"{float(value):.2g}"
    tenths = value.numerator * 10 // value.denominator
    return f"{tenths // 10:,}.{tenths % 10}"


def share(fraction: float | Fraction) -> str:
    """A share of a whole, as the planner writes it, too."""
    from planner.ceiling import percent

    return percent(fraction)


def surely(fraction: Fraction) -> str:
    """A probability that is promised: `at least 99.0%`, rounded down."""
    if 1 > fraction > Fraction(999, 1000):
        return "more than 99.9%"
    return f"at least {share(Fraction(floor(fraction * 1000), 1000))}"


def figure(value: float) -> str:
    """A measured size to two digits, small ones as the language writes them: `0.011`, `2e-4`."""
    from dsl.checking.spelling import rational

    return rational(Fraction(f"{value:.2g}"))


def of(count: int, noun: str) -> str:
    """`1 query`, `2 queries`, `3 labels`."""
    if count == 1:
        return f"1 {noun}"
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{whole(count)} {plural}"


def counted(scenario: Scenario) -> str:
    """What an exposure counts: of a secret part, rows whose label is told if they are scored."""
    return "row" if scenario.split else "label"


def _digits(value: int) -> int:
    """How many decimal digits a large number has, without printing it."""
    guess = int(abs(value).bit_length() * 0.30103)
    return guess + 1 if abs(value) >= 10 ** (guess) else guess


def known(count: int | None) -> str:
    """A count that may not be known."""
    return NOT_KNOWN if count is None else whole(count)


def exposed(shown: Exposure, scenario: Scenario) -> str:
    """How many labels are exposed, of how many."""
    if shown.labels is None or shown.fraction is None:
        return f"{NOT_KNOWN}: no attack is certified for any label within the budget"
    if scenario.split:
        among = (
            f"{whole(shown.labels)} of {of(scenario.N, 'row')} ({share(shown.fraction)}{about(shown.labels, scenario)})"
        )
        return f"the labels of all scored rows among {among}"
    return f"{whole(shown.labels)} of {of(scenario.N, 'label')} ({share(shown.fraction)})"


def about(rows: int, scenario: Scenario) -> str:
    """About how many labels some rows hold, where a secret part of all rows is scored; nothing of none and of all."""
    if rows in (0, scenario.N):
        return ""
    low, high = ((2 * rows * scored + scenario.N) // (2 * scenario.N) for scored in scenario.scored)
    total = f" of the {whole(scenario.scored[1])}" if scenario.scored[0] == scenario.scored[1] else ""
    return f", about {whole(low)}{f' to {whole(high)}' if high > low else ''}{total} scored labels"


def right_text(shown: Exposure, scenario: Scenario) -> str | None:
    """How many labels come out right beside those that are known; None: no more are than those."""
    if shown.right is None or (shown.right == shown.labels and shown.corrected is None):
        return None
    total = scenario.N
    text = f"{whole(shown.right)} of {of(total, 'label')} ({share(shown.right / total)})"
    if shown.averaged is not None and shown.averaged.certified is not None:
        text += f" in {of(shown.averaged.certified.queries, 'query')} (attack {shown.averaged.attack}), not known which"
    if shown.corrected is None:
        return text
    rest = "the guess" if scenario.positives is None else "the commoner class"
    return f"{text} with {rest} on the rest; {_corrected(shown.corrected, scenario)}"


def _corrected(count: int, scenario: Scenario) -> str:
    """How many mistakes of a guess are mended; of known ones these are the labels of the rarer class."""
    verb = "is" if count == 1 else "are"
    many = f"{whole(count)} {verb}" if count else "none is"
    if scenario.positives is not None:
        return f"of the {of(scenario.mistakes or 0, 'label')} of the rarer class {many} surely found"
    return f"of its {of(scenario.mistakes or 0, 'mistake')} {many} surely corrected"


def ceiling_text(report: Report, full: bool = False) -> str:
    """What no attack exceeds within the budget; in full, and where averages have none, what none can promise, too."""
    from planner.ceiling import percent_above

    ceiling, total = report.ceiling, report.channel.scored
    labels = "labels of scored rows" if report.channel.split else "labels"
    by = f" ({ceiling.by})" if ceiling.by else ""
    average = f"no attack gets more than {percent_above(ceiling.fraction)} of the {labels} right on average{by}"
    beyond = f" ({ceiling.beyond.id})" if ceiling.beyond is not None else ""
    promised = f"can promise more than {percent_above(Fraction(ceiling.promised, total))} of the {labels}{beyond}"
    if ceiling.fraction < 1:
        return f"{average}; none {promised}" if full and ceiling.promised < total else average
    if ceiling.promised < total:
        return f"none on average, but no attack {promised}"
    return "none: no proof says that a label stays hidden"


def leaks_text(report: Report) -> str:
    """Of several scores, how many queries each takes; empty: there is one alone."""
    parts = [
        f"{one.metric} {'by no known attack' if one.queries is None else of(one.queries, 'query')}"
        for one in report.leaks
    ]
    return f"{parts[0]}; {', '.join(parts[1:])}" if parts else ""


UNGUESSED = (
    "whoever guesses labels beforehand is not covered: where a secret part of the rows is scored, nothing is proved of "
    "them; take `public` out to see what a guess does"
)


def guessed_text(report: Report) -> str:
    """What somebody with a guess would need, where a proof speaks of those who have none; empty: there is no such proof."""
    if report.verdict == "impossible" and report.channel.split:
        return UNGUESSED
    parts = []
    for one in report.if_guessed:
        plan = one.candidate.certified if one.candidate is not None else None
        if one.candidate is None or plan is None:
            continue
        allowed = "feasible in" if one.candidate.status == "feasible" else "over the budget, with"
        parts.append(
            f"on {share(one.share)} of the labels: {allowed} {of(plan.queries, 'query')} ({one.candidate.attack})"
        )
    return f"with a guess that is right {'; '.join(parts)}" if parts else ""
