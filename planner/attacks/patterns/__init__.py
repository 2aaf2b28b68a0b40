"""A Ladder from a public level, climbed down by trying all patterns of a few rows."""

from planner.attacks.scope import Scope

SCOPE = Scope(releases=("ladder",))
