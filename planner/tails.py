"""How far the mean of independent noises strays: rigorous upper bounds, no limit theorem.

Every function returns a ball whose upper end is a proved bound on a probability. Gaussian means are exact.
Means of uniforms are exact too, by the Irwin-Hall sum or by its Fourier integral, up to thousands of terms.
Laplace and sub-exponential means are bounded by Chernoff's inequality with the exact moment generating function.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import comb, factorial

from flint import acb, arb, ctx, fmpq, fmpz

from dsl.scenario import Gaussian, Laplace, Noise, Subexponential, Uniform
from planner.reals import ball, lower

MOST_SUMMED = 400  # terms up to which the alternating Irwin-Hall sum is cheaper than its Fourier integral
MOST_INTEGRATED = 2**14  # beyond, the integral takes too long and Chernoff's bound has to do
INTEGRAL_BITS = 128
INTEGRAL_GOAL = 80  # bits after the point to which the Fourier integral is computed


def tail_of_mean(noise: Noise, count: int, x: arb) -> arb:
    """A bound on P(|mean of `count` independent noises, recentred| >= x)."""
    if not x > 0:
        return arb(1)
    if isinstance(noise, Gaussian):
        return (x / ball(noise.sigma) * (ball(count) / 2).sqrt()).erfc()
    if isinstance(noise, Uniform):
        return uniform_mean_tail(count, 2 * x / (ball(noise.b) - ball(noise.a)))
    if isinstance(noise, Laplace):
        return _two_sided(count, _laplace_exponent(ball(noise.b), x))
    if isinstance(noise, Subexponential):
        return _two_sided(count, _subexponential_exponent(noise, x))
    raise TypeError(f"{type(noise).__name__} noise is not random: it has no tail")


def _two_sided(count: int, exponent: arb) -> arb:
    return (2 * (-count * exponent).exp()).min(arb(1))


def _laplace_exponent(b: arb, x: arb) -> arb:
    """t x - ln E exp(t X) = t x + ln(1 - b^2 t^2) at its best t; any t below 1/b gives a valid bound."""
    t = (((1 + (x / b) ** 2).sqrt() - 1) / x).mid()
    return t * x + (1 - (b * t) ** 2).log()


def _subexponential_exponent(noise: Subexponential, x: arb) -> arb:
    """t x - lambda^2 t^2 / 2 at the best t that the definition admits."""
    variance = ball(noise.lambda2)
    t = (x / variance).mid().min((1 / ball(noise.nu)).lower())
    return t * x - variance * t * t / 2


def uniform_mean_tail(count: int, x: arb) -> arb:
    """P(|mean of `count` uniforms on [-1, 1]| >= x), exact up to the radius of the ball."""
    if not x > 0:
        return arb(1)
    if x >= 1:
        return arb(0)
    point = lower(x)  # exact, and the probability falls in x: an upper bound stays one
    return _uniform_mean_tail(count, point.numerator, point.denominator)


@lru_cache(maxsize=4096)
def _uniform_mean_tail(count: int, numerator: int, denominator: int) -> arb:
    x = fmpq(numerator, denominator)
    if count <= MOST_SUMMED:
        return _irwin_hall(count, x)
    with ctx.workprec(INTEGRAL_BITS):
        bounded = _uniform_chernoff(count, arb(x))
        return _fourier_tail(count, arb(x)).min(bounded) if count <= MOST_INTEGRATED else bounded


def _irwin_hall(count: int, x: fmpq) -> arb:
    """(2/h!) sum over k < s of (-1)^k C(h,k) (s-k)^h with s = h(1-x)/2, in exact integers up to one division."""
    top, bottom = int(count * (x.q - x.p)), int(2 * x.q)  # s = top / bottom
    total = sum((-1) ** k * comb(count, k) * (top - k * bottom) ** count for k in range(-(-top // bottom)))
    return arb(fmpz(2 * total)) / arb(fmpz(factorial(count) * bottom**count))


def _fourier_tail(count: int, x: arb) -> arb:
    """1 - (2 h x/pi) * integral over t > 0 of sinc(h x t) sinc(t)^h: the characteristic function, inverted.

    The integral stops at a point c < 2. On [c, 2] sinc(t) <= exp(-t^2/6), beyond it |sinc(t)| <= 1/t, and
    |sinc(h x t)| <= 1/(h x t) everywhere, so what is left out is at most (2/pi)(ln(2/c) exp(-h c^2/6) + 2^-h/h).
    """
    spread = count * x

    def integrand(t: acb, analytic: bool) -> acb:
        return (t * spread).sinc() * (count * t.sinc().log(analytic=analytic)).exp()

    ends = _breakpoints(count)
    goal = arb(2) ** -INTEGRAL_GOAL / spread
    parts = [acb.integral(integrand, a, b, abs_tol=goal).real for a, b in pairwise(ends)]
    cut = ends[-1]
    left_out = (2 / cut).log() * (-count * cut * cut / 6).exp() + arb(2) ** -count / count
    total = 2 * spread / arb.pi() * sum(parts, arb(0))
    return (1 - total + arb(0, left_out)).max(arb(0))


def _breakpoints(count: int) -> list[arb]:
    """Pieces a few times as wide as the characteristic function, up to where it has fallen to exp(-60)."""
    step = 6 / ball(count).sqrt().mid()
    return [arb(0), *((step * k).mid() for k in (arb("0.5"), 1, 2, arb("3.2")))]


def _uniform_chernoff(count: int, x: arb) -> arb:
    """exp(-h (t x - ln(sinh t / t))), twice, at a t near the best."""
    t = 3 * float(x) / (1 - float(x) ** 2) if float(x) < 0.999 else 1 / (1 - float(x))
    at = arb(t)
    return _two_sided(count, at * x - (at.sinh() / at).log())


def gaussian_upper(x: arb) -> arb:
    """Q(x): the probability that a standard normal exceeds x."""
    return (x / arb(2).sqrt()).erfc() / 2
