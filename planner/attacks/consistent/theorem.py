"""CD: averages of rounded scores, listed beforehand, whose doubtful sums are settled by what every score allows."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import inf, log, nextafter, sinh
from typing import TYPE_CHECKING

from planner.attacks.attack import Attack
from planner.attacks.costs import average_cost
from planner.attacks.spread.shapes import orders_to, rounds_for
from planner.attacks.surest import least_entry, nearly_one
from planner.attacks.theorem import Proposal, Theorem, unasked
from planner.channel.channel import Channel
from planner.channel.conditions import AVERAGED_ERRORS, COINS_DECIDE, STEADY_NOISE, WIDE_FLOATS
from planner.model import Refusal
from planner.numerics.reals import ball
from planner.numerics.search import first

if TYPE_CHECKING:
    from planner.attacks.consistent.parameters import ConsistentSpread

LARGEST_BASE = 6  # labels in a butterfly's base row; more never won
SPARED = 2.0**-40  # part of W that is left to rounding
TILT_STEPS = 60  # of a search for the best point of Chernoff's bound
MOST_ORDER = 64  # times as many scores to a round as there are labels
SEED = 1


class Consistent(Theorem["ConsistentSpread"]):
    """A Hadamard matrix of butterflies under an offset that costs no row."""

    id = "consistent"
    title = "Consistency decoding of rounded scores"
    cite = "attack CD, rows that need not sum to 1"
    statement = (
        "Where rows are charged as they are, scaling all of them by e^-nu adds nu to every score. With nu uniform over one "
        "unit the rounding error is uniform and independent of the labels. Query (tau, t) weighs block b of the labels by "
        "H[tau, b] times row t of a butterfly; averaging over tau leaves every sum near an integer. Rounding errors are "
        "bounded: a sum that is read as its neighbour moves all h scores of its round by a whole gap, and all of them stay "
        "within half a unit with probability (1 - x)^h only, x = g/(N q). So the one flip that explains every score, or the "
        "two, are the right ones. All queries are listed beforehand; all labels are right with probability 1 - δ over the "
        "attacker's coins. Random noise is averaged with the rounding errors; uniform noise on scores that are not rounded "
        "takes their place."
    )
    compares = True
    conditions = (
        "a column a class, charged as it is whatever it sums to",
        "scores rounded to decimals, N q > W/2, or random noise",
        "no noise, random noise, or a bound below half of what a row moves a score by",
    )

    def propose(self, channel: Channel) -> Proposal[ConsistentSpread] | tuple[Refusal, ...]:
        """The fewest queries over all bases and orders."""
        from planner.attacks.scaled.parameters import FREE_ROWS

        reasons = self.unmet(channel, *FREE_ROWS, AVERAGED_ERRORS, STEADY_NOISE, WIDE_FLOATS)
        reasons = reasons or self.unmet(channel, COINS_DECIDE)
        if reasons:
            return reasons
        bare = bare_shape(channel)
        if bare is None:
            return (self.refuse(channel, "clip", "entries that an offset does not clip", "a clip that is too coarse"),)
        cell = bare.rows * (channel.digits.unit or 0)
        if not channel.random and 2 * cell < bare.gap:
            need = "rounding coarser than the design attack bears: N 10^-d > W/2"
            return (self.refuse(channel, "decimals", need, f"N 10^-d = {float(cell):.4g}"),)
        best = _best(unasked(channel), channel.wanted)
        if best is None:
            return (self.refuse(channel, self.deciding(channel), "a shape whose averages are sharp enough", "none"),)
        return average_cost(channel, best, best.block * best.rounds)

    def build(self, channel: Channel, parameters: ConsistentSpread) -> Attack:
        """A runnable attack."""
        from planner.attacks.consistent.run import ConsistentAttack

        return ConsistentAttack(self.id, channel, parameters)


@lru_cache(maxsize=64)
def _best(channel: Channel, labels: int) -> ConsistentSpread | None:
    """Over all bases the least order that averages enough, or a larger one that fits better."""
    best: ConsistentSpread | None = None
    for base in range(1, LARGEST_BASE + 1):
        found = least_order(channel, labels, base)
        if found is None or (best is not None and found.queries > 2 * best.queries):
            break  # a larger base has a smaller gap
        best = found if best is None or found.queries < best.queries else best
    return best


def least_order(channel: Channel, labels: int, base: int) -> ConsistentSpread | None:
    """The fewest queries for one base, with repairs where errors have a bound, and without where noise is averaged too."""
    from planner.attacks.consistent.certify import flips_proved

    both = channel.random and channel.digits.steps
    ways = [repairs for repairs in range(flips_proved(channel), -1, -1) if repairs or both] or [0]
    found = (_least_order(channel, labels, base, repairs) for repairs in ways)
    return min((one for one in found if one is not None), key=lambda one: one.queries, default=None)


def _least_order(channel: Channel, labels: int, base: int, repairs: int) -> ConsistentSpread | None:
    from planner.attacks.consistent.certify import failure

    choices = orders_to(MOST_ORDER * channel.rows)

    def shaped(order: int) -> ConsistentSpread:
        return shape(channel, labels, base, order, repairs)

    def enough(at: int) -> bool:
        return bool(failure(channel, shaped(choices[at])) <= ball(channel.delta))

    # Noise leaves its bound the likelier, the longer a round is: long ones are looked at only where no short one will do.
    at = first(enough, len(orders_to(2 * channel.rows)))
    at = first(enough, len(choices)) if at is None else at
    if at is None:
        return None
    fewest = sorted(choices[at:], key=lambda order: order * rounds_for(-(-labels // order), base))
    return next(shaped(order) for order in fewest if enough(choices.index(order)))  # the first one is, if no other


def shape(channel: Channel, labels: int, base: int, order: int, repairs: int = 1) -> ConsistentSpread:
    """A matrix of so many blocks, repaired by so many flips as far as that was proved of errors."""
    from planner.attacks.spread.parameters import base_set

    bare = bare_shape(channel)
    assert bare is not None
    rounds = rounds_for(-(-labels // order), base)
    gap = Fraction(float(bare.gap) / base_set(base).maximum * (1 - SPARED))
    sized = replace(
        bare, labels=labels, queries=order * rounds * bare.bits, order=order, rounds=rounds, base=base, gap=gap,
        repairs=min(bare.repairs, repairs),
    )  # fmt: skip
    margin = gap if sized.repairs else gap / 2
    return replace(sized, tilt=_tilt(channel, margin)) if channel.random and channel.digits.steps else sized


@lru_cache(maxsize=8)
def bare_shape(channel: Channel) -> ConsistentSpread | None:
    """What all shapes share, with all of W as the gap."""
    from planner.attacks.consistent.parameters import ConsistentSpread

    top, bottom, unit = nearly_one(channel), least_entry(channel), channel.digits.unit or Fraction(0)
    if top is None or bottom is None:
        return None
    small, large = (Fraction(nextafter(float(end), 0.5)) for end in (bottom, top))  # float64, and no nearer to the clip
    from planner.attacks.consistent.certify import flips_proved  # few channels come so far

    reach = log(large) - log(small) - float(unit)
    if not reach > 0:
        return None
    gap = Fraction(reach * (1 - SPARED))
    return ConsistentSpread(
        0, channel.rows, channel.rows, channel.classes, channel.columns, small, large, gap, 1, 1, 1,
        flips_proved(channel), Fraction(0), SEED,
    )  # fmt: skip


@lru_cache(maxsize=32)
def _tilt(channel: Channel, place: Fraction) -> Fraction:
    """About the best point of Chernoff's bound, of a concave exponent, by thirds: every point is a proof."""
    margin, half = float(place) / channel.rows, float(channel.digits.unit or 1) / 2

    def exponent(s: float) -> float:
        noise = float(channel.law.cumulant(ball(Fraction(s))).upper())
        spread = log(sinh(s * half) / (s * half)) if s * half < 300 else s * half
        return s * margin - spread - noise if noise < inf else -inf

    low, high = 0.0, 60 * margin / (half * half / 3)
    for _ in range(TILT_STEPS):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, b) if exponent(a) >= exponent(b) else (a, high)
    return Fraction((low + high) / 2)
