"""How far the mean of independent noises strays: bounds on probabilities, from above."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb, factorial

from threatplan.verify.channel import Channel, Enclosure
from threatplan.verify.intervals import (
    ONE,
    ZERO,
    Interval,
    bits,
    erfc,
    exp,
    hull,
    larger,
    log,
    pi,
    power_of_two,
    precision,
    real,
    sin,
    smaller,
    sqrt,
)

SUMMED = 48  # uniforms up to which their density is summed exactly
GRID = 2**32  # points at which uniform tails are taken, rounded down
SERIES_BITS = 128  # what is left out of the series is far above their last
FAR = 12  # standard deviations beyond which Chernoff's bound is taken


def of_mean(channel: Channel, count: int, x: Interval) -> Interval:
    """P(|mean of `count` recentred noises| >= x), at most."""
    law = channel.noise
    if not x > 0 or not channel.random:
        return ONE
    if law.name == "gaussian":
        return erfc(x / _real(law.sigma) * sqrt(real(count) / 2))
    if law.name == "uniform":
        return uniform(count, 2 * x / (_real(law.b) - _real(law.a)))
    if law.name == "laplace":
        return exp(-x / _real(law.b)) if count == 1 else _laplace(count, _real(law.b), x)
    return _two_sided(count, _subexponential(_real(law.lambda2), _real(law.nu), x))


def _real(value: Enclosure) -> Interval:
    return value.interval


def _two_sided(count: int, exponent: Interval) -> Interval:
    return smaller(2 * exp(-count * exponent), ONE)


def _laplace(count: int, b: Interval, x: Interval) -> Interval:
    """exp(-h (t x - ln E e^(tX))), ln E e^(tX) = -ln(1 - b^2 t^2), near its best t < 1/b; every t is a proof."""
    t = ((sqrt(1 + (x / b) * (x / b)) - 1) / x).low
    exponent = t * x + log(1 - b * b * t * t)
    return smaller(_two_sided(count, exponent) * smaller(laplace_peak(count, b, t) / t, ONE), ONE)


def laplace_peak(count: int, b: Interval, t: Interval) -> Interval:
    """The density of a sum under weights e^(tx), at most: with 1/(1/b - t) and 1/(1/b + t) for the means of two
    exponential laws of which each noise is a difference, their squares add up to its variance, and the integral of
    (1 + variance u^2)^(-h/2) over 2 pi is no more than this."""
    up, down = 1 / (1 / b - t), 1 / (1 / b + t)
    return 1 / sqrt((up * up + down * down) * pi() * (2 * count - 3))


def _subexponential(variance: Interval, nu: Interval, x: Interval) -> Interval:
    """t x - lambda^2 t^2/2 at the best t that the definition admits."""
    t = smaller((x / variance).low, (1 / nu).low)
    return t * x - variance * t * t / 2


def uniform(count: int, x: Interval) -> Interval:
    """P(|mean of uniforms on [-1, 1]| >= x)."""
    if not x > 0:
        return ONE
    if x >= 1:
        return ZERO
    point = x.least()
    return uniform_at(count, Fraction(point.numerator * GRID // point.denominator, GRID))


@lru_cache(maxsize=8192)
def uniform_at(count: int, x: Fraction) -> Interval:
    """The same at a rational point."""
    if count <= SUMMED:
        return _irwin_hall(count, x)
    with precision(SERIES_BITS):
        if 3 * count * x * x > FAR**2:
            return _chernoff(count, x)
        return _series(count, x)


def _irwin_hall(count: int, x: Fraction) -> Interval:
    """2/h! sum over k < s of (-1)^k C(h,k) (s-k)^h, s = h(1-x)/2."""
    top, bottom = count * (x.denominator - x.numerator), 2 * x.denominator
    terms = ((-1) ** k * comb(count, k) * (top - k * bottom) ** count for k in range(-(-top // bottom)))
    return real(2 * sum(terms)) / real(factorial(count) * bottom**count)


def _chernoff(count: int, x: Fraction) -> Interval:
    near = float(x)
    t = real(Fraction(3 * near / (1 - near**2) if near < 0.999 else 1 / (1 - near)))
    sinh = (exp(t) - exp(-t)) / 2
    return _two_sided(count, t * x - log(sinh / t))


def _series(count: int, x: Fraction) -> Interval:
    """Fourier's series of the sum on a circle of 2L, L = FAR deviations: what wraps around is below 2 exp(-FAR^2/2),
    and terms with h t^2/6 > 72, t = pi n/L, add up to less than 2^-84."""
    length, coefficients = _coefficients(count, bits())
    angle = pi() * count * x / length
    inside = count * x / length
    for n, coefficient in enumerate(coefficients, 1):
        inside = inside + coefficient * sin(n * angle)
    missed = 2 * exp(Fraction(-(FAR**2), 2)) + power_of_two(-84)
    return larger(1 - inside + hull(-missed, missed), ZERO)


@lru_cache(maxsize=128)
def _coefficients(count: int, wanted: int) -> tuple[Interval, list[Interval]]:
    """L, and (2/(pi n)) (sin t/t)^h."""
    length = FAR * sqrt(real(count) / 3)
    most = int(float(length / pi() * sqrt(real(6 * 72) / count))) + 2
    found = []
    for n in range(1, most + 1):
        t = pi() * n / length
        found.append(2 / (pi() * n) * (sin(t) / t) ** count)
    return length, found
