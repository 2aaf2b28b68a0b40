"""Random signs: how likely it is that another labeling explains every score, over the attacker's coins.

Two labelings that differ in k places move a score apart by the sum of k random signs, whatever the labels are.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from flint import arb

from planner.attacks.consistent.certify import entries, kept
from planner.attacks.signs.parameters import SignedLabels
from planner.channel.channel import Channel
from planner.numerics.inequality import Inequality, Proof
from planner.numerics.reals import ball, compare

ONE_BY_ONE = 64  # numbers of wrong labels that are counted by themselves; later ones in groups of a 64th of them
REST_BITS = 80  # what a score bears of a shift that is larger than all it can hide
MOST_GAPS = 2**12  # that a score may hide: beyond, a sum over them takes long


def prove(channel: Channel, p: SignedLabels) -> Proof:
    """All labels right with probability 1 - delta, for every labeling."""
    sure = f"1 - {float(channel.delta):g} over the attacker's own coins"
    text = f"every labeling; all labels right with probability at least {sure}"
    chance = compare("probability that another labeling explains every score <= δ", lambda: failure(channel, p), "<=",
                     lambda: ball(channel.delta))  # fmt: skip
    return Proof(text, (*entries(channel, p), _plain(p), _query_count(p), chance))


def _plain(p: SignedLabels) -> Inequality:
    alone = int(p.rounds == p.base == 1 and not p.repairs and not p.tilt)
    return compare("labels weighed by signs alone", lambda: ball(alone), ">=", lambda: ball(1))


def _query_count(p: SignedLabels) -> Inequality:
    asked = p.order * p.bits
    return compare("queries >= signed queries * bits of a class", lambda: ball(p.queries), ">=", lambda: ball(asked))


def failure(channel: Channel, p: SignedLabels) -> arb:
    """That some other labeling explains every score of a pass, over all passes."""
    ways = ((many + p.order * chance).exp() for many, chance in mistaken(channel, p))
    return p.bits * sum(ways, arb(0)).min(arb(1))


def mistaken(channel: Channel, p: SignedLabels) -> list[tuple[arb, arb]]:
    """For groups of numbers of wrong labels the logarithms of how many ways there are, and how likely a score bears one.

    Sums of k + 2 signs are no nearer to 0 than those of k, so a group is as likely as the likelier of its first two.
    """
    shares = _shares(channel, p)
    if shares is None:
        return [(arb(0), arb(0))]
    found = []
    for first, after in pairwise(_starts(p.labels)):
        most = min(max(first, p.labels // 2), after - 1)
        chance = borne(first, shares)
        if after - first > 1:
            chance = chance.max(borne(first + 1, shares))
        found.append((_log_choices(p.labels, most) + ball(after - first).log(), chance.log()))
    return found


def _shares(channel: Channel, p: SignedLabels) -> list[arb] | None:
    """How likely it is that a score bears a shift by 0, 1, 2, ... gaps, and last by any more; None: too many."""
    shares = [arb(1)]
    while shares[-1] > arb(2) ** -REST_BITS:
        if len(shares) > MOST_GAPS:
            return None
        shares.append(kept(channel, p, len(shares)))
    return shares


def _starts(labels: int) -> Iterator[int]:
    """Where groups of numbers begin, from 1 on, and the number after the last."""
    at = 1
    while at <= labels:
        yield at
        at += max(1, at // ONE_BY_ONE)
    yield labels + 1


def borne(signs: int, shares: list[arb]) -> arb:
    """The mean of what a score bears of the sum of so many random signs; of a shift beyond the last it bears no more."""
    least = signs % 2
    here = (_log_choices(signs, (signs + least) // 2) - signs * ball(2).log()).exp()
    total = arb(0)
    for size in range(least, min(signs + 1, len(shares)), 2):
        total += (here if size == 0 else 2 * here) * shares[size]
        here = here * (signs - size) / (signs + size + 2)
    return arb(total.upper()) + arb(2) ** -REST_BITS + arb(shares[-1].upper())


def _log_choices(many: int, few: int) -> arb:
    return ball(many + 1).lgamma() - ball(few + 1).lgamma() - ball(many - few + 1).lgamma()
