"""Noise as the scenario describes it, seeded: the same seed gives the same noise, bit for bit.

A disturbance turns the true score L into (1 + scale) L + shift, both exact rationals. Bounded and
multiplicative noise are adversarial, so there the *mode* says who the adversary is; random laws are drawn.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, NamedTuple, get_args

import numpy as np

from dsl.scenario import (
    Bounded,
    Gaussian,
    Laplace,
    Multiplicative,
    Noise,
    NoNoise,
    Skewed,
    Subexponential,
    Uniform,
)

Mode = Literal["random-sign", "inside", "plus", "minus", "alternating", "rival"]
Member = Literal["gaussian", "laplace", "chi-square"]
MODES: Final = get_args(Mode)
MEMBERS: Final = get_args(Member)

Gap = Callable[[], float]  # signed distance from the score to that of the nearest other labeling


class Disturbance(NamedTuple):
    """What happens to one score."""

    scale: Fraction = Fraction(0)
    shift: Fraction = Fraction(0)

    def size(self, score: Fraction) -> Fraction:
        """How far the disturbed score is from the true one."""
        return abs(self.scale * score + self.shift)


@dataclass
class NoiseSource:
    """A stream of disturbances."""

    noise: Noise
    generator: np.random.Generator
    mode: Mode = "random-sign"
    member: Member = "gaussian"
    drawn: int = 0

    def draw(self, gap: Gap) -> Disturbance:
        """The next disturbance; `gap` is asked for only by the adversary that seeks the nearest rival."""
        self.drawn += 1
        match self.noise:
            case NoNoise():
                return Disturbance()
            case Bounded(tau):
                return Disturbance(shift=self._within(tau.lo, gap))
            case Skewed(below, above):
                sign = self._sign(gap)
                return Disturbance(scale=sign * (above.lo if sign > 0 else below.lo))
            case Multiplicative(alpha):
                return Disturbance(scale=self._sign(gap) * alpha.lo)
            case _:
                return Disturbance(shift=Fraction(self._sample()))

    def _within(self, bound: Fraction, gap: Gap) -> Fraction:
        """An error of at most `bound`: of full size but for a rival that lies closer."""
        if self.mode == "rival":
            toward = Fraction(gap())
            return max(-bound, min(bound, toward)) if toward else bound
        return self._sign(gap) * bound

    def _sign(self, gap: Gap) -> Fraction:
        """The adversary's choice in [-1, 1]."""
        match self.mode:
            case "plus":
                return Fraction(1)
            case "minus":
                return Fraction(-1)
            case "alternating":
                return Fraction(1 if self.drawn % 2 else -1)
            case "inside":
                return Fraction(self.generator.uniform(-1.0, 1.0))
            case "rival":
                return Fraction(-1 if gap() < 0 else 1)
            case "random-sign":
                return Fraction(1 - 2 * int(self.generator.integers(2)))

    def _sample(self) -> float:
        draw = self.generator
        match self.noise:
            case Uniform(a, b):
                return float(draw.uniform(float(a.lo), float(b.lo)))
            case Gaussian(sigma):
                return float(draw.normal(0.0, float(sigma.lo)))
            case Laplace(b):
                return float(draw.laplace(0.0, float(b.lo)))
            case Subexponential(lambda2, nu):
                return subexponential(draw, float(lambda2.lo), float(nu.lo), self.member)
        raise TypeError(f"no random law: {self.noise}")


def subexponential(draw: np.random.Generator, lambda2: float, nu: float, member: Member) -> float:
    """One draw of a law that meets E exp(sX) <= exp(lambda2 s^2/2) for |s| < 1/nu, as widely as it can."""
    match member:
        case "gaussian":
            return float(draw.normal(0.0, math.sqrt(lambda2)))
        case "laplace":
            return float(draw.laplace(0.0, laplace_scale(lambda2, nu)))
        case "chi-square":
            return chi_square_scale(lambda2, nu) * float(draw.normal() ** 2 - 1.0)


def laplace_scale(lambda2: float, nu: float) -> float:
    """The largest b: 1/(1 - b^2 s^2) meets the bound at s = 1/nu, its worst point."""
    return nu * math.sqrt(-math.expm1(-lambda2 / (2 * nu * nu)))


def chi_square_scale(lambda2: float, nu: float) -> float:
    """The largest c for c (Z^2 - 1): with y = 2c/nu -y - ln(1 - y) <= lambda2/nu^2 suffices."""
    low, high = 0.0, 1.0
    for _ in range(50):  # y stays below 1 as a float
        y = (low + high) / 2
        low, high = (y, high) if -y - math.log1p(-y) <= lambda2 / nu**2 else (low, y)
    return low * nu / 2
