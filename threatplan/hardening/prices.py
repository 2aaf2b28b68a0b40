"""What a change asks of those who are honest, and of the organiser: by this, options are put in order.

The measure is that of `costs`: a calibrated model that is right on 95 % of the rows, and the standard error that its score
has from the draw of the rows alone. A cap on submissions moves no score.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log, sqrt
from typing import TYPE_CHECKING

from dsl.checking.metrics import parts_of
from dsl.scenario import Bounded, Decimals, Gaussian, Laplace, Truncated
from threatplan.hardening.costs import WRONG, Cost, flips_cost, ladder_cost

if TYPE_CHECKING:
    from dsl.scenario import Scenario
    from threatplan.changes import Change

    Price = Callable[[Scenario, Scenario], float | None]  # before, after: in standard errors

LARGE = 1.0  # standard error from which on a change is seen in honest scores
# What an organiser touches: the board's settings, its scorer, a gate of one's own; or nothing that there is: an error which
# is chosen against the attack.
SETTING, SCORER, GATE, MODEL = range(4)
EFFORT = {
    "queries": SETTING,
    "decimals": SETTING,
    "public": SETTING,
    "clip": SCORER,
    "noise": SCORER,
    "reduction": SCORER,
    "release": GATE,
    "response": GATE,
}


def effort(changes: Sequence[Change], after: Scenario) -> int:
    """How deep an organiser must reach for it."""
    if isinstance(after.noise, Bounded) and any(one.field == "noise" for one in changes):
        return MODEL
    return max((EFFORT.get(one.field, GATE) for one in changes), default=SETTING)


def price(before: Scenario, after: Scenario, changes: Sequence[Change]) -> float | None:
    """How many standard errors an honest score may be off by for the change; None: not known."""
    parts = [PRICES[one.field](before, after) if one.field in PRICES else None for one in changes]
    known = [one for one in parts if one is not None]
    return sum(known) if len(known) == len(parts) else None


def deviation(scenario: Scenario) -> float | None:
    """The standard error of the model's score, of several the smallest; None: not known of one of them."""
    each = [_EACH[one.name](scenario.K) for one in parts_of(scenario.metric) if one.name in _EACH]
    known = len(each) == len(parts_of(scenario.metric))
    return min(each) * sqrt(WRONG * (1 - WRONG) / scenario.scored[1]) if known else None


def drowned(before: Scenario, after: Scenario, made: Sequence[Change]) -> bool:
    """Whether an honest score may be off by half of what tells labels known from a guess: nobody would show it."""
    span = max(_SPAN[one.name](before.K) for one in parts_of(before.metric))
    return _off(before, after, made) >= span / 2


def _off(before: Scenario, after: Scenario, made: Sequence[Change]) -> float:
    """By how much, on the score's own scale; where nobody knows its standard error, by what is added to the score alone."""
    errors, usual = price(before, after, made), deviation(before)
    if errors is not None and usual is not None:
        return errors * usual
    return sum(_ADDED[one.field](after) or 0.0 for one in made if one.field in _ADDED)


# What a constant guess scores, from what known labels do; of scores that count classes, what a coin for each row does.
_SPAN: dict[str, Callable[[int], float]] = {
    "log_loss": lambda classes: log(classes),
    "brier": lambda classes: (1 - 1 / classes) / (2 if classes == 2 else 1),
    "half_brier": lambda classes: (1 - 1 / classes) / 2,
    "mse": lambda classes: 1 / 4,
    "rmse": lambda classes: 1 / 2,
    "mae": lambda classes: 1 / 2,
    "r2": lambda classes: 1.0,
    "accuracy": lambda classes: 1 - 1 / classes,
    "balanced_accuracy": lambda classes: 1 / 2,
    "precision": lambda classes: 1 / 2,
    "recall": lambda classes: 1 / 2,
    "f1": lambda classes: 1 / 2,
    "macro_f1": lambda classes: 1 / 2,
    "jaccard": lambda classes: 2 / 3,
    "mcc": lambda classes: 1.0,
    "kappa": lambda classes: 1.0,
    "roc_auc": lambda classes: 1 / 2,
}
_EACH: dict[str, Callable[[int], float]] = {  # what a wrong row adds to the score, beside what a right one does
    "log_loss": lambda classes: log((1 - WRONG) * (classes - 1) / WRONG),
    "brier": lambda classes: _squares(classes) * (1 if classes == 2 else 2),
    "half_brier": lambda classes: _squares(classes),
    "mse": lambda classes: _squares(classes),
    "mae": lambda classes: 1 - 2 * WRONG,
    "accuracy": lambda classes: 1.0,
}


def _squares(classes: int) -> float:
    """Half of twice the difference between what the model gives its class and what it gives each other."""
    return 1 - WRONG - WRONG / (classes - 1)


def _relative(error: Callable[[Scenario], float | None]) -> Price:
    """An error of the score, over its standard error before the change."""

    def priced(before: Scenario, after: Scenario) -> float | None:
        size, usual = error(after), deviation(before)
        return None if size is None or usual is None else size / usual

    return priced


def _digits(scenario: Scenario) -> float | None:
    """Rounding is off by half a step, cutting off by a whole one."""
    match scenario.shown:
        case Decimals(digits=digits):
            return 0.5 * 10.0**-digits / _times(scenario)
        case Truncated(digits=digits):
            return 10.0**-digits / _times(scenario)
    return None


def _noise(scenario: Scenario) -> float | None:
    match scenario.noise:
        case Bounded(tau=size) | Gaussian(sigma=size):
            return float(size.hi) / _times(scenario)
        case Laplace(b=scale):
            return sqrt(2) * float(scale.hi) / _times(scenario)
    return None


def _times(scenario: Scenario) -> int:
    """How many times the mean is shown: what a sum is off by, its mean is off by so many times less."""
    return scenario.scored[1] if scenario.reduction == "sum" else 1


def _clip(scenario: Scenario) -> float | None:
    """A row that is right and as sure as may be is charged -ln(1 - clip), where it was charged nothing."""
    return None if scenario.clip is None else -log(1 - float(scenario.clip.hi))


def _rows(before: Scenario, after: Scenario) -> float:
    """Fewer rows have a larger standard error: what comes to the one there was, as deviations add."""
    return sqrt(before.scored[1] / after.scored[1] - 1)


def _costs(cost_of: Callable[[Scenario], Cost | None]) -> Price:
    """What the changed field costs by itself, whatever else there was before."""

    def priced(before: Scenario, after: Scenario) -> float | None:
        cost = cost_of(after)
        return None if cost is None else cost.errors

    return priced


_ADDED: dict[str, Callable[[Scenario], float | None]] = {"decimals": _digits, "clip": _clip, "noise": _noise}
PRICES: dict[str, Price] = {
    "queries": lambda before, after: 0.0,
    "decimals": _relative(_digits),
    "clip": _relative(_clip),
    "noise": _relative(_noise),
    "public": _rows,
    "reduction": lambda before, after: 0.0,  # who knows the rows can divide
    "release": _costs(ladder_cost),
    "response": _costs(flips_cost),
}
