"""The page: the answer, the curve, what to change, the attacks, and the proofs as an appendix."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape as quote
from typing import TYPE_CHECKING

from dsl.visible import visible
from threatplan.render.answer import answer
from threatplan.render.chain import chosen
from threatplan.render.html.curve import drawn, note
from threatplan.render.html.style import STYLE
from threatplan.render.numbers import ceiling_text, exposed, guessed_text, leaks_text, of, right_text
from threatplan.render.text import attack_row, ranked, reason_text, telling_columns
from threatplan.render.tone import tone

if TYPE_CHECKING:
    from planner.numerics.inequality import Inequality
    from planner.report import Report
    from threatplan.curves import Point
    from threatplan.hardening.advice import Advice
    from threatplan.seen import Seen

READ = (
    "A query is a submission and its score. `m`: labels that one query yields; `queries`: what all that is wanted takes; "
    "`bits`: binary digits after the point that the score must hold."
)
PAPER = " The columns headed `paper` say what the paper claims."
ERRATA = " A * marks a claim that does not hold: "
_HEAD = ("attack", "theorem", "paper m", "paper queries", "m", "queries", "bits", "status")
_TYPED = re.compile(r"`([^`]+)`")
ON_ANY_PAPER = {"bad": "#e0402f", "good": "#1f8b4f", "warn": "#a57000"}  # as legible on white as on black
LONG = 40  # characters of a cell that may be broken anywhere
SHORT = 16  # of one that is not broken


Told = tuple["Report", "Sequence[Point]", "Advice | None", "Seen | None"]  # of one scenario


def page(reports: Sequence[Told], sources: Sequence[str]) -> str:
    """The whole document."""
    titles = ", ".join(report.scenario.title or report.scenario.name for report, *_ in reports)
    body = "".join(_section(*one) for one in reports)
    source = "".join(f"<pre>{escape(text)}</pre>" for text in sources)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(titles)}: what the scores give away</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"{body}<section><h2>The scenario as it is written</h2>{source}</section>\n"
        f"<footer>{_footer()}</footer>\n</main>\n</body>\n</html>\n"
    )


def fragment(report: Report) -> str:
    """A report inside somebody else's page, a notebook say: no styles but the badge's own."""
    badge = f'<b style="color: {ON_ANY_PAPER[tone(report)]}">{report.verdict}</b>'
    parts = (
        f"<p>{prose(answer(report))}</p>",
        f"<p>{badge}: {escape(report.why)}</p>",
        _figures(report, None),
        _attacks(report),
    )
    return f'<div class="threatplan">{"".join(parts)}</div>'


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table whose cells are text and nothing else."""
    return _table(head, rows)


def escape(text: str) -> str:
    """What others wrote, as text and nothing else; line ends stay."""
    return quote("\n".join(map(visible, text.split("\n"))))


def prose(text: str) -> str:
    """Sentences of ours: what stands between backticks is something to type."""
    return _TYPED.sub(r"<code>\1</code>", escape(text))


def _footer() -> str:
    return (
        "Certified plans and proofs by threatplan. An exposure is what some attack is certified to recover; a ceiling is "
        "proved of every attack. <code>plan FILE --explain</code> prints every inequality, <code>plan verify</code> proves "
        "a report again."
    )


def _section(report: Report, points: Sequence[Point], advice: Advice | None, seen: Seen | None) -> str:
    scenario, verdict = report.scenario, str(report.verdict)
    parts = (
        f'<section class="report">\n<h1>{escape(scenario.title or scenario.name)}</h1>',
        f'<p class="answer">{prose(answer(report))}</p>',
        f'<p><span class="badge {tone(report)}">{verdict}</span> {escape(report.why)}</p>',
        _figures(report, seen),
        _curve(report, points) if points else "",
        _advice(advice) if advice is not None else "",
        _attacks(report),
        _proofs(report),
        "</section>\n",
    )
    return "\n".join(part for part in parts if part)


def _curve(report: Report, points: Sequence[Point]) -> str:
    picture = f'<div class="wide">{drawn(report, points)}</div>'
    return f'<h2>Labels against submissions</h2>{picture}<p class="faint">{note(points)}</p>'


def _figures(report: Report, seen: Seen | None) -> str:
    shown = report.exposure
    how = f" in {of(shown.queries, 'submission')} (attack {shown.attack})" if shown.attack else ""
    rows = [("exposure", exposed(shown, report.scenario) + how)]
    if right := right_text(shown, report.scenario):
        rows.append(("right", right))
    if seen is not None:
        rows.append(("seen", f"{seen}: {_promised(report, seen)}"))
    rows.append(("ceiling", ceiling_text(report)))
    if report.lower_bound.by:
        rows.append(
            ("lower bound", f"{of(report.lower_bound.queries, 'submission')} for any attack ({report.lower_bound.by})")
        )
    rows.append(("assumes", "; ".join(report.assumes)))
    if guessed := guessed_text(report):
        rows.append(("but", guessed))
    if leaks := leaks_text(report):
        rows.append(("leaks", leaks))
    return _definitions(rows)


def _promised(report: Report, seen: Seen) -> str:
    """What runs took, beside what is promised."""
    assert report.best is not None
    assert report.best.certified is not None
    fewer = seen.most < report.best.certified.queries
    return "what is promised holds for every labeling" + (", most need less" if fewer else "")


def _advice(advice: Advice) -> str:
    """What to change: each knob's mildest setting that is proved to do, and what it still exposes."""
    from threatplan.render.hardening import ALONE, remarks, table
    from threatplan.render.options import HEAD, NO_CHANGE, guide, heading, rows

    found, now = advice.listed, advice.now
    title = heading(now, found)
    nothing = f" {NO_CHANGE}; what a change leaves to be had:" if now.verdict == "impossible" else ""
    listed = f"<p>{title}:</p>{_table(HEAD, rows(found))}<p>{prose(guide(found))}</p>"
    ranked = listed if found else f"<p>{title}.{nothing}</p>"
    said = "".join(f"<h3>{head}</h3>{_list(lines)}" for head, lines in remarks(advice))
    return f"<h2>What to change</h2>{ranked}<h3>{ALONE}</h3>{_table(*table(advice))}{said}"


def _list(lines: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{prose(line)}</li>' for line in lines)}</ul>"


def _attacks(report: Report) -> str:
    from planner.planning import goal_text

    rows = [attack_row(one) for one in ranked(report) if one.certified]
    told = telling_columns(rows)
    certified = [[row[place].text for place in told] for row in rows]
    guide = READ + (PAPER + _errata(report)) * (_HEAD.index("paper m") in told)
    refused = [(one.attack, reason_text(why)) for one in report.candidates if not one.certified for why in one.reasons]
    listed = f"{_table([_HEAD[place] for place in told], certified)}<p>{prose(guide)}</p>"
    shown = listed if certified else f"<p>No attack is certified for {escape(goal_text(report.channel))}.</p>"
    count = of(len({name for name, _ in refused}), "attack")
    folded = f'<details class="refused"><summary>{count} refused, and why</summary>'
    return f"<h2>Attacks</h2>{shown}" + (f"{folded}{_definitions(refused)}</details>" if refused else "")


def _errata(report: Report) -> str:
    """What the star in the table stands for, and where to read of it."""
    shown = [one.paper.erratum for one in report.candidates if one.certified and one.paper and one.paper.erratum]
    told = ", ".join(f"`plan explain {each}`" for each in dict.fromkeys(shown))
    return f"{ERRATA}{told}." if told else ""


def _proofs(report: Report) -> str:
    parts = []
    for one in chosen(report, None):
        if one.certified is not None:
            steps = "".join(f"<li>{escape(f'{step.id}: {step.text}')}</li>" for step in one.certified.chain)
            certificate = one.certified.certificate
            held = _inequalities(certificate.inequalities)
            parts.append(f"<h3>{escape(one.attack)}</h3><ol>{steps}</ol><p>{escape(certificate.guarantee)}</p>{held}")
    for limit in report.limits:
        if limit.inequalities:
            why = f"<p>{escape(limit.why)}</p>"
            parts.append(f"<h3>{escape(f'{limit.id} {limit.title}')}</h3>{why}{_inequalities(limit.inequalities)}")
    return f'<details class="proofs"><summary>Proofs</summary>{"".join(parts)}</details>' if parts else ""


def _inequalities(relations: Iterable[Inequality]) -> str:
    rows = [
        (one.name, f"{one.left} {one.relation} {one.right}", "holds" if one.holds else "not proved")
        for one in relations
    ]
    return _table(("inequality", "both sides", ""), rows)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    top = "".join(f"<th>{escape(title)}</th>" for title in head)
    body = "".join(f"<tr>{''.join(_cells(row))}</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'


def _cells(row: Sequence[str]) -> Iterator[str]:
    for cell in row:
        number = cell.replace(",", "").replace(".", "").isdigit()
        kind = "number" if number else "long" if len(cell) > LONG else "short" if len(cell) < SHORT else ""
        yield f'<td class="{kind}">{escape(cell)}</td>' if kind else f"<td>{escape(cell)}</td>"


def _definitions(rows: Iterable[tuple[str, str]]) -> str:
    return "<dl>" + "".join(f"<dt>{escape(name)}</dt><dd>{prose(text)}</dd>" for name, text in rows) + "</dl>"
