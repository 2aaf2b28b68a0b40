"""The explorer under test, and waiting for conditions instead of moments."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.tui.fakes import fake_plan
from tui.app import Explorer

SOURCE = """\
scenario first "One" {
    N        = 1000
    phi      = float64
    decimals = 5
    queries <= 200
}

scenario second : first {
    decimals = 3
}
"""
PATIENCE = 600  # turns of the event loop, each at least a twentieth of a second


class Hands:
    """The pilot with patience."""

    def __init__(self, app: Explorer, pilot: Pilot[Any]) -> None:
        self.app, self.pilot, self.main = app, pilot, app.main

    async def until(self, condition: Callable[[], object], what: str = "") -> None:
        """Let the app work until the condition holds."""
        for _ in range(PATIENCE):
            await self.pilot.pause()
            if condition():
                return
            await self.pilot.pause(0.05)
        raise AssertionError(f"never came true: {what}")

    async def settled(self) -> None:
        """Until the text on the screen has been answered."""
        await self.until(lambda: not self.main.thinking, "the planner is done")

    async def press(self, *keys: str) -> None:
        """Keys, and all that follows from them."""
        await self.pilot.press(*keys)
        await self.settled()

    async def type(self, text: str) -> None:
        """Fill the dialog's input and accept."""
        from textual.widgets import Input

        self.app.screen.query_one(Input).value = text
        await self.pilot.press("enter")
        await self.settled()

    def notices(self) -> str:
        """What the explorer told the user so far."""
        return "\n".join(one.message for one in self.app._notifications)

    def planned_text(self) -> str:
        """The text of the plan on the screen."""
        view = self.main._view
        return view.text if view else ""

    @property
    def verdict(self) -> str:
        report = self.main.report()
        return report.verdict.value if report else "none"


Open = Callable[..., AbstractAsyncContextManager[Hands]]


@pytest.fixture
def explore() -> Open:
    """Opens the explorer on a file, with the plain planner and the patient simulation."""

    @asynccontextmanager
    async def opened(
        path: Path | str | None = None, size: tuple[int, int] = (140, 42), **options: Any
    ) -> AsyncIterator[Hands]:
        options = {"planner": fake_plan, "child": "tests.tui.fakes"} | options
        app = Explorer(str(path) if path else None, **options)
        async with app.run_test(size=size) as pilot:
            hands = Hands(app, pilot)
            await hands.until(lambda: app.main.report() or app.main.troubled, "a first answer")
            yield hands

    return opened


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with two scenarios."""
    path = tmp_path / "board.threat"
    path.write_text(SOURCE)
    return path
