"""The certifier: from a channel and an attack's parameters, and nothing else, to proved inequalities.

It does not know how a proposal was found. A mistake in a theorem's search can cost an attack; it cannot make a
false promise, because every inequality is derived here again in rigorous arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from planner.attacks.zero import ZeroTests
from planner.certify.block import certify_dyadic, certify_geometric, certify_listed
from planner.certify.design import certify_design
from planner.certify.digits import certify_digits
from planner.certify.dither import certify_dither
from planner.certify.growing import certify_growing
from planner.certify.primes import certify_primes
from planner.certify.rounded import certify_thresholds
from planner.certify.spread import certify_hadamard, certify_spread
from planner.certify.zero import certify_zero
from planner.channel import Channel
from planner.model import Certificate
from planner.parameters import (
    DesignStages,
    DigitBlock,
    DyadicWeights,
    GeometricOdds,
    GrowingBlocks,
    ListedBlock,
    Parameters,
    PrimePowers,
)
from planner.rounded import DitheredSpread, Thresholds
from planner.spreads import HadamardMean, Spread

Check = Callable[[Channel, Any], Certificate]

CHECKS: dict[type[Parameters], Check] = {
    ListedBlock: certify_listed,
    GeometricOdds: certify_geometric,
    DyadicWeights: certify_dyadic,
    PrimePowers: certify_primes,
    DesignStages: certify_design,
    DigitBlock: certify_digits,
    GrowingBlocks: certify_growing,
    Thresholds: certify_thresholds,
    DitheredSpread: certify_dither,
    Spread: certify_spread,
    HadamardMean: certify_hadamard,
    ZeroTests: certify_zero,
}


def certify(channel: Channel, parameters: Parameters) -> Certificate:
    """Check the parameters against the channel; the certificate says of each inequality whether it is proved."""
    return CHECKS[type(parameters)](channel, parameters)
