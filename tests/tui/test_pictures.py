"""A few whole screens, so that a change of looks is seen and agreed to (pytest --snapshot-update)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.tui.conftest import Hands
from tests.tui.fakes import fake_plan
from tui.app import Explorer
from tui.widgets.plot_view import PlotView

Compare = Callable[..., bool]


@pytest.fixture
def picture(snap_compare: Compare, file: Path) -> Callable[..., bool]:
    """Compares the screen after some keys, once everything is planned."""

    def compare(size: tuple[int, int], *keys: str) -> bool:
        app = Explorer(str(file), planner=fake_plan)

        async def prepare(pilot: Pilot[Any]) -> None:
            hands = Hands(app, pilot)
            await hands.until(lambda: app.main.report(), "a report")
            for key in keys:
                await hands.press(key)
            plot = app.main.query_one(PlotView)
            if "f5" in keys:
                await hands.until(
                    lambda: plot.frontier and all(one.planned for one in plot.frontier.points), "the frontier"
                )
            app.screen.set_focus(None)  # a cursor blinks
            await pilot.pause()

        return snap_compare(app, terminal_size=size, run_before=prepare)

    return compare


def test_attacks_on_a_small_screen(picture: Callable[..., bool]) -> None:
    assert picture((80, 24), "f4")


def test_the_frontier(picture: Callable[..., bool]) -> None:
    assert picture((140, 42), "f5")


def test_attacks_on_a_large_screen(picture: Callable[..., bool]) -> None:
    assert picture((180, 50), "f4")
