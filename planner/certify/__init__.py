"""The certifier: from a channel and an attack's parameters, and nothing else, to a promise that is proved.

It does not know how a proposal was found. First the promise that the parameters make is held against the channel,
then the inequalities of their family are derived again in rigorous arithmetic. A mistake in a theorem's search can
cost an attack; it cannot make a false promise.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from planner.model import Certificate, Proof
from planner.promise import Obligation, obligations, promise_of
from planner.reals import working

if TYPE_CHECKING:
    from planner.channel import Channel
    from planner.parameters import Parameters

    Check = Callable[[Channel, Any], Proof]

# What certifies each kind of parameters: a file of this folder, read when the first of its kind is proposed, and
# the function in it.
CHECKS: dict[str, tuple[str, str]] = {
    "listed_block": ("block", "certify_listed"),
    "geometric_odds": ("block", "certify_geometric"),
    "dyadic_weights": ("block", "certify_dyadic"),
    "prime_powers": ("primes", "certify_primes"),
    "design_stages": ("design", "certify_design"),
    "digit_block": ("digits", "certify_digits"),
    "growing_blocks": ("growing", "certify_growing"),
    "thresholds": ("rounded", "certify_thresholds"),
    "dithered_spread": ("dither", "certify_dither"),
    "spread": ("spread", "certify_spread"),
    "hadamard_mean": ("spread", "certify_hadamard"),
    "zero_tests": ("zero", "certify_zero"),
}


def certify(channel: Channel, parameters: Parameters) -> Certificate:
    """Hold the promise against the channel, then prove it; the certificate says of each point whether it holds."""
    with working(channel.working_bits):
        promise = promise_of(channel, parameters)
        duties = obligations(channel, parameters, promise)
        if not all(one.holds for one in duties):
            # A family's inequalities speak of channels that its records are made for, and of no other.
            return Certificate(parameters, promise, duties, "nothing: an obligation is not met", ())
        try:
            proof = check_of(parameters.kind)(channel, parameters)
        except (ArithmeticError, ValueError, LookupError) as fault:
            # A record of absurd numbers, such as no theorem proposes: what cannot be computed is not proved.
            absurd = Obligation("parameters", "numbers that make an attack", str(fault), False)
            return Certificate(parameters, promise, (*duties, absurd), "nothing: the record makes no attack", ())
        return Certificate(parameters, promise, duties, proof.guarantee, proof.inequalities)


@cache
def check_of(kind: str) -> Check:
    """The function that certifies parameters of this kind."""
    file, name = CHECKS[kind]
    check: Check = getattr(import_module(f"{__name__}.{file}"), name)
    return check
