"""The colour of a verdict, the same in text, on pages and in the explorer: none says "safe" while labels are out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from planner.report import Report

    Tone = Literal["bad", "good", "warn"]

LEAKY = 1 / 3  # share of the labels from which on an impossible recovery of all of them is no comfort
_TONES: dict[str, Tone] = {"feasible": "bad", "impossible": "good", "unknown": "warn"}


def tone(report: Report) -> Tone:
    """The colour of a report's verdict."""
    return tone_of(str(report.verdict), report.exposure.fraction, unproved(report))


def tone_of(verdict: str, exposed: float | None, unproved: float) -> Tone:
    """The verdict's colour, where this share of the labels is exposed (None: nobody knows how many are).

    `unproved` is the share that no ceiling keeps hidden: what is not known to be exposed may be so all the same.
    """
    held = _TONES.get(verdict, "warn")
    comfort = exposed is not None and max(exposed, unproved) < LEAKY
    return "warn" if held == "good" and not comfort else held


def unproved(report: Report) -> float:
    """Of the labels that nobody would guess right without a score, the share that the ceiling leaves open."""
    from planner.ceiling import guessed

    known = float(guessed(report.channel))
    return (report.ceiling.fraction - known) / (1 - known) if known < 1 else 0.0
