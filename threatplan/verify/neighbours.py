"""I5, all neighbours at once: answers that are right for different labelings exclude each other.

Where no label may be wrong no answer is right for two labelings. Under one of them the transcripts that are answered with a
neighbour have a probability of their own, and those of all neighbours add up to a failure. A test that accepts what the
neighbour shows but for δ accepts what the first shows at least as often as the most powerful one does.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from threatplan.verify import secret
from threatplan.verify.channel import Channel
from threatplan.verify.claims import Claim
from threatplan.verify.intervals import ZERO, Interval, erfc, exp, log, real, sqrt
from threatplan.verify.limits import SILENT, Exclusion, neighbour_random, reach_of, slack

EVERY, LISTED = {"too_few", "neighbours", "point"}, {"too_few", "labels", "point"}
LAWS = ("gaussian", "subexponential", "laplace")


def proof(c: Channel, queries: int | None, given: Mapping[str, Fraction]) -> Exclusion:
    """One label after the other, or, where neighbours are stated, all of them."""
    if set(given) == LISTED:
        return _listed(c, queries, given["point"])
    if set(given) != EVERY:
        return neighbour_random(c, queries)
    count = neighbours(c)
    if c.noise.name not in LAWS or c.reach_limit() is None or not count or not 0 < c.delta < Fraction(1, 2):
        return SILENT
    if not queries:
        return SILENT
    low, point = queries - 1, given["point"]
    shift = reach_of(c) / c.N + 2 * slack(c)
    name = f"{count} neighbours, each answered in error after {low} queries > δ"
    return Exclusion((Claim(name, lambda: count * mistaken(c, shift, low, point), ">", lambda: real(c.delta)),))


def neighbours(c: Channel) -> int:
    """One label of N is of another of K classes."""
    return 0 if c.wrong_allowed or secret.informed(c) else c.N * (c.K - 1)


def mistaken(c: Channel, shift: Interval, queries: int, point: Fraction) -> Interval:
    """How often scores are taken for those of a neighbour, at least; 0 where the point serves no proof."""
    z = real(point)
    if c.noise.name == "laplace":
        return _laplace(shift / c.noise.b.interval, queries, z, c.delta)
    return tail(sqrt(queries) * shift / sigma(c) - z) if tail(z) >= c.delta else ZERO


def sigma(c: Channel) -> Interval:
    """Of normal noise, which subexponential noise may be."""
    return c.noise.sigma.interval if c.noise.name == "gaussian" else sqrt(c.noise.lambda2.interval)


def tail(x: Interval) -> Interval:
    """That a standard normal exceeds x."""
    return erfc(x / sqrt(2)) / 2


def _laplace(x: Interval, queries: int, z: Interval, delta: Fraction) -> Interval:
    """The log-likelihood ratio of a score is x with probability 1/2, -x with e^-x/2, and x - 2v between, v of density e^-v/2.

    As a sum over all scores it lies z deviations below its mean about as often as a normal variable does: the two differ by
    at most 1/2 E|L - EL|^3/s^3/sqrt(M), and no |L - EL| exceeds x + EL.
    """
    fade = exp(-x)
    mean = x + fade - 1
    between = x * x - 4 * x + 8 - fade * (x * x + 4 * x + 8)  # of (x - 2v)^2 e^-v over v from 0 to x
    variance = (x * x * (1 + fade) + between) / 2 - mean * mean
    if not variance > 0:
        return ZERO
    deviation = sqrt(variance * queries)
    chance = tail(z) - (x + mean) / (2 * deviation) - delta
    return exp(z * deviation - queries * mean) * chance if chance > 0 else ZERO


# -- queries that are listed beforehand ----------------------------------------------------------------


def _listed(c: Channel, queries: int | None, point: Fraction) -> Exclusion:
    """All labels right, at most as often as by orthogonal submissions of full weight."""
    if c.adaptive or c.noise.name not in ("gaussian", "subexponential") or c.reach_limit() is None or not neighbours(c):
        return SILENT
    if not queries or not 0 < c.delta < Fraction(1, 2):
        return SILENT
    low = queries - 1

    def right() -> Interval:
        # Errors of computing scores move M of them by sqrt(M) times the slack, which a test gains at most.
        if not tail(real(point) + sqrt(low) * slack(c) / sigma(c)) >= c.delta:
            return real(1)
        return exp(c.N * log(1 - tail(sqrt(low * pairs(c.K)) * reach_of(c) / (2 * c.N * sigma(c)))))

    name = f"{c.N} labels all right after {low} queries < 1 - δ"
    return Exclusion((Claim(name, right, "<", lambda: 1 - tail(real(point))),))


def pairs(K: int) -> Fraction:
    """The mean square of the distance of two of K numbers in [0, 1], at most: half of them at either end."""
    half = K // 2
    return Fraction(2 * half * (K - half), K * (K - 1))
