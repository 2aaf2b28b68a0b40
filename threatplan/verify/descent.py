"""Boards that only fall, a block of rows a query: what the rows change is more than the board's step and the errors.

Rows stand at p and are tried at p_j. A wrong one takes ln(p_j/p) off the sum of charges, a right one adds
ln((1-p)/(1-p_j)): with D all that right ones would add, wrong rows change the sum by D less their w_j = W(p) - W(p_j).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from threatplan.verify import reading
from threatplan.verify.block import fractions
from threatplan.verify.channel import Channel
from threatplan.verify.claims import (
    Claim,
    Derived,
    carried,
    columns_for_classes,
    count,
    logarithms,
    two_classes,
    wide_floats,
    wide_scores,
)
from threatplan.verify.intervals import ZERO, Interval, Term, real, smaller, total
from threatplan.verify.reading import Unreadable


def derive(channel: Channel, data: reading.Data) -> Derived:
    """The lightest row is seen, all sets of rows are told apart, and so is how many rows were wrong at first."""
    reading.only(data, "kind", "queries", "labels", "doubt", "weaker")
    queries, labels = reading.whole(data, "queries", 1), reading.whole(data, "labels", 1)
    p, weaker = reading.rational(data, "doubt"), fractions(channel, reading.items(data, "weaker"))
    if not 0 < 2 * p < 1 or not weaker or not all(0 < one < 1 for one in weaker):
        raise Unreadable("`doubt` is no probability below a half, or rows are made weaker by none")
    ladder, charges = channel.release.name == "ladder", channel.charges

    def loss() -> Interval:
        return (labels * charges.heavy(p) + (channel.N - labels) * channel.even()) / channel.N

    def falls() -> list[Interval]:
        return [charges.weight(p) - charges.weight(one) for one in weaker]

    def lightest() -> Interval:
        return falls()[0] - total(charges.light(one) - charges.light(p) for one in weaker)

    def gap() -> Interval:
        held = falls()
        return smaller(*(one - total(held[:place]) for place, one in enumerate(held)))

    steps = sum(one < two <= 1 - p for one, two in zip([p, *weaker], weaker, strict=False))
    claims = [
        carried(channel, [p, 1 - p, *weaker]),
        count("predictions that rise from p to 1 - p", steps, ">=", len(weaker)),
        count("queries >= blocks of rows and one", queries, ">=", -(-labels // len(weaker)) + 1),
    ]
    seen, within = (_ladder if ladder else _best)(channel, loss)
    names = ("3/2 N η + 2E", "N η + N unit + 2E") if ladder else ("2E", "2E")
    claims += [
        Claim(f"fall by the lightest row > {names[0]}", lightest, ">", seen),
        Claim(f"smallest gap of falls > {names[1]}", gap, ">", within),
        Claim(f"weight of a row > {names[1]}", lambda: charges.weight(p), ">", within),
    ]
    if ladder and channel.shown is not None:
        unit, eta = channel.half_unit() * 2, channel.release.eta
        claims.append(Claim("η > 2 units of the last decimal", lambda: real(eta.lo), ">", lambda: 2 * unit))
    fits = (
        two_classes(channel),
        columns_for_classes(channel),
        logarithms(channel),
        wide_floats(channel),
        wide_scores(channel),
        ("no noise", channel.noise.name == "none"),
        ("all digits, or decimals", channel.shown is None or channel.shown.name != "significant"),
        ("a board that shows the first score", not ladder or channel.release.start is None),
    )
    return Derived(labels, queries, 2, tuple(claims), adaptive=True, releases=("best", "ladder"), fits=fits)


def _best(channel: Channel, loss: Term) -> tuple[Term, Term]:
    """What is shown is a score as it is computed, in digits."""

    def apart() -> Interval:
        return 2 * channel.sum_error(1, loss())

    return apart, apart


def _ladder(channel: Channel, loss: Term) -> tuple[Term, Term]:
    """What is shown is within half a step of a score, and then in digits; it changes for a score a step below."""
    full, eta = replace(channel, shown=None), channel.release.eta.hi
    unit = ZERO if channel.shown is None else 2 * channel.half_unit()

    def seen() -> Interval:
        return channel.N * real(eta * Fraction(3, 2)) + 2 * full.sum_error(1, loss())

    def within() -> Interval:
        return channel.N * (real(eta) + unit) + 2 * full.sum_error(1, loss())

    return seen, within
