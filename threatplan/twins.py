"""Scenarios that may be of one board: of one file, alike in all but the score, as `plan new --ask` writes them.

Whoever submits to such a board reads all of its scores. What is impossible by each of them is not proved to be so by all
together, and a board has one setting of whatever is set. Scores of the same kind of rows are one scenario, `several(...)`,
and are judged together.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from dsl.checking.presets import FILLED
from threatplan.changes import changes

if TYPE_CHECKING:
    from dsl.scenario import Scenario

# Another score may have another scorer, and what that fills in.
SCORE = {"metric", "predictions", "scorer", *FILLED} - {"decimals"}


def twins(scenario: Scenario) -> tuple[str, ...]:
    """The names of the other scenarios of its file that may be of the same board."""
    if scenario.definition is None:
        return ()
    source = scenario.definition.source
    if source.text.count("scenario") < 2:
        return ()
    held = _read(source.text, source.file)
    own = next((one for one in held if one.name == scenario.name), None)
    return () if own is None else tuple(one.name for one in held if _twins(own, one))


def caveat(scenario: Scenario) -> str:
    """What is not proved of a board that shows more than one score; empty: no other scenario may be of it."""
    names = [f"`{name}`" for name in twins(scenario)]
    if not names:
        return ""
    several = len(names) > 1
    listed = f"{', '.join(names[:-1])} and {names[-1]} differ" if several else f"{names[0]} differs"
    every = "all" if several else "both"
    return (
        f"{listed} in the score alone: if one board shows {every}, whoever submits reads {every}, and what is impossible by "
        f"each is not proved to be so by {every} together."
    )


@lru_cache(maxsize=4)
def _read(text: str, file: str) -> tuple[Scenario, ...]:
    from dsl import ThreatError, loads

    try:
        return tuple(loads(text, file))
    except ThreatError:
        return ()


def _twins(one: Scenario, other: Scenario) -> bool:
    if one.predictions == other.predictions or one.sweeps or other.sweeps:
        return False
    fields = {change.field for change in changes(one, other)}
    return {"metric", "predictions"} <= fields <= SCORE
