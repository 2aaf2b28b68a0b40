"""Hadamard matrices: Sylvester's powers of two times one of Paley's, rows and transforms without the matrix.

The matrix of order 2^a c is Sylvester's of order 2^a (x) Paley's of order c, where c is 1, p + 1 for a prime p = 3
mod 4, or 2(p + 1) for a prime p = 1 mod 4. Orders and their choice need no numpy.
"""

from __future__ import annotations

from functools import cache
from math import isqrt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

LARGEST_CORE = 256  # Paley's part of a transform is a dense product


@cache
def cores() -> tuple[int, ...]:
    """The orders of Paley's matrices in use, and 1."""
    found = {1}
    for p in range(3, LARGEST_CORE):
        if all(p % q for q in range(2, isqrt(p) + 1)):
            found.add(p + 1 if p % 4 == 3 else 2 * (p + 1))
    return tuple(sorted(c for c in found if c == 1 or (c <= LARGEST_CORE and not _power_of_two(c))))


def orders(least: int, most: int) -> list[int]:
    """All orders within the limits, ascending."""
    found = set()
    for core in cores():
        order = core
        while order <= most:
            if order >= least:
                found.add(order)
            order *= 2
    return sorted(found)


def order_above(n: int) -> int:
    """The least order that is not below n."""
    return orders(n, 2 * n)[0]


def factors(order: int) -> tuple[int, int]:
    """The power of two and Paley's order whose product is `order`."""
    core = next((c for c in cores() if order % c == 0 and _power_of_two(order // c)), None)
    if core is None:
        raise ValueError(f"no Hadamard matrix of order {order} is at hand")
    return order // core, core


def _power_of_two(n: int) -> bool:
    return n & (n - 1) == 0


def row(order: int, t: int) -> NDArray[Any]:
    """Row t, entries +1 and -1."""
    import numpy as np

    from planner.designs.popcounts import characters

    sylvester, core = factors(order)
    return np.kron(characters(t // core, sylvester), paley(core)[t % core])


def transform(values: NDArray[Any], transposed: bool = False) -> NDArray[Any]:
    """H @ values, or its transpose, for values of shape (order, ...)."""
    import numpy as np

    sylvester, core = factors(len(values))
    matrix = paley(core).T if transposed else paley(core)
    shaped = values.reshape(sylvester, core, -1).astype(np.float64)
    result = np.matmul(matrix.astype(np.float64), shaped)
    stride = 1
    while stride < sylvester:
        pairs = result.reshape(-1, 2, stride, core, result.shape[-1])
        result = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], axis=1)
        result = result.reshape(sylvester, core, -1)
        stride *= 2
    restored: NDArray[Any] = result.reshape(values.shape)
    return restored


@cache
def paley(core: int) -> NDArray[Any]:
    """Paley's matrix, first or second kind, of that order."""
    import numpy as np

    if core == 1:
        return np.ones((1, 1), dtype=np.int64)
    if core % 8 == 4 and _is_prime(core // 2 - 1) and (core // 2 - 1) % 4 == 1:
        bordered = _conference(core // 2 - 1)
        even, odd = np.array([[1, 1], [1, -1]]), np.array([[1, -1], [-1, -1]])
        second: NDArray[Any] = np.kron(bordered, even) + np.kron(np.eye(core // 2, dtype=np.int64), odd)
        return second
    first: NDArray[Any] = np.eye(core, dtype=np.int64) + _conference(core - 1)
    return first


def _is_prime(n: int) -> bool:
    return n > 1 and all(n % q for q in range(2, int(n**0.5) + 1))


def _conference(p: int) -> NDArray[Any]:
    """Quadratic residues of differences modulo p, bordered by ones: symmetric or skew as p is 1 or 3 mod 4."""
    import numpy as np

    residue = np.full(p, -1, dtype=np.int64)
    residue[np.arange(p, dtype=np.int64) ** 2 % p] = 1
    residue[0] = 0
    matrix = np.zeros((p + 1, p + 1), dtype=np.int64)
    matrix[0, 1:] = 1
    matrix[1:, 0] = 1 if p % 4 == 1 else -1
    matrix[1:, 1:] = residue[(np.arange(p)[:, None] - np.arange(p)[None, :]) % p]
    return matrix
