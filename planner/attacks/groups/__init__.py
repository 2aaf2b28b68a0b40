"""A Ladder from a public level, for somebody with a guess: groups of rows whose guesses are all right."""

from planner.attacks.scope import Scope

SCOPE = Scope(releases=("ladder",))
