"""CD by words of a code: classes told apart by many passes at once, each of which may be read wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from planner.attacks.attack import Attack
from planner.attacks.consistent.theorem import MOST_ORDER, Consistent, shape
from planner.attacks.costs import average_cost
from planner.attacks.spread.shapes import orders_to
from planner.attacks.theorem import Proposal, Theorem, unasked
from planner.channel.channel import Channel
from planner.channel.sides import bits_of
from planner.designs.hadamard import orders
from planner.model import Refusal
from planner.numerics.reals import ball
from planner.numerics.search import first

if TYPE_CHECKING:
    from planner.attacks.codes.parameters import CodedSpread

MOST_CLASSES = 64
Words = tuple[int, ...]


class CodedClasses(Theorem["CodedSpread"]):
    """Averages of all labels at once, classes by words of a code."""

    id = "codes"
    title = "Averages by words of a code"
    cite = "attack CD, rows that need not sum to 1, a code"
    statement = (
        "Averages as in `consistent`, a label a block, ask on which side of its classes every label lies. Give each class a "
        "word of L bits, any two at least d apart, and read all L passes before any label is decided: a label is taken for "
        "another class only if the mean of d h errors reaches half a gap. With words from a Hadamard matrix d/L is about "
        "1/2, so ten classes take 11/6 of what one bit takes instead of 4, and three classes 3/2 instead of 2."
    )
    compares = True
    conditions = (
        *Consistent.conditions,
        "three classes or more",
        "errors that must be averaged over more than N scores",
    )

    def propose(self, channel: Channel) -> Proposal[CodedSpread] | tuple[Refusal, ...]:
        """The fewest queries over all codes."""
        if not 3 <= channel.classes <= MOST_CLASSES:
            return (self.refuse(channel, "K", f"3 to {MOST_CLASSES} classes", f"{channel.classes}"),)
        plain = Consistent().propose(channel)
        if isinstance(plain, tuple):
            return tuple(replace(one, cite=self.cite) for one in plain)
        best = _best(unasked(channel), channel.wanted)
        if best is None:
            return (self.refuse(channel, self.deciding(channel), "averages that are sharp enough", "none"),)
        return average_cost(channel, best, best.queries)

    def build(self, channel: Channel, parameters: CodedSpread) -> Attack:
        """A runnable attack."""
        from planner.attacks.codes.run import CodesAttack

        return CodesAttack(self.id, channel, parameters)


@lru_cache(maxsize=16)
def _best(channel: Channel, labels: int) -> CodedSpread | None:
    found = (_least_order(channel, labels, words, length) for words, length in codes(channel.classes))
    return min((one for one in found if one is not None), key=lambda one: one.queries, default=None)


def _least_order(channel: Channel, labels: int, words: Words, length: int) -> CodedSpread | None:
    """The least order that averages enough and has a column for each label."""
    from planner.attacks.codes.certify import failure

    choices = [order for order in orders_to(MOST_ORDER * channel.rows) if order >= labels]

    def enough(at: int) -> bool:
        return bool(failure(channel, coded(channel, labels, words, length, choices[at])) <= ball(channel.delta))

    at = first(enough, len(choices))
    return None if at is None else coded(channel, labels, words, length, choices[at])


def coded(channel: Channel, labels: int, words: Words, length: int, order: int) -> CodedSpread:
    """Averages of so many scores by these words."""
    from planner.attacks.codes.parameters import CodedSpread
    from planner.attacks.consistent.parameters import ConsistentSpread

    plain = shape(channel, labels, 1, order, repairs=0)
    given = {each.name: getattr(plain, each.name) for each in fields(ConsistentSpread)}
    return CodedSpread(**given | {"queries": order * length}, words=words, length=length)


def codes(classes: int) -> Iterator[tuple[Words, int]]:
    """Numbers with a bit of parity (d = 2), rows of a Hadamard matrix and their opposites, rows less their first entry."""
    bits = bits_of(classes)
    yield tuple(k << 1 | k.bit_count() & 1 for k in range(classes)), bits + 1
    half = orders(max(4, -(-classes // 2)), 4 * classes)[0]
    rows = _rows(half)
    yield tuple(rows[k // 2] ^ (k % 2 and (1 << half) - 1) for k in range(classes)), half
    whole = orders(max(4, classes), 4 * classes)[0]
    yield tuple(row >> 1 for row in _rows(whole)[:classes]), whole - 1


def _rows(order: int) -> list[int]:
    """The rows of a Hadamard matrix whose first column is even, as bits, the first column last."""
    from planner.designs.hadamard import row  # needs numpy

    signs = [[int(each) for each in row(order, i)] for i in range(order)]
    return [sum((one != each[0]) << j for j, one in enumerate(each)) for each in signs]
