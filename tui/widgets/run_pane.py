"""A simulated run: progress, the labels turning from hidden to recovered to verified, and how it ended."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.reactive import reactive
from textual.widgets import Button, Static

from dsl.visible import visible
from threatplan.render.numbers import share, whole
from tui.prose import Part, packed, plural
from tui.simulation import CELLS, HIDDEN, Failure, Frame, Order, Progress, Result, Simulation
from tui.widgets.label_grid import GLYPHS, STATES, LabelGrid
from tui.widgets.run_bar import RunBar

if TYPE_CHECKING:
    from planner.report import Report

EXPLANATION = (
    "Runs the selected attack on labels made up for the purpose, through the scenario's own scorer. "
    "Nothing leaves this machine."
)

COLOURS = {
    "hidden": "$foreground 60%",
    "asked": "$text-accent",
    "recovered": "$text-warning",
    "verified": "$text-success",
    "not scored": "$foreground 60%",
    "wrong": "$text-error",
}


class RunPane(Vertical, can_focus=True):
    """One run at a time, in a process of its own."""

    running = reactive(False, toggle_class="-running")

    def __init__(self, child: str) -> None:
        super().__init__(id="run")
        self._child = child
        self.simulation: Simulation | None = None
        self._rows, self._named = 0, ""  # of the run that is shown, and its attack
        # Held, not looked up: a run may end while the screen is already being taken down.
        self._start = Button("Run", id="run-start", variant="primary", compact=True)
        self._cancel = Button("Cancel", id="run-cancel", variant="warning", compact=True, disabled=True)
        self._title = Static("", id="run-title")
        self._bar = RunBar()
        self._state = Static(EXPLANATION, id="run-state")  # where there is room for it
        self._legend = Static(id="run-legend")
        self._grid = LabelGrid()

    def compose(self) -> ComposeResult:
        """A line of controls, the bar, how it goes, the labels."""
        yield Horizontal(self._start, self._cancel, self._title, id="run-controls")
        yield from (self._bar, self._state, self._legend, self._grid)

    def watch_running(self, running: bool) -> None:
        """Only one of the buttons makes sense."""
        self._start.disabled, self._cancel.disabled = running, not running

    def start(self, order: Order, report: Report) -> None:
        """Begin a run."""
        self.simulation = Simulation(order, self._child)
        self.running = True
        self._say(("starting ", "$foreground 60%"), (order.attack, "bold"))
        self._rows, self._named = report.scenario.N, order.attack
        self._grid.cells = bytes([HIDDEN]) * min(self._rows, CELLS)
        self._entitle()
        self._bar.begin()
        # The layouts of a view just opened take longer than any frame: they are over before the run begins.
        self.call_after_refresh(self.call_after_refresh, self._launch, self.simulation)

    def _launch(self, simulation: Simulation) -> None:
        self.run_worker(self._follow(simulation), group="run")

    def on_resize(self) -> None:
        """The legend may need other lines, and a cell may stand for other rows now."""
        self._legend.update(_legend(self.content_size.width))
        self.call_after_refresh(self._entitle)

    def _entitle(self) -> None:
        """What runs, and what a cell of its picture stands for."""
        if self._rows:
            shown = max(min(self._rows, CELLS, self._grid.room), 1)
            cell = "a row" if shown == self._rows else f"up to {whole(-(-self._rows // shown))} rows"
            self._title.update(Content(f"{self._named} · a cell: {cell}"), layout=False)

    def stop(self) -> None:
        """Cancel the run, if there is one."""
        if self.simulation:
            self.simulation.stop()

    def on_unmount(self) -> None:
        """No run outlives the explorer."""
        self.stop()

    async def _follow(self, simulation: Simulation) -> None:
        last: Frame | None = None
        async for last in simulation.frames():
            self._show(last)
        self.running = False
        if not isinstance(last, Result | Failure):
            self._say(("cancelled", "bold $text-warning"), "; nothing was left running")

    def _show(self, frame: Frame) -> None:
        match frame:
            case Progress(stage=stage, done=done, total=total, cells=cells):
                self._bar.come(done, total)
                self._say((stage, "bold"), f"  query {whole(done)} of {whole(total)}")
                self._grid.cells = cells or self._grid.cells
            case Result(cells=cells):
                self._bar.come(1, 1)
                self._say(outcome(frame))
                self._grid.cells = cells
            case Failure(reason=reason):
                self._say(("failed ", "bold $text-error"), visible(reason))

    def _say(self, *words: Part) -> None:
        """How it goes; the place has a fixed size, and a layout of the screen would stop the run's picture."""
        self._state.update(Content.assemble(*words), layout=False)


def outcome(result: Result) -> Content:
    """Accuracy, queries and time of a finished run."""
    right = result.labels - result.wrong
    style = "bold $text-success" if not result.shortfall else "bold $text-error"
    times = ", ".join(f"{name} {seconds:.3f} s" for name, seconds in result.seconds.items())
    return Content.assemble(
        (f"{whole(right)} of {whole(result.labels)} labels right ({share(Fraction(right, result.labels))})", style),
        f", of {whole(result.rows)} rows" if result.rows > result.labels else "",
        f", {whole(result.queries)} {plural('query', result.queries)} used\n",
        *_broken(result),
        (f"{result.scorer} · seed {result.seed} · {times}", "$foreground 60%"),
    )


def _broken(result: Result) -> list[Part]:
    """How a run fell short of what was certified, and whether that may happen."""
    if not result.shortfall:
        return []
    if result.broken:
        return [(f"{visible(result.shortfall)}: certified and failed, please report this\n", "$text-error")]
    return [(f"{visible(result.shortfall)}: within the chance that the promise leaves\n", "$text-warning")]


def _legend(width: int) -> Content:
    pairs = zip(GLYPHS, STATES, strict=True)
    return packed((Content.styled(f"{glyph} {state}", COLOURS[state]) for glyph, state in pairs), width)
