"""Which digits go into which component of a design: a component's places are products of the radices below.

Component j takes values up to its limit A 2^popcount(j). The digit on top needs room for its place alone, not for its
whole radix. So unless digits run out, the radices of a component multiply to more than its limit: the smallest that is
left would not have fitted below the top, and the top is no smaller.
"""

from __future__ import annotations

from bisect import bisect_left
from math import log2

from planner.attacks.splitting.nodes import Digit, Node

FEW = 12  # open nodes that are tried in one query
MOST_PARTS = 64  # of a node with several wrong guesses
FULL = 0.8  # a last component filled less than this waits for the next round

Round = tuple[list[Digit], int]
"""Digits, and how many queries their design has."""


def limit(component: int, amplitude: int) -> int:
    """The largest value that a component takes."""
    return amplitude << component.bit_count()


def halved(nodes: list[Node], amplitude: int) -> Round:
    """Every node in two: the round whose queries are bounded whatever the labels are."""
    waiting = sorted(nodes, key=lambda node: node.halves)
    digits: list[Digit] = []
    queries = 0
    while waiting:
        digits += _fill(queries, amplitude, waiting, [])
        queries += 1
    return digits, queries


def eager(nodes: list[Node], amplitude: int) -> Round:
    """Nodes with several wrong guesses in two, with as many of the others as there is room; these alone at last."""
    if len(nodes) <= FEW:
        together = _together(nodes, amplitude)
        if together is not None:
            return together, 1
    several = sorted((node for node in nodes if node.ones > 1), key=lambda node: node.halves)
    single = sorted((node for node in nodes if node.ones == 1), key=lambda node: node.rows)
    digits: list[Digit] = []
    queries = 0
    counting = bool(several)
    while several if counting else single:
        more = _fill(queries, amplitude, several, single)
        bits = sum(log2(digit.radix) for digit in more)
        if queries and not counting and not single and bits < FULL * (log2(limit(queries, amplitude)) + 1):
            break
        digits += more
        queries += 1
    return digits, queries


def _fill(component: int, amplitude: int, several: list[Node], single: list[Node]) -> list[Digit]:
    """One component's digits, taken off the lists, which are sorted by radix and by rows, the largest last."""
    most, place = limit(component, amplitude), 1
    digits: list[Digit] = []

    def add(node: Node, parts: int) -> None:
        nonlocal place
        digits.append(Digit(node, parts, place, component))
        place *= digits[-1].radix

    top = several.pop() if several else single.pop(0)
    while several and place * several[-1].halves <= most:
        add(several.pop(), 2)
    while several and place * several[0].halves <= most:
        add(several.pop(0), 2)
    while single and (room := most // place) >= 2:
        whole = bisect_left(single, room + 1, key=lambda node: node.rows)
        node = single.pop(whole - 1) if whole else single.pop()
        add(node, min(node.rows, room))
    add(top, 2 if top.ones > 1 else max(2, min(top.rows, most // place + 1)))
    return digits


def _together(nodes: list[Node], amplitude: int) -> list[Digit] | None:
    """All nodes in one query, each in as many parts as fit; None: not even halves do."""
    parts = [2] * len(nodes)
    best = _stacked(nodes, parts, amplitude)
    if best is None:
        return None
    for node in (None, *sorted(range(len(nodes)), key=lambda i: -nodes[i].rows)):
        chosen = range(len(nodes)) if node is None else (node,)
        low, high = 2, max(nodes[i].rows for i in chosen) + 1
        while high - low > 1:
            middle = (low + high) // 2
            tried = [_most_parts(nodes[i], middle) if i in chosen else each for i, each in enumerate(parts)]
            tried = [max(pair) for pair in zip(tried, parts, strict=True)]
            found = _stacked(nodes, tried, amplitude)
            low, high = (low, middle) if found is None else (middle, high)
            best, parts = (best, parts) if found is None else (found, tried)
    return best


def _most_parts(node: Node, wanted: int) -> int:
    """So many parts, or as many as the node may have."""
    return min(wanted, node.rows if node.ones == 1 else min(node.rows, MOST_PARTS))


def _stacked(nodes: list[Node], parts: list[int], amplitude: int) -> list[Digit] | None:
    """The digits of one query, small radices below; None: a value is beyond its limit."""
    cut = [Digit(node, each, 1, 0) for node, each in zip(nodes, parts, strict=True)]
    place, digits = 1, []
    for one in sorted(cut, key=lambda digit: digit.radix):
        digits.append(Digit(one.node, one.parts, place, 0))
        if digits[-1].top > amplitude:
            return None
        place *= one.radix
    return digits
