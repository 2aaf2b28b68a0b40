"""A Run as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from threatplan.render.numbers import of, share, whole
from threatplan.render.page import Page

if TYPE_CHECKING:
    from backends.run import Run


def render(run: Run, page: Page, note: str = "", kept: str = "") -> Iterator[str]:
    """The lines of a run: how often all labels came out, how many were wrong, what it took; `note` comes second.

    `kept`: what was certified, where it was kept: what a few trials tell of other trials is no news then.
    """
    exact = run.exact_trials == run.trials
    headline = _recovered(run) if exact else f"{of(run.wrong_labels, 'label')} wrong"
    title = f"{page.ink(run.scenario, 'bold')}: {page.ink(headline, 'bad' if exact else 'warn')} (attack {run.attack})"
    yield from page.wrap(f"{title}, {of(run.trials, 'trial')}, seed {run.seed}", rest="  ")
    if note:
        yield from page.wrap(note, "  ", "    ")
    yield from page.wrap(_through(run), "  through      ")
    interval = kept or _interval(run.recovery_interval())
    yield from page.wrap(f"{whole(run.exact_trials)} of {whole(run.trials)} ({interval})", "  exact        ")
    part = " of scored rows" if run.rows_told > run.total_labels else ""
    right = f"{whole(run.total_labels - run.wrong_labels)} of {of(run.total_labels, 'label')}{part}"
    right += f" in {whole(run.trials)} trials" if run.trials > 1 else ""
    interval = "" if kept else f", {_interval(run.accuracy_interval())}"
    yield from page.wrap(f"{right} ({share(run.accuracy)}{interval})", "  right        ")
    if run.misplaced is not None:
        placed = f"{whole(run.rows_told - run.misplaced)} of {of(run.rows_told, 'row')}"
        yield from page.wrap(f"{placed} rightly said to be scored or not", "  split        ")
    spread = "" if run.fewest_queries in (0, run.queries) else f"{whole(run.fewest_queries)} to "
    yield from page.wrap(f"{spread}{whole(run.queries)}", "  queries      ")
    took = run.seconds
    spent = f"encode {took.encode:.3f}, score {took.score:.3f}, decode {took.decode:.3f}"
    yield from page.wrap(spent, "  seconds      ")
    if run.strayed:
        known = "labels or guesses that are not what the scenario says: it promises nothing of them"
        yield from page.wrap(f"{of(run.strayed, 'trial')} with {known}", "  ", "    ")
    for failure in run.failures[:3]:
        yield from page.wrap(f"the attack refused to answer: {failure}", "  ", "    ")


def _interval(ends: tuple[float, float]) -> str:
    low, high = ends
    return f"95% interval {share(low)} to {share(high)}"


def _recovered(run: Run) -> str:
    part = " of scored rows" if run.rows_told > run.total_labels else ""
    if run.whole:
        return f"every label{part} recovered{' and which rows these are' if run.misplaced is not None else ''}"
    if part:
        return f"every label of scored rows among {whole(run.rows_told // run.trials)} of {of(run.labels, 'row')} recovered"
    return f"{whole(run.total_labels // run.trials)} of {of(run.labels, 'label')} recovered"


def _through(run: Run) -> str:
    """The scorer: scikit-learn or a user's own by name, a model of a library as a model."""
    if run.scorer == run.backend and run.backend in ("exact", "fixed", "ieee"):
        return f"{run.backend} arithmetic"
    if run.backend in (run.scorer, "user"):
        return run.scorer
    return f"a model of {run.scorer} in {run.backend} arithmetic"
