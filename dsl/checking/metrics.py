"""The scores that a scorer may show, a line a metric."""

from __future__ import annotations

from typing import Final, NamedTuple


class Metric(NamedTuple):
    """A score by name, and what of the language has a meaning for it."""

    name: str
    meaning: str
    clips: bool  # whether predictions are clipped: only logarithms need it
    binary: bool  # whether it is for two classes alone


METRICS: Final = (
    Metric("log_loss", "the mean of -ln p, p the probability given to the label", clips=True, binary=False),
    Metric("brier", "the mean of (p - y)², p the probability given to class 1, y the label", clips=False, binary=True),
)
BY_NAME: Final = {metric.name: metric for metric in METRICS}
