"""What a defence costs those who are honest, in standard errors of the score that they came for.

The measure is a calibrated model that is right on 95 % of N rows. Its log-loss has a deviation of
sqrt(p (1-p)) ln((1-p)(K-1)/p)/sqrt(N), p = 5 %, from the draw of the rows alone, and its accuracy one of sqrt(p (1-p)/N):
whatever is smaller than that was never to be had. A Ladder is off by a step at most. Flipped labels leave an accuracy that
can be set right, (a - pi)/(1 - pi K/(K-1)), with sqrt(pi (1-pi)/N)/(1 - pi K/(K-1)) of deviation more.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log, sqrt
from typing import TYPE_CHECKING

from dsl.scenario import LadderOf

if TYPE_CHECKING:
    from dsl.scenario import Scenario

WRONG = 0.05  # of the rows of the model that costs are measured by


@dataclass(frozen=True, slots=True)
class Cost:
    """By how much an honest score is off, of which score, and how many of its standard errors that is."""

    error: float
    score: str
    errors: float

    @property
    def small(self) -> bool:
        """Whether it is less than what the draw of the rows does anyhow."""
        return self.errors < 1


def cost_of(scenario: Scenario) -> Cost | None:
    """What release and response cost together; None: neither does anything, or nothing is known of what it does."""
    found = [one for one in (ladder_cost(scenario), flips_cost(scenario)) if one is not None]
    return max(found, key=lambda one: one.errors, default=None)


def ladder_cost(scenario: Scenario) -> Cost | None:
    """Off by a step at most."""
    if not isinstance(scenario.release, LadderOf) or scenario.metric != "log_loss":
        return None
    error, deviation = float(scenario.release.eta.hi), sqrt(WRONG * (1 - WRONG) / scenario.N)
    return Cost(error, "log-loss", error / (deviation * log((1 - WRONG) * (scenario.K - 1) / WRONG)))


def flips_cost(scenario: Scenario) -> Cost | None:
    """What flipped labels add to the deviation of an accuracy that is set right."""
    if scenario.response is None:
        return None
    K, epsilon = scenario.K, float(scenario.response.lo)
    flipped = (K - 1) / (exp(epsilon) + K - 1)
    error = sqrt(flipped * (1 - flipped) / scenario.N) / (1 - flipped * K / (K - 1))
    return Cost(error, "accuracy", error / sqrt(WRONG * (1 - WRONG) / scenario.N))
