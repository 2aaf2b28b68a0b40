"""The top line: the file, whether it is saved, and which of its scenarios is shown."""

from __future__ import annotations

from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from dsl.visible import visible


class TitleBar(Widget):
    """A click goes to the next scenario."""

    file = reactive("")
    dirty = reactive(False)
    scenario = reactive("")
    place = reactive((0, 0))
    busy = reactive(False)

    class NextScenario(Message):
        """The user wants the next scenario of the file."""

    def render(self) -> Content:
        """File on the left, scenario after it."""
        which, count = self.place
        parts: list[str | tuple[str, str]] = [
            (" threatplan ", "bold $background on $primary"),
            f"  {visible(self.file)}",
        ]
        parts.append((" ●" if self.dirty else "  ", "$warning"))
        if self.scenario:
            parts += [("   scenario ", "$foreground 60%"), (self.scenario, "bold")]
        if count > 1:
            parts += [(f"  {which} of {count}, f8 next", "$foreground 60%")]
        if self.busy:
            parts.append(("   planning…", "$text-accent italic"))
        return Content.assemble(*parts)

    def on_click(self) -> None:
        """The next scenario."""
        self.post_message(self.NextScenario())
