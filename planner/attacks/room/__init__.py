"""A Ladder from infinity whose step is too large for a descent: a bad first score buys room for some labels."""

from planner.attacks.scope import Scope

SCOPE = Scope(releases=("ladder",))
