"""What a certificate promises, and whether a channel lets the promise count.

A promise speaks of labels, classes, queries and chances, and of everything that it takes for granted of the channel.
The obligations compare it with the channel before any inequality of a family is looked at: a record made for other
classes, other rounding or fewer labels is refused here, however it came about.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dsl.alike import ByFields

NOTHING, NOISE, COINS = "nothing", "the noise", "the attacker's coins"
NOISE_AND_COINS = "the noise and the attacker's coins"
FLIPS = "which labels were flipped"
"""Over what the chance of a promise is taken."""


@dataclass(frozen=True, eq=False, repr=False)
class Promise(ByFields):
    """Of `labels` stated labels all but `wrong` are right after `queries` queries, but for a probability `chance`."""

    labels: int
    classes: int  # told apart
    queries: int
    adaptive: bool  # whether later queries depend on earlier scores
    wrong: int
    membership: bool  # whether it tells which rows are scored
    chance: Fraction
    over: str  # what the chance is taken over
    assumes: tuple[tuple[str, str], ...]  # facts of the channel


@dataclass(frozen=True, eq=False, repr=False)
class Obligation(ByFields):
    """One point in which a promise must agree with the channel."""

    field: str
    need: str
    have: str
    holds: bool
