"""The laws of noise: within what the noises of all queries stay, and where they are centred."""

from __future__ import annotations

from fractions import Fraction
from typing import Never

from flint import arb

from dsl.scenario import Bounded, Gaussian, Laplace, Multiplicative, Noise, NoNoise, Subexponential, Uniform
from planner.numerics.reals import ball


def noise_bound(noise: Noise, delta: Fraction, queries: int) -> arb:
    """tau: all of `queries` noises, recentred, stay within it; for random noise with probability 1 - delta.

    The union bound gives each query delta/queries. Multiplicative noise is no part of it: it grows with the loss.
    """
    share = ball(delta / max(queries, 1))
    match noise:
        case NoNoise() | Multiplicative():
            return arb(0)
        case Bounded(tau=tau):
            return ball(tau)
        case Uniform(a=a, b=b):
            centre = ball(noise_centre(noise))
            return (ball(b) - centre).max(centre - ball(a))
        case Gaussian(sigma=sigma):
            return ball(sigma) * arb(2).sqrt() * share.erfcinv()
        case Laplace(b=b):
            return -ball(b) * share.log()
        case Subexponential():
            return _subexponential_bound(noise, (2 / share).log())
    return unbounded(noise)  # type: ignore[unreachable]


def unbounded(value: Never) -> arb:
    """What is known of a value of no kind that there is: nothing bounds it.

    Type checkers refuse a call that any kind can reach: who adds one is told every place that must learn of it.
    """
    return arb.pos_inf()


def _subexponential_bound(noise: Subexponential, log_term: arb) -> arb:
    """Chernoff's bound at its best admissible point; the larger of the two forms where the case is not decided."""
    deviation, nu = ball(noise.lambda2).sqrt(), ball(noise.nu)
    gaussian_part = deviation * (2 * log_term).sqrt()
    linear_part = nu * log_term + ball(noise.lambda2) / (2 * nu)
    return gaussian_part if nu * (2 * log_term).sqrt() <= deviation else linear_part


def noise_centre(noise: Noise) -> Fraction:
    """What an attacker subtracts from every score before anything else."""
    return (noise.a.lo + noise.b.lo) / 2 if isinstance(noise, Uniform) else Fraction(0)


def noise_size(noise: Noise) -> arb:
    """How far from its loss a score lies on average, before the attacker subtracts the noise's centre."""
    match noise:
        case Uniform():
            return ball(abs(noise_centre(noise)))
        case NoNoise() | Bounded() | Gaussian() | Laplace() | Subexponential() | Multiplicative():
            return arb(0)
    return unbounded(noise)  # type: ignore[unreachable]
