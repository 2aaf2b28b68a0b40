"""Queries of the best design, cell by cell, against the published figures and the entropy bound.

`python -m tests.designs.cells` prints the table.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, e, log, log2, pi, sqrt

from planner.designs.chooser import best_design

CLIP = 1e-15
ROOM = Fraction(999_999, 1_000_000)  # the gap condition is strict, and realised weights deviate a little

CELLS = {
    (198, 2, 5): 12,
    (1372, 2, 2): 228,
    (1372, 2, 3): 146,
    (1372, 2, 4): 108,
    (1372, 2, 5): 86,
    (10**4, 2, 3): 1262,
    (10**4, 2, 4): 890,
    (10**4, 2, 5): 690,
    (25000, 2, 3): 3564,
    (25000, 2, 4): 2388,
    (25000, 2, 5): 1794,
    (25000, 2, 6): 1465,
    (10**6, 2, 5): 90580,
    (10**6, 2, 6): 69272,
    (569, 3, 3): 96,
    (1372, 4, 3): 296,
    (1372, 10, 4): 355,
    (10**4, 3, 4): 1505,
    (25000, 10, 5): 5846,
    (2000, 3, 5): 214,
    (5000, 8, 4): 1254,
}
"""(labels, classes, decimals): queries reached."""


def reach(K: int) -> float:
    """The largest log-odds a row can realise for every pair of classes at once."""
    return log((1 - CLIP) / CLIP) if K == 2 else -log(CLIP) - log(K)


def amplitude(N: int, K: int, d: int) -> Fraction:
    """Largest weight over gap when scores are rounded to d decimals."""
    return Fraction(reach(K)) / N * 10**d * ROOM


def entropy_bound(N: int, K: int, d: int) -> int:
    """No non-adaptive design asks less: the entropy of a bounded sum against that of the labels."""
    A = log((1 - CLIP) / CLIP) * 10**d / N
    return ceil(N * log2(K) / (0.5 * log2(2 * pi * e * ((A * sqrt(N) / 2 + 0.5) ** 2 + 1 / 12))))


def main() -> None:
    """Print the table."""
    print(f"{'N':>8} {'K':>3} {'d':>2} {'A':>12} {'M':>7} {'bound':>7} {'ratio':>6}  design")
    sizes, classes = (100, 198, 306, 569, 1372, 10**4, 25000, 10**6), (2, 3, 4, 10)
    for N, K, d in ((N, K, d) for K in classes for N in sizes for d in range(1, 7)):
        A = amplitude(N, K, d)
        if K - 1 <= A:
            design, bound = best_design(N, A, K), entropy_bound(N, K, d)
            ratio = design.M / bound
            print(f"{N:8} {K:3} {d:2} {float(A):12.3f} {design.M:7} {bound:7} {ratio:6.3f}  {design.name}")


if __name__ == "__main__":
    main()
