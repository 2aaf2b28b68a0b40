"""The figures as PNG and SVG; needs the `plots` extra."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from backends.loader import MissingLibraryError
from benchmarks.paper.experiment import Curve

STYLES = ("-", "--", "-.", ":")


def draw(curve: Curve, folder: Path) -> list[Path]:
    """Draw one plot as NAME.png and NAME.svg."""
    figure = _figure(curve)
    written = []
    for kind in ("png", "svg"):
        path = folder / f"{curve.name}.{kind}"
        # no date in the file: the same figures give the same bytes
        figure.savefig(path, dpi=150, metadata={"Date": None} if kind == "svg" else None)
        written.append(path)
    return written


def _figure(curve: Curve) -> Any:
    try:
        import matplotlib
    except ImportError:
        raise MissingLibraryError("a plot", "matplotlib", "plots") from None
    matplotlib.rcParams["svg.hashsalt"] = curve.name
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.0), layout="constrained")
    axes = figure.subplots()
    for index, (name, points) in enumerate(curve.series.items()):
        xs, ys = zip(*points, strict=True)
        axes.plot(xs, ys, STYLES[index % len(STYLES)], marker=".", label=name)
    axes.set(title=curve.title, xlabel=curve.x, ylabel=curve.y)
    if curve.log_x:
        axes.set_xscale("log")
    if curve.log_y:
        axes.set_yscale("log")
    if curve.share:
        axes.set_ylim(-0.03, 1.03)
    axes.grid(alpha=0.3)
    if len(curve.series) > 1:
        axes.legend(fontsize="small")
    return figure
