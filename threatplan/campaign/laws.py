"""Limits against attacks: no proof may exclude what is certified, here or in a scenario that is provably easier."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from dsl.checking.metrics import METRICS, rows_taken
from dsl.numbers import Real
from dsl.scenario import (
    Arbitrary,
    Bounded,
    FixedPoint,
    Gaussian,
    Laplace,
    Multiplicative,
    Noise,
    Plain,
    Scenario,
    Several,
    Skewed,
    Subexponential,
    Uniform,
)
from threatplan.campaign.defects import Defect, defect

if TYPE_CHECKING:
    from planner.model import Limit
    from planner.report import Report


def contradictions(report: Report) -> Iterator[Defect]:
    """Certified attacks that a proof excludes, in the report itself and against every easier scenario."""
    certified = {one.attack: one.certified.queries for one in report.candidates if one.certified is not None}
    if not certified:
        return
    attack = min(certified, key=certified.__getitem__)
    for name, limits in _proofs(report):
        for limit in limits:
            if limit.excludes(certified[attack]):
                text = f"{certified[attack]} queries are certified, {_demand(limit)} ({name})"
                yield defect("contradiction", f"{attack} and {limit.id}", text)


def _proofs(report: Report) -> Iterator[tuple[str, tuple[Limit, ...]]]:
    from planner.channel.channel import channel_of
    from planner.limits import limits_of

    yield "the scenario itself", report.limits
    for name, easier in relaxations(report.scenario):
        yield name, limits_of(channel_of(easier))


def _demand(limit: Limit) -> str:
    return "no number suffices" if limit.excludes_all else f"at least {limit.queries} are needed"


def relaxations(scenario: Scenario) -> Iterator[tuple[str, Scenario]]:
    """Scenarios in which whatever recovers the labels of this one recovers them too."""
    for name, relax in RELAXATIONS.items():
        easier = relax(scenario)
        if easier is not None:
            yield name, easier


def _adaptive(s: Scenario) -> Scenario | None:
    """One may always ignore what was answered."""
    return None if s.adaptive else replace(s, adaptive=True)


def _full_scores(s: Scenario) -> Scenario | None:
    """Whoever sees the whole score can round it."""
    return None if s.shown is None else replace(s, shown=None)


def _lower_goal(s: Scenario) -> Scenario | None:
    return replace(s, goal=s.goal * Fraction(3, 4), find="labels")


def _lower_confidence(s: Scenario) -> Scenario | None:
    return replace(s, confidence=s.confidence * Fraction(9, 10))


def _better_guess(s: Scenario) -> Scenario | None:
    """Whoever has fewer labels wrong has no more than so many wrong."""
    if s.positives is not None or s.guess == 1:
        return None
    wrong = s.N if s.mistakes is None else s.mistakes
    return replace(s, guess=1 - Fraction(wrong // 2, s.N))


def _labels_alone(s: Scenario) -> Scenario | None:
    """Whoever finds out which rows are scored and their labels has found their labels."""
    return replace(s, find="labels") if s.find != "labels" else None


def _more_accounts(s: Scenario) -> Scenario | None:
    """Nobody has to use them all."""
    return replace(s, accounts=2 * s.accounts)


def _not_flipped(s: Scenario) -> Scenario | None:
    """Whoever sees scores of the true labels can flip labels for himself, and learns no less."""
    return replace(s, response=None) if s.response is not None else None


def _smaller_clip(s: Scenario) -> Scenario | None:
    """Whoever may submit more can clip for himself; not where rows are divided by their sums afterwards."""
    if s.clip is None or s.renormalises or s.scorer is not None or isinstance(s.phi, FixedPoint):
        return None
    return replace(s, clip=Real(s.clip.lo / 1000, s.clip.hi / 1000))


def _unchecked(s: Scenario) -> Scenario | None:
    """Nobody has to submit what is no longer refused."""
    return replace(s, checks=False) if s.checks else None


def _one_score_more(s: Scenario) -> Scenario | None:
    """Nobody has to look at a score that comes back with others."""
    if not isinstance(s.release, Plain) or s.abstain or s.reduction == "sum":
        return None
    more = (Several((*s.metrics, one.name)) for one in METRICS if one.name not in s.metrics)
    found = next((one for one in more if s.predictions in rows_taken(one)), None)
    return None if found is None else replace(s, metric=found)


def _less_noise(s: Scenario) -> Scenario | None:
    """An adversary, or a class of laws, with fewer choices; or noise that one can add back."""
    noise = _weakened(s.noise)
    addable = isinstance(s.phi, Arbitrary) and s.shown is None
    if noise is None or (isinstance(noise, Gaussian | Laplace | Uniform) and not addable):
        return None
    return replace(s, noise=noise)


def _weakened(noise: Noise) -> Noise | None:
    match noise:
        case Bounded(tau):
            return Bounded(_half(tau))
        case Skewed(below, above):
            return Skewed(_half(below), _half(above))
        case Multiplicative(alpha):
            return Multiplicative(_half(alpha))
        case Subexponential(lambda2, nu):
            return Subexponential(_half(lambda2), nu)
        case Gaussian(sigma):
            return Gaussian(_half(sigma))
        case Laplace(b):
            return Laplace(_half(b))
        case Uniform(a, b):
            quarter = (b.lo - a.lo) / 4  # the rest is a coin that moves the interval by half its width
            return Uniform(Real.of(a.lo + quarter), Real.of(b.lo - quarter)) if a.exact and b.exact else None
    return None


def _half(value: Real) -> Real:
    return Real(value.lo / 2, value.hi / 2)


RELAXATIONS: dict[str, Callable[[Scenario], Scenario | None]] = {
    "queries may be adaptive": _adaptive,
    "scores in full": _full_scores,
    "fewer labels wanted": _lower_goal,
    "less confidence wanted": _lower_confidence,
    "a smaller clip": _smaller_clip,
    "less noise": _less_noise,
    "a better guess": _better_guess,
    "any prediction taken": _unchecked,
    "labels alone wanted": _labels_alone,
    "one score more": _one_score_more,
    "labels not flipped": _not_flipped,
    "more accounts": _more_accounts,
}
