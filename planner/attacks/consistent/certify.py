"""Averages under a free random offset: how likely it is that some sum is read wrong, over the attacker's coins.

Once an offset has been drawn uniformly over one unit, the rounding error of a score is uniform on half a unit either way,
and independent of the labels and of all other scores. Derivations: docs/theory/attacks.md, docs/theory/errors.md.
"""

from __future__ import annotations

from fractions import Fraction

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
            _carried(channel, p),
            compare("smallest entry that is used >= smallest that is taken", lambda: smallest_entry(channel, p), ">=",
                    lambda: ball(p.small)),
            _matrix(p),
            compare("capacity of a block >= labels of a block", lambda: ball(room), ">=", lambda: ball(p.block)),
            compare("repairs of sums only where errors are uniform", lambda: ball(int(p.repairs)), "<=",
                    lambda: ball(int(uniform_errors(channel)))),
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


def uniform_errors(channel: Channel) -> bool:
    """Whether scores are off by rounding alone, or by uniform noise alone: both have one bound, and fill it evenly."""
    return not channel.random if channel.digits.steps else channel.law.flat


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

    Floating point that is rounded away makes a score jump or does nothing; where nothing is rounded, it moves it.
    """
    shown = 1 + heaviest(p) + abs(ball(channel.centre)) + unit_of(channel) + noise_bound(channel, p)
    own = arb(2) ** -OWN_BITS * shown
    before = arb(0) if channel.digits.steps else before_rounding(channel, p)
    return p.rows * (written(p) + own + before + channel.law.off_centre()) / ball(p.gap)


def noise_bound(channel: Channel, p: ConsistentSpread) -> arb:
    """What random noise stays within in all queries, but for its share of delta."""
    return channel.errors(p.queries, NOISE_SHARE).noise() if channel.random else arb(0)


def jumps(channel: Channel, p: ConsistentSpread) -> arb:
    """That floating point, a row's grid or noise that anybody may choose moves some score across a boundary.

    The offset is uniform over a unit, so a score comes within e of a boundary with probability 2e/unit. Random noise
    knows nothing of the offset and only moves what is read.
    """
    if not channel.digits.steps:
        return arb(0)
    return 2 * p.queries * (before_rounding(channel, p) + written(p)) / unit_of(channel)


def before_rounding(channel: Channel, p: ConsistentSpread) -> arb:
    """What a score is off by before it is rounded, random noise apart."""
    errors = channel.errors(p.queries, NOISE_SHARE)
    before = errors.constant() - hidden(channel) + channel.scores.half_step() + errors.relative() * heaviest(p)
    return before - errors.noise() if channel.random else before


# -- probabilities ------------------------------------------------------------------------------------


def failure(channel: Channel, p: ConsistentSpread) -> arb:
    """A jump, or a round that is read wrong."""
    rounds = p.all_rounds
    if p.repairs:
        return jumps(channel, p) + rounds * unrepaired(p.order, resolution(channel, p))
    left = ball(channel.delta * NOISE_SHARE) if channel.random else arb(0)
    return jumps(channel, p) + left + rounds * p.order * mean_off(channel, p)


def resolution(channel: Channel, p: ConsistentSpread) -> arb:
    """x (1 - 2 dev): a gap as a part of what uniform errors fill, less what moves a sum on either side."""
    width = unit_of(channel) if channel.digits.steps else 2 * noise_bound(channel, p)
    return (1 - 2 * moved(channel, p)) * ball(p.gap) / (p.rows * width)


def unrepaired(order: int, x: arb) -> arb:
    """That a round of `order` scores is read wrong where doubtful sums are settled by consistency.

    Read one after the other: an error of a whole gap; two sums that are both nearer to another integer; one sum wrong by
    a gap and yet every score explained; two of them.
    """
    if not x > 0:
        return arb(1)
    whole_gap = order * uniform_mean_tail(order, 2 * x)
    if order == 1:
        return whole_gap + 2 * _kept(x, 1)
    pairs = order * (order - 1)
    two_wrong = pairs * uniform_mean_tail(order // 2, 2 * x)
    return whole_gap + two_wrong + 2 * order * _kept(x, order) + 2 * pairs * _kept(2 * x, order // 2)


def _kept(share: arb, count: int) -> arb:
    """That a shift by this share of a cell leaves so many uniform errors all inside."""
    return (1 - share) ** count if share < 1 else arb(0)


def mean_off(channel: Channel, p: ConsistentSpread) -> arb:
    """That the mean of `order` errors, of rounding, of noise or of both, reaches half a gap.

    Both together have Chernoff's bound at `tilt`.
    """
    if not channel.random:
        return uniform_mean_tail(p.order, resolution(channel, p))
    margin = ball(p.gap) * (1 - 2 * moved(channel, p)) / (2 * p.rows)
    if not channel.digits.steps:
        return channel.law.tail_of_mean(p.order, margin)
    if not margin > 0 or not p.tilt > 0:
        return arb(1)
    s = ball(p.tilt)
    half = s * unit_of(channel) / 2
    exponent = s * margin - (half.sinh() / half).log() - channel.law.cumulant(s)
    return two_sided(p.order, exponent, channel.law.peak(p.order, s) / s)  # rounding errors only flatten the peak
