"""Releases: what becomes of scores before they are shown, one file each. A new one is a line here.

They are state machines in plain Python: simulation drives them, a board that is deployed drives them, and limits count
what they can show. Nothing here loads the planner's arithmetic.
"""

from __future__ import annotations

from typing import Any

from planner.channel.releases.base import Each, Falling, Release, Transcripts, UnknownRelease
from planner.channel.releases.best import Best
from planner.channel.releases.capped import Capped
from planner.channel.releases.changes import Changes
from planner.channel.releases.ladder import Ladder
from planner.channel.releases.plain import Plain

__all__ = ["PLAIN", "RELEASES", "Each", "Falling", "Release", "Transcripts", "release_of"]

RELEASES: tuple[type[Release], ...] = (Plain, Best, Ladder, Capped, Changes)
PLAIN = Plain()


def release_of(value: Any) -> Release:
    """The release that a value of the language names; nothing is known of any other value."""
    if type(value) is Plain.kind:
        return PLAIN
    return next((one.of(value) for one in RELEASES if type(value) is one.kind), UnknownRelease())
