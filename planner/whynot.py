"""Which refusals tell an organiser something: a setting of theirs keeps out an attack that would do better."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from dsl.scenario import NoNoise, Scenario
from planner.channel.channel import Channel, channel_of
from planner.considering import consider
from planner.model import Candidate

GIVEN = frozenset({"N", "K", "phi", "time"})  # what a scenario is about, not how a score is shown
ERROR = frozenset({"noise", "decimals"})  # both make the one error that an attack must bear


def telling(candidates: Sequence[Candidate], scenario: Scenario) -> tuple[str, ...]:
    """The refused attacks whose reasons are worth reading first.

    Settings alone keep them out, and without these they would need fewer queries than any attack that is certified.
    Where none is certified, all that settings keep out count, or else every one.
    """
    refused = [one for one in candidates if one.certified is None]
    kept_out = [one for one in refused if all(_protects(why.field, scenario) for why in one.reasons)]
    fewest = min((one.certified.queries for one in candidates if one.certified is not None), default=None)
    if fewest is None:
        return tuple(one.attack for one in kept_out or refused)

    @cache
    def without(errors: bool, clip: bool) -> Channel:
        """The board with these settings off; one for all attacks that name the same, as what it computes is kept."""
        open_board = replace(scenario, noise=NoNoise(), shown=None) if errors else scenario
        return channel_of(replace(open_board, clip=None) if clip else open_board)

    return tuple(one.attack for one in kept_out if _would_take(one, without, below=fewest))


def _protects(field: str, scenario: Scenario) -> bool:
    """Whether a field holds something that could be taken away: an attack that wants noise is no news without any."""
    if field == "noise":
        return not isinstance(scenario.noise, NoNoise)
    slot = {"decimals": scenario.shown, "clip": scenario.clip}
    return slot[field] is not None if field in slot else field not in GIVEN


def _would_take(candidate: Candidate, without: Callable[[bool, bool], Channel], below: int) -> bool:
    """Whether the attack would be certified for fewer queries if the settings that it names were off."""
    fields = {why.field for why in candidate.reasons}
    if candidate.builder is None:
        return False
    found = consider(candidate.builder, without(bool(fields & ERROR), "clip" in fields)).certified
    return found is not None and found.queries < below
