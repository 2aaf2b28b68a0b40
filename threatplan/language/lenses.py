"""The verdict above each scenario, planned only when an editor shows the place."""

from __future__ import annotations

import re
from typing import NamedTuple

from threatplan.language.hover import SECONDS

_HEADER = re.compile(r"^[ \t]*scenario\s+(\w+)", re.MULTILINE)


class Lens(NamedTuple):
    """A scenario, and the line (from 0) that its verdict stands above."""

    name: str
    line: int


def lenses(text: str) -> list[Lens]:
    """One for each scenario."""
    return [Lens(found[1], text.count("\n", 0, found.start(1))) for found in _HEADER.finditer(text)]


def said(text: str, name: str, seconds: float = SECONDS) -> str:
    """The verdict on a scenario in a line; a dash while the text cannot be read."""
    from dsl import ThreatError, loads
    from planner import plan
    from threatplan.patience import WORD, GivenUp, within
    from threatplan.render.numbers import known
    from threatplan.render.options import ceiling

    try:
        scenario = next(one for one in loads(text) if one.name == name)
    except (ThreatError, StopIteration):
        return "–"
    report = within(seconds, plan, scenario)
    if isinstance(report, GivenUp):
        return f"{WORD} {report.why}"
    return f"{report.verdict}: {report.why} · exposed {known(report.exposure.labels)} · ceiling {ceiling(report)}"
