"""Power sums: every answer is a whole number of units, and as many sums as wrong labels determine these."""

from __future__ import annotations

from flint import arb

from planner.attacks.inequalities import guarantee, score_fits
from planner.attacks.power_sums.parameters import PowerSums
from planner.attacks.splitting.bound import WORD, power_sums, usable
from planner.attacks.splitting.certify import reach, weighing_error
from planner.channel.channel import Channel
from planner.numerics.inequality import Inequality, Proof
from planner.numerics.reals import ball, compare


def prove(channel: Channel, p: PowerSums) -> Proof:
    """Reach, separation, and a prime that numbers the rows."""
    if p.amplitude < 1 or p.radius < 0 or not p.unit > 0:
        # Each of these makes it no attack, and each must fail by itself.
        return Proof("nothing: the record makes no attack", (_least(p), _positive(p)))

    def error() -> arb:
        return 2 * weighing_error(channel, p.queries, p.labels, p.radius, largest_weight(p))

    def loss() -> arb:
        return channel.metric.mean_loss(channel, largest_weight(p), p.labels * largest_weight(p))

    rows = p.prime if usable(p.prime, p.labels, p.radius) else 0
    enough = power_sums(min(p.radius, p.labels), p.prime, 2 * p.amplitude)
    integers = max(2 * (2 * p.amplitude + 1) * max(p.radius, 1), p.prime**2)  # and products of residues
    return Proof(
        f"{guarantee(channel)}, where the guess has at most {p.radius:,} of these labels wrong; a worse guess is noticed",
        (
            compare("W >= unit x amplitude", lambda: reach(channel), ">=", lambda: largest_weight(p)),
            compare("unit > 2 (E + dev)", lambda: ball(p.unit), ">", error),
            _least(p),
            compare("wrong labels that are told >= wrong labels of the guess",
                    lambda: ball(p.radius), ">=", lambda: ball(min(channel.radius, p.labels))),
            compare("rows that power sums tell >= labels", lambda: ball(rows), ">=", lambda: ball(p.labels)),
            compare("queries asked >= queries that suffice", lambda: ball(p.queries), ">=", lambda: ball(enough)),
            compare("integers of the decoder < 2^60", lambda: ball(integers), "<", lambda: ball(WORD)),
            *score_fits(channel, p.queries, loss),
        ),
    )  # fmt: skip


def largest_weight(p: PowerSums) -> arb:
    """No row weighs more."""
    return ball(p.unit * p.amplitude)


def _positive(p: PowerSums) -> Inequality:
    """A unit above 0, and a number of wrong labels that is none below."""
    fit = int(p.radius >= 0 and p.unit > 0)
    return compare("a unit and a number of wrong labels that make an attack", lambda: ball(fit), ">=", lambda: ball(1))


def _least(p: PowerSums) -> Inequality:
    return compare("amplitude >= 1", lambda: ball(p.amplitude), ">=", lambda: ball(1))
