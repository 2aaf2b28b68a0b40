"""The metrics, one file each. A new one is a new file and a line here."""

from __future__ import annotations

from planner.channel.metrics.base import Metric, UnknownMetric
from planner.channel.metrics.brier import BRIER
from planner.channel.metrics.log_loss import LOG_LOSS

METRICS: tuple[Metric, ...] = (LOG_LOSS, BRIER)


def metric_of(id: str) -> Metric:
    """The metric of that name; nothing is known of any other."""
    return next((one for one in METRICS if one.id == id), None) or UnknownMetric(id)
