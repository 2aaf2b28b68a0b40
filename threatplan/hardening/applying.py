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

    from dsl.scenario import Expectation, Measured, Scenario
    from planner.report import Report
    from threatplan.hardening.aims import Aim
    from threatplan.hardening.options import Option
    from threatplan.hardening.search import Planner

UPPER = ("<=", "<", "==")  # comparisons that bound from above


class Hardened(NamedTuple):
    """A scenario as it is to be, what is told above it, and what becomes of expectations that are left out."""

    scenario: Scenario
    told: tuple[str, ...]
    dropped: tuple[str, ...]


def hardened(original: Scenario, option: Option | None, aim: Aim, plan: Planner) -> Hardened:
    """The scenario changed as proposed (None: as it is), expecting what was aimed at and all else that still holds."""
    if original.sweeps:
        hint = "--apply is for a scenario without sweeps: write the point that you mean"
        raise CommandError(f"{original.name} stands for {original.sweep_size():,} scenarios", hint)
    changed = original if option is None else option.report.scenario
    judged = plan(replace(changed, expectations=original.expectations))
    aims = list(_wanted(aim, judged))
    said = {one: _left_out(one, aims, holds) for one, holds in _held(original, judged, plan)}
    kept = [one for one in original.expectations if not said[one]]
    aimed = [*(one for one in aims if one not in kept), *kept]
    told = () if option is None else tuple(f"Hardened: {one.line} (was {one.old})." for one in option.changes)
    left = tuple(dict.fromkeys(filter(None, said.values())))
    wanted = replace(changed, definition=original.definition, expectations=tuple(aimed))  # who planned it knew no file
    return Hardened(wanted, told, left)


def _held(original: Scenario, judged: Report, plan: Planner) -> Iterator[tuple[Expectation, tuple[bool, bool]]]:
    """Each expectation, whether it held before the change, and whether it does after it."""
    before = plan(original).expectations
    for one, was, now in zip(original.expectations, before, judged.expectations, strict=True):
        yield one, (was.holds, now.holds)


def _left_out(one: Expectation, aims: Sequence[Expectation], holds: tuple[bool, bool]) -> str:
    """Why an expectation is expected no more; empty: it stays."""
    stronger = next((aim for aim in aims if _says_more(aim, one)), None)
    if stronger is not None:
        return f"`expect {one.text}` gives way to `expect {stronger.text}`"
    match holds:
        case (_, True):
            return ""
        case (True, False):
            return f"`expect {one.text}` holds no longer and is not expected any more"
    return f"`expect {one.text}` did not hold before, nor does it now: it is not expected any more"


def _says_more(aim: Expectation, other: Expectation) -> bool:
    """Whether an aim leaves nothing for the other to say."""
    if not isinstance(aim, ExpectMeasure) or not isinstance(other, ExpectMeasure):
        return False
    same = (aim.measure, aim.comparison) == (other.measure, other.comparison)
    return same and aim.comparison == "<=" and aim.value.hi < other.value.lo


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


def _wanted(aim: Aim, judged: Report) -> Iterator[Expectation]:
    """What was aimed at, and that no more is exposed than now; a share is one of scored labels, or of rows exposed."""
    if aim.ceiling is not None:
        yield _at_most("ceiling", aim.ceiling * judged.channel.scored, f"{float(aim.ceiling) * 100:g}%")
    if aim.exposure is not None:
        yield _at_most("exposure", aim.exposure * judged.channel.rows, f"{float(aim.exposure) * 100:g}%")
    if not aim:
        yield ExpectVerdict("impossible", "impossible")
    if judged.exposure.labels is not None and aim.exposure is None and not _bounded(judged):
        yield _at_most("exposure", Fraction(judged.exposure.labels), str(judged.exposure.labels))


def _bounded(judged: Report) -> bool:
    """Whether something that is expected, and holds, says how much may be exposed at most."""
    held = zip(judged.scenario.expectations, judged.expectations, strict=True)
    kept = [one for one, outcome in held if outcome.holds and isinstance(one, ExpectMeasure)]
    return any(one.measure == "exposure" and one.comparison in UPPER for one in kept)


def _at_most(measure: Measured, most: Fraction, text: str) -> ExpectMeasure:
    return ExpectMeasure(measure, "<=", Real.of(most), f"{measure} <= {text}")
