"""Averages under weights of random size: how likely it is that some sum is read wrong, over the attacker's coins.

A query's score moves through several cells of the rounding as its gap runs from the least to the largest. Drawn as a sum of
uniform variables, the gap makes the rounding error uniform up to a share `unevenness`, whatever the labels are, and nearly
independent of itself. Derivations: docs/theory/attacks.md#swell.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import comb, factorial

from flint import arb

from planner.attacks.amplitude.parameters import NOISE_SHARE, UNIFORMS, AmplitudeSpread
from planner.attacks.spread.certify import OWN_BITS
from planner.attacks.spread.parameters import base_set
from planner.channel.channel import Channel
from planner.channel.errors import hidden
from planner.designs.butterfly import Butterfly
from planner.designs.hadamard import factors
from planner.numerics.inequality import Inequality, Proof
from planner.numerics.reals import ball, compare, working

CLIP_BITS = 256  # enough to tell an entry from the clip
ROW_BITS = 50  # a row of log-odds w charges 2^-50 (1 + w) more or less than was wanted
GRID_BITS = 53  # of predictions near 1
HALF, WHOLE = Fraction(1, 2), Fraction(1)
TOLERANCE = (
    2  # what is beyond half a unit may be taken for so many times as much, for the float64 that it is compared in
)
BINS = 2 * UNIFORMS  # in which gaps are counted, each as its least
ZETA = Fraction(10041, 10000)  # > zeta(8) = pi^8/9450: the sum of 1/m^UNIFORMS


def prove(channel: Channel, p: AmplitudeSpread) -> Proof:
    """All labels right with probability 1 - delta, for every labeling."""
    source = "the noise and the attacker's own coins" if channel.random else "the attacker's own coins"
    text = f"every labeling; all labels right with probability at least 1 - {float(channel.delta):g} over {source}"
    chance = compare("probability that a sum is read wrong, or leans too far <= δ", lambda: failure(channel, p), "<=",
                     lambda: ball(channel.delta))  # fmt: skip
    return Proof(text, (*_rows(channel, p), *_shape(channel, p), *_unit(channel, p), chance))


def _rows(channel: Channel, p: AmplitudeSpread) -> tuple[Inequality, ...]:
    used = [p.small, 1 - p.small] if p.columns == 1 else [p.small]
    with working(CLIP_BITS):
        fit = sum(channel.metric.takes(channel, one) for one in used)
    fit += sum(Fraction(float(one)) == one for one in (p.least, p.width))
    return (
        compare("entries that the scorer takes as they are, numbers that float64 holds", lambda: ball(fit), ">=",
                lambda: ball(len(used) + 2)),
        compare("largest log-odds <= those of the smallest entry", lambda: heaviest(p) + rounded(p), "<=",
                lambda: p.scored_by.weight(p.small)),
    )  # fmt: skip


def _shape(channel: Channel, p: AmplitudeSpread) -> tuple[Inequality, ...]:
    power, core = factors(p.order)  # refuses an order that has no matrix
    room = Butterfly(p.rounds, base_set(p.base)).capacity()
    return (
        compare("order of a Hadamard matrix at hand", lambda: ball(power * core), ">=", lambda: ball(p.order)),
        compare("capacity of a block >= labels of a block", lambda: ball(room), ">=", lambda: ball(p.block)),
        compare("repairs of sums only where no noise is random", lambda: ball(int(p.repairs)), "<=",
                lambda: ball(int(not channel.random))),
    )  # fmt: skip


def _unit(channel: Channel, p: AmplitudeSpread) -> tuple[Inequality, ...]:
    """Scores are shown as multiples of the unit: of decimals always, of significant digits within one decade."""
    if not channel.digits.grows:
        unit = channel.digits.unit or Fraction(0)
        return (compare("unit of what is shown", lambda: ball(abs(unit - p.unit)), "<=", lambda: ball(0)),)
    decade = p.unit * 10 ** (channel.digits.digits - 1)
    return (
        compare("least score >= start of a decade", lambda: scores(channel, p)[0], ">=", lambda: ball(decade)),
        compare("largest score <= its end", lambda: scores(channel, p)[1], "<=", lambda: ball(10 * decade)),
    )


def within_decade(channel: Channel, p: AmplitudeSpread) -> bool:
    """Whether all that is shown is shown as multiples of the unit."""
    return all(one.holds for one in _unit(channel, p))


# -- entries ------------------------------------------------------------------------------------------


def entry_sizes(p: AmplitudeSpread) -> tuple[int, int]:
    """The sum of the entries' sizes over all rows of a query, at least and at most.

    Every row of a butterfly has entries in all of its first columns, those of its largest power of two's base rows.
    """
    weights = base_set(p.base).weights
    least = min(p.block // len(weights), 1 << (p.rounds.bit_length() - 1)) * sum(weights)
    most = min(p.rounds * sum(weights) + p.rounds - 1, p.block * max(weights))  # single labels beside them
    return p.labels // p.block * least, -(-p.labels // p.block) * most


def heaviest(p: AmplitudeSpread) -> arb:
    """The largest log-odds of a row."""
    return p.amplitude * (ball(p.least) + ball(p.width))


def rounded(p: AmplitudeSpread) -> arb:
    """What float64 makes of log-odds, or of a charge."""
    return arb(2) ** -ROW_BITS * (1 + heaviest(p))


def scores(channel: Channel, p: AmplitudeSpread) -> tuple[arb, arb]:
    """Between which all scores lie, sums that lean no farther: linear in the sum of sizes, so at one of its ends.

    A row of log-odds w charges |w|/2 + ln(1 + e^-|w|) on average of both labels; an idle one ln 2.
    """
    low, high, idle = [], [], arb(2).log()
    error = moved_before(channel, p) + noise_bound(channel, p)
    for size in entry_sizes(p):
        share = ball(Fraction(size, p.rows))
        active, least, most = share / p.amplitude, ball(p.least), ball(p.least) + ball(p.width)
        low.append(share * least * (1 - ball(p.lean)) / 2 + (1 - share) * idle)
        high.append(share * most * (1 + ball(p.lean)) / 2 + active * (1 + (-least).exp()).log() + (1 - active) * idle)
    return low[0].min(low[1]) - error, high[0].max(high[1]) + error


# -- errors -------------------------------------------------------------------------------------------


def moved_before(channel: Channel, p: AmplitudeSpread) -> arb:
    """How far a score lies from the wanted one before it is rounded, random noise apart.

    Rows are off by float64, in one column by the grid near 1; the scorer adds its own errors, and so does anybody's noise.
    """
    errors = channel.errors(p.queries, NOISE_SHARE)
    before = errors.constant() - hidden(channel) + channel.scores.half_step() + errors.relative() * _charge(p)
    return before - noise_bound(channel, p) + rounded(p) + on_grid(p)


def on_grid(p: AmplitudeSpread) -> arb:
    """What half a step near 1 changes of a score in one column: of the smaller side's charge, that of rows which pay it.

    With entries of one size they are no more than (1 + lean)/2 of all rows.
    """
    if p.columns > 1:
        return arb(0)
    paying = (1 + ball(p.lean)) / 2 if p.amplitude == 1 else arb(1)
    step = arb(2) ** -GRID_BITS
    part = step / (2 * ball(p.small))
    return step + paying * part / (1 - part) if part < 1 else arb.pos_inf()


def noise_bound(channel: Channel, p: AmplitudeSpread) -> arb:
    """What random noise stays within in all queries, but for its share of delta."""
    return channel.errors(p.queries, NOISE_SHARE).noise() if channel.random else arb(0)


def own_error(channel: Channel, p: AmplitudeSpread) -> arb:
    """How far the attacker's own arithmetic, and a centre of noise known inexactly, move a sum, in gaps."""
    shown = 1 + _charge(p) + abs(ball(channel.centre)) + ball(p.unit) + noise_bound(channel, p)
    return p.rows * (arb(2) ** -OWN_BITS * shown + channel.law.off_centre()) / ball(p.least)


def _charge(p: AmplitudeSpread) -> arb:
    """No row charges more."""
    return -(ball(p.small).log())


# -- probabilities ------------------------------------------------------------------------------------


def failure(channel: Channel, p: AmplitudeSpread) -> arb:
    """A query whose sum leans too far, noise beyond its bound, or a round that is read wrong."""
    left = ball(channel.delta * NOISE_SHARE) if channel.random else arb(0)
    grown = growth(channel, p)
    one = unrepaired(channel, p, grown) if p.repairs else p.order * off(channel, p, p.order, HALF, grown)
    return left + p.queries * leans(p) + p.rounds * one


def leans(p: AmplitudeSpread) -> arb:
    """That a sum of entries with random signs exceeds `lean` times their sizes: Hoeffding."""
    return 2 * (-(ball(p.lean) ** 2) * entry_sizes(p)[0] / (2 * p.amplitude)).exp()


def off(channel: Channel, p: AmplitudeSpread, count: int, place: Fraction, grown: arb) -> arb:
    """That the mean of so many errors is so many gaps off, on either side: Chernoff at `rate`, by `growth`."""
    margin = ball(place) - 2 * own_error(channel, p)
    if not margin > 0 or not p.rate > 0:
        return arb(1)
    exponent = grown.log() - ball(p.rate) * margin
    return (2 * (count * exponent).exp()).min(arb(1)) if exponent.is_finite() else arb(1)


def unrepaired(channel: Channel, p: AmplitudeSpread, grown: arb) -> arb:
    """That a round is read wrong where doubtful sums are settled by consistency.

    Read one after the other: an error of a whole gap; two sums that are both nearer to another integer; one sum wrong by
    a gap and yet every score explained; two of them.
    """
    order, pairs = p.order, p.order * (p.order - 1)
    whole_gap = order * off(channel, p, order, WHOLE, grown)
    false = 2 * order * kept(channel, p, 1) ** order
    if order == 1:
        return whole_gap + false
    two_wrong = pairs * off(channel, p, order // 2, WHOLE, grown)
    return whole_gap + two_wrong + false + 2 * pairs * kept(channel, p, 2) ** (order // 2)


def kept(channel: Channel, p: AmplitudeSpread, gaps: int) -> arb:
    """That a shift by so many gaps leaves the error of a score within what is tolerated."""
    unit, across = ball(p.unit), moved_before(channel, p) / ball(p.unit)
    allowed = across + own_error(channel, p) * ball(p.least) / (p.rows * unit)  # beyond half a unit
    left = 1 - gaps * ball(p.least) / (p.rows * unit) + 2 * (allowed * TOLERANCE + across)
    chance = (1 + unevenness(p)) * left.max(arb(0))
    return chance if chance.is_finite() else arb(1)


def growth(channel: Channel, p: AmplitudeSpread) -> arb:
    """E exp(rate * error) of one score's error, in gaps, of either sign; infinite: nothing is known.

    With an even rounding error that is the mean over gaps. What is uneven, and scores that something else moved across a
    boundary, are counted at the largest that an error can be.
    """
    low = ball(p.least) - ball(p.width) / 2
    uneven, across = unevenness(p), moved_before(channel, p) / ball(p.unit)
    if not low > 0 or not uneven.is_finite() or not across < ball(HALF):
        return arb.pos_inf()
    signs = 2 if channel.random else 1
    worst = (_tilt(p, low) * ball(p.unit) * (ball(HALF) + across) + _noise(channel, p, low)).exp()
    return _even(channel, p) + (signs * uneven + 2 * across * (1 + signs * uneven)) * worst


def _even(channel: Channel, p: AmplitudeSpread) -> arb:
    """The same were rounding errors even: gaps are counted in bins, each as its least."""
    total = arb(0)
    for place, share in enumerate(bin_shares()):
        gap = ball(p.least + p.width * Fraction(place, BINS))
        half = _tilt(p, gap) * ball(p.unit) / 2
        total += ball(share) * half.sinh() / half * _noise(channel, p, gap).exp()
    return total


def _tilt(p: AmplitudeSpread, gap: arb) -> arb:
    """The rate for errors of a score."""
    return ball(p.rate) * p.rows / gap


def _noise(channel: Channel, p: AmplitudeSpread, gap: arb) -> arb:
    """The logarithm of what noise multiplies it by."""
    return channel.law.cumulant(_tilt(p, gap)) if channel.random else arb(0)


def unevenness(p: AmplitudeSpread) -> arb:
    """2 zeta(r) (r/(pi L (1 - k)))^r: all Fourier coefficients but the first, of the score in cells, together.

    L: the cells that a score runs through at least; k: what the curve of ln(1 + e^-w) takes of its slope at most.
    """
    low = ball(p.least) - ball(p.width) / 2
    if not low > 0 or not p.lean < 1:
        return arb.pos_inf()
    curve = 2 / ((1 - ball(p.lean)) * (low.exp() - 1))
    cells = ball(p.width) * (1 - ball(p.lean)) * entry_sizes(p)[0] / (2 * p.rows * ball(p.unit))
    if not curve < 1 or not cells > 0:
        return arb.pos_inf()
    return 2 * ball(ZETA) * (UNIFORMS / (arb.pi() * cells * (1 - curve))) ** UNIFORMS


@cache
def bin_shares() -> tuple[Fraction, ...]:
    """How likely the mean of the uniforms lies in each of the bins: Irwin and Hall."""
    below = [_irwin_hall(Fraction(UNIFORMS * place, BINS)) for place in range(BINS + 1)]
    return tuple(after - before for before, after in pairwise(below))


def _irwin_hall(x: Fraction) -> Fraction:
    """P(sum of the uniforms <= x)."""
    terms = ((-1) ** k * comb(UNIFORMS, k) * (x - k) ** UNIFORMS for k in range(UNIFORMS + 1) if k <= x)
    return sum(terms, Fraction(0)) / factorial(UNIFORMS)
