"""I4, Fano: random noise turns each score into a use of a noisy channel of known capacity."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from planner.channel.channel import Channel
from planner.limits.common import Carried, LimitTheorem, fano_bits, rounding_slack, spread
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
        "replaced by W/sqrt N for Gaussian and Laplace noise. By Fano's inequality M C >= (1-δ)(N log2 K - log2 V) - h(δ). "
        "With a guess that has s = pN labels wrong, log2 of the labelings at that distance stands for N log2 K, 2p W for W, "
        "and 2 W sqrt(p(1-p)/(N-1)) for W/sqrt N."
    )
    conditions = ("random noise", "W is finite and no score is infinite", "δ <= 1/2")

    def apply(self, channel: Channel) -> Limit:
        """Subexponential noise may be Gaussian of the same variance, so that bound holds for it."""
        if not channel.random:
            return self.silent("the noise is not random")
        if not channel.confined:
            return self.silent("a row can outweigh any noise, or show as an infinite score")
        if channel.delta > Fraction(1, 2):
            return self.silent("more than half of all attempts may fail")
        if not capacity(channel).is_finite():
            return self.silent("the noise can be nothing at all")
        why = f"{channel.law.name} noise carries few bits a score"
        return self.at_least(lambda: fano_bits(channel), lambda: capacity(channel), "bits a score", why)

    def carried(self, channel: Channel, queries: int) -> Carried | None:
        """M C."""
        if not channel.random or not channel.confined or not capacity(channel).is_finite():
            return None
        return Carried(lambda: queries * capacity(channel))


def capacity(channel: Channel) -> arb:
    """Bits that one noisy score can carry."""
    if channel.adaptive or not channel.law.concentrates:
        return channel.law.capacity(spread(channel))
    if not channel.secret.informed:
        return channel.law.capacity(spread(channel) / ball(channel.secret.scored).sqrt() + 2 * rounding_slack(channel))
    return channel.law.capacity(2 * (channel.span() * ball(channel.secret.variance()).sqrt() + rounding_slack(channel)))
