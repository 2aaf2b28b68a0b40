"""What a proof of impossibility is worth against somebody who can guess: so that nobody is comforted falsely.

An *impossible* for labels of which nothing is known says nothing of labels that are imbalanced, or that a model gets
mostly right. Beside it stands what an attacker with a good guess would need: certified like any plan, within the budget
or not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

from dsl.alike import ByFields
from planner.catalogue import CATALOGUE
from planner.channel.channel import Channel
from planner.considering import consider
from planner.model import Candidate

SHARES = (Fraction(95, 100), Fraction(99, 100))


@dataclass(frozen=True, eq=False, repr=False)
class Guessed(ByFields):
    """The cheapest attack that starts from a guess which is right on so many labels; None: none is certified."""

    share: Fraction
    candidate: Candidate | None


def if_guessed(channel: Channel) -> tuple[Guessed, ...]:
    """For each share the attack with the fewest queries."""
    if channel.secret.informed or channel.split:  # what is known of labels, and a secret split: no result covers both
        return ()
    return tuple(Guessed(share, _cheapest(_guessing(channel, share))) for share in SHARES)


def _guessing(channel: Channel, share: Fraction) -> Channel:
    return replace(channel, radius=channel.rows - ceil(share * channel.rows))


def _cheapest(channel: Channel) -> Candidate | None:
    found = (consider(theorem, channel) for theorem in CATALOGUE if theorem.informed)
    certified = [(one.certified.queries, place, one) for place, one in enumerate(found) if one.certified]
    return min(certified)[2] if certified else None
