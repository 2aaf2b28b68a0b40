"""Averages by words of a code: how likely it is that what is read of some label lies nearer to another word.

Two words that differ in d bits are told apart by the errors of d passes together: as one average of d times as many
scores. Derivation: docs/theory/attacks.md#rows-that-need-not-sum-to-1.
"""

from __future__ import annotations

from flint import arb

from planner.attacks.codes.parameters import CodedSpread
from planner.attacks.consistent.certify import HALF, inequalities, mean_off
from planner.attacks.consistent.parameters import NOISE_SHARE
from planner.channel.channel import Channel
from planner.numerics.inequality import Proof
from planner.numerics.reals import ball, compare


def prove(channel: Channel, p: CodedSpread) -> Proof:
    """All labels right with probability 1 - delta, for every labeling."""
    source = "the noise and the attacker's own coins" if channel.random else "the attacker's own coins"
    text = f"every labeling; all labels right with probability at least 1 - {float(channel.delta):g} over {source}"
    fit = len(p.words) == p.classes and all(0 <= word < 1 << p.length for word in p.words)
    alone = int(p.rounds == p.base == p.block == 1 and not p.repairs)
    return Proof(
        text,
        (
            *inequalities(channel, p),
            compare("a label a block, and no sum repaired", lambda: ball(alone), ">=", lambda: ball(1)),
            compare("bits in which two words differ", lambda: ball(p.distance if fit else 0), ">=", lambda: ball(1)),
            compare("queries >= order * length of a word", lambda: ball(p.queries), ">=",
                    lambda: ball(p.order * p.length)),
            compare("probability that a label is nearer to another word <= δ", lambda: failure(channel, p), "<=",
                    lambda: ball(channel.delta)),
        ),
    )  # fmt: skip


def failure(channel: Channel, p: CodedSpread) -> arb:
    """Some label nearer to one of the other words, or noise beyond its bound."""
    left = ball(channel.delta * NOISE_SHARE) if channel.random else arb(0)
    return left + p.labels * (p.classes - 1) * mean_off(channel, p, p.distance * p.order, HALF)
