"""Metrics by the names that organisers give them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from dsl.checking.metrics import rows_taken
from dsl.scenario import Several

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
_OTHERWISE: Final = {"micro", "weighted", "samples"}  # averages that the language does not have
_AROUND: Final = ("private", "public", "final", "test", "overall", "mean", "average")


def metric_of(name: str) -> str | None:
    """The metric that a column's name stands for; None: none that the language has."""
    whole, bare = _words(name), _words(re.sub(r"\([^)]*\)", "", name))  # what stands in brackets may say which average
    if _OTHERWISE & set(whole):
        return None
    spellings = (whole, bare, [word for word in bare if word not in _AROUND])
    return next((found for words in spellings if (found := _BY_NAME.get("".join(words)))), None)


def grouped(metrics: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """The metrics, each once, together where they take the same rows: a scenario is needed for each such group.

    A clip, which the scorer of log-loss has, is known of no other.
    """
    groups: list[tuple[str, ...]] = []
    for one in dict.fromkeys(metrics):
        for place, group in enumerate(groups):
            if "log_loss" not in (*group, one) and rows_taken(Several((*group, one))):
                groups[place] = (*group, one)
                break
        else:
            groups.append((one,))
    return tuple(groups)


def _words(name: str) -> list[str]:
    return re.sub(r"[^a-z0-9]+", " ", name.lower().replace("²", "2")).split()
