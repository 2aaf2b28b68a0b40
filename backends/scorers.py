"""Scorers: callables (labels, u) -> score that do everything a scenario says happens to a score."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any, Literal, assert_never, get_args

import gmpy2
import numpy as np
from flint import arb

from backends import exact
from backends.loader import AnswerError, ScorerError, load_scorer
from backends.metrics import computation_of
from backends.metrics.base import Computation
from backends.noise import Disturbance, Member, Mode, NoiseSource
from backends.rivals import nearest_gap
from backends.rows import Labels, MeanLoss, Query, rational
from backends.shown import show
from dsl.scenario import Arbitrary, FixedPoint, Ieee, Scenario, Shown
from planner.channel.releases import PLAIN, Release, release_of
from planner.numerics.reals import ball, working

Backend = Literal["exact", "fixed", "ieee"]
BACKENDS = get_args(Backend)
SUM_BITS = 64  # before the point, and to spare
UserScorer = Callable[[Labels, Query], Any]
Compute = Callable[[Labels, Query, Disturbance], Any]


@dataclass
class Scorer:
    """A scorer with its noise: calling it twice may answer twice differently."""

    name: str
    backend: str
    compute: Compute
    noise: NoiseSource
    shown: Shown
    clip: Fraction | None = None
    release: Release = PLAIN
    summed: bool = False
    state: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.state = self.release.start()

    def __call__(self, labels: Labels, u: Query) -> Any:
        """The score of query `u` as the attacker sees it."""
        times = len(labels) if self.summed else 1
        disturbance = self.noise.draw(lambda: times * nearest_gap(labels, self._clipped(u)))
        return show(self._released(self.compute(labels, u, disturbance)), self.shown)

    def _released(self, score: Any) -> Any:
        """What the release makes of a score; a board that remembers decides by a number, not by a ball around it."""
        if isinstance(score, arb) and self.release is not PLAIN:
            score = exact.midpoint(score) if score.is_finite() else math.inf
        self.state, shown = self.release.step(self.state, score)
        return shown

    def _clipped(self, u: Query) -> Query:
        if self.clip is None:
            return u
        if u.dtype == object:
            return exact.conditioned(u, rational(self.clip), renormalise=False)
        return np.clip(u, float(self.clip), 1 - float(self.clip))


def backend_of(scenario: Scenario) -> Backend:
    """The backend whose arithmetic the scenario describes."""
    match scenario.phi:
        case Arbitrary():
            return "exact"
        case FixedPoint():
            return "fixed"
        case Ieee():
            return "ieee"
    assert_never(scenario.phi)


def make_scorer(
    scenario: Scenario,
    generator: np.random.Generator,
    *,
    backend: str | None = None,
    mode: Mode = "random-sign",
    member: Member = "gaussian",
    precision_bits: int = 64,
) -> Scorer:
    """The scorer that a scenario describes: arithmetic, clip, noise and digits."""
    chosen = backend or backend_of(scenario)
    preset = scenario.scorer.name if scenario.scorer else chosen
    noise = NoiseSource(scenario.noise, generator, mode, member)
    library = computation_of(scenario.metrics[0]).library(scenario) if chosen == "ieee" else None
    compute = _arithmetic(scenario, chosen, precision_bits) if library is None else _disturbed(library)
    return Scorer(preset, chosen, compute, noise, *_showing(scenario))


def sklearn_scorer(
    scenario: Scenario,
    generator: np.random.Generator,
    *,
    mode: Mode = "random-sign",
    member: Member = "gaussian",
) -> Scorer:
    """The scenario's scorer with scikit-learn's own function in the place of its arithmetic."""
    noise = NoiseSource(scenario.noise, generator, mode, member)
    compute = _disturbed(computation_of(scenario.metrics[0]).sklearn(scenario))
    return Scorer("sklearn", "sklearn", compute, noise, *_showing(scenario))


def _showing(scenario: Scenario) -> tuple[Shown, Fraction | None, Release, bool]:
    """What becomes of a score, of what predictions."""
    return scenario.shown, _rational_clip(scenario), release_of(scenario.release), scenario.reduction == "sum"


def user_scorer(scorer: str | UserScorer) -> tuple[str, UserScorer]:
    """A user's scorer and its name; it is taken as it is: its clip, noise and rounding are its own."""
    function = load_scorer(scorer) if isinstance(scorer, str) else scorer
    if not callable(function):
        raise ScorerError(f"a scorer is a function (labels, u) -> score, not {type(function).__name__}")
    name = scorer if isinstance(scorer, str) else getattr(function, "__qualname__", type(function).__name__)
    return name, lambda labels, u: _as_score(function(labels, u), name)


def _as_score(value: Any, name: str) -> Any:
    """What a user's scorer answered, as one of the score types: a Fraction where it is a ratio, else a float."""
    if getattr(value, "shape", None) == ():
        value = value.item()  # numpy's scalars, and arrays and tensors without an axis
    if isinstance(value, bool) or not isinstance(value, Real | Decimal | arb):
        raise AnswerError(f"scorer {name} answered with {_described(value)}, not with a number")
    whole = isinstance(value, Integral)
    score = Fraction(value) if isinstance(value, Rational) and not whole else float(value)
    if math.isnan(score):
        raise AnswerError(f"scorer {name} answered with nan, which is no score")
    return score


def _described(value: Any) -> str:
    shape = getattr(value, "shape", None)
    return type(value).__name__ if shape is None else f"{type(value).__name__} of shape {tuple(shape)}"


def _arithmetic(scenario: Scenario, backend: str, precision_bits: int) -> Compute:
    metric, clip = computation_of(scenario.metrics[0]), _rational_clip(scenario)
    exact_clip = None if clip is None else rational(clip)
    if backend == "exact":
        return _exact(metric, precision_bits, exact_clip, scenario.renormalises, scenario.reduction == "sum")
    if backend == "fixed":
        own, wide = (
            one if isinstance(one, FixedPoint) else FixedPoint(32, 31) for one in (scenario.phi, scenario.score_format)
        )
        score = metric.fixed(scenario, (own, wide), exact_clip)
        return lambda labels, u, d: score(labels, u, d.scale, d.shift)
    if backend == "ieee":
        return _disturbed(metric.floating(scenario))
    raise ValueError(f"unknown backend {backend!r}: it is one of {', '.join(BACKENDS)}")


def _exact(metric: Computation, precision_bits: int, clip: gmpy2.mpq | None, divide: bool, summed: bool) -> Compute:
    def computed(labels: Labels, u: Query) -> arb:
        bits = precision_bits + 3
        if not summed:
            return metric.exact(labels, u, bits, clip, divide)
        wider = bits + len(labels).bit_length()
        mean = metric.exact(labels, u, wider, clip, divide)
        with working(wider + SUM_BITS):
            return mean * len(labels)

    def compute(labels: Labels, u: Query, d: Disturbance) -> Any:
        score = computed(labels, u)
        if not any(d):
            return score
        with working(precision_bits + 64 + abs(int(d.shift)).bit_length()):
            return score * ball(1 + d.scale) + ball(d.shift)

    return compute


def _rational_clip(scenario: Scenario) -> Fraction | None:
    return None if scenario.clip is None else scenario.clip.lo


def _disturbed(mean_loss: MeanLoss) -> Compute:
    """A float scorer's mean, then the noise: their sum is rounded so as to keep within the bound."""

    def compute(labels: Labels, u: Query, d: Disturbance) -> float:
        score = mean_loss(labels, u)
        if not any(d) or not math.isfinite(score):
            return score
        true = Fraction(score)
        noisy = float(true * (1 + d.scale) + d.shift)
        within = abs(Fraction(noisy) - true) <= d.size(true)
        return noisy if within else math.nextafter(noisy, score)

    return compute
