"""The answer to `--ceiling` and `--exposure`: the mildest settings at which no more than a share of the labels can be had."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any

from threatplan.hardening.front import front
from threatplan.hardening.knobs import knobs
from threatplan.hardening.options import deployable, present
from threatplan.hardening.prices import effort
from threatplan.hardening.search import exposes_at_most, exposure_known, mildest, remembered

if TYPE_CHECKING:
    from fractions import Fraction

    from dsl.scenario import Scenario
    from planner.channel.channel import Channel
    from planner.report import Report
    from threatplan.hardening.options import Option
    from threatplan.hardening.search import Goal, Planner


@dataclass(frozen=True, slots=True)
class Aim:
    """What is to be had at most; None: not asked.

    `ceiling`: labels that any attack gets right on average, which is proved. `exposure`: labels that certified attacks
    read off, where some attack is certified; of others it proves nothing.
    """

    ceiling: Fraction | None = None
    exposure: Fraction | None = None

    def __bool__(self) -> bool:
        return self.ceiling is not None or self.exposure is not None

    def met(self, report: Report) -> bool:
        """Whether the report keeps to it."""
        kept = self.ceiling is None or keeps(report.ceiling.labels, report.channel, self.ceiling)
        return kept and (self.exposure is None or exposes_at_most(self.exposure, lambda _: report)(report.scenario))


@dataclass(frozen=True, slots=True)
class Aimed:
    """Settings that keep to an aim, what asks least of everybody first."""

    now: Report
    aim: Aim
    options: Sequence[Option]
    guessing: Fraction  # the share that is right without any score

    @property
    def already(self) -> bool:
        """Whether the present settings do."""
        return self.aim.met(self.now)

    @property
    def hopeless(self) -> bool:
        """Whether guessing alone gets more right than the ceiling that is asked for."""
        return self.aim.ceiling is not None and self.guessing > self.aim.ceiling

    def to_json(self) -> dict[str, Any]:
        """The answer as plain data."""
        return {
            **present(self.now),
            "wanted": None if self.aim.ceiling is None else float(self.aim.ceiling),
            "share": None if self.aim.exposure is None else float(self.aim.exposure),
            "guessing": float(self.guessing),
            "already": self.already,
            "ranked": [one.to_json() for one in self.options],
        }


def aimed(scenario: Scenario, aim: Aim, plan: Planner) -> Aimed:
    """The mildest setting of each knob, and the largest caps beside it, that keep to the aim."""
    from planner.ceiling import guessed

    plan = remembered(plan)
    now = plan(scenario)
    found = Aimed(now, aim, (), guessed(now.channel))
    if found.hopeless or found.already:
        return found
    kept = deployable(scenario, _settings(scenario, now, aim, plan))
    return Aimed(now, aim, sorted(kept, key=_asked), found.guessing)


def _asked(one: Option) -> tuple[bool, int, float, float]:
    """As in `options.ranked`, but of settings that all do, whoever may submit more is asked less."""
    after = one.report.scenario
    return one.noticed, effort(one.changes, after), -(inf if after.queries is None else after.queries), one.price or 0.0


def _settings(scenario: Scenario, now: Report, aim: Aim, plan: Planner) -> Iterator[Report]:
    goal = _goal(aim, plan)
    sayable = None if aim.exposure is None else exposure_known(plan)
    held = knobs(now)
    cap = next((one for one in held if one.name == "queries"), None)
    for knob in held:
        alone = mildest(scenario, knob, goal, plan, sayable)
        if alone is not None:
            yield alone.report
        if cap is not None and knob is not cap:
            yield from (pair.cap.report for pair in front(scenario, knob, alone, cap, goal, plan, sayable))


def _goal(aim: Aim, plan: Planner) -> Goal:
    """The ceiling is asked for first: it takes no plan."""
    asked: list[Goal] = []
    if aim.ceiling is not None:
        asked.append(ceiling_at_most(aim.ceiling))
    if aim.exposure is not None:
        asked.append(exposes_at_most(aim.exposure, plan))
    return lambda scenario: all(holds(scenario) for holds in asked)


def keeps(labels: int, channel: Channel, most: Fraction) -> bool:
    """Whether so many labels, the ceiling as `expect ceiling` counts it, are no more than this share."""
    return labels <= most * channel.scored


def ceiling_at_most(most: Fraction) -> Goal:
    """Whether it is proved that no attack gets more than this share of the labels right on average."""
    from planner.ceiling import labels_on_average
    from planner.channel.channel import channel_of

    known: dict[Scenario, bool] = {}  # the same caps are tried beside every knob

    def kept(scenario: Scenario) -> bool:
        if scenario not in known:
            channel = channel_of(scenario)
            known[scenario] = keeps(labels_on_average(channel), channel, most)
        return known[scenario]

    return kept
