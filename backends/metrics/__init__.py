"""How metrics are computed, one file each. A new one is a new file and a line here."""

from __future__ import annotations

from backends.loader import ScorerError
from backends.metrics.base import Computation
from backends.metrics.brier import BRIER
from backends.metrics.log_loss import LOG_LOSS

METRICS: tuple[Computation, ...] = (LOG_LOSS, BRIER)


def computation_of(id: str) -> Computation:
    """How the metric of that name is computed."""
    found = next((one for one in METRICS if one.id == id), None)
    if found is None:
        raise ScorerError(f"no scorer computes {id}")
    return found
