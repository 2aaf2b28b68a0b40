"""A seeded tenth of a campaign's reports, proved again by the checker that knows nothing but their JSON."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING

from threatplan.campaign.defects import Defect, defect
from threatplan.campaign.terms import Terms

if TYPE_CHECKING:
    from planner.report import Report

SHARE = 0.1


def audited(report: Report, index: int, terms: Terms) -> list[Defect]:
    """What is false in the report, where the draw falls on it."""
    if Random(f"{terms.seed} {index} audit").random() >= SHARE:
        return []
    from threatplan.render.json import finite
    from threatplan.verify import Unreadable, check

    try:
        checked = check(json.loads(json.dumps(finite(report.to_json()))))
    except Unreadable as error:
        return [defect("report", None, f"cannot be verified: {error}")]
    return [defect("report", None, f"is not verified: {fault}") for fault in checked.faults]
