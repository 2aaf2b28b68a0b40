"""How far means of independent variables stray: rigorous upper bounds, no limit theorem.

Every function returns a ball whose upper end is a proved bound on a probability. Means of uniforms are exact, by the
Irwin-Hall sum for few and by its Fourier series for many.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb, factorial

from flint import arb, fmpz

from planner.numerics.reals import ball, lower, working

MOST_SUMMED = 48  # uniforms up to which the alternating Irwin-Hall sum is taken, not the Fourier series
POINT_BITS = 32  # to which a point is rounded down before an exact sum is taken there
SERIES_BITS = 160
FAR = 12  # standard deviations beyond which Chernoff's bound will do
LAST_EXPONENT = 72  # of the series, terms below exp(-this) are left out
LEFT_OUT_BITS = 84  # all of them come to less than 2^-this
WHOLE = arb(1)


def two_sided(count: int, exponent: arb, beyond: arb = WHOLE) -> arb:
    """Chernoff's bound for the mean of so many, on either side, where each adds this much to the exponent.

    With the law tilted by e^(tx) it leaves E[e^(-t(S - s)); S >= s] of 1, s the place and S the sum: that is `beyond`,
    1 at most, and no more than the peak of S's tilted density over t.
    """
    return (2 * (-count * exponent).exp() * beyond.min(WHOLE)).min(WHOLE)


def uniform_mean_tail(count: int, x: arb) -> arb:
    """A bound on P(|mean of `count` uniforms on [-1, 1]| >= x): exact at x rounded down to a multiple of 2^-32."""
    if not x > 0:
        return arb(1)
    if x >= 1:
        return arb(0)
    return uniform_mean_tail_at(count, Fraction(int(lower(x) * 2**POINT_BITS), 2**POINT_BITS))


@lru_cache(maxsize=8192)
def uniform_mean_tail_at(count: int, x: Fraction) -> arb:
    """The same at a rational 0 <= x <= 1; up to the radius of the ball the probability itself, save for Chernoff's."""
    with working(SERIES_BITS):
        if count <= MOST_SUMMED:
            return _irwin_hall(count, x)
        if 3 * count * ball(x) ** 2 > FAR**2:
            return _uniform_chernoff(count, ball(x))
        return _series_tail(count, ball(x))


def _irwin_hall(count: int, x: Fraction) -> arb:
    """(2/h!) sum over k < s of (-1)^k C(h,k) (s-k)^h with s = h(1-x)/2, in integers up to one division."""
    top, bottom = count * (x.denominator - x.numerator), 2 * x.denominator  # s = top / bottom
    total = sum((-1) ** k * comb(count, k) * (top - k * bottom) ** count for k in range(-(-top // bottom)))
    return arb(fmpz(2 * total)) / arb(fmpz(factorial(count) * bottom**count))


def _series_tail(count: int, x: arb) -> arb:
    """The Fourier series of the sum X of the uniforms, wrapped around a circle of length 2L, L = FAR deviations.

    P(|X| < a) = a/L + sum over n >= 1 of (2/(pi n)) sin(pi n a/L) sinc(pi n/L)^h, less the chance that X lies
    beyond 2L - a >= L, which is below 2 exp(-FAR^2/2). Terms with h t^2/6 > 72, t = pi n/L, are left out: there
    |sinc(t)| <= max(exp(-t^2/6), 1/pi), so all of them together come to less than 2^-84.
    """
    length, coefficients = _series(count)
    angle = arb.pi() * count * x / length
    inside = count * x / length
    for n, coefficient in enumerate(coefficients, 1):
        inside += coefficient * (n * angle).sin()
    wrapped = 2 * (-(arb(FAR) ** 2) / 2).exp()
    return (1 - inside + arb(0, wrapped + arb(2) ** -LEFT_OUT_BITS)).max(arb(0))


@lru_cache(maxsize=256)
def _series(count: int) -> tuple[arb, list[arb]]:
    """L, and (2/(pi n)) sinc(pi n/L)^h as long as it matters."""
    length = FAR * (ball(count) / 3).sqrt()
    most = int(float(length / arb.pi() * (arb(6 * LAST_EXPONENT) / count).sqrt())) + 2
    steps = ((n, arb.pi() * n / length) for n in range(1, most + 1))
    return length, [2 / (arb.pi() * n) * (t.sin() / t) ** count for n, t in steps]


def _uniform_chernoff(count: int, x: arb) -> arb:
    """exp(-h (t x - ln(sinh t / t))), twice, at a t near the best."""
    t = 3 * float(x) / (1 - float(x) ** 2) if float(x) < 0.999 else 1 / (1 - float(x))
    at = arb(t)
    return two_sided(count, at * x - (at.sinh() / at).log())


def gaussian_upper(x: arb) -> arb:
    """Q(x): the probability that a standard normal exceeds x."""
    return (x / arb(2).sqrt()).erfc() / 2
