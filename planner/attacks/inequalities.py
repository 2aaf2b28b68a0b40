"""Inequalities that several shapes of attack share."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from planner.attacks.parameters import Parameters
from planner.channel.channel import Channel
from planner.channel.errors import WHOLE, growth
from planner.numerics.inequality import Inequality
from planner.numerics.reals import Term, ball, compare

LARGE = 10**30  # sums of 10^18 charges, none above 746, are far below: a format that reaches so far need not be asked


def alike(channel: Channel) -> bool:
    """Whether labels can only be of one class: there is a single row, or it is said that all are the same."""
    return channel.scored == 1 or (channel.exactly and channel.radius in (0, channel.scored))


def fits_submission(labels: int, rows: int) -> Inequality:
    """A block is no larger than a submission."""
    return compare("labels of a block <= rows of a submission", lambda: ball(labels), "<=", lambda: ball(rows))


def enough_room(capacity: int, labels: int) -> Inequality:
    """The queries hold all the labels that were promised."""
    return compare("capacity of the queries >= labels", lambda: ball(capacity), ">=", lambda: ball(labels))


def widening(channel: Channel, tilted: bool) -> arb:
    """By which factor a gap counts for more, where the decoder knows that noise moves the smaller sum less."""
    return 1 + (channel.law.factor() if tilted else arb(0))


def separation(
    channel: Channel,
    parameters: Parameters,
    gap: Term,
    loss: Term,
    deviation: Term | None = None,
    heaviest: Term | None = None,
) -> Inequality:
    """Any two labelings that matter are told apart: their sums differ by more than both errors together.

    Attacks that tell the heaviest charge of a row reckon with their entries as they wrote them.

    That is all that a decoder needs which takes the nearest sum: it is right while no error reaches half the gap.
    Under multiplicative noise the sums X < Y, Y - X >= gap, are blurred to [X(1-α), X(1+α)] and alike; the
    intervals are disjoint when (1+α) gap > 2 α Y, which E at the largest loss contains. A decoder whose threshold
    lies midway between the intervals, X(1+α) and Y(1-α), needs no more than that; the nearest sum would be wrong.
    """
    errors, tilted = channel.errors(parameters.queries), parameters.tilted

    def left() -> arb:
        return widening(channel, tilted) * (gap() - 2 * deviation() if deviation else gap())

    name = "smallest gap of sums > 2E"
    if deviation:
        name = "smallest gap of sums - 2 dev > 2E"
    if tilted and channel.law.grows:
        name = name.replace("smallest gap", "(1+α) smallest gap")
    return compare(name, left, ">", lambda: 2 * errors.sum_error(loss(), heaviest and heaviest()))


def score_fits(channel: Channel, queries: int, loss: Term, share: Fraction = WHOLE) -> tuple[Inequality, ...]:
    """No score overflows its format, but for a share of delta.

    In fixed point what is cut off noise about its centre only brings a score nearer. Noise that leaves the range of float32
    and float64 is far above W: only float16 is asked.
    """
    score, limit = channel.scores, channel.scores.largest()
    if limit is None:
        return ()
    if score.floating:
        return (stays_finite(channel, queries, loss, share),) if limit < LARGE else ()

    def largest() -> arb:
        return loss() + channel.law.size()

    return (compare("largest score < range of the format", largest, "<", lambda: ball(limit)),)


def stays_finite(channel: Channel, queries: int, loss: Term, share: Fraction = WHOLE) -> Inequality:
    """A finite loss shows as a finite score: neither its sum nor the score with its noise leaves the format's range.

    A factor below 2 is multiplicative noise, another the digits shown; 1 is more than half a unit of a decimal.
    """

    def largest() -> arb:
        noise = channel.law.size() + channel.law.within(channel.delta * share, queries)
        grown = loss() * growth(channel)
        return (channel.scored * grown).max(channel.parts * (4 * grown + 2 * noise) + 2)

    limit = channel.scores.largest() or 0
    return compare("largest finite sum and score < range of the format", largest, "<", lambda: ball(limit))


def guarantee(channel: Channel) -> str:
    """What separation promises on this channel."""
    if channel.random:
        chance = float(channel.delta)
        return f"every labeling; all labels right with probability at least 1 - {chance:g} over the noise"
    return "every labeling, every error within the bound"
