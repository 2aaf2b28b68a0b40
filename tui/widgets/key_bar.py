"""The keys at the foot of the screen, as one line: a widget a key would double what a layout costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget

KEY, WORD = "bold $footer-key-foreground", "$footer-description-foreground"


class Piece(NamedTuple):
    """A stretch of the line; a click on it presses the key, where it stands for one."""

    text: str
    style: str
    key: str = ""


class KeyBar(Widget):
    """Shows the keys that are to be shown; bindings of one group share their group's name."""

    def __init__(self, bindings: Sequence[BindingType]) -> None:
        super().__init__()
        self._bindings_shown = [one for one in bindings if isinstance(one, Binding) and one.show]

    def pieces(self) -> Iterator[Piece]:
        """The line from left to right, as far as whole entries fit; the rest is in the menu and the help."""
        room = self.size.width
        for entry in self._entries():
            room -= sum(len(piece.text) for piece in entry)
            if room < 0:
                return
            yield from entry

    def _entries(self) -> Iterator[list[Piece]]:
        for group, members in groupby(self._bindings_shown, lambda binding: binding.group):
            if group:
                yield [*map(self._key, members), Piece(f" {group.description}", WORD)]
            else:
                for one in members:
                    key = self._key(one)
                    yield [key, Piece(f" {one.description}", WORD, key.key)]

    def _key(self, binding: Binding) -> Piece:
        key = binding.key.split(",")[0]
        return Piece(f" {self.app.get_key_display(replace(binding, key=key))}", KEY, key)

    def render(self) -> Content:
        """The line."""
        return Content.assemble(*((piece.text, piece.style) for piece in self.pieces()))

    def on_click(self, event: events.Click) -> None:
        """Press the key under the mouse."""
        at = 0
        for piece in self.pieces():
            at += len(piece.text)
            if event.x < at:
                if piece.key:
                    self.app.simulate_key(piece.key)
                return
