"""The scores that a scorer may show, a line a metric. Labels are classes: real-valued targets are another problem."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from dsl.scenario import Several

NEUTRAL: Final[dict[str, Any]] = {
    "clip": None,
    "columns": 1,
    "renormalises": False,
    "checks": True,
    "abstain": False,
    "reduction": "mean",
}
"""Fields that not every metric has a use for, and what they are to one that has none."""

OF_PROBABILITIES: Final = ("columns", "renormalises", "checks")
"""Those that only speak of rows of probabilities."""


class Metric(NamedTuple):
    """A score by name, and what of the language has a meaning for it."""

    name: str
    meaning: str
    predictions: tuple[str, ...] = ("probability",)  # what a submitted row may hold; the first unless it is said
    clips: bool = False  # whether predictions are clipped: only logarithms need it
    binary: bool = True  # whether it is for two classes alone
    abstains: bool = False  # whether a scorer may take a class that does not exist
    sums: bool = False  # whether a scorer may show the sum of charges, and not their mean
    since: tuple[int, int] = (0, 0)  # scikit-learn knows more than two classes from this version on

    @property
    def senseless(self) -> tuple[str, ...]:
        """The fields that have no meaning beside the metric."""
        rows = OF_PROBABILITIES if "probability" not in self.predictions else ()
        if self.predictions[0] == "real":  # `predictions` says what is taken
            rows = ("columns", "renormalises", "checks")
        own = (("clip", self.clips), ("abstain", self.abstains), ("reduction", self.sums))
        return (*rows, *(field for field, known in own if not known))


CLASS: Final = ("class",)
PROBABILITY: Final = "the probability given to class 1, y the label"
METRICS: Final = (
    Metric("log_loss", "the mean of -ln p, p the probability given to the label", clips=True, binary=False, sums=True),
    Metric("brier", f"the mean of (p - y)², p {PROBABILITY}; of K classes their sum", binary=False, since=(1, 7)),
    Metric("half_brier", "half of that sum, however many classes there are", binary=False, since=(1, 7)),
    Metric("mse", "the mean of (u - y)², u the number given, y the label", ("real", "probability")),
    Metric("rmse", "the root of `mse`", ("real", "probability")),
    Metric("mae", "the mean of |u - y|, u the number given, y the label", ("real", "probability")),
    Metric("r2", "1 less the sum of (u - y)² over that of (y - mean y)²", ("real", "probability")),
    Metric("accuracy", "the share of rows whose class is the label", CLASS, binary=False, abstains=True),
    Metric("balanced_accuracy", "the mean of the shares of either class that are predicted right", CLASS),
    Metric("precision", "of the rows predicted 1, the share that are", CLASS),
    Metric("recall", "of the labels that are 1, the share that are predicted 1", CLASS),
    Metric("f1", "the harmonic mean of `precision` and `recall`", CLASS),
    Metric("macro_f1", "the mean of F1 for either class", CLASS),
    Metric("jaccard", "right ones over all rows that are 1 or predicted 1", CLASS),
    Metric("mcc", "the correlation of labels and predicted classes (Matthews)", CLASS),
    Metric("kappa", "agreement beyond chance (Cohen)", CLASS),
    Metric("roc_auc", "how often a row of label 1 is ranked above one of label 0, ties counted half", ("real",)),
)
BY_NAME: Final = {metric.name: metric for metric in METRICS}


def parts_of(held: str | Several) -> tuple[Metric, ...]:
    """The score, or the scores, that the field holds."""
    return tuple(BY_NAME[name] for name in (held.metrics if isinstance(held, Several) else (held,)))


def rows_taken(held: str | Several) -> tuple[str, ...]:
    """What a row may hold for every one of the scores to be computed of it."""
    first, *others = parts_of(held)
    return tuple(rows for rows in first.predictions if all(rows in one.predictions for one in others))


def means_nothing(held: str | Several, field: str) -> bool:
    """Whether a field that is inherited, or that a preset fills in, has no meaning beside the scores.

    A row with a class that does not exist is refused as soon as one of the scores does not take it, and all are means as soon
    as one of them is. What else one of them has a use for stays: the others then say that they have no word for it.
    """
    found = [field in one.senseless for one in parts_of(held)]
    return any(found) if field in ("abstain", "reduction") else all(found)
