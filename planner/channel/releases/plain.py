"""Each score is shown."""

from __future__ import annotations

from typing import Any

from dsl.scenario import Plain as Value
from planner.channel.releases.base import Release


class Plain(Release):
    """Each score is shown as it is."""

    id = "plain"
    kind = Value
    known = True
    of_shown = True
    title = "each score is shown"

    def start(self) -> Any:
        """Nothing is remembered."""
        return None

    def step(self, state: Any, score: Any) -> tuple[Any, Any]:
        """The score."""
        return state, score
