"""The faults of the source, in the language's own words; choosing one goes to its place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from dsl.visible import visible

if TYPE_CHECKING:
    from dsl.diagnostics import Diagnostic
    from dsl.reading.spans import Span


class Faults(OptionList):
    """Hidden while there is nothing to say."""

    class Went(Message):
        """The user wants to see the place of a fault."""

        def __init__(self, span: Span) -> None:
            super().__init__()
            self.span = span

    def __init__(self) -> None:
        super().__init__(id="faults")
        self.display = False
        self._faults: tuple[Diagnostic, ...] = ()

    def show(self, faults: Sequence[Diagnostic], failure: str | None = None) -> None:
        """List these faults, or a failure that is none of the text's."""
        if not faults and failure is None and not self.display:
            return
        self._faults = tuple(faults)
        self.clear_options()
        self.add_options([Option(_line(fault)) for fault in faults])
        if failure:
            self.add_option(Option(Content.assemble(("planner ", "bold $text-error"), visible(failure))))
        self.display = bool(faults) or failure is not None

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Go to the place of the chosen fault."""
        event.stop()
        span = self._faults[event.option_index].span if event.option_index < len(self._faults) else None
        if span:
            self.post_message(self.Went(span))


def _line(fault: Diagnostic) -> Content:
    place = f"{fault.span.line}:{fault.span.column} " if fault.span else ""
    colour = "$text-error" if fault.severity == "error" else "$text-warning"
    hint = f"\n{visible(fault.hint)}" if fault.hint else ""
    where = (f"{fault.code} {place}", f"bold {colour}")
    return Content.assemble(where, visible(fault.message), (hint, "$foreground 60%"))
