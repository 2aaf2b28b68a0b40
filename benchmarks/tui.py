"""How quick the explorer is: first paint, key to painted verdict, and the event loop while a simulation runs."""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks._turns import Figures, Meter

ROOT = Path(__file__).parents[1]
SIZE = (140, 42)
TICK = 0.005  # seconds between two looks at the clock
FIRST_PAINT_GOAL = 2.0  # times `import textual.app`
BLOCK_GOAL = 0.050  # seconds
STARTS = 5
KEYS = 20  # steps up, each to a scenario that was never planned before
WATCHED = 20  # seconds of a simulation
LONG_ENOUGH = 0.5  # seconds for what is to be painted

TEXTUAL = "import time; a = time.process_time(); import textual.app; print(time.process_time() - a)"
PAINT = """
import time; start = time.process_time()
import asyncio, sys
from tui.app import Explorer
app = Explorer()
display = app._display
def painted(screen, content):
    display(screen, content)
    if screen is app.main and content is not None:
        print(time.process_time() - start, flush=True); import os; os._exit(0)
app._display = painted
async def run():
    async with app.run_test(size=(140, 42)): pass
asyncio.run(run())
"""
LEADERBOARD = "scenario board {{\n    N = {n}\n    clip = 1e-15\n    decimals = 5\n    queries <= 3_000\n}}\n"
LARGE = "scenario large { N = 1_000_000; clip = 1e-15; decimals = 6 }\n"
EXACT = "scenario exact { N = 10_000; phi = arbitrary }\n"


def seconds(script: str) -> float:
    """The processor time that a script prints, in a fresh interpreter."""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[0])


def first_paint() -> Figures:
    """From nothing to the first painted screen, against importing Textual alone; the best of several."""
    textual = min(seconds(TEXTUAL) for _ in range(STARTS))
    paint = min(seconds(PAINT) for _ in range(STARTS))
    return {"import_textual_s": textual, "first_paint_s": paint, "ratio": paint / textual}


async def explorer(text: str, work: Callable[[Any, Any], Awaitable[Figures]]) -> Figures:
    """Work with an explorer that shows `text`."""
    from tui.app import Explorer

    app = Explorer()
    gc.collect()  # what earlier measurements left
    app.main.filing.document.saved = text
    app.main.editor.text = text
    async with app.run_test(size=SIZE) as pilot:
        while app.main.report() is None:
            await asyncio.sleep(TICK)
        await pilot.pause()
        return await work(app, pilot)


async def keys(app: Any, pilot: Any) -> Figures:
    """From a key to the moment at which the new verdict has been painted, and the work that took."""
    from tui.widgets.verdict_bar import VerdictBar

    app.main.query_one("#field-queries").focus()
    bar = app.main.query_one(VerdictBar)
    painted = asyncio.Event()
    app.main.watch(bar, "report", lambda: bar.call_after_refresh(painted.set), init=False)
    times, works = [], []
    for _ in range(KEYS):
        painted.clear()
        start, worked = time.perf_counter(), time.process_time()
        app.post_message(_key("right"))
        await painted.wait()
        times.append(time.perf_counter() - start)
        works.append(time.process_time() - worked)
        await pilot.pause(0.02)
    return {"median_s": statistics.median(times), "worst_s": max(times), "work_s": statistics.median(works)}


def _key(name: str) -> Any:
    from textual.events import Key

    return Key(name, None)


async def simulation(meter: Meter, app: Any, pilot: Any) -> Figures:
    """The longest turns of the event loop from the run's first moment to the end; then a run cancelled.

    Before it begins, the view opens: that takes a turn of its own.
    """
    from tui.widgets.run_pane import RunPane

    pane = app.main.query_one(RunPane)
    await pilot.pause(1)  # the start is measured elsewhere
    meter.turns.clear()
    app.main.action_run()
    await _within(WATCHED, lambda: pane.simulation is not None and pane.simulation.pid is not None)
    opening = max(turn.work for turn in meter.turns)
    meter.turns.clear()
    ended = await _within(WATCHED, lambda: not pane.running)
    if ended:
        app.main.action_run()
        await asyncio.sleep(LONG_ENOUGH)
    cancelled = pane.running
    app.main.action_run()
    await _within(WATCHED, lambda: not pane.running)
    await asyncio.sleep(LONG_ENOUGH)
    return meter.figures() | {"opening_s": opening, "ended": ended, "cancelled": cancelled}


async def _within(limit: float, condition: Callable[[], bool]) -> bool:
    end = time.perf_counter() + limit
    while not condition() and time.perf_counter() < end:
        await asyncio.sleep(TICK)
    return condition()


def watched(text: str) -> Figures:
    """A simulation of `text` on an event loop whose turns are measured."""
    meter = Meter()
    with meter.runner() as runner:
        return runner.run(explorer(text, partial(simulation, meter)))


def measure() -> dict[str, Figures]:
    """Everything."""
    return {
        "first paint": first_paint(),
        "key to verdict, N = 10^4": asyncio.run(explorer(LEADERBOARD.format(n="10_000"), keys)),
        "key to verdict, N = 10^9": asyncio.run(explorer(LEADERBOARD.format(n="10^9"), keys)),
        "event loop, simulation of 10^6 labels": watched(LARGE),
        "event loop, exact simulation at N = 10^4": watched(EXACT),
    }


def main(argv: list[str]) -> int:
    """Measure, print, and fail when a goal is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks tui", description=__doc__)
    parser.add_argument("--json", action="store_true", help="as JSON")
    options = parser.parse_args(argv)
    figures = measure()
    if options.json:
        print(json.dumps(figures, indent=2))
    else:
        for name, values in figures.items():
            print(f"{name:<42}", "  ".join(f"{key} {_shown(value)}" for key, value in values.items()))
    return 0 if met(figures) else 1


def met(figures: dict[str, Figures]) -> bool:
    """Whether every goal is; turns count by their own work, since the wall's clock measures the neighbours too."""
    blocks = [float(values["worst_turn_s"]) for values in figures.values() if "worst_turn_s" in values]
    return float(figures["first paint"]["ratio"]) <= FIRST_PAINT_GOAL and max(blocks) <= BLOCK_GOAL


def _shown(value: float | str) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
