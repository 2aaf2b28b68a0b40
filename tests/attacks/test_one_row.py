"""One row a query: what it reads must be explained by some number of ones."""

from __future__ import annotations

import numpy as np
import pytest

from dsl import loads
from planner import plan
from planner.attacks.attack import InconsistentScores
from tests.planner.known import candidate

ROWS = 12


@pytest.mark.parametrize("metric", ["mcc", "kappa", "recall", "roc_auc"])
@pytest.mark.parametrize(("told", "ones"), [(7, 7), (7, 3), (3, 7)])
def test_scores_of_another_number_of_ones_are_not_believed(metric: str, told: int, ones: int) -> None:
    """Each score reads as a label by itself; together they are those of 3 ones only if 3 labels are 1."""
    (scenario,) = loads(f"scenario x {{ N = {ROWS}; metric = {metric}; decimals = 6 }}")
    attack = candidate(plan(scenario), "one-row").build()
    hidden = np.arange(ROWS) < ones
    scores = [float(round(attack.metric.score(int(label), 1, told, ROWS), 6)) for label in hidden]
    if told == ones:
        assert (attack.decode(scores) == hidden).all()
        return
    with pytest.raises(InconsistentScores):
        attack.decode(scores)
