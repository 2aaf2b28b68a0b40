"""Which blocks, weights and cells averages are sharp enough with: the search behind the attack."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import exp, floor, inf, log, log1p, log2, nextafter, pi, sinh, sqrt

from planner.attacks.amplitude.certify import entry_sizes, failure, noise_bound, within_decade
from planner.attacks.amplitude.parameters import UNIFORMS, AmplitudeSpread
from planner.attacks.amplitude.setting import SPARED, Room, rooms
from planner.attacks.spread.shapes import orders_to, rounds_for
from planner.channel.channel import Channel
from planner.numerics.reals import ball
from planner.numerics.search import first

LARGEST_BASE = 4  # labels in a butterfly's base row; more never won
MOST_ORDER = 64  # times as many scores to a round as there are labels
LEAN_SHARE = 16  # a sum leans too far with this part of delta
UNEVEN = 0.2  # what rounding errors that are not even may add to a round's exponent, and scores that jump
WIDTHS = (1.0, 0.8, 0.6)  # parts of the width that this asks for: coarse rounding is better served with less
STEADY = (0.2, 1.0)  # what scores that jump may add
STEPS = 32  # of a search for the best rate
SEED = 1


@lru_cache(maxsize=64)
def best_for(channel: Channel, labels: int) -> AmplitudeSpread | None:
    """Over all rooms and bases the least order that averages enough, or a larger one that fits better."""
    best: AmplitudeSpread | None = None
    for room in rooms(channel):
        for base in range(1, LARGEST_BASE + 1):
            found = least_order(channel, labels, base, room)
            if found is None or (best is not None and found.queries > best.queries):
                break  # a larger base has a smaller gap
            best = found
    return best


def least_order(channel: Channel, labels: int, base: int, room: Room) -> AmplitudeSpread | None:
    """The fewest queries for one base."""
    choices = orders_to(MOST_ORDER * channel.rows)
    shaped: dict[int, AmplitudeSpread | None] = {}

    def enough(order: int) -> bool:
        if order not in shaped:
            shaped[order] = shape(channel, labels, base, order, room)
        found = shaped[order]
        return (
            found is not None and within_decade(channel, found) and bool(failure(channel, found) <= ball(channel.delta))
        )

    at = first(lambda place: enough(choices[place]), len(orders_to(2 * channel.rows)))
    at = first(lambda place: enough(choices[place]), len(choices)) if at is None else at
    if at is None:
        return None
    # Larger orders need not be enough, too: a last block that is not full makes sums lean farther. The first one is.
    fewest = sorted(choices[at:], key=lambda order: order * rounds_for(-(-labels // order), base))
    return next(shaped[order] for order in fewest if enough(order))


def shape(channel: Channel, labels: int, base: int, order: int, room: Room) -> AmplitudeSpread | None:
    """A matrix of so many blocks, with the widths and the rate that average best."""
    rounds = rounds_for(-(-labels // order), base)
    bare = AmplitudeSpread(
        order * rounds, labels, channel.rows, channel.columns, Fraction(1, 2), Fraction(1), Fraction(1), order, rounds,
        base, room.unit, Fraction(1, 2), not channel.random, Fraction(0), SEED,
    )  # fmt: skip
    sizes = entry_sizes(bare)
    if not sizes[0]:
        return None
    chance = float(channel.delta) / LEAN_SHARE / (2 * bare.queries)
    lean = sqrt(-2 * bare.amplitude * log(chance) / sizes[0]) * (1 + SPARED)
    if lean > 0.75:
        return None
    leaning = replace(bare, lean=Fraction(lean))
    jumps = STEADY if channel.columns == 1 else STEADY[:1]
    tried = (_sized(channel, leaning, part, jump, sizes, room) for part in WIDTHS for jump in jumps)
    found = [one for one in tried if one is not None]
    return min(found, key=lambda one: one[0])[1] if found else None


def _sized(
    channel: Channel, p: AmplitudeSpread, part: float, jump: float, sizes: tuple[int, int], room: Room
) -> tuple[float, AmplitudeSpread] | None:
    """The exponent of an average, and the record: gaps that run through enough cells, none too heavy."""
    slope = sizes[0] * (1 - float(p.lean)) / (2 * p.rows * float(p.unit))
    width = part * UNIFORMS / pi * (2 * p.order / UNEVEN) ** (1 / UNIFORMS) / slope
    heaviest = min(room.heaviest, _steady(channel, p, jump), _within(channel, p, sizes, room.score) * p.amplitude)
    largest = heaviest / p.amplitude
    if not largest > 1.5 * width + 0.1:
        return None
    small = _small(channel, heaviest)
    if small is None:
        return None
    low = Fraction(float(largest - width))
    sized = replace(p, small=small, least=low, width=Fraction(nextafter(width, 0.0)))
    return _rated(channel, sized)


def _steady(channel: Channel, p: AmplitudeSpread, jump: float) -> float:
    """In one column predictions near 1 lie on a grid, and heavy rows jump."""
    return log(jump * float(p.unit) * 2.0**54 / p.order) if channel.columns == 1 else inf


def _within(channel: Channel, p: AmplitudeSpread, sizes: tuple[int, int], score: float) -> float:
    """The largest gap with which no score exceeds this one: idle rows charge ln 2, others less beside half their weight."""
    if score == inf:
        return inf
    share, lean = sizes[1] / p.rows, float(p.lean)
    gap, score = 0.0, score - float(noise_bound(channel, p))
    for _ in range(8):  # a fixed point, from below
        active = share / p.amplitude
        rest = active * log(1 + exp(-gap * 0.7)) + (1 - active) * log(2)
        gap = 2 * max(0.0, score * (1 - 2.0**-20) - rest) / (share * (1 + lean))
    return gap


def _small(channel: Channel, heaviest: float) -> Fraction | None:
    """The smallest entry for such log-odds, as the scorer takes it."""
    least = channel.metric.smallest_usable(channel)
    if least is None:
        return None
    wanted = Fraction(exp(-heaviest) / (1 + exp(-heaviest)) * (1 - 2.0**-30))
    if channel.columns == 1:
        wanted = Fraction(floor(wanted * 2**53), 2**53)
    return max(least, wanted)


def _rated(channel: Channel, p: AmplitudeSpread) -> tuple[float, AmplitudeSpread]:
    """With about the best rate for Chernoff's bound, whose exponent is convex, by thirds: every rate is a proof."""
    middle = float(p.least) + float(p.width) * 0.4
    half, noisy = p.rows * float(p.unit) / (2 * middle), p.rows / middle
    margin, uneven = 1.0 if p.repairs else 0.5, _uneven(channel, p)

    def exponent(rate: float) -> float:
        spread = log(sinh(rate * half) / (rate * half)) if rate * half < 300 else rate * half
        noise = float(channel.law.cumulant(ball(Fraction(rate * noisy))).upper()) if channel.random else 0.0
        worst = uneven * exp(min(600.0, 1.2 * rate * half - spread))
        return spread + noise + log1p(worst) - rate * margin if noise < inf else inf

    low, high = 0.0, 60 / (half * half / 3)
    for _ in range(STEPS):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, b) if exponent(a) <= exponent(b) else (a, high)
    rate = (low + high) / 2
    return exponent(rate), replace(p, rate=Fraction(rate))


def _uneven(channel: Channel, p: AmplitudeSpread) -> float:
    """About the part of scores whose errors are not even, or that jump."""
    slope = (1 - float(p.lean)) * float(p.width) / (2 * p.rows * float(p.unit))
    cells = slope * p.labels / (1 + log2(p.rounds) / 2)
    grid = 2.0**-54 / float(p.small) if channel.columns == 1 else 0.0
    return float(2 * (UNIFORMS / (pi * cells)) ** UNIFORMS) + grid / float(p.unit)
