"""scikit-learn's own log_loss as a scorer."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backends.ieee import DTYPES
from backends.loader import sklearn_function
from backends.rows import Labels, MeanLoss, Query, check, floats
from dsl.scenario import Ieee, Scenario


def sklearn_log_loss(scenario: Scenario) -> MeanLoss:
    """log_loss as installed, with the scenario's clip and renormalising applied before it.

    Versions before 1.2 clipped at 1e-15; today's clip at the format's epsilon only, so a wider one is applied
    here, in the old versions' order. Versions before 1.9 added up in float64 what came in float32: what is clipped and
    complemented in its own format is widened to the score's here. `labels` is always given, since a labeling may lack
    a class.
    """
    log_loss: Any = sklearn_function("log_loss")
    bits, wider = (one.bits if isinstance(one, Ieee) else 64 for one in (scenario.phi, scenario.score_format))
    dtype, wide = DTYPES[bits], DTYPES[max(bits, wider)]
    clip = None if scenario.clip is None else float(scenario.clip.lo)
    normalize = scenario.reduction == "mean"

    def loss(labels: Labels, u: Query) -> float:
        check(labels, u)
        p = floats(u).astype(dtype)
        if clip is not None and clip > np.finfo(wide).eps:
            p = np.clip(p, dtype(clip), dtype(1) - dtype(clip))
        if scenario.renormalises and p.ndim == 2:
            p = p / p.sum(axis=1, keepdims=True)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*do not sum to one")
            # by position: the second argument has had three names
            return float(log_loss(labels, widened(p, wide), normalize=normalize, labels=range(scenario.K)))

    return loss


def widened(p: NDArray[Any], wide: type[np.floating[Any]]) -> NDArray[Any]:
    """Predictions in a wider format, a complement taken before."""
    if p.dtype == wide:
        return p
    both = np.stack([p.dtype.type(1) - p, p], axis=1) if p.ndim == 1 else p
    return both.astype(wide)
