"""A proposal written down: the scenario as it would be, with what may then be expected of it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from dsl.numbers import Real
from dsl.scenario import ExpectMeasure, ExpectVerdict
from threatplan.changes import changes
from threatplan.faults import BROKEN, CommandError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dsl.scenario import Expectation, Scenario
    from planner.report import Report
    from threatplan.hardening.options import Option
    from threatplan.hardening.search import Planner


class Written(NamedTuple):
    """The text of a scenario, and the expectations that were left out because they no longer hold."""

    text: str
    dropped: tuple[str, ...]


def written(original: Scenario, option: Option | None, most: Fraction | None, plan: Planner) -> Written:
    """The scenario changed as proposed (None: as it is), expecting what was aimed at and all else that still holds.

    What is written is read and planned again before anybody sees it: `plan check` passes on it.
    """
    from dsl import format_text, loads, source

    if original.sweeps:
        hint = "--apply is for a scenario without sweeps: write the point that you mean"
        raise CommandError(f"{original.name} stands for {original.sweep_size():,} scenarios", hint)
    changed = original if option is None else option.report.scenario
    judged = plan(replace(changed, expectations=original.expectations))
    kept = [one for one, outcome in zip(original.expectations, judged.expectations, strict=True) if outcome.holds]
    dropped = tuple(outcome.text for outcome in judged.expectations if not outcome.holds)
    aimed = [*(one for one in _wanted(most, judged) if one not in kept), *kept]
    hardened = replace(changed, expectations=tuple(aimed))
    text = format_text("\n".join([*_head(option), source(hardened)]))
    (again,) = loads(text)
    if changes(hardened, again) or not all(outcome.holds for outcome in plan(again).expectations):
        raise CommandError(f"{original.name}: what was written does not hold: please report this", code=BROKEN)
    return Written(text, dropped)


def _head(option: Option | None) -> list[str]:
    if option is None:
        return []
    return [f"# Hardened: {one.line} (was {one.old})." for one in option.changes]


def _wanted(most: Fraction | None, judged: Report) -> Iterator[Expectation]:
    """What was aimed at, and that no more is exposed than now; the language counts a ceiling in labels of scored rows."""
    if most is None:
        yield ExpectVerdict("impossible", "impossible")
    else:
        yield ExpectMeasure(
            "ceiling", "<=", Real.of(most * judged.channel.scored), f"ceiling <= {float(most) * 100:g}%"
        )
    said = {one.measure for one in judged.scenario.expectations if isinstance(one, ExpectMeasure)}
    if judged.exposure.labels is not None and "exposure" not in said:
        yield ExpectMeasure(
            "exposure", "<=", Real.of(Fraction(judged.exposure.labels)), f"exposure <= {judged.exposure.labels}"
        )
