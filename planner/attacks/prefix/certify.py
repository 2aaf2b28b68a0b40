"""Comparisons by a prefix code: those of listed comparisons, and how likely so many of them suffice."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from planner.attacks.prefix.parameters import PrefixThresholds
from planner.attacks.scaled.certify import certainty, inequalities
from planner.channel.channel import Channel
from planner.numerics.inequality import Proof
from planner.numerics.reals import ball, compare


def prove(channel: Channel, p: PrefixThresholds) -> Proof:
    """Never wrong for any labeling; the number of queries holds with probability 1 - delta over the coins."""
    chance = float(p.left_to_coins(channel))
    text = (
        f"{certainty(channel, p)}; {p.queries:,} queries suffice with probability at least 1 - {chance:g} over the "
        "attacker's own coins"
    )
    return Proof(
        text,
        (
            *inequalities(channel, p),
            compare("queries >= labels * floor(log2 K)", lambda: ball(p.further), ">=", lambda: arb(0)),
            compare("probability of needing more queries <= δ that is left to coins",
                    lambda: more_deep(p.labels, Fraction(p.deep, p.classes), p.further), "<=",
                    lambda: ball(p.left_to_coins(channel))),
        ),
    )  # fmt: skip


def more_deep(labels: int, share: Fraction, most: int) -> arb:
    """P(Bin(labels, share) > most), at most: Chernoff's bound by the divergence of the two shares."""
    if most >= labels or not share:
        return arb(0)
    seen = Fraction(most + 1, labels)
    if seen <= share:
        return arb(1)
    if seen == 1:
        return ball(share) ** labels
    divergence = ball(seen) * ball(seen / share).log() + ball(1 - seen) * ball((1 - seen) / (1 - share)).log()
    return (-labels * divergence).exp()
