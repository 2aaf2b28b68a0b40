"""Proposals written down: the files as their authors wrote them, with the lines that change and what may then be expected."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from dsl.numbers import Real
from dsl.scenario import ExpectMeasure, ExpectVerdict
from threatplan.faults import BROKEN, CommandError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dsl.scenario import Expectation, Scenario
    from planner.report import Report
    from threatplan.hardening.options import Option
    from threatplan.hardening.search import Planner


class Hardened(NamedTuple):
    """A scenario as it is to be, what is told above it, and the expectations that no longer hold."""

    scenario: Scenario
    told: tuple[str, ...]
    dropped: tuple[str, ...]


def hardened(original: Scenario, option: Option | None, most: Fraction | None, plan: Planner) -> Hardened:
    """The scenario changed as proposed (None: as it is), expecting what was aimed at and all else that still holds."""
    if original.sweeps:
        hint = "--apply is for a scenario without sweeps: write the point that you mean"
        raise CommandError(f"{original.name} stands for {original.sweep_size():,} scenarios", hint)
    changed = original if option is None else option.report.scenario
    judged = plan(replace(changed, expectations=original.expectations))
    kept = [one for one, outcome in zip(original.expectations, judged.expectations, strict=True) if outcome.holds]
    dropped = tuple(outcome.text for outcome in judged.expectations if not outcome.holds)
    aimed = [*(one for one in _wanted(most, judged) if one not in kept), *kept]
    told = () if option is None else tuple(f"Hardened: {one.line} (was {one.old})." for one in option.changes)
    aim = replace(changed, definition=original.definition, expectations=tuple(aimed))  # whoever planned it knew no file
    return Hardened(aim, told, dropped)


def written(found: Sequence[Hardened], plan: Planner) -> str:
    """The files of the scenarios, one after the other, each scenario as it is to be.

    What is written is read and planned again before anybody sees it: `plan check` passes on these scenarios.
    """
    from dsl import loads
    from threatplan.hardening.rewriting import differs

    text = "\n".join(_files(found))
    again = {one.name: one for one in loads(text)}
    for one in found:
        read = again[one.scenario.name]
        if differs(read, one.scenario) or not all(outcome.holds for outcome in plan(read).expectations):
            raise CommandError(f"{read.name}: what was written does not hold: please report this", code=BROKEN)
    return text


def _files(found: Sequence[Hardened]) -> Iterator[str]:
    """The text of each file with its scenarios changed."""
    from dsl import loads
    from dsl.writing.edits import add_comment
    from threatplan.hardening.rewriting import rewritten

    names: set[str] = set()
    sources = {
        id(one.scenario.definition.source): one.scenario.definition.source for one in found if one.scenario.definition
    }
    for key, file in sources.items():
        here = [one for one in found if one.scenario.definition and id(one.scenario.definition.source) == key]
        text = rewritten(file, {one.scenario.name: one.scenario for one in here})
        for one in here:
            change = add_comment(text, one.scenario.name, one.told)
            text = text if change is None or not one.told else change.apply(text)
        twice = names & {one.name for one in loads(text)}
        if twice:
            raise CommandError(f"two files have a scenario {min(twice)}", "apply to one file at a time")
        names |= {one.name for one in loads(text)}
        yield text


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
