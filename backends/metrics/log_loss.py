"""Log-loss, computed."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import gmpy2
from flint import arb

from backends import exact, fixed, ieee
from backends.loader import ScorerError
from backends.metrics.base import Computation
from backends.models import FORMATS, MODELS
from backends.rows import Labels, MeanLoss, Query
from backends.scikit import sklearn_log_loss
from dsl.checking.presets import PRESETS
from dsl.scenario import FixedPoint, Ieee, Scenario


class LogLoss(Computation):
    """The mean of -ln u."""

    id = "log_loss"

    def floating(self, scenario: Scenario) -> MeanLoss:
        """Logarithms in the format of predictions, their sum in the score's."""
        bits, wide = (one.bits if isinstance(one, Ieee) else 64 for one in (scenario.phi, scenario.score_format))
        clip = None if scenario.clip is None else float(scenario.clip.lo)
        return lambda labels, u: ieee.score(
            labels,
            u,
            bits,
            score_bits=wide,
            summation=scenario.summation,
            clip=clip,
            renormalise=scenario.renormalises,
            summed=scenario.reduction == "sum",
        )

    def exact(self, labels: Labels, u: Query, bits: int, clip: gmpy2.mpq | None, renormalise: bool) -> arb:
        """By product trees."""
        return exact.mean_log_loss(labels, u, bits, clip=clip, renormalise=renormalise)

    def fixed(
        self, scenario: Scenario, formats: tuple[FixedPoint, FixedPoint], clip: gmpy2.mpq | None
    ) -> Callable[[Labels, Query, Fraction, Fraction], Fraction]:
        """The exact mean, rounded once."""
        if scenario.reduction == "sum":
            raise ScorerError("a sum of losses is not computed in fixed point")
        own, wide = formats
        return lambda labels, u, scale, shift: fixed.score(
            labels, u, own, score_fmt=wide, clip=clip, renormalise=scenario.renormalises, scale=scale, shift=shift
        )

    def sklearn(self, scenario: Scenario) -> MeanLoss:
        """log_loss."""
        return sklearn_log_loss(scenario)

    def library(self, scenario: Scenario) -> MeanLoss | None:
        """What the preset's library computes, where it can be what is described."""
        name = scenario.scorer.name if scenario.scorer else None
        if name not in MODELS or not _is_the_library(scenario, name):
            return None
        return MODELS[name](scenario)


def _is_the_library(scenario: Scenario, name: str) -> bool:
    """Whether the library can be what is described: its formats, a clip, and one column if it takes no more."""
    formats = scenario.phi, scenario.score_format
    fits = scenario.columns == 1 or not PRESETS[name].one_column
    own = formats == FORMATS[name] if name in FORMATS else formats[0] == formats[1]
    return scenario.clip is not None and fits and own


LOG_LOSS = LogLoss()
