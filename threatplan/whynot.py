"""Which refusals tell an organiser something: a setting of theirs keeps out an attack that would do better."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dsl.scenario import NoNoise
from threatplan.sweeps import cheapest

if TYPE_CHECKING:
    from dsl.scenario import Scenario
    from planner.model import Candidate
    from planner.report import Report

GIVEN = frozenset({"N", "K", "phi", "time"})  # what a scenario is about, not how a score is shown
ERROR = frozenset({"noise", "decimals"})  # both make the one error that an attack must bear


def telling(report: Report) -> frozenset[str]:
    """The refused attacks whose reasons are worth reading first.

    Settings alone keep them out, and without these they would need fewer queries than any attack that is certified.
    Where none is certified, all that settings keep out count, or else every one.
    """
    refused = [one for one in report.candidates if one.certified is None]
    kept_out = [one for one in refused if all(_protects(why.field, report.scenario) for why in one.reasons)]
    best = cheapest(report)
    if best is None or best.certified is None:
        return frozenset(one.attack for one in kept_out or refused)
    queries = best.certified.queries
    return frozenset(one.attack for one in kept_out if _would_take(one, report.scenario, below=queries))


def _protects(field: str, scenario: Scenario) -> bool:
    """Whether a field holds something that could be taken away: an attack that wants noise is no news without any."""
    if field == "noise":
        return not isinstance(scenario.noise, NoNoise)
    slot = {"decimals": scenario.shown, "clip": scenario.clip}
    return slot[field] is not None if field in slot else field not in GIVEN


def _would_take(candidate: Candidate, scenario: Scenario, below: int) -> bool:
    """Whether the attack would be certified for fewer queries if the settings that it names were off."""
    from planner.catalogue import CATALOGUE
    from planner.channel.channel import channel_of
    from planner.planning import consider

    fields = {why.field for why in candidate.reasons}
    if fields & ERROR:
        scenario = replace(scenario, noise=NoNoise(), shown=None)
    if "clip" in fields:
        scenario = replace(scenario, clip=None)
    theorem = next(one for one in CATALOGUE if one.id == candidate.attack)
    found = consider(theorem, channel_of(scenario)).certified
    return found is not None and found.queries < below
