"""Boards that only fall, climbed down a row at a time."""

from planner.attacks.scope import Scope

SCOPE = Scope(releases=("best", "ladder"))
