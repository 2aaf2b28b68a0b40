"""Two-sided questions about classes: bit i of a class's number puts the class on the side of 0 or of 1."""

from __future__ import annotations

from fractions import Fraction

Sides = tuple[bool, ...]
"""For each class, whether it lies on the side that counts as label 1."""

BINARY: Sides = (False, True)


def bits_of(classes: int) -> int:
    """Questions that tell a class."""
    return (classes - 1).bit_length()


def sides_of(classes: int, bit: int) -> Sides:
    """The sides of one question."""
    return tuple(bool(k >> bit & 1) for k in range(classes))


def ones_of(classes: int, bit: int) -> int:
    """How many classes have the bit."""
    whole, rest = divmod(classes, 2 << bit)
    return (whole << bit) + max(0, rest - (1 << bit))


def larger_side(classes: int) -> int:
    """The most classes on one side of any question."""
    return max(max(ones, classes - ones) for ones in (ones_of(classes, bit) for bit in range(bits_of(classes))))


def imbalance(classes: int) -> Fraction:
    """The largest ratio of the two sides' sizes."""
    sizes = [(ones, classes - ones) for ones in (ones_of(classes, bit) for bit in range(bits_of(classes)))]
    return max(Fraction(max(pair), min(pair)) for pair in sizes)
