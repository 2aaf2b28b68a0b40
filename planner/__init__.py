"""From a Scenario to a Report: channel, theorems, certification, impossibility and ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from planner.planning import plan as plan

__all__ = ["plan"]


def __getattr__(name: str) -> Any:
    if name == "plan":
        from planner.planning import plan

        return plan
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
