"""Averages in passes by a prefix code: those of `consistent`, and how likely it is that few labels take the last pass."""

from __future__ import annotations

from fractions import Fraction

from planner.attacks.consistent.certify import failure, inequalities
from planner.attacks.passes.parameters import PassedSpread
from planner.attacks.prefix.certify import more_deep
from planner.attacks.spread.parameters import base_set
from planner.channel.channel import Channel
from planner.designs.butterfly import Butterfly
from planner.numerics.inequality import Proof
from planner.numerics.reals import ball, compare


def prove(channel: Channel, p: PassedSpread) -> Proof:
    """All labels right with probability 1 - delta, for every labeling."""
    source = "the noise and the attacker's own coins" if channel.random else "the attacker's own coins"
    text = f"every labeling; all labels right with probability at least 1 - {float(channel.delta):g} over {source}"
    room = Butterfly(p.deep_rounds, base_set(p.base)).capacity() if p.deep_rounds else 0
    last = -(-p.deep // p.order)
    share = Fraction(p.deep_places, p.classes)
    return Proof(
        text,
        (
            *inequalities(channel, p),
            compare("capacity of a block of the last pass >= its labels", lambda: ball(room), ">=", lambda: ball(last)),
            compare("queries >= order * rounds of all passes", lambda: ball(p.queries), ">=",
                    lambda: ball(p.order * p.all_rounds)),
            compare("probability that a sum is read wrong, a score moved, or more labels take the last pass <= δ",
                    lambda: failure(channel, p) + more_deep(p.labels, share, p.deep), "<=",
                    lambda: ball(channel.delta)),
        ),
    )  # fmt: skip
