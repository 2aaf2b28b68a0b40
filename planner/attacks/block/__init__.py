"""Blocks of labels with distinct subset sums: a few active rows a query, all others neutral."""

from planner.attacks.scope import Scope

SCOPE = Scope()
