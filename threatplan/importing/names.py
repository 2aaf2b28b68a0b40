"""Metrics by the names that organisers give them."""

from __future__ import annotations

import re
from typing import Final

NAMES: Final[dict[str, tuple[str, ...]]] = {
    "log_loss": (
        "logloss",
        "neglogloss",
        "crossentropy",
        "crossentropyloss",
        "binarycrossentropy",
        "bce",
        "logarithmicloss",
    ),
    "brier": ("brier", "brierscore", "brierscoreloss"),
    "accuracy": ("accuracy", "acc", "accuracyscore", "acctest", "classificationaccuracy"),
    "balanced_accuracy": ("balancedaccuracy", "balancedaccuracyscore", "bac", "bacc"),
    "precision": ("precision", "precisionscore", "prec", "p"),
    "recall": ("recall", "recallscore", "rec", "r", "sensitivity", "tpr"),
    "f1": ("f1", "f1score", "fscore", "fmeasure", "binaryf1"),
    "macro_f1": ("macrof1", "f1macro", "macrof1score", "f1scoremacro", "fmacro", "avgf1"),
    "jaccard": ("jaccard", "jaccardscore", "jaccardindex"),
    "mcc": ("mcc", "matthewscorrcoef", "matthewscorrelationcoefficient"),
    "kappa": ("kappa", "cohenkappa", "cohenkappascore", "cohenskappa"),
    "roc_auc": ("auc", "rocauc", "auroc", "rocaucscore", "areaundercurve"),
    "mse": ("mse", "meansquarederror"),
    "rmse": ("rmse", "rootmeansquarederror"),
    "mae": ("mae", "meanabsoluteerror"),
    "r2": ("r2", "r2score", "rsquared"),
}
"""Each metric of the language, and what it goes by, in lower case and without signs."""

_BY_NAME: Final = {alias: metric for metric, aliases in NAMES.items() for alias in aliases}
_AROUND: Final = ("private", "public", "final", "test", "overall", "mean", "average")


def metric_of(name: str) -> str | None:
    """The metric that a column's name stands for; None: none that the language has."""
    bare = re.sub(r"\([^)]*\)", "", name).lower().replace("²", "2")
    words = re.sub(r"[^a-z0-9]+", " ", bare).split()
    found = _BY_NAME.get("".join(words))
    if found is None:
        found = _BY_NAME.get("".join(word for word in words if word not in _AROUND))
    return found
