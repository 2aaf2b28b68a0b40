"""The metrics, one file each. A new one is a new file and a line here."""

from __future__ import annotations

from planner.channel.metrics.accuracy import ACCURACY
from planner.channel.metrics.balanced_accuracy import BALANCED_ACCURACY
from planner.channel.metrics.base import Metric, UnknownMetric
from planner.channel.metrics.brier_classes import BRIER, HALF_BRIER
from planner.channel.metrics.f1 import F1
from planner.channel.metrics.jaccard import JACCARD
from planner.channel.metrics.kappa import KAPPA
from planner.channel.metrics.log_loss import LOG_LOSS
from planner.channel.metrics.macro_f1 import MACRO_F1
from planner.channel.metrics.mae import MAE
from planner.channel.metrics.mcc import MCC
from planner.channel.metrics.mse import MSE
from planner.channel.metrics.precision import PRECISION
from planner.channel.metrics.r2 import R2
from planner.channel.metrics.recall import RECALL
from planner.channel.metrics.rmse import RMSE
from planner.channel.metrics.roc_auc import ROC_AUC

METRICS: tuple[Metric, ...] = (
    LOG_LOSS, BRIER, HALF_BRIER, MSE, RMSE, MAE, R2,
    ACCURACY, BALANCED_ACCURACY, PRECISION, RECALL, F1, MACRO_F1, JACCARD, MCC, KAPPA, ROC_AUC,
)  # fmt: skip


def metric_of(id: str) -> Metric:
    """The metric of that name; nothing is known of any other."""
    return next((one for one in METRICS if one.id == id), None) or UnknownMetric(id)
