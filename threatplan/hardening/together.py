"""One cap for scenarios that may be of one board: a board has one, and what each of them needs is kept by the smallest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from threatplan.hardening.options import option
from threatplan.twins import twins

if TYPE_CHECKING:
    from dsl.scenario import Scenario
    from threatplan.hardening.options import Option
    from threatplan.hardening.search import Planner

    Picked = tuple[Scenario, Option | None]


def together(picked: Sequence[Picked], plan: Planner) -> tuple[list[Picked], list[str]]:
    """What is picked for each scenario with the smallest cap of those that may be of its board, and what to tell of that."""
    found: list[Picked] = []
    told: list[str] = []
    for one in picked:
        group = [other for other in picked if other is one or _of_one_board(one[0], other[0])]
        names = " and ".join(other[0].name for other in group)
        if len({_set(other) for other in group}) > 1:
            told.append(
                f"{names} may be of one board, but what is written of them differs: a board has one setting of each"
            )
        cap = min((other for other in map(_cap, group) if other is not None), default=None)
        if cap != _cap(one) and cap is not None:
            told.append(f"{one[0].name}: queries <= {cap:,}, the smallest cap of {names}, which may be of one board")
            changed = replace(one[0] if one[1] is None else one[1].report.scenario, queries=cap)
            one = one[0], option(one[0], plan(changed))
        found.append(one)
    return found, list(dict.fromkeys(told))


def _of_one_board(one: Scenario, other: Scenario) -> bool:
    return one.file == other.file and other.name in twins(one)


def _set(one: Picked) -> frozenset[str]:
    """What is written beside a cap."""
    return frozenset() if one[1] is None else frozenset(each.line for each in one[1].changes if each.field != "queries")


def _cap(one: Picked) -> int | None:
    return (one[0] if one[1] is None else one[1].report.scenario).queries
