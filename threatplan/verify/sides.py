"""Questions about one bit of a class's number: how the classes fall on two sides."""

from __future__ import annotations

from fractions import Fraction

from threatplan.verify.reading import Unreadable

MOST_CLASSES = 2**24


def bits_of(classes: int) -> int:
    """Bits that tell a class."""
    return (classes - 1).bit_length()


def sizes(classes: int) -> list[tuple[int, int]]:
    """For each bit, how many classes have it and how many have not."""
    if not 2 <= classes <= MOST_CLASSES:
        raise Unreadable(f"{classes} classes")
    found = []
    for bit in range(bits_of(classes)):
        period = 2 << bit
        ones = classes // period * (1 << bit) + max(0, classes % period - (1 << bit))
        found.append((ones, classes - ones))
    return found


def larger_side(classes: int) -> int:
    """The most classes on one side."""
    return max(max(pair) for pair in sizes(classes))


def imbalance(classes: int) -> Fraction:
    """The largest quotient of the two sides."""
    return max(Fraction(max(pair), min(pair)) for pair in sizes(classes))


def odds(small: Fraction, classes: int) -> Fraction:
    """The odds between two sides that no probability below `small` is needed for: small = 1/(m + n e^w), m <= n."""
    n = larger_side(classes)
    return (1 / small - n) / n
