"""What a change asks of those who are honest, and of the organiser: by this, options are put in order.

The measure is that of `costs`: a calibrated model that is right on 95 % of the rows, and the standard error that its score
has from the draw of the rows alone. A cap on submissions moves no score.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log, sqrt
from typing import TYPE_CHECKING

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
    """The standard error of the model's score; None: not known of this metric."""
    each = _EACH.get(str(scenario.metric))
    return None if each is None else each(scenario.K) * sqrt(WRONG * (1 - WRONG) / scenario.scored[1])


def drowned(before: Scenario, errors: float | None) -> bool:
    """Whether an honest score may be off by half of what tells labels known from a constant guess: nobody would show it."""
    usual, span = deviation(before), _SPAN.get(str(before.metric))
    if errors is None or usual is None or span is None:
        return False
    return errors * usual >= span(before.K) / 2


_SPAN: dict[str, Callable[[int], float]] = {  # what a constant guess scores, from what known labels do
    "log_loss": lambda classes: log(classes),
    "brier": lambda classes: (1 - 1 / classes) / (2 if classes == 2 else 1),
    "half_brier": lambda classes: (1 - 1 / classes) / 2,
    "accuracy": lambda classes: 1 - 1 / classes,
}
_EACH: dict[str, Callable[[int], float]] = {  # what a wrong row adds to the score, beside what a right one does
    "log_loss": lambda classes: log((1 - WRONG) * (classes - 1) / WRONG),
    "brier": lambda classes: _squares(classes) * (1 if classes == 2 else 2),
    "half_brier": lambda classes: _squares(classes),
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
