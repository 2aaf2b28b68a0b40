"""Reductions: theorems that turn one channel into a simpler one, and the chain of them that a plan rests on.

Each turns some feature of the channel into a part of one error bound, after which every attack speaks of bounded
errors only.
"""

from __future__ import annotations

from planner.attacks.parameters import Parameters
from planner.attacks.promise import FLIPS
from planner.channel.channel import Channel
from planner.channel.errors import float_error
from planner.channel.mechanisms import all_laws
from planner.channel.mechanisms.base import Reduction
from planner.channel.mechanisms.digits import DECIMALS
from planner.channel.response import flip_chance
from planner.model import Certificate, Step
from planner.numerics.reals import bound

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

RESPONSE = Reduction(
    "response",
    "Flipped labels as labels that come out wrong",
    "randomised response (Warner, 1965)",
    "Scores are computed of labels of which each was flipped once, with probability π = (K-1)/(e^ε + K-1). An attack reads "
    "the stored labels; no more than f of all N are not the true ones, but for the chance that Bin(N, π) exceeds f.",
)

SUMS = Reduction(
    "sum",
    "A sum as a mean",
    "scikit-learn's normalize=False",
    "The sum of the charges of n scored rows is n times their mean, and n is known: divided by n, it is a mean whose noise "
    "and whose last digit are n times smaller. The division that the scorer does not make saves a rounding.",
)


def reductions() -> tuple[Reduction, ...]:
    """Every reduction: those of the laws, then the others."""
    noises = dict.fromkeys(law.reduction for law in all_laws() if law.reduction is not None)
    return (*noises, DECIMALS, FLOATING, FIXED, BINARY, RESPONSE, SUMS)


def flips_of(channel: Channel, certificate: Certificate) -> tuple[Step, ...]:
    """The step from stored labels to the true ones, where labels were flipped."""
    promise = certificate.promise
    if FLIPS not in promise.over or channel.response is None:
        return ()
    flipped, chance = channel.flipped, bound(flip_chance(channel.response, channel.classes))
    text = f"labels flipped with probability {chance}: at most {flipped:,} of those stored are not the true ones"
    return (Step(RESPONSE.id, f"{text}, but for {float(promise.chance) / 2:g}"),)


def chain_of(channel: Channel, parameters: Parameters) -> tuple[Step, ...]:
    """The reductions that this channel needs, with their figures, down to the attack."""
    steps = []
    if channel.summed:
        steps.append(
            Step(SUMS.id, f"a sum of {channel.parts:,} rows: its noise and digits, divided by {channel.parts:,}")
        )
    if channel.law.reduction is not None:
        steps.append(Step(channel.law.reduction.id, channel.law.explained(channel.delta, parameters.queries)))
    if channel.shown is not None:
        steps.append(Step(DECIMALS.id, channel.digits.explained()))
    if channel.scores.floating:
        text = f"{channel.scores.text} evaluation{_of(channel)}: relative error {bound(float_error(channel))}"
        steps.append(Step(FLOATING.id, text))
    if channel.scores.fixed:
        text = f"scores on a grid of 2^-{channel.scores.fraction_bits}: half a step is part of the error"
        steps.append(Step(FIXED.id, text))
    error = channel.errors(parameters.queries).sum_error(channel.neutral_charge())
    reach = str(bound(channel.reach())) if channel.bounded else "unbounded"
    steps.append(Step("channel", f"N = {channel.rows:,}, E = {bound(error)} for idle rows, W = {reach}"))
    return tuple(steps)


def _of(channel: Channel) -> str:
    """What is evaluated, where predictions have another format than the score."""
    own = channel.submission
    return f" of {own.text} predictions" if own.floating and own.text != channel.scores.text else ""
