"""Reductions: theorems that turn one channel into a simpler one, and the chain of them that a plan rests on.

Each turns some feature of the channel into a part of one error bound, after which every attack speaks of bounded
errors only.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb

from dsl.scenario import (
    Bounded,
    Decimals,
    FixedPoint,
    Gaussian,
    Ieee,
    Laplace,
    Multiplicative,
    Significant,
    Subexponential,
    Truncated,
    Uniform,
)
from planner.attacks.parameters import Parameters
from planner.channel.channel import Channel, float_error
from planner.channel.noises import noise_bound
from planner.model import Step
from planner.numerics.reals import ball, bound


@dataclass(frozen=True)
class Reduction:
    """A statement of the theory, and the words for it in a plan."""

    id: str
    title: str
    cite: str
    statement: str
    erratum: str | None = None


BOUNDED = Reduction(
    "bounded-noise",
    "Bounded noise as part of the error",
    "section 4, tau-robust inference",
    "Noise of at most tau a score, whatever it does, moves the sum of charges by at most N tau: that much of E is its.",
)
RANDOM = Reduction(
    "random-noise",
    "Random noise as bounded noise",
    "Theorem 9 (appendix on random noise)",
    "M independent noises, recentred, all stay within tau with probability 1-δ when each exceeds it with probability at "
    "most δ/M; an attack certified for bounded(tau) then succeeds with probability 1-δ.",
    "E-RN",
)
SUBEXPONENTIAL = Reduction(
    "subexponential-noise",
    "Subexponential noise as bounded noise",
    "Theorem 10 (appendix on random noise)",
    "With l = ln(2M/δ), tau = lambda sqrt(2l) if nu sqrt(2l) <= lambda, else nu l + lambda^2/(2 nu).",
    "E-SE",
)
MULTIPLICATIVE = Reduction(
    "multiplicative-noise",
    "Multiplicative noise as an error that grows with the loss",
    "Theorem 11 (appendix on multiplicative noise)",
    "Sums X < Y with Y - X >= gap stay apart under factors 1 +- alpha when (1+alpha) gap > 2 alpha Y + 2E.",
    "E-MN",
)
DECIMALS = Reduction(
    "decimals",
    "Shown digits as bounded noise",
    "section 4, remark on tau and precision",
    "A score rounded to d decimals is off by at most half a unit of the last place, whatever else is added; so is one that "
    "is cut off, once half a unit is added to it.",
)
FLOATING = Reduction(
    "floating-point",
    "Floating-point evaluation as bounded noise",
    "standard error analysis (Higham)",
    "A mean of N logarithms accurate to c ulp is off by at most (k + 1 + 2c) u/(1 - ...) times the loss, k the additions on "
    "the longest path of the sum, u the unit roundoff. Where no row is very heavy, numpy's pairwise sum is counted addition "
    "by addition: only its last block of 128 rows has a remainder to add one by one.",
)
FIXED = Reduction(
    "fixed-point",
    "A fixed-point score as bounded noise",
    "section 2, FPA(phi)",
    "A score on a grid of step h is off by at most h/2; predictions are multiples of h.",
    "E-FPA",
)
BINARY = Reduction(
    "binary-questions",
    "K classes as binary questions",
    "binary batches",
    "ceil(log2 K) binary problems, each asking whether the class lies in a half of the classes, tell every class.",
)

REDUCTIONS: tuple[Reduction, ...] = (
    BOUNDED,
    RANDOM,
    SUBEXPONENTIAL,
    MULTIPLICATIVE,
    DECIMALS,
    FLOATING,
    FIXED,
    BINARY,
)


def _of(channel: Channel) -> str:
    """What is evaluated, where predictions have another format than the score."""
    own = channel.precision
    return f" of float{own.bits} predictions" if isinstance(own, Ieee) and own != channel.score_precision else ""


def chain_of(channel: Channel, parameters: Parameters) -> tuple[Step, ...]:
    """The reductions that this channel needs, with their figures, down to the attack."""
    steps = [*_noise_steps(channel, parameters.queries)]
    if isinstance(channel.shown, Truncated):
        text = (
            f"cut off after {channel.shown.digits} decimals: half a unit is added to every score, half is in the error"
        )
        steps.append(Step(DECIMALS.id, text))
    if isinstance(channel.shown, Decimals | Significant):
        kind = "decimals" if isinstance(channel.shown, Decimals) else "significant digits"
        steps.append(
            Step(
                DECIMALS.id,
                f"{channel.shown.digits} {kind}: half a unit of the last place is part of the error",
            )
        )
    score = channel.score_precision
    if isinstance(score, Ieee):
        text = f"float{score.bits} evaluation{_of(channel)}: relative error {bound(float_error(channel))}"
        steps.append(Step(FLOATING.id, text))
    if isinstance(score, FixedPoint):
        text = f"scores on a grid of 2^-{score.fraction_bits}: half a step is part of the error"
        steps.append(Step(FIXED.id, text))
    error = channel.errors(parameters.queries).sum_error(ball(channel.K).log())
    steps.append(Step("channel", f"N = {channel.N:,}, E = {bound(error)} for idle rows, W = {_reach(channel)}"))
    return tuple(steps)


def _noise_steps(channel: Channel, queries: int) -> list[Step]:
    noise = channel.noise
    tau: arb = noise_bound(noise, channel.delta, queries)
    match noise:
        case Bounded():
            return [Step(BOUNDED.id, f"bounded noise: τ = {bound(tau)}")]
        case Uniform():
            return [Step(RANDOM.id, f"uniform noise, recentred: τ = {bound(tau)}")]
        case Gaussian() | Laplace():
            return [
                Step(
                    RANDOM.id,
                    f"all {queries:,} noises within τ = {bound(tau)} with probability 1 - {float(channel.delta):g}",
                )
            ]
        case Subexponential():
            return [
                Step(
                    SUBEXPONENTIAL.id,
                    f"all {queries:,} noises within τ = {bound(tau)} with probability 1 - {float(channel.delta):g}",
                )
            ]
        case Multiplicative(alpha=alpha):
            return [Step(MULTIPLICATIVE.id, f"factor 1 ± {alpha}: an error that grows with the loss")]
    return []


def _reach(channel: Channel) -> str:
    reach = channel.reach()
    return "unbounded" if reach is None else str(bound(reach))
