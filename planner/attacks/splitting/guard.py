"""Whether a round may be taken: only if, whatever it answers, halving still ends within the queries that were promised.

A node with c wrong guesses whose parts have r rows each becomes, k halvings later, at most n = min(parts 2^k, c) open
nodes of ceil(r/2^k) rows, which ask for n log2(1 + min(c/n, rows/2)) bits together. Floats are rounded to the worse side: a
round that is refused costs a few queries, never the promise.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from planner.attacks.splitting.nodes import Digit, Node
from planner.designs.popcounts import popcount_sum
from planner.numerics.search import first_above

SLACK = 1e-9  # relative, far above what sums of logarithms lose

Remains = tuple[int, int, int]
"""What a node leaves at worst: rows of its largest part, wrong guesses, parts."""


def remains(nodes: Iterable[Node], digits: Iterable[Digit] = ()) -> list[Remains]:
    """What is left of open nodes once these digits are read, at worst; what is then settled is left out."""
    cut = {digit.node: digit for digit in digits}
    left = (_remains(node, cut.get(node)) for node in nodes)
    return [one for one in left if one[0] > 1]


def _remains(node: Node, digit: Digit | None) -> Remains:
    if digit is None:
        return node.rows, node.ones, 1
    return digit.largest, node.ones, digit.parts if node.ones > 1 else 1


def wrong_left(left: Iterable[Remains]) -> int:
    """Wrong guesses that are still to be found, at worst."""
    return sum(ones for _, ones, _ in left)


def halvings(left: list[Remains], amplitude: int) -> int:
    """Queries that halving takes from here at most."""
    rows, ones, parts = np.array(left, dtype=float).reshape(-1, 3).T
    queries, level = 0, 0
    while len(rows):
        size = np.ceil(rows / 2.0**level)
        nodes = np.minimum(parts * 2.0**level, ones)
        bits = nodes * np.log2(1 + np.minimum(ones / nodes, size // 2))
        needed = float(bits[size >= 2].sum())
        if not needed:
            break
        queries += _components(needed * (1 + SLACK), amplitude)
        level += 1
    return queries


def _components(needed: float, amplitude: int) -> int:
    bits = float(np.log2(amplitude))
    found = first_above(lambda M: (1 + M * bits + popcount_sum(M)) * (1 - SLACK) > needed, 0)
    assert found is not None, "an amplitude of 2 holds a bit a query"
    return found
