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
    return tone_of(str(report.verdict), report.exposure.fraction)


def tone_of(verdict: str, exposed: float | None) -> Tone:
    """The verdict's colour, where this share of the labels is exposed (None: nobody knows how many are)."""
    held = _TONES.get(verdict, "warn")
    return "warn" if held == "good" and (exposed is None or exposed >= LEAKY) else held
