"""The words of the help screen."""

from __future__ import annotations

from textual.content import Content

SECTIONS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    (
        "The question: does the score you publish give away the labels you hide?",
        (
            ("▲ feasible", "an attack recovers the labels within the budget; it carries a certificate"),
            ("■ impossible", "no attack can, whatever its computing power; there is a proof"),
            ("◆ unknown", "neither is proved; never to be read as safe"),
            ("exposure", "labels that the best certified attack recovers within the budget, all of them right"),
            ("right", "labels that come out right in the end, a guess's among them, be it not known which"),
        ),
    ),
    (
        "Scenario",
        (
            ("↑ ↓ or tab", "move between fields"),
            ("← → or - +", "one step: N by 1-2-5, decimals by one, noise and clip by decades"),
            ("enter", "type any value the language knows; so does a click on the value"),
            ("dim value", "a default; bright values are written, inherited or from a preset"),
        ),
    ),
    (
        "Keys that work everywhere, even while text is being typed",
        (
            ("f2 f3", "the fields, the source"),
            ("f4 f5 f6 f7", "attacks, frontier, theory, run"),
            ("ctrl+t", "what to change: settings at which recovery is impossible; enter writes one into the source"),
            ("f8", "the next scenario of the file"),
            ("f9", "copy the selected attack; mouse selection and ctrl+c work too"),
            ("f10", "export: JSON, Markdown or an SVG of the screen, by the file's ending"),
            ("ctrl+r", "run the selected attack in simulation; again: cancel"),
            ("ctrl+z ctrl+y", "undo the last change, redo it"),
            ("ctrl+o ctrl+s", "open, save"),
            ("ctrl+b", "hide or show the scenario"),
            ("ctrl+p", "every command, and the themes"),
            ("ctrl+q", "quit; unsaved changes are asked about"),
        ),
    ),
    (
        "Attacks",
        (
            ("m", "labels recovered by one query"),
            ("paper", "what the paper claims; struck out, with a *, where an erratum shows the claim to be wrong"),
            ("bits", "bits after the point that the score must hold"),
            ("● ◐ ○", "feasible, over budget, refused"),
            ("enter", "on the last row: the refused attacks, or fold them away; in the theory: all of it"),
        ),
    ),
    (
        "Frontier",
        (
            ("← →", "another field"),
            ("shading", "how many queries are feasible, unknown, impossible; ▲ marks the present value"),
            ("queries", "the share of labels that is exposed at each budget, and the ceiling that is proved"),
        ),
    ),
)


def _help() -> Content:
    parts: list[str | tuple[str, str]] = []
    for title, rows in SECTIONS:
        parts += [(f"{title}\n", "bold $text-primary")]
        for key, text in rows:
            parts += [(f"  {key:<14}", "$text-accent"), f"{text}\n"]
        parts.append("\n")
    return Content.assemble(*parts, ("escape closes", "$foreground 60%"))


HELP = _help()
