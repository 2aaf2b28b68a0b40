"""How metrics are computed, one file each. A new one is a new file and a line here."""

from __future__ import annotations

from backends.loader import ScorerError
from backends.metrics.accuracy import ACCURACY
from backends.metrics.balanced_accuracy import BALANCED_ACCURACY
from backends.metrics.base import Computation
from backends.metrics.brier import BRIER, HALF_BRIER
from backends.metrics.f1 import F1
from backends.metrics.jaccard import JACCARD
from backends.metrics.kappa import KAPPA
from backends.metrics.log_loss import LOG_LOSS
from backends.metrics.macro_f1 import MACRO_F1
from backends.metrics.mae import MAE
from backends.metrics.mcc import MCC
from backends.metrics.mse import MSE
from backends.metrics.precision import PRECISION
from backends.metrics.r2 import R2
from backends.metrics.recall import RECALL
from backends.metrics.rmse import RMSE
from backends.metrics.roc_auc import ROC_AUC

METRICS: tuple[Computation, ...] = (
    LOG_LOSS, BRIER, HALF_BRIER, MSE, RMSE, MAE, R2,
    ACCURACY, BALANCED_ACCURACY, PRECISION, RECALL, F1, MACRO_F1, JACCARD, MCC, KAPPA, ROC_AUC,
)  # fmt: skip


def computation_of(id: str) -> Computation:
    """How the metric of that name is computed."""
    found = next((one for one in METRICS if one.id == id), None)
    if found is None:
        raise ScorerError(f"no scorer computes {id}")
    return found
