"""The knobs that an organiser holds, each with its settings from the present one to the strongest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, log
from typing import TYPE_CHECKING, Any

from dsl.checking.metrics import parts_of
from dsl.checking.spelling import field_value
from dsl.numbers import Real
from dsl.scenario import (
    Between,
    Bounded,
    Decimals,
    Gaussian,
    LadderOf,
    Laplace,
    NoNoise,
    Percentage,
    Plain,
    Significant,
    Truncated,
)

if TYPE_CHECKING:
    from dsl.scenario import Noise, Scenario, Shown
    from planner.report import Report

LARGEST_CLIP = Fraction(1, 20)  # beyond, a score says little of an honest prediction
LARGEST_NOISE = Fraction(1)  # a constant guess of two classes scores 0.69: beyond, nothing else is seen
LARGEST_STEP = Fraction(1, 10)  # of a Ladder: beyond, hardly anybody is told anything
LARGEST_CAP = 10**7  # submissions: ten a second for twelve days; to forbid more than anybody makes is no advice
EPSILONS = tuple(map(Fraction, (10, 7, 5, 4, 3, 2, 1)))  # below, hardly anything is left of a label
START_UNIT = 1e-4  # to which the start of a Ladder is written
FULL = 17  # digits beyond which a double shows nothing new
_STEPS = (1, 2, 5)
_PARTS = tuple(Fraction(part, 100) for part in (75, 50, 30, 20, 10, 5, 2, 1))


@dataclass(frozen=True, slots=True)
class Knob:
    """Something that can be set; `settings` go from the present one to the strongest."""

    name: str
    settings: Sequence[Any]
    turn: Callable[[Scenario, Any], Scenario]
    show: Callable[[Any], str]
    rounds: bool = False  # whether the knob merely shows fewer digits
    quiet: Any = None  # a setting at which next to nothing is told, worth proposing beside the mildest that does


def knobs(report: Report) -> list[Knob]:
    """The knobs of a scenario that are not at their strongest already."""
    scenario = report.scenario
    every = (
        _decimals(scenario),
        _significant(scenario),
        _clip(scenario),
        _noise(scenario),
        _reduction(scenario),
        _public(scenario),
        _release(scenario),
        _response(scenario),
        caps(report),
    )
    return [knob for knob in every if knob is not None and len(knob.settings) > 1]


def _decimals(scenario: Scenario) -> Knob | None:
    if isinstance(scenario.shown, Significant):
        return None
    now = scenario.shown
    start = FULL if now is None else now.digits
    fewer = Decimals if now is None else type(now)
    least = 2 if isinstance(now, Percentage) else 0
    settings = [now, *(fewer(digits) for digits in range(start - 1, least - 1, -1))]
    return Knob("decimals", settings, _show_digits, _written("decimals"), True)


def _significant(scenario: Scenario) -> Knob | None:
    if isinstance(scenario.shown, Decimals | Truncated):
        return None
    now = scenario.shown
    start = FULL if now is None else now.digits
    settings = [now, *(Significant(digits) for digits in range(start - 1, 0, -1))]
    return Knob("significant digits", settings, _show_digits, _written("decimals"), True)


def _show_digits(scenario: Scenario, shown: Shown) -> Scenario:
    return replace(scenario, shown=shown)


def _clip(scenario: Scenario) -> Knob | None:
    """A larger clip, where the metric has one, up to what leaves honest predictions some room."""
    now = scenario.clip
    if not all(one.clips for one in parts_of(scenario.metric)):
        return None
    above = [clip for clip in _decades(-15, 0) if clip <= LARGEST_CLIP and (now is None or clip > now.hi)]
    settings = [now, *(Real.of(clip) for clip in above)]
    return Knob("clip", settings, lambda one, clip: replace(one, clip=clip), _written("clip"))


def _noise(scenario: Scenario) -> Knob | None:
    """More noise of the same kind, or bounded noise where there is none yet."""
    now = scenario.noise
    law: Callable[[Real], Noise] = Bounded
    if isinstance(now, NoNoise):
        size = Fraction(0)
    elif isinstance(now, Bounded):
        size = now.tau.hi
    elif isinstance(now, Gaussian):
        law, size = Gaussian, now.sigma.hi
    elif isinstance(now, Laplace):
        law, size = Laplace, now.b.hi
    else:
        return None
    most = LARGEST_NOISE * (scenario.scored[0] if scenario.reduction == "sum" else 1)
    sizes = (one for one in _decades(-12, len(str(most))) if size < one <= most)
    settings = [now, *(law(Real.of(one)) for one in sizes)]
    return Knob("noise", settings, lambda one, noise: replace(one, noise=noise), _written("noise"))


def _reduction(scenario: Scenario) -> Knob | None:
    """The mean in the place of a sum, whose digits tell as much as so many more of a mean."""
    if scenario.reduction == "mean":
        return None
    settings = ["sum", "mean"]
    return Knob("reduction", settings, lambda one, held: replace(one, reduction=held), _written("reduction"))


def _public(scenario: Scenario) -> Knob | None:
    """Fewer scored rows. Labels of these leak all the same, and each moves a score by more: only the others are safe."""
    if scenario.guess is not None or scenario.positives is not None or isinstance(scenario.public, Between):
        return None
    now = Fraction(scenario.scored[0], scenario.N)
    shares = [share for share in _PARTS if share < now and share * scenario.N >= 1]
    return Knob("public", [scenario.public, *shares], lambda one, share: replace(one, public=share), _written("public"))


def _release(scenario: Scenario) -> Knob | None:
    """A Ladder from ln K, rounded up, where each score is shown: coarser steps hide more, and finer ones cost less."""
    falls = scenario.metric == "log_loss" and scenario.reduction == "mean" and scenario.public is None
    if not falls or not isinstance(scenario.release, Plain):
        return None
    start = Real.of(Fraction(ceil(log(scenario.K) * 10**4), 10**4))
    steps, silent = {eta for eta in _decades(-4, -1) if eta <= LARGEST_STEP}, _silent_step(scenario)
    ladders = [LadderOf(Real.of(eta), start) for eta in sorted(steps | ({silent} if silent else set()))]
    quiet = next((one for one in ladders if one.eta.lo == silent), None)
    settings = [scenario.release, *ladders]
    return Knob("release", settings, lambda one, held: replace(one, release=held), _written("release"), quiet=quiet)


def _silent_step(scenario: Scenario) -> Fraction | None:
    """ln(M/δ)/N, and what the start was rounded up by: M queries then show anything with probability δ at most (I8)."""
    if not scenario.queries or scenario.confidence == 1:
        return None
    step = log(scenario.queries / float(1 - scenario.confidence)) / scenario.N + START_UNIT
    return Fraction(ceil(step / START_UNIT), round(1 / START_UNIT)) if step <= LARGEST_STEP else None


def _response(scenario: Scenario) -> Knob | None:
    """Labels flipped once: the more of them, the less is to be had of the true ones, however much is asked."""
    if scenario.response is not None or scenario.split:
        return None
    settings = [None, *(Real.of(one) for one in EPSILONS)]
    return Knob("response", settings, lambda one, held: replace(one, response=held), _written("response"))


def caps(report: Report) -> Knob:
    """The cap on submissions, up to `LARGEST_CAP`; where there is none, caps start from what the best attack asks."""
    budget, best = report.scenario.queries, report.best
    highest = budget
    if highest is None:
        highest = 1 + (best.certified.queries if best and best.certified else 2 * report.lower_bound.queries)
    present = min(highest, LARGEST_CAP + 1)  # this setting stands for the budget as it is

    def queries(setting: int) -> int | None:
        return setting if setting < present else budget

    settings = range(present, 0, -1)
    return Knob(
        "queries",
        settings,
        lambda one, setting: replace(one, queries=queries(setting)),
        lambda setting: field_value("queries", queries(setting)),
    )


def _written(field: str) -> Callable[[Any], str]:
    """How a setting is written in a file."""
    return lambda setting: field_value(field, setting)


def _decades(first: int, last: int) -> list[Fraction]:
    """1, 2 and 5 times each power of ten."""
    return [step * Fraction(10) ** power for power in range(first, last + 1) for step in _STEPS]
