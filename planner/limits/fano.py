"""I4, Fano: random noise turns each score into a use of a noisy channel of known capacity."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from dsl.scenario import Bounded, Gaussian, Laplace, Multiplicative, Noise, NoNoise, Subexponential, Uniform
from planner.channel.channel import Channel
from planner.channel.noises import unbounded
from planner.limits.common import LimitTheorem, fano_bits, log2, rounding_slack
from planner.model import Limit
from planner.numerics.reals import ball


class Fano(LimitTheorem):
    """Capacity of the additive channel, with the input confined to an interval or, non-adaptively, concentrated."""

    id = "I4"
    title = "Capacity under random noise"
    cite = "I4"
    statement = (
        "A score confined to an interval of length W and blurred by independent noise carries at most C bits: Gaussian "
        "1/2 log2(1 + W^2/(4 s^2)), Laplace log2(1 + W/(2b)), uniform on +-tau log2(1 + W/(2 tau)); non-adaptively W is "
        "replaced by W/sqrt N for Gaussian and Laplace noise. By Fano's inequality M C >= (1-δ)(N log2 K - log2 V) - h(δ)."
    )
    conditions = ("random noise", "W is finite and no score is infinite", "δ <= 1/2")

    def apply(self, channel: Channel) -> Limit:
        """Subexponential noise may be Gaussian of the same variance, so that bound holds for it."""
        if not channel.random:
            return self.silent("the noise is not random")
        if channel.reach_limit() is None:
            return self.silent("a row can outweigh any noise, or show as an infinite score")
        if channel.delta > Fraction(1, 2):
            return self.silent("more than half of all attempts may fail")
        if not capacity(channel).is_finite():
            return self.silent("the noise can be nothing at all")
        why = f"{channel.noise_name} noise carries few bits a score"
        return self.at_least(lambda: fano_bits(channel), lambda: capacity(channel), "bits a score", why)


def capacity(channel: Channel) -> arb:
    """Bits that one noisy score can carry."""
    reach = channel.reach_limit()
    assert reach is not None
    reach += 2 * rounding_slack(channel)
    if not channel.adaptive and not isinstance(channel.noise, Uniform):
        reach = reach / ball(channel.N).sqrt() + 2 * rounding_slack(channel)
    return _capacity(channel.noise, reach)


def _capacity(noise: Noise, reach: arb) -> arb:
    match noise:
        case Gaussian(sigma=sigma):
            return log2(1 + (reach / (2 * ball(sigma))) ** 2) / 2
        case Subexponential(lambda2=lambda2):
            return log2(1 + reach**2 / (4 * ball(lambda2))) / 2
        case Laplace(b=b):
            return log2(1 + reach / (2 * ball(b)))
        case Uniform(a=a, b=b):
            return log2(1 + reach / (ball(b) - ball(a)))
        case NoNoise() | Bounded() | Multiplicative():
            return arb.pos_inf()
    return unbounded(noise)  # type: ignore[unreachable]
