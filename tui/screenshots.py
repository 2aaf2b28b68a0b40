"""Pictures of the explorer for the documentation: `python -m tui.screenshots FOLDER`."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from textual.pilot import Pilot

from tui.app import Explorer
from tui.screens.main import MainScreen

SIZE = (132, 38)
PATIENCE = 3000  # turns of a fiftieth of a second
EXAMPLES = Path(__file__).parent.parent / "examples"

Ready = Callable[[MainScreen], bool]


class Shot(NamedTuple):
    """A picture: its name, the example, the keys that lead there, and when it is complete."""

    name: str
    example: str
    keys: tuple[str, ...]
    ready: Ready


def planned(main: MainScreen) -> bool:
    """The verdict is there."""
    return main.report() is not None and not main.thinking


def frontier_drawn(main: MainScreen) -> bool:
    """Every point of the frontier is planned."""
    from tui.widgets.plot_view import PlotView

    frontier = main.query_one(PlotView).frontier
    return frontier is not None and bool(frontier.points) and all(point.planned for point in frontier.points)


def run_finished(main: MainScreen) -> bool:
    """A run came to its end."""
    from tui.simulation import VERIFIED
    from tui.widgets.label_grid import LabelGrid
    from tui.widgets.run_pane import RunPane

    return not main.query_one(RunPane).running and VERIFIED in main.query_one(LabelGrid).cells


SHOTS = (
    Shot("attacks", "imdb.threat", ("f4",), planned),
    Shot("frontier", "kaggle.threat", ("f5",), frontier_drawn),
    Shot("theory", "api.threat", ("f6",), planned),
    Shot("run", "bowl.threat", ("ctrl+r",), run_finished),
)


async def take(shot: Shot, folder: Path) -> Path:
    """Take one picture."""
    app = Explorer(str(EXAMPLES / shot.example))
    async with app.run_test(size=SIZE) as pilot:
        await _until(pilot, lambda: planned(app.main))
        await pilot.press(*shot.keys)
        await _until(pilot, lambda: shot.ready(app.main))
        await pilot.pause()
        path = folder / f"{shot.name}.svg"
        path.write_text(app.export_screenshot(title=f"plan explore {shot.example}"), encoding="utf-8")
        return path


async def _until(pilot: Pilot[int], condition: Callable[[], bool]) -> None:
    for _ in range(PATIENCE):
        await pilot.pause(0.02)
        if condition():
            return
    raise TimeoutError("the explorer never came to show what was to be pictured")


def main(argv: list[str]) -> int:
    """Take every picture."""
    if len(argv) != 1:
        print("usage: python -m tui.screenshots FOLDER", file=sys.stderr)
        return 2
    folder = Path(argv[0])
    folder.mkdir(parents=True, exist_ok=True)
    for shot in SHOTS:
        print(asyncio.run(take(shot, folder)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
