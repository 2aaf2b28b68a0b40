"""One scenario: planned, every certified attack simulated, every certificate and limit checked.

What is found is plain data that depends on the scenario and the terms alone, never on the machine or the moment, so
that journals can be compared byte for byte.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from threatplan.campaign.defects import Defect, defect, describe
from threatplan.campaign.terms import Task, Terms

if TYPE_CHECKING:
    from dsl.scenario import Scenario

Record = dict[str, Any]


def examine(task: Task, terms: Terms) -> Record:
    """All that is to be known of a scenario; what goes wrong is a defect in the record, never an exception."""
    defects: list[Defect] = []
    record: Record = {"index": task.index, "source": task.source, "verdict": "failed"}
    try:
        scenario = _read(task.source, defects)
        record |= _planned(scenario, task, terms, defects)
    except (Exception, RecursionError) as error:
        if isinstance(error, MemoryError):
            raise
        defects.append(defect("crash", None, describe(error)))
    return record | {"defects": defects}


def exceeded(task: Task, what: str) -> Record:
    """The record of a scenario that was given up, and why."""
    return {"index": task.index, "source": task.source, "verdict": "exceeded", "exceeded": what, "defects": []}


def _read(source: str, defects: list[Defect]) -> Scenario:
    """The scenario; writing it down and reading that must give it again."""
    from dsl import loads
    from dsl import source as written

    scenario = loads(source)[0]
    again = loads(written(scenario))[0]
    if again != scenario:
        defects.append(defect("language", None, f"written and read again it differs: {written(scenario)}"))
    return scenario


def _planned(scenario: Scenario, task: Task, terms: Terms, defects: list[Defect]) -> Record:
    from planner import plan
    from planner.planning import Contradiction
    from threatplan.campaign.auditing import audited
    from threatplan.campaign.challenge import challenged
    from threatplan.campaign.laws import contradictions
    from threatplan.campaign.promises import Promises

    try:
        report = plan(scenario)
    except Contradiction as error:
        defects.append(defect("contradiction", None, str(error)))
        return {}
    promises = Promises(report, task.index, terms)
    attacks = {one.attack: promises.examine(one) for one in report.candidates if one.certified is not None}
    defects += [*promises.defects, *contradictions(report), *challenged(report, task.index)]
    defects += audited(report, task.index, terms)
    return {
        "verdict": str(report.verdict),
        "best": report.best.attack if report.best else None,
        "lower_bound": {"queries": report.lower_bound.queries, "by": report.lower_bound.by},
        "queries": min((one["queries"] for one in attacks.values()), default=None),
        "attacks": attacks,
        "unmet": [outcome.text for outcome in report.expectations if not outcome.holds],
    }
