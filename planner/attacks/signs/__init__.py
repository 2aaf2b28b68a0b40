"""Random signs, decoded by whatever labeling explains every score: for whoever may compare all labelings."""

from planner.attacks.scope import Scope

SCOPE = Scope()
