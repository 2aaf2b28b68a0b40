"""Splitting: every answer is a whole number of units, and so many of them suffice for every labeling near the guess."""

from __future__ import annotations

from flint import arb

from planner.attacks.design.certify import prove as prove_design
from planner.attacks.inequalities import guarantee, score_fits
from planner.attacks.splitting.bound import WORD, certain, usable
from planner.attacks.splitting.parameters import Splitting
from planner.channel.channel import Channel
from planner.numerics.inequality import Inequality, Proof
from planner.numerics.reals import ball, compare

LEAST_AMPLITUDE = 2  # the count weighs every row by one unit, and no weight exceeds half the amplitude


def prove(channel: Channel, p: Splitting) -> Proof:
    """Reach, separation and the number of queries; for more classes than two those of the design as well."""
    if p.amplitude < LEAST_AMPLITUDE or p.radius < 0 or not p.unit > 0:
        # Each of these makes it no attack, and each must fail by itself.
        return Proof("nothing: the record makes no attack", (_least(p), _positive(p)))
    return Proof(
        f"{guarantee(channel)}, where the guess has at most {p.radius:,} of these labels wrong; a worse guess is noticed",
        (
            compare("W >= unit x amplitude / 2", lambda: reach(channel), ">=", lambda: ball(p.unit * p.amplitude / 2)),
            compare("unit > 2 (E + dev)", lambda: ball(p.unit), ">", lambda: 2 * splitting_error(channel, p)),
            _least(p),
            compare("wrong labels that are told >= wrong labels of the guess",
                    lambda: ball(p.radius), ">=", lambda: ball(min(channel.radius, p.labels))),
            compare("queries asked >= queries that suffice", lambda: ball(p.queries), ">=", lambda: ball(_enough(p))),
            compare("integers of the decoder < 2^60", lambda: ball(_largest_integer(p)), "<", lambda: ball(WORD)),
            *_prime(p),
            *score_fits(channel, p.queries, lambda: largest_loss(channel, p)),
            *_classes(channel, p),
        ),
    )  # fmt: skip


def reach(channel: Channel) -> arb:
    """W of rows that part the guessed class from all others."""
    return channel.metric.stage_reach(channel, channel.classes, 1)


def splitting_error(channel: Channel, p: Splitting) -> arb:
    """E, and how far predictions and the attacker's own arithmetic miss what is wanted."""
    return weighing_error(channel, p.queries, p.labels, p.radius, ball(p.unit * p.amplitude / 2))


def weighing_error(channel: Channel, queries: int, labels: int, radius: int, largest: arb) -> arb:
    """The error for rows of weight at most `largest`, of whose guesses at most `radius` are wrong.

    What rows charge whose guess is right is reckoned from the predictions as they are submitted. Only the wrong rows
    miss what was wanted, and by the whole of it: `deviation` reckons from midway, hence twice. One wrong row more is
    counted than is promised: then a count of so many, or of still more, is never read as one that is promised, since each
    row beyond adds a unit and misses less than half of one.
    """
    metric = channel.metric
    loss = metric.mean_loss(channel, largest, labels * largest)
    scorer = channel.errors(queries).sum_error(loss, heaviest=metric.heaviest(channel, largest))
    wrong = min(radius + 1, labels) * largest
    return scorer + 2 * metric.deviation(channel, largest, wrong, 2) + metric.own_error(channel, largest, wrong)


def largest_loss(channel: Channel, p: Splitting) -> arb:
    """What no labeling of a query exceeds on average: all rows may have the largest weight, against their labels."""
    largest = ball(p.unit * p.amplitude / 2)
    return channel.metric.mean_loss(channel, largest, p.labels * largest)


def _positive(p: Splitting) -> Inequality:
    """A unit above 0, and a number of wrong labels that is none below."""
    fit = int(p.radius >= 0 and p.unit > 0)
    return compare("a unit and a number of wrong labels that make an attack", lambda: ball(fit), ">=", lambda: ball(1))


def _least(p: Splitting) -> Inequality:
    return compare("amplitude >= 2", lambda: ball(p.amplitude), ">=", lambda: ball(LEAST_AMPLITUDE))


def _enough(p: Splitting) -> int:
    stages = p.stages
    further = 0 if stages is None else stages.listed
    return certain(p.labels, p.radius, p.amplitude, p.prime) + further


def _largest_integer(p: Splitting) -> int:
    """No sum of weights, nor a value of a digit, nor a product of residues, is larger."""
    return max(2 * (p.amplitude + 1) * max(p.radius, 2 * p.queries), p.prime**2)


def _prime(p: Splitting) -> tuple[Inequality, ...]:
    """Power sums are taken modulo a prime, if at all."""
    if not p.prime:
        return ()
    rows = p.prime if usable(p.prime, p.labels, p.radius) else 0
    return (compare("rows that power sums tell >= labels", lambda: ball(rows), ">=", lambda: ball(p.labels)),)


def _classes(channel: Channel, p: Splitting) -> tuple[Inequality, ...]:
    """The rows that were found are told their classes."""
    stages = p.stages
    if stages is None:
        return ()
    return prove_design(channel, stages).inequalities
