"""The verdict in one line with its reason, what was expected, the exposure bar and the bounds on both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from threatplan.render.tone import tone
from tui.prose import TONES, bounds, expectations, exposure, headline

if TYPE_CHECKING:
    from planner.report import Report


class VerdictBar(Widget):
    """The answer, always on the screen; its height hangs on the scenario, not on the verdict, so nothing jumps."""

    report: reactive[Report | None] = reactive(None)
    stale = reactive(False, toggle_class="-stale")

    def render(self) -> Content:
        """Headline, expectations, exposure, bounds."""
        if self.report is None:
            return Content.styled("no plan yet", "$foreground 60% italic")
        bar = exposure(self.report, self.size.width)
        lines = [headline(self.report, self.stale), bar, bounds(self.report, self.size.width)]
        if self.report.expectations:
            lines.insert(1, expectations(self.report).truncate(self.size.width, ellipsis=True))
        return Content("\n").join(lines)

    def watch_report(self, report: Report | None) -> None:
        """The border takes the verdict's colour, never that of safety while a third is out; expectations take a line."""
        self.set_class(report is not None and bool(report.expectations), "-expects")
        for held in TONES:
            self.set_class(report is not None and tone(report) == held, f"-{held}")
