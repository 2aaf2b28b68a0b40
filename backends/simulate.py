"""`simulate`: demonstrate what a report promised."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from time import perf_counter

from backends.noise import Member, Mode
from backends.resources import Limits, estimate, require
from backends.rows import Labels
from backends.run import Run
from backends.scorers import UserScorer
from backends.setting import Setting
from backends.trials import Progress, run_attack
from dsl.numbers import Real
from dsl.scenario import Between, NoNoise, Public, Scenario
from planner.channel.channel import Channel
from planner.model import Candidate, Plan, Status
from planner.numerics.reals import Number
from planner.report import Report

# Exact arithmetic under noise: the noise alone may use up what the attack bears, so the score's own digits must not.
GUARD_BITS = 64
NOTHING_CERTIFIED = "no certified attack keeps to the budget, for all labels or for some"


class NothingToRun(ValueError):  # noqa: N818 - a fact about the report
    """A report or candidate that holds no runnable attack."""


def simulate(
    report: Report | Candidate,
    *,
    attack: str | None = None,
    trials: int = 1,
    seed: int = 0,
    scorer: str | UserScorer | None = None,
    backend: str | None = None,
    labels: str | Labels = "random",
    noise_mode: Mode = "random-sign",
    noise_member: Member = "gaussian",
    guess: int | Labels | None = None,
    public: Labels | None = None,
    limits: Limits = Limits(),  # noqa: B008 - frozen
    progress: Progress | None = None,
    keep: bool = False,
) -> Run:
    """Run a report's best plan, or the one named `attack`, against labels made here or given.

    Where no attack recovers all labels within the budget, the one that exposes most is run on as many as it does.
    `scorer` is None for the scenario's own scorer, "sklearn" for scikit-learn's log_loss with the
    scenario's clip, noise and digits, or a user's own, a function or `package.module:function`: that one is
    taken as it is. `guess` is what the attacker guesses, or how many of its labels are wrong: as many as the scenario
    says, unless it is given. `public` says which rows are scored (truths, or 0 and 1), where the scenario scores a part of
    them: drawn at random, unless it is given. With `keep` an interrupt ends the run with the trials that are finished.
    Raises ResourceRefusal before anything starts where the run would not fit.
    """
    scenario, candidate, plan = choose(report, attack)
    require(candidate.attack, estimate(scenario, plan, trials), limits)
    bits = score_bits(scenario, plan)
    allowed = None if scenario.queries is None else max(scenario.queries, plan.queries)
    setting = Setting(scenario, seed, scorer, backend, labels, noise_mode, noise_member, bits, allowed, guess, public)
    start = perf_counter()
    built = candidate.build()
    seconds = perf_counter() - start
    return run_attack(built, setting, trials=trials, queries=plan.queries, progress=progress, built=seconds, keep=keep)


def score_bits(scenario: Scenario, plan: Plan) -> int:
    """How finely exact arithmetic computes a score for this plan."""
    noiseless = isinstance(scenario.noise, NoNoise) and scenario.shown is None
    return plan.precision_bits + (0 if noiseless else GUARD_BITS)


def choose(report: Report | Candidate, attack: str | None) -> tuple[Scenario, Candidate, Plan]:
    """What to run: a candidate, a report's best one or most exposing one, or the one named; it must be certified."""
    if isinstance(report, Candidate):
        if report.certified is None or report.channel is None:
            raise NothingToRun(f"{report.attack} is not certified, so there is nothing to run")
        return scenario_of(report.channel, report.attack), report, report.certified
    exposed = report.exposure.candidate or report.exposure.averaged
    # What is exposed may come from an attack that does not do all that is wanted: it tells labels, and not the split.
    everything = (*(() if exposed is None else (exposed,)), *report.candidates)
    runnable = {one.attack: one for one in everything if one.certified is not None}
    chosen = (report.best or exposed) if attack is None else runnable.get(attack)
    if chosen is None or chosen.certified is None:
        wanted = NOTHING_CERTIFIED if attack is None else f"no certified attack {attack}"
        held = f"certified here: {', '.join(runnable)}" if runnable else "none is certified here"
        raise NothingToRun(f"{report.scenario.name}: {wanted}; {held}")
    return _seen(report, chosen), chosen, chosen.certified


def choose_within(report: Report, attack: str) -> tuple[Scenario, Candidate, Plan]:
    """The named attack as far as the budget goes: whole, or on the labels that it is certified to expose within it."""
    scenario, chosen, plan = choose(report, attack)
    if chosen.status is Status.FEASIBLE:
        return scenario, chosen, plan
    exposed = report.exposure.candidate
    for one in (exposed, report.exposure.averaged):
        if one is not None and one.certified is not None and one.attack == attack:
            return _seen(report, one), one, one.certified
    instead = f"; {exposed.attack} is certified within it" if exposed is not None else ""
    raise NothingToRun(f"{attack} takes {plan.queries} queries, {report.channel.budget} are allowed{instead}")


def _seen(report: Report, chosen: Candidate) -> Scenario:
    """The scenario with the score that an attack reads: of several it looks at one."""
    return report.scenario if chosen.channel is None else report.scenario.showing(chosen.channel.metric_id)


def scenario_of(channel: Channel, name: str) -> Scenario:
    """The scenario behind a candidate: the one it was planned for with its scorer, or one that its channel describes.

    What the channel says goes: it may have been changed since.
    """
    known = channel.scenario or Scenario(name=name, N=channel.rows)
    return replace(
        known,
        N=channel.rows,
        K=channel.classes,
        public=_public(channel),
        find="labels_and_split" if channel.membership else "labels",
        guess=None if channel.exactly or not channel.secret.informed else 1 - Fraction(channel.radius, channel.rows),
        metric=channel.metric_id,
        predictions=channel.predictions,
        abstain=channel.abstain,
        reduction=channel.reduction,
        phi=channel.precision,
        score_phi=channel.score_precision,
        noise=channel.noise,
        shown=channel.shown,
        clip=_real(channel.clip),
        columns=channel.columns,
        summation=channel.summation,
        renormalises=channel.renormalises,
        checks=channel.checks,
        release=channel.release,
        response=_real(channel.response),
        accounts=channel.accounts,
        queries=channel.budget,
        time=channel.time,
        adaptive=channel.adaptive,
        confidence=1 - channel.delta,
    )


def _real(value: Number | None) -> Real | None:
    """A number as the language holds it."""
    return value if value is None or isinstance(value, Real) else Real.of(value)


def _public(channel: Channel) -> Public:
    """How many rows a channel scores."""
    if not channel.split:
        return None
    return Between(channel.fewest, channel.scored) if channel.uncertain else channel.scored
