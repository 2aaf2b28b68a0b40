"""The planner: every theorem proposes, the certifier disposes, the limits exclude, and the rest is called unknown."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from dsl.scenario import ExpectMeasure, ExpectVerdict, Scenario
from planner.attacks.theorem import Theorem
from planner.catalogue import CATALOGUE
from planner.channel.channel import Channel, channel_of
from planner.considering import consider, explore, for_all_it_tells, guessed
from planner.expectations import outcome_of
from planner.exposing import most_exposed, price
from planner.limits import limits_of
from planner.model import Candidate, Exposure, Limit, LowerBound, Status, Verdict
from planner.report import Report


class Contradiction(RuntimeError):  # noqa: N818 - a defect, not a user's error
    """A certified attack and an impossibility proof that exclude each other: a defect of the planner."""


def plan(scenario: Scenario) -> Report:
    """All there is to say about a scenario."""
    channel = channel_of(scenario)
    candidates = tuple(consider(theorem, channel) for theorem in CATALOGUE)
    limits = limits_of(channel)
    best = best_of(candidates)
    bound = lower_bound(channel, limits)
    verdict, why = judge(channel, best, limits, candidates)
    report = Report(
        scenario=scenario,
        channel=channel,
        verdict=verdict,
        why=why,
        best=best,
        exposure=exposure_of(channel, candidates),
        lower_bound=bound,
        candidates=candidates,
        limits=limits,
        expectations=(),
    )
    return with_expectations(report, scenario.expectations)


def exposure_of(channel: Channel, candidates: tuple[Candidate, ...]) -> Exposure:
    """The most labels that a certified attack recovers within the budget, whatever somebody set out to recover.

    Where a part of the rows is scored these are the rows that it speaks of: the label of each is known, if it is scored.
    """
    labels_alone = replace(channel, membership=False)
    if channel.membership:
        candidates = tuple(consider(theorem, labels_alone) for theorem in CATALOGUE)
        channel = labels_alone

    def explored(theorem: Theorem[Any], known: bool, labels: int) -> Candidate | None:
        return explore(theorem, replace(channel, wanted=labels), known)

    everything = candidates
    if channel.wanted < channel.rows:
        everything = tuple(consider(theorem, replace(channel, wanted=channel.rows)) for theorem in CATALOGUE)
    pairs = zip(CATALOGUE, everything, strict=True)
    others = [(whole.guess, partial(explored, theorem, True)) for theorem, whole in pairs if theorem.partial]
    if channel.response is None:
        doubtful = [
            (guessed(theorem, channel), partial(explored, theorem, False)) for theorem in CATALOGUE if theorem.doubtful
        ]
    else:  # any label may have been flipped: none is known, and what attacks read is right on most
        doubtful, others = [(guess, partial(one.func, one.args[0], False)) for guess, one in others], []
    right = channel.rows - channel.radius if channel.secret.informed else None
    found = most_exposed(channel.rows, channel.budget, (*everything, *candidates), others, doubtful, right)
    return replace(found, candidate=for_all_it_tells(found.candidate), averaged=for_all_it_tells(found.averaged))


def with_expectations(report: Report, expectations: tuple[ExpectVerdict | ExpectMeasure, ...]) -> Report:
    """The report with every expectation judged."""
    return replace(report, expectations=tuple(outcome_of(one, report) for one in expectations))


def best_of(candidates: tuple[Candidate, ...]) -> Candidate | None:
    """The feasible candidate with the fewest queries, then the fewest bits to write down and to read."""
    feasible = [one for one in candidates if one.status is Status.FEASIBLE]
    return min(feasible, key=price, default=None)


def lower_bound(channel: Channel, limits: tuple[Limit, ...]) -> LowerBound:
    """The strongest limit. All labels are not had unasked, of two labelings or more; a part of them may be, by chance."""
    if channel.secret.settled:
        return LowerBound(0, None)
    strongest = max(limits, key=lambda one: one.queries or 0)
    if strongest.queries is not None and strongest.queries > 1:
        return LowerBound(strongest.queries, strongest.id)
    asked = channel.secret.wrong == 0 and channel.delta < Fraction(1, 2)
    return LowerBound(int(asked or strongest.queries == 1), None)


def judge(
    channel: Channel, best: Candidate | None, limits: tuple[Limit, ...], candidates: tuple[Candidate, ...]
) -> tuple[Verdict, str]:
    """Feasible by a certified attack, impossible by a proof, and otherwise unknown."""
    excluding = [one for one in limits if one.excludes(channel.budget)]
    if best is not None and best.certified is not None:
        forbidding = [one.id for one in limits if one.excludes(best.certified.queries)]
        if forbidding:
            raise Contradiction(
                f"{best.attack} is certified for {best.certified.queries} queries, but excluded by {', '.join(forbidding)}"
            )
        return Verdict.FEASIBLE, _feasible_why(channel, best)
    if excluding:
        strongest = max(excluding, key=lambda one: (one.excludes_all, one.queries or 0))
        return Verdict.IMPOSSIBLE, _impossible_why(channel, strongest)
    return Verdict.UNKNOWN, _unknown_why(channel, limits, candidates)


def goal_text(channel: Channel) -> str:
    """What is to be recovered, in words."""
    if channel.split:
        return _goal_of_a_part(channel)
    if channel.wanted == channel.rows:
        return "the label" if channel.rows == 1 else f"all {channel.rows:,} labels"
    return f"{channel.wanted:,} of {channel.rows:,} labels"


def _goal_of_a_part(channel: Channel) -> str:
    scored = f"{channel.fewest:,} to {channel.scored:,}" if channel.uncertain else f"{channel.scored:,}"
    if channel.membership:
        places = "its place" if scored == "1" else "their places"
        return f"{_labels_of(scored)} and {places} among the {channel.rows:,}"
    but = f"all but {channel.wrong_allowed:,} of " if channel.wrong_allowed else ""
    return f"{but}{_labels_of(scored)}"


def _labels_of(scored: str) -> str:
    return "the label of the one scored row" if scored == "1" else f"the labels of the {scored} scored rows"


def _feasible_why(channel: Channel, best: Candidate) -> str:
    assert best.certified is not None
    queries = best.certified.queries
    budget = "no limit on queries" if channel.budget is None else f"{channel.budget:,} allowed"
    return f"{best.attack} recovers {goal_text(channel)} in {queries:,} {'query' if queries == 1 else 'queries'} ({budget})"


def _impossible_why(channel: Channel, limit: Limit) -> str:
    if limit.excludes_all:
        return f"{limit.id}: no number of queries recovers {goal_text(channel)}; {limit.why}"
    alone = channel.scored == 1 and not channel.membership
    take = "takes" if alone else "take"
    return f"{limit.id}: {goal_text(channel)} {take} at least {limit.queries:,} queries, {channel.budget:,} are allowed"


def _unknown_why(channel: Channel, limits: tuple[Limit, ...], candidates: tuple[Candidate, ...]) -> str:
    bound = lower_bound(channel, limits).queries
    over = [one.certified.queries for one in candidates if one.certified is not None]
    if over and channel.budget is not None:
        excluded = f"proofs exclude only fewer than {bound:,}" if bound else "no proof excludes any number"
        return f"the best certified attack needs {min(over):,} queries, {channel.budget:,} are allowed; {excluded}"
    return "no attack is certified, and no proof excludes one" + f" (at least {bound:,} queries)" * bool(bound)
