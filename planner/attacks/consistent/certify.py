"""Averages under a free random offset: how likely it is that some sum is read wrong, over the attacker's coins.

Once an offset has been drawn uniformly over one unit, the rounding error of a score is uniform on half a unit either way,
and independent of the labels and of all other scores. Derivations: docs/theory/attacks.md, docs/theory/errors.md.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from flint import arb

from planner.attacks.consistent.parameters import NOISE_SHARE, ConsistentSpread
from planner.attacks.spread.certify import OWN_BITS
from planner.attacks.spread.parameters import base_set
from planner.channel.channel import Channel
from planner.channel.errors import hidden
from planner.designs.butterfly import Butterfly
from planner.designs.hadamard import factors
from planner.numerics.inequality import Inequality, Proof
from planner.numerics.reals import ball, compare, working
from planner.numerics.tails import two_sided, uniform_mean_tail

CLIP_BITS = 256  # enough to tell an entry from the clip
ROW_BITS = 50  # a row charges 2^-50 (1 + its largest charge) more or less than was wanted
ROOM_BITS = 20  # scores are explained within (1 + 2^-20) times what they may be off, for the float64 that compares them
HALF, WHOLE = Fraction(1, 2), Fraction(1)  # of a gap


def prove(channel: Channel, p: ConsistentSpread) -> Proof:
    """All labels right with probability 1 - delta, for every labeling."""
    source = "the noise and the attacker's own coins" if channel.random else "the attacker's own coins"
    text = f"every labeling; all labels right with probability at least 1 - {float(channel.delta):g} over {source}"
    chance = compare("probability that a sum is read wrong, or a score moved <= δ", lambda: failure(channel, p), "<=",
                     lambda: ball(channel.delta))  # fmt: skip
    return Proof(text, (*inequalities(channel, p), chance))


def inequalities(channel: Channel, p: ConsistentSpread) -> tuple[Inequality, ...]:
    """Entries that are charged as they are written, and blocks that hold the labels."""
    room = Butterfly(p.rounds, base_set(p.base)).capacity()
    return (
            *entries(channel, p),
            _matrix(p),
            compare("capacity of a block >= labels of a block", lambda: ball(room), ">=", lambda: ball(p.block)),
            compare("sums of a round that are flipped <= as many as was proved of such errors", lambda: ball(p.repairs), "<=",
                    lambda: ball(flips_proved(channel))),
    )  # fmt: skip


def entries(channel: Channel, p: ConsistentSpread) -> tuple[Inequality, ...]:
    """Numbers that the scorer takes as they are, and none of them is clipped."""
    return (
        _carried(channel, p),
        compare("smallest entry that is used >= smallest that is taken", lambda: smallest_entry(channel, p), ">=",
                lambda: ball(p.small)),
    )  # fmt: skip


def _carried(channel: Channel, p: ConsistentSpread) -> Inequality:
    """The ends of what is submitted, and all three numbers are float64, as the attacker reckons with them."""
    with working(CLIP_BITS):
        fit = sum(channel.metric.takes(channel, one) for one in (p.small, p.large))
    fit += sum(Fraction(float(one)) == one for one in (p.small, p.large, p.gap))
    name = "entries that the scorer takes as they are, numbers that float64 holds"
    return compare(name, lambda: ball(fit), ">=", lambda: ball(5))


def smallest_entry(channel: Channel, p: ConsistentSpread) -> arb:
    """That of a row of the largest weight under the largest offset, as float64 may make it."""
    return ball(p.large) * (-(unit_of(channel) + p.amplitude * ball(p.gap))).exp() * (1 - written(p))


def _matrix(p: ConsistentSpread) -> Inequality:
    power, core = factors(p.order)  # refuses an order that has no matrix
    return compare("order of a Hadamard matrix at hand", lambda: ball(power * core), ">=", lambda: ball(p.order))


# -- errors -------------------------------------------------------------------------------------------


def bounded_errors(channel: Channel) -> bool:
    """Whether scores are off by rounding, by uniform noise, or by both: no error is beyond its bound."""
    return channel.law.flat or not channel.random


def flips_proved(channel: Channel) -> int:
    """How many sums of a round may be flipped: two where errors are of rounding alone, one where they have another bound."""
    return 0 if not bounded_errors(channel) else 1 if channel.random else 2


def unit_of(channel: Channel) -> arb:
    """The last decimal, over which offsets are drawn; 0: there is none."""
    return ball(channel.digits.unit or Fraction(0))


def heaviest(p: ConsistentSpread) -> arb:
    """No row charges more."""
    return -(ball(p.small).log())


def written(p: ConsistentSpread) -> arb:
    """By how much the rows' charges, and the offset, miss what was wanted, a row."""
    return arb(2) ** -ROW_BITS * (1 + heaviest(p))


def moved(channel: Channel, p: ConsistentSpread) -> arb:
    """How far anything but rounding and random noise moves a sum that is read, in gaps.

    What comes before rounding, floating point or noise that anybody may choose, makes a shown score no larger than its
    largest value does: rounding never falls. So it moves a score as if it were added to an error that is still uniform.
    """
    shown = 1 + heaviest(p) + abs(ball(channel.centre)) + unit_of(channel) + noise_bound(channel, p)
    own = arb(2) ** -OWN_BITS * shown
    return p.rows * (written(p) + own + before_rounding(channel, p) + channel.law.off_centre()) / ball(p.gap)


def noise_bound(channel: Channel, p: ConsistentSpread) -> arb:
    """What random noise stays within in all queries, but for its share of delta."""
    return channel.errors(p.queries, NOISE_SHARE).noise() if channel.random else arb(0)


def before_rounding(channel: Channel, p: ConsistentSpread) -> arb:
    """What a score is off by before it is rounded, random noise apart."""
    errors = channel.errors(p.queries, NOISE_SHARE)
    before = errors.constant() - hidden(channel) + channel.scores.half_step() + errors.relative() * heaviest(p)
    return before - errors.noise() if channel.random else before


# -- probabilities ------------------------------------------------------------------------------------


def failure(channel: Channel, p: ConsistentSpread) -> arb:
    """A round that is read wrong, or noise beyond its bound."""
    if p.repairs:
        return p.all_rounds * unrepaired(channel, p)
    left = ball(channel.delta * NOISE_SHARE) if channel.random else arb(0)
    return left + p.all_rounds * p.order * mean_off(channel, p, p.order, HALF)


def unrepaired(channel: Channel, p: ConsistentSpread) -> arb:
    """That a round is read wrong where doubtful sums are settled by consistency.

    Read one after the other: an error of a whole gap; two sums that are both nearer to another integer; one sum wrong by
    a gap and yet every score explained; two of them.
    """
    order = p.order
    whole_gap = order * mean_off(channel, p, order, WHOLE)
    if p.repairs > 1:
        return whole_gap + three_wrong(channel, p) + falsely_explained(channel, p) + jumps(channel, p)
    single = 2 * order * kept(channel, p, 1) ** order
    if order == 1:
        return whole_gap + single
    pairs = order * (order - 1)
    two_wrong = pairs * mean_off(channel, p, order // 2, WHOLE)
    return whole_gap + two_wrong + single + 2 * pairs * kept(channel, p, 2) ** (order // 2)


def three_wrong(channel: Channel, p: ConsistentSpread) -> arb:
    """That three sums of a round are nearer to other integers: errors are as good as independent and normal."""
    order, k = p.order, 1 + p.repairs
    if 4 * k > order:
        return arb(1)
    x = ball(HALF) * seen(channel, p) * (12 * ball(order)).sqrt() / unit_of(channel)
    alone = (x / ball(2).sqrt()).erfc() if x > 0 else arb(1)
    return comb(order, k) * (alone / (1 - ball(Fraction(3 * k, order))).sqrt()) ** k


def falsely_explained(channel: Channel, p: ConsistentSpread) -> arb:
    """That sums wrong in 1 to 4 places explain every score: they move all scores together by `order` gaps or more."""
    ways = sum(comb(p.order, k) * 2**k for k in range(1, 2 * p.repairs + 1))
    return ways * kept(channel, p, 1) ** p.order


def jumps(channel: Channel, p: ConsistentSpread) -> arb:
    """That a score of a round is shown as another for what comes before the rounding."""
    return 2 * p.order * (written(p) + before_rounding(channel, p)) / unit_of(channel)


def seen(channel: Channel, p: ConsistentSpread) -> arb:
    """A gap in a score, less what moves a sum on either side."""
    return ball(p.gap) * (1 - 2 * moved(channel, p)) / p.rows


def kept(channel: Channel, p: ConsistentSpread, gaps: int) -> arb:
    """That a shift by so many gaps leaves an error within its bound."""
    cell, noise = unit_of(channel), 2 * noise_bound(channel, p)
    short, long = cell.min(noise), cell.max(noise)
    pushed = ball(p.gap) * moved(channel, p) / p.rows
    explained = (cell + noise).max((cell + noise) / 2 + pushed)  # a score may be off by no more
    shift = gaps * seen(channel, p) - arb(2) ** -ROOM_BITS * explained
    if not shift > 0:
        return arb(1)
    # the error is the sum of two that fill their widths evenly: its density climbs to its full height over the shorter
    lost = shift**2 / (2 * short * long) if shift < short else (shift.min(long) - short / 2) / long
    return (1 - lost).max(arb(0)) if lost.is_finite() else arb(1)


def mean_off(channel: Channel, p: ConsistentSpread, count: int, place: Fraction) -> arb:
    """That the mean of so many errors, of rounding, of noise or of both, reaches such a part of a gap.

    Both together have Chernoff's bound at `tilt`.
    """
    margin = ball(place) * seen(channel, p)
    if not channel.random:
        return uniform_mean_tail(count, 2 * margin / unit_of(channel))
    if not channel.digits.steps:
        return channel.law.tail_of_mean(count, margin)
    if not margin > 0 or not p.tilt > 0:
        return arb(1)
    s = ball(p.tilt)
    half = s * unit_of(channel) / 2
    exponent = s * margin - (half.sinh() / half).log() - channel.law.cumulant(s)
    return two_sided(count, exponent, channel.law.peak(count, s) / s)  # rounding errors only flatten the peak
