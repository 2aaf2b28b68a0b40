"""Does the score you publish give away the labels you hide?

    import threatplan as tp
    scenario, = tp.load("leaderboard.threat")
    report = tp.plan(scenario)
    print(report.verdict, report.exposure.labels)
    tp.harden(scenario)        # what to change
    tp.sweep(scenario)
    tp.explain("ceiling")

Everything here is loaded on first use, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from backends.run import Run
    from backends.simulate import simulate
    from dsl import ThreatError, format_text, load, loads
    from dsl.scenario import Scenario
    from planner.attacks.attack import Attack, InconsistentScores
    from planner.model import Candidate, Certificate, Limit, Plan, Verdict
    from planner.report import Report
    from threatplan.notebooks import explain, harden, plan, sweep

__all__ = [
    "Attack",
    "Candidate",
    "Certificate",
    "InconsistentScores",
    "Limit",
    "Plan",
    "Report",
    "Run",
    "Scenario",
    "ThreatError",
    "Verdict",
    "__version__",
    "explain",
    "format_text",
    "harden",
    "load",
    "loads",
    "plan",
    "simulate",
    "sweep",
]

__version__ = "0.2.0"

_HOMES = {
    "Attack": "planner.attacks.attack",
    "Candidate": "planner.model",
    "Certificate": "planner.model",
    "InconsistentScores": "planner.attacks.attack",
    "Limit": "planner.model",
    "Plan": "planner.model",
    "Report": "planner.report",
    "Run": "backends.run",
    "Scenario": "dsl.scenario",
    "ThreatError": "dsl",
    "Verdict": "planner.model",
    "explain": "threatplan.notebooks",
    "format_text": "dsl",
    "harden": "threatplan.notebooks",
    "load": "dsl",
    "loads": "dsl",
    "plan": "threatplan.notebooks",
    "simulate": "backends.simulate",
    "sweep": "threatplan.notebooks",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
