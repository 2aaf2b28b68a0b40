"""Averaging attacks under random noise: probabilities of error with the union bound, tails exact or proved."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from planner.attacks.inequalities import score_fits
from planner.attacks.spread.parameters import HadamardMean, Spread, base_set
from planner.channel.channel import Channel
from planner.designs.butterfly import Butterfly
from planner.numerics.inequality import Inequality, Proof
from planner.numerics.reals import ball, compare, floor_of, working

CLIP_BITS = 256  # enough to tell 1 - p from 1 - clip
ROUNDED_SHARE = Fraction(1, 2**20)  # of delta: noise is larger than its own rounding is reckoned for no more often
OWN_BITS = 44  # float64 sums lose 2^-44: charges, means of repeats, a transform of order 256 and its doublings


def prove(channel: Channel, p: Spread) -> Proof:
    """Sums of blocks that are all right, or labels of which a few may be wrong."""
    return _prove_hadamard(channel, p) if isinstance(p, HadamardMean) else _prove_spread(channel, p)


def _prove_spread(channel: Channel, p: Spread) -> Proof:
    """Every sum of every block right, with probability 1 - delta over the noise."""
    text = f"every labeling; all labels right with probability at least 1 - {float(channel.delta):g} over the noise"
    return Proof(
        text,
        (
            *_shape(channel, p),
            _random(channel),
            compare("M P(|mean of h noises| >= g/(2N) - e) + M P(|noise| > tolerance - e) <= δ (1 - 2^-20)",
                    lambda: failure(channel, p), "<=", lambda: left_to_means(channel)),
        ),
    )  # fmt: skip


def _prove_hadamard(channel: Channel, p: HadamardMean) -> Proof:
    """At most `wrong` labels wrong: always under bounded errors, with probability 1 - delta under random noise."""
    shape = (
        *_shape(channel, p),
        compare("order of the matrix >= N", lambda: ball(p.order), ">=", lambda: ball(p.labels)),
        compare("wrong labels <= wrong labels allowed", lambda: ball(p.wrong), "<=",
                lambda: ball(channel.wrong_allowed)),
    )  # fmt: skip
    if not channel.random:
        text = f"every labeling, every error within the bound: at most {p.wrong} labels wrong"
        return Proof(text, (*shape, *_bounded(channel, p)))
    text = f"every labeling; at most {p.wrong} labels wrong with probability at least 1 - {float(channel.delta):g}"
    chance = compare("P(more wrong labels) + M P(|noise| > tolerance - e) <= δ (1 - 2^-20)",
                     lambda: too_many_wrong(channel, p) + alarm(channel, p), "<=",
                     lambda: left_to_means(channel))  # fmt: skip
    return Proof(text, (*shape, chance))


def _bounded(channel: Channel, p: HadamardMean) -> tuple[Inequality, ...]:
    """By Parseval the squared errors of all labels sum to (E/W)^2, and a wrong one has at least 1/4 of it."""
    return (
        compare(
            "4 (E/W)^2 * bits of a class < wrong labels + 1",
            lambda: wrong_limit(channel, p),
            "<",
            lambda: ball(p.wrong + 1),
        ),
        compare("tolerance >= error of a score", lambda: ball(p.tolerance), ">=", lambda: centred_error(channel, p)),
    )


def wrong_limit(channel: Channel, p: Spread) -> arb:
    """4 (E/W)^2, for each bit of a class."""
    row = p.scored_by.level_deviation(p.columns, p.small, base_set(p.base).maximum)
    error = p.rows * (centred_error(channel, p) + row)
    return 4 * p.bits * (error / gap(p)) ** 2


def allowed_by_parseval(channel: Channel, p: Spread) -> int:
    """floor(4 (E/W)^2)."""
    return max(0, floor_of(lambda: wrong_limit(channel, p)))


def _random(channel: Channel) -> Inequality:
    return compare("noise is random and independent", lambda: ball(int(channel.random)), ">=", lambda: ball(1))


def _shape(channel: Channel, p: Spread) -> tuple[Inequality, ...]:
    room = Butterfly(p.rounds, base_set(p.base)).capacity()
    used = [p.small, 1 - p.small] if p.columns == 1 else [p.small]
    with working(CLIP_BITS):
        taken = sum(channel.metric.takes(channel, one) for one in used)
    return (
        *score_fits(channel, p.queries, lambda: p.scored_by.heaviest_level(p.small, p.classes), ROUNDED_SHARE),
        compare("labels >= goal", lambda: ball(p.labels), ">=", lambda: ball(channel.wanted)),
        compare("rows of a submission", lambda: ball(p.rows), ">=", lambda: ball(channel.rows)),
        compare("predictions that the scorer takes as they are", lambda: ball(taken), ">=", lambda: ball(len(used))),
        compare("capacity of a block >= labels of a block", lambda: ball(room), ">=", lambda: ball(p.block)),
        compare("classes told apart >= K", lambda: ball(p.classes), ">=", lambda: ball(channel.classes)),
        compare("columns of a submission", lambda: ball(p.columns), ">=",
                lambda: ball(1 if channel.classes == 2 else channel.classes)),
        compare("queries >= order * rounds * repeats * bits of a class", lambda: ball(p.queries), ">=",
                lambda: ball(p.sums * p.repeats)),
    )  # fmt: skip


# -- errors -------------------------------------------------------------------------------------------


def gap(p: Spread) -> arb:
    """g: the log-odds of an entry 1."""
    return p.scored_by.strength(p.small, p.classes) / base_set(p.base).maximum


def score_error(channel: Channel, p: Spread) -> arb:
    """The error of one score, noise included, at the largest loss that rows can cause, and the attacker's own.

    It grows with the noise that is rounded: all noises are within a bound but for a share of delta, which is counted.
    """
    loss, errors = p.scored_by.heaviest_level(p.small, p.classes), channel.errors(p.queries, ROUNDED_SHARE)
    shown = loss + channel.law.size() + errors.noise()
    return errors.score_error(loss) + arb(2) ** -OWN_BITS * (1 + shown)


def centred_error(channel: Channel, p: Spread) -> arb:
    """The same once the attack has subtracted its centre, were it not the channel's."""
    return score_error(channel, p) + abs(ball(p.centre - channel.centre))


def fixed_error(channel: Channel, p: Spread) -> arb:
    """e: what is no noise: rounding, floating point, predictions off the grid, and a centre known inexactly."""
    known = score_error(channel, p) - channel.errors(p.queries, ROUNDED_SHARE).noise()
    off = p.scored_by.level_deviation(p.columns, p.small, base_set(p.base).maximum)
    off += channel.law.off_centre()
    off += abs(ball(p.centre - channel.centre))
    return (known + off).upper()


# -- probabilities ------------------------------------------------------------------------------------


def left_to_means(channel: Channel) -> arb:
    """What is left of delta once noise may be larger than its own rounding is reckoned for."""
    return ball(channel.delta * (1 - ROUNDED_SHARE))


def failure(channel: Channel, p: Spread) -> arb:
    """That some sum of some block is off by half a gap, or that the attack refuses its own answer."""
    error = fixed_error(channel, p)
    wrong = channel.law.tail_of_mean(p.order * p.repeats, gap(p) / (2 * p.rows) - error)
    return p.sums * (wrong + channel.law.tail_of_mean(p.repeats, ball(p.tolerance) - error))


def alarm(channel: Channel, p: Spread) -> arb:
    """That some mean score misses by more than the tolerance, and the attack refuses its own answer."""
    threshold = ball(p.tolerance) - fixed_error(channel, p)
    return p.sums * channel.law.tail_of_mean(p.repeats, threshold)


def too_many_wrong(channel: Channel, p: HadamardMean) -> arb:
    """That more than `wrong` labels come out wrong."""
    return more_wrong(channel, p.labels, p.wrong, wrong_chance(channel, p))


def wrong_chance(channel: Channel, p: Spread) -> arb:
    """That one label comes out wrong: each of its bits goes wrong on one side only."""
    threshold = gap(p) / (2 * p.rows) - fixed_error(channel, p)
    return p.bits * channel.law.tail_of_mean(p.order * p.repeats, threshold) / 2


def more_wrong(channel: Channel, labels: int, wrong: int, each: arb) -> arb:
    """That more than `wrong` of the labels are wrong, each with this chance: Markov, or the binomial law's Chernoff bound.

    Orthogonal averages of Gaussian noise are independent.
    """
    bound = (labels * each / (wrong + 1)).min(arb(1))
    share = ball(Fraction(wrong + 1, labels))
    if not channel.law.normal or not (0 < each < share < 1):
        return bound
    divergence = share * (share / each).log() + (1 - share) * ((1 - share) / (1 - each)).log()
    return bound.min((-labels * divergence).exp())
