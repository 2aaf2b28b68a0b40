"""From a Report to a Run: arithmetic, scorers, noise and the simulation loop.

A *query* is an array of shape (N,), the probability of class 1, or (N, K): float64 where its numbers are
float64 numbers, else an object array of exact rationals (gmpy2.mpq or Fraction). A *labeling* is an array of
N integers in 0..K-1. A *score* is what a scorer answers; its type says which arithmetic computed it:

- `float` from a floating-point scorer (`backends.ieee`, scikit-learn, the library models, a user's own);
- `Fraction` from fixed point (`backends.fixed`), a multiple of 2^-f, and from exact arithmetic with digits;
- `flint.arb` from exact arithmetic (`backends.exact`): a ball that holds the exact score and whose radius is
  at most 2^-(precision_bits + 2), precision_bits being what the plan states.

The pieces, in the order in which a score passes them: `labels` (what is hidden), `rows` (what a row charges),
`exact` / `fixed` / `ieee` (the arithmetic), `noise`, `shown` (digits), `scorers` (all of these as one
callable), `simulate` (the loop) and `run` (its record). `paper` repeats the paper's experiments as printed.
"""
