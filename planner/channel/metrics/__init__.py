"""The metrics, one file each, read when a scenario names them. A new one is a new file and a line here."""

from __future__ import annotations

from importlib import import_module

from planner.channel.metrics.base import Metric, UnknownMetric

METRICS: dict[str, str] = {
    "log_loss": "log_loss",
    "brier": "brier_classes",
    "half_brier": "brier_classes",
    "mse": "mse",
    "rmse": "rmse",
    "mae": "mae",
    "r2": "r2",
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced_accuracy",
    "precision": "precision",
    "recall": "recall",
    "f1": "f1",
    "macro_f1": "macro_f1",
    "jaccard": "jaccard",
    "mcc": "mcc",
    "kappa": "kappa",
    "roc_auc": "roc_auc",
}
"""The file of each metric; there it stands under its name in capitals."""


def all_metrics() -> tuple[Metric, ...]:
    """Every metric, in the order in which it is shown."""
    return tuple(map(metric_of, METRICS))


def metric_of(id: str) -> Metric:
    """The metric of that name; nothing is known of any other."""
    if id not in METRICS:
        return UnknownMetric(id)
    found: Metric = getattr(import_module(f"{__name__}.{METRICS[id]}"), id.upper())
    return found
