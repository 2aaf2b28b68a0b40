"""Reports in words: what the verdict, a candidate and a run say. Styled text, no widgets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from textual.content import Content

from threatplan.render.numbers import rate, share, whole
from threatplan.render.tone import tone

if TYPE_CHECKING:
    from planner.model import Candidate, Certificate, Claim, Plan
    from planner.numerics.inequality import Inequality
    from planner.report import Report

Part = str | Content | tuple[str, str]

TONES = {"bad": "$error", "good": "$success", "warn": "$warning"}
VERDICT_GLYPH = {"feasible": "▲", "impossible": "■", "unknown": "◆"}
STATUS = {
    "feasible": ("●", "feasible", "$text-error"),
    "over_budget": ("◐", "over budget", "$text-warning"),
    "refused": ("○", "refused", "$foreground 60%"),
}
RELATION = {">": "≤", ">=": "<", "<": "≥", "<=": ">"}  # what holds where the relation does not
LABEL = "$foreground 60%"
NARROWEST_BAR, GOOD_BAR, WIDEST_BAR = 3, 6, 30


def badge(report: Report) -> Content:
    """The verdict as a coloured word with its own glyph, so that colour is not needed to read it."""
    verdict = report.verdict.value
    text = f" {VERDICT_GLYPH[verdict]} {verdict.upper()} "
    return Content.styled(text, f"bold $background on {TONES[tone(report)]}")


def headline(report: Report, stale: bool) -> Content:
    """The verdict in one line with its reason."""
    note: tuple[Part, ...] = (("  last good plan; the source has faults", "italic $text-warning"),) if stale else ()
    return Content.assemble(badge(report), "  ", report.why, *note)


def exposure(report: Report, width: int) -> Content:
    """A bar in a line of `width`: labels recovered within the budget, and how where there is room for it."""
    got, total = report.exposure, report.scenario.N
    if got.labels is None:
        known = "not known: no attack is certified for any label"
        return Content.assemble(("exposure ", LABEL), (known + _right(report), "bold"))
    least = width - len("exposure ") - NARROWEST_BAR
    words = _recovered(report, got.labels, "rows, where scored" if report.channel.split else "labels")
    if len(words) > least and report.channel.split:  # a second line here would push the last one out of the box
        words = _recovered(report, got.labels, "rows")
    how = f" in {whole(got.queries)} {plural('query', got.queries)} (attack {got.attack})" if got.attack else ""
    room = width - len("exposure ") - len(words)
    how = how if room - len(how) >= GOOD_BAR else ""
    length = min(max(room - len(how), NARROWEST_BAR), WIDEST_BAR)
    filled = _filled(got.labels, total, length)
    heat = _heat(got.labels / total, tone(report) == "good")
    return Content.assemble(
        ("exposure ", LABEL),
        ("█" * filled, heat),
        ("░" * (length - filled), "$foreground 25%"),
        (words, "bold"),
        (how, LABEL),
    )


def _recovered(report: Report, labels: int, what: str) -> str:
    total = report.scenario.N
    return f" {whole(labels)} of {whole(total)} {what} ({share(Fraction(labels, total))}){_right(report)}"


def _right(report: Report) -> str:
    """Labels that come out right without being known, where there are more of them."""
    got = report.exposure
    if got.right is None or (got.right == got.labels and got.corrected is None):
        return ""
    corrected = "" if got.corrected is None else f", {whole(got.corrected)} corrected"
    return f"; {whole(got.right)} right{corrected}"


def _filled(labels: int, total: int, length: int) -> int:
    """How much of the bar is filled; full only when every label is exposed, empty only when none is."""
    if labels in (0, total):
        return length if labels else 0
    return min(max(round(labels / total * length), 1), length - 1)


def _heat(share: float, safe: bool) -> str:
    """Few labels that are known to be exposed are no comfort where the verdict is none: more may be."""
    return "$success" if safe and share < 0.05 else "$warning" if share < 0.5 else "$error"


def bounds(report: Report, width: int) -> Content:
    """Both sides: what is proved to be needed, what is certified to suffice, what the paper claims."""
    return packed(_bounds(report), width)


def packed(pieces: Iterable[Content], width: int) -> Content:
    """Pieces side by side, two columns apart, in lines of `width`: no line ends between a word and its figure."""
    lines: list[Content] = []
    for piece in pieces:
        if lines and lines[-1].cell_length + 2 + piece.cell_length <= width:
            lines[-1] = Content.assemble(lines[-1], "  ", piece)
        else:
            lines.append(piece)
    return Content("\n").join(lines)


def _bounds(report: Report) -> Iterator[Content]:
    certified = min((one.certified.queries for one in report.candidates if one.certified), default=None)
    claims = [one.paper for one in report.candidates if one.paper]
    claimed = min(claims, key=lambda one: (one.queries, one.erratum is not None), default=None)
    budget = report.scenario.queries
    limit = report.lower_bound
    hopeless = next((one for one in report.limits if one.excludes_all), None)
    needed = f"no number of queries ({hopeless.id})" if hopeless else f"≥ {whole(limit.queries)}" + _by(limit.by)
    if report.ceiling.fraction < 1:
        from planner.ceiling import percent_above

        yield Content.assemble(("ceiling ", LABEL), percent_above(report.ceiling.fraction))
    yield Content.assemble(("queries: needed ", LABEL), needed)
    yield Content.assemble(("certified ", LABEL), whole(certified) if certified is not None else "–")
    yield Content.assemble(("paper ", LABEL), _claimed(claimed))
    yield Content.assemble(("budget ", LABEL), whole(budget) if budget is not None else "unlimited")


def _claimed(claim: Claim | None) -> str:
    """What the paper says; marked as in reports where that does not hold."""
    return "–" if claim is None else whole(claim.queries) + "*" * (claim.erratum is not None)


def expectations(report: Report) -> Content:
    """What the scenario expects and what came of it, failures first."""
    parts: list[Part] = [("expected ", LABEL)]
    for one in sorted(report.expectations, key=lambda one: one.holds):
        line = f" (line {one.line})" if one.line else ""
        mark = ("✓ ", "$text-success") if one.holds else ("✗ FAIL ", "bold $text-error")
        said = "" if one.holds else f": {one.told or one.actual}{line}"
        parts += [mark, f"{one.text}{said}  "]
    return Content.assemble(*parts)


def _by(name: str | None) -> str:
    return f" ({name})" if name else ""


def plural(word: str, count: int) -> str:
    """The word in the number that fits."""
    if count == 1:
        return word
    return f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"


# -- the attacks ------------------------------------------------------------------------------------


def refusals(report: Report, opened: bool) -> Content:
    """Every attack that does not apply, each with its first reason: what stands behind the folded row."""
    refused = [one for one in report.candidates if one.certified is None]
    hint = "enter folds them away" if opened else "enter shows them in the table"
    parts: list[Part] = [(f"{len(refused)} {plural('attack', len(refused))} refused", "bold"), (f"  {hint}", LABEL)]
    for one in refused:
        parts += ["\n ", (one.attack, "bold"), *_first_reason(one)]
    return Content.assemble(*parts)


def _first_reason(candidate: Candidate) -> list[Part]:
    first = next(iter(candidate.reasons), None)
    return [f"  {first}"] if first else []


# -- one candidate -----------------------------------------------------------------------------------


def detail(candidate: Candidate, report: Report) -> Content:
    """Everything about one attack: chain, inequalities, price; or what it would take."""
    glyph, word, style = STATUS[candidate.status.value]
    parts: list[Part] = [
        (f"{glyph} {candidate.attack}", f"bold {style}"),
        (f"  {word}  ", style),
        (candidate.theorem, LABEL),
    ]
    if candidate.certified:
        parts += ["\n\n", *_plan(candidate.certified, report)]
    if candidate.reasons:
        parts += ["\n\n", ("What it would take", "bold"), *_reasons(candidate)]
    if candidate.paper:
        parts += ["\n\n", *_claim(candidate)]
    return Content.assemble(*parts)


def _plan(plan: Plan, report: Report) -> list[Part]:
    parts: list[Part] = [("Chain of reductions", "bold")]
    for index, step in enumerate(plan.chain, 1):
        parts += [f"\n {index} ", (step.id, "$text-accent"), f"  {step.text}"]
    parts += [
        "\n\n",
        ("Certificate", "bold"),
        f"  {plan.certificate.guarantee}",
        *_inequalities(plan.certificate),
    ]
    parts += ["\n\n", ("Price", "bold")]
    parts += [f"\n queries {whole(plan.queries)}, labels a query {rate(plan.labels_per_query)}"]
    parts += [f"\n score bits {whole(plan.precision_bits)}, prediction bits {whole(plan.prediction_bits)}"]
    parts += [f"\n operations {whole(plan.operations)}, memory {memory(plan.memory)}"]
    if (
        plan.exposure is not None
    ):  # of an attack that is over budget its exposure is planned apart: the bar above has it
        parts += [f"\n labels within the budget {whole(plan.exposure)} of {whole(report.scenario.N)}"]
    return parts


def _inequalities(certificate: Certificate) -> list[Part]:
    parts: list[Part] = []
    for one in certificate.inequalities:
        parts += ["\n ", inequality(one)]
    return parts


def inequality(one: Inequality) -> Content:
    """A relation with both sides' numbers; where it fails, the relation that holds instead."""
    sign = one.relation if one.holds else RELATION.get(one.relation, one.relation)
    mark = ("✓ ", "$text-success") if one.holds else ("✗ ", "$text-error")
    return Content.assemble(mark, one.name, "\n     ", (f"{one.left} {sign} {one.right}", "$text-accent"))


def _reasons(candidate: Candidate) -> list[Part]:
    parts: list[Part] = []
    for reason in candidate.reasons:
        line = f" (line {reason.line})" if reason.line else ""
        parts += [
            "\n ",
            (reason.field, "bold $text-warning"),
            (line, LABEL),
            " needs ",
            (reason.need, "$text-success"),
        ]
        parts += ["; here: ", (reason.have, "$text-error"), (f"  {reason.cite}", LABEL)]
    return parts


def _claim(candidate: Candidate) -> list[Part]:
    paper = candidate.paper
    assert paper is not None
    m, queries = whole(paper.labels_per_query), whole(paper.queries)
    claim = f"  {m} {plural('label', paper.labels_per_query)} a query, {queries} {plural('query', paper.queries)}"
    erratum: tuple[Part, ...] = ("\n ", ("erratum ", "bold $text-warning"), paper.erratum) if paper.erratum else ()
    return [("The paper's claim", "bold"), claim, *erratum]


def memory(size: int) -> str:
    """Bytes in the unit that suits them."""
    for unit in ("bytes", "KB", "MB", "GB", "TB"):
        if size < 1000 or unit == "TB":
            return f"{whole(size)} {unit}"
        size //= 1000
    raise AssertionError("unreachable")
