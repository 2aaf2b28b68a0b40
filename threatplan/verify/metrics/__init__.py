"""The metrics that this checker knows, one file each: of no other does it know what a row charges."""

from __future__ import annotations

from threatplan.verify.metrics.base import Metric
from threatplan.verify.metrics.brier_classes import BRIER, HALF_BRIER
from threatplan.verify.metrics.counting import COUNTING
from threatplan.verify.metrics.log_loss import LOG_LOSS
from threatplan.verify.metrics.mae import MAE
from threatplan.verify.metrics.mse import MSE
from threatplan.verify.metrics.squares import SQUARES
from threatplan.verify.reading import Unreadable

METRICS: dict[str, Metric] = {one.name: one for one in (LOG_LOSS, BRIER, HALF_BRIER, MSE, MAE, *SQUARES, *COUNTING)}


def metric_of(name: str) -> Metric:
    """The metric of that name."""
    if name not in METRICS:
        raise Unreadable(f"`metric` is none of {', '.join(METRICS)}")
    return METRICS[name]
