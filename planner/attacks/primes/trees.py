"""Product and remainder trees: many small factors against one large integer in quasi-linear time."""

from __future__ import annotations

from collections.abc import Sequence

from gmpy2 import mpz

Tree = list[list[mpz]]


def product_tree(values: Sequence[int]) -> Tree:
    """Levels of pairwise products, from the values up to their product."""
    levels: Tree = [[mpz(value) for value in values] or [mpz(1)]]
    while len(levels[-1]) > 1:
        below = levels[-1]
        above = [below[i] * below[i + 1] for i in range(0, len(below) - 1, 2)]
        if len(below) % 2:
            above.append(below[-1])
        levels.append(above)
    return levels


def product(values: Sequence[int]) -> mpz:
    """The product of all values."""
    level = [mpz(value) for value in values] or [mpz(1)]
    while len(level) > 1:
        odd = [level[-1]] if len(level) % 2 else []
        level = [level[i] * level[i + 1] for i in range(0, len(level) - 1, 2)] + odd
    return level[0]


def remainders(value: mpz, tree: Tree) -> list[mpz]:
    """The value modulo every leaf of the tree."""
    rest = [value % tree[-1][0]]
    for level in reversed(tree[:-1]):
        rest = [rest[i // 2] % modulus for i, modulus in enumerate(level)]
    return rest
