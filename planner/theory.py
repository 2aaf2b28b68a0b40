"""The theory as a whole: an entry for every theorem, attack, reduction, limit and erratum, and the graph of them.

Entries need no heavy library; only `graph` loads networkx.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dsl.visible import json_text
from planner.catalogue import CATALOGUE
from planner.errata import ERRATA
from planner.limits import LIMITS
from planner.reductions import reductions

if TYPE_CHECKING:
    import networkx

    from planner.report import Report


@dataclass(frozen=True)
class Entry:
    """One thing that can be explained."""

    id: str
    kind: str  # attack, reduction, limit, erratum or problem
    title: str
    statement: str
    conditions: tuple[str, ...]
    source: str
    related: tuple[str, ...] = ()


PROBLEMS: tuple[Entry, ...] = (
    Entry(
        "scenario",
        "problem",
        "A scenario",
        "N labels of K classes, hidden behind a scorer that shows log-loss scores of submitted predictions.",
        (),
        "the .threat file",
    ),
    Entry(
        "channel",
        "problem",
        "The score channel",
        "Scores are the mean charge of the true labels plus an error: W, the largest spread of charges of one row, and "
        "E, the largest error of the sum, decide what can be told. Errors adversarial within the bound: labels are "
        "recovered for every labeling if and only if any two labelings differ by more than 2E in some query (Theorem U).",
        (),
        "Theorem U",
    ),
    Entry(
        "rounding",
        "problem",
        "Why fewer decimals do not protect by themselves",
        "Rounding is a comparator: by moving the score so that a rounding boundary lies midway between two candidate "
        "sums, the rounded score says exactly which one it is, at any number of decimals. Fewer decimals raise the price "
        "of the attack in queries and do not prevent it; a cap on queries does, and noise lets it be milder.",
        (),
        "attacks threshold and dither",
    ),
)


def entries() -> Iterator[Entry]:
    """Everything that can be explained, in the order of the theory."""
    yield from PROBLEMS
    for reduction in reductions():
        related = (reduction.erratum,) if reduction.erratum else ()
        yield Entry(reduction.id, "reduction", reduction.title, reduction.statement, (), reduction.cite, related)
    for theorem in CATALOGUE:
        related = (theorem.erratum,) if theorem.erratum else ()
        yield Entry(theorem.id, "attack", theorem.title, theorem.statement, theorem.conditions, theorem.cite, related)
    for limit in LIMITS:
        yield Entry(limit.id, "limit", limit.title, limit.statement, limit.conditions, limit.cite)
    for erratum in ERRATA:
        statement = f"Printed: {erratum.printed}. Why it fails: {erratum.fails}. Sound form: {erratum.sound}."
        yield Entry(erratum.id, "erratum", erratum.title, statement, (), erratum.place)


def entry(id: str) -> Entry | None:
    """The entry of that id, whatever its case."""
    return next((one for one in entries() if one.id.lower() == id.lower()), None)


def graph(report: Report | None = None) -> networkx.DiGraph[str]:
    """Problems, reductions, attacks, limits and errata as a directed graph; with a report, each attack's status."""
    import networkx

    theory: networkx.DiGraph[str] = networkx.DiGraph()
    for one in entries():
        theory.add_node(one.id, kind=one.kind, title=one.title)
    for one in entries():
        _connect(theory, one)
    if report is not None:
        _light(theory, report)
    return theory


def _connect(theory: networkx.DiGraph[str], one: Entry) -> None:
    if one.kind == "reduction":
        theory.add_edge("scenario", one.id, kind="reduces")
        theory.add_edge(one.id, "channel", kind="reduces")
    elif one.kind == "attack":
        theory.add_edge("channel", one.id, kind="solves")
    elif one.kind == "limit":
        theory.add_edge("channel", one.id, kind="excludes")
    for other in one.related:
        theory.add_edge(one.id, other, kind="corrected by")


def _light(theory: networkx.DiGraph[str], report: Report) -> None:
    for candidate in report.candidates:
        if candidate.attack in theory:
            reason = f"{candidate.reasons[0].need}; {candidate.reasons[0].have}" if candidate.reasons else ""
            theory.nodes[candidate.attack].update(status=str(candidate.status), reason=reason)
    chain = [step.id for step in report.best.certified.chain] if report.best and report.best.certified else []
    path = [
        "scenario",
        *(step for step in chain if step in theory),
        *([report.best.attack] if report.best else []),
    ]
    for node in path:
        theory.nodes[node]["lit"] = True
    for a, b in theory.edges:
        if a in path and b in path:
            theory.edges[a, b]["lit"] = True


def to_json(theory: networkx.DiGraph[str]) -> str:
    """The graph as JSON: nodes and edges with their attributes."""
    nodes = [{"id": node, **data} for node, data in theory.nodes(data=True)]
    edges = [{"source": a, "target": b, **data} for a, b, data in theory.edges(data=True)]
    return json_text({"schema": 1, "nodes": nodes, "edges": edges}, indent=2)


COLOURS = {"feasible": "#f4c7cd", "over_budget": "#f9e5bf", "refused": "#ececec"}
SHAPES = {"problem": "box", "reduction": "cds", "attack": "ellipse", "limit": "octagon", "erratum": "note"}


def to_dot(theory: networkx.DiGraph[str]) -> str:
    """The graph in DOT."""
    lines = ["digraph theory {", "  rankdir=LR;", '  node [fontname="sans-serif"];']
    lines += [f"  {_quoted(node)} [{_attributes(data)}];" for node, data in theory.nodes(data=True)]
    lines += [
        f"  {_quoted(a)} -> {_quoted(b)} [label={_quoted(data['kind'])}];" for a, b, data in theory.edges(data=True)
    ]
    return "\n".join([*lines, "}"]) + "\n"


def _attributes(data: dict[str, Any]) -> str:
    bold = ", penwidth=3" if data.get("lit") else ""
    if data.get("status") in COLOURS:
        bold += f", style=filled, fillcolor={_quoted(COLOURS[data['status']])}"
    return f"label={_quoted(data['title'])}, shape={SHAPES[data['kind']]}{bold}"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
