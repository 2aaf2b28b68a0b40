"""The certifier: from a channel and an attack's parameters, and nothing else, to a promise that is proved.

It does not know how a proposal was found. First the promise that the parameters make is held against the channel,
then the inequalities of their family are derived again in rigorous arithmetic. A mistake in a theorem's search can
cost an attack; it cannot make a false promise.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Any

from planner.attacks.promise import FLIPS, NOTHING, Obligation, Promise
from planner.channel.conditions import UNPROVED
from planner.channel.response import FLIPS_SHARE
from planner.model import Certificate
from planner.numerics.inequality import Proof
from planner.numerics.reals import working

if TYPE_CHECKING:
    from planner.attacks.parameters import Parameters
    from planner.channel.channel import Channel

    Check = Callable[[Channel, Any], Proof]


def certify(channel: Channel, parameters: Parameters) -> Certificate:
    """Hold the promise against the channel, then prove it; the certificate says of each point whether it holds."""
    with working(channel.working_bits):
        promise = promise_of(channel, parameters)
        duties = obligations(channel, parameters, promise)
        if not all(one.holds for one in duties):
            # A family's inequalities speak of channels that its records are made for, and of no other.
            return Certificate(parameters, promise, duties, "nothing: an obligation is not met", ())
        try:
            proof = certifier_of(type(parameters))(parameters.scope.read(channel), parameters)
        except (ArithmeticError, ValueError, LookupError) as fault:
            # A record of absurd numbers, such as no theorem proposes: what cannot be computed is not proved.
            absurd = Obligation("parameters", "numbers that make an attack", str(fault), False)
            return Certificate(parameters, promise, (*duties, absurd), "nothing: the record makes no attack", ())
        return Certificate(parameters, promise, duties, _guarantee(proof, promise, parameters), proof.inequalities)


def certifier_of(kind: type[Parameters]) -> Check:
    """The family's own inequalities: `prove` of the file certify.py beside its parameters, read when first needed."""
    family = kind.__module__.rpartition(".")[0]
    prove: Check = import_module(f"{family}.certify").prove
    return prove


def promise_of(channel: Channel, parameters: Parameters) -> Promise:
    """What the parameters promise on this channel; facts that the record itself fixes are taken from the record."""
    over, flipped = _over(channel, parameters), channel.flipped if parameters.scope.reads else 0
    return Promise(
        labels=parameters.labels,
        classes=parameters.told,
        queries=parameters.queries,
        adaptive=parameters.adaptive,
        wrong=parameters.mistakes + flipped,
        membership=parameters.membership,
        chance=Fraction(0) if over == NOTHING else channel.delta,
        over=over,
        assumes=tuple({**channel.facts, **parameters.fixes}.items()),
    )


def _over(channel: Channel, parameters: Parameters) -> str:
    """What the chance of failure is taken over: also which labels were flipped, where any may be."""
    over = parameters.over(channel)
    if channel.response is None or not parameters.scope.reads:
        return over
    return FLIPS if over == NOTHING else f"{over}, and {FLIPS}"


def _guarantee(proof: Proof, promise: Promise, parameters: Parameters) -> str:
    """What is promised, in words; of labels that may have been flipped it speaks as they are stored."""
    if FLIPS not in promise.over:
        return proof.guarantee
    more = promise.wrong - parameters.mistakes
    chance = f"{float(promise.chance * FLIPS_SHARE):g}"
    return f"of the labels as stored: {proof.guarantee}; at most {more} of these were flipped, but with probability {chance}"


def obligations(channel: Channel, parameters: Parameters, promise: Promise) -> tuple[Obligation, ...]:
    """Everything that must hold of promise and channel, whatever the attack."""
    sure, held = promise.labels - promise.wrong, parameters.scope.read(channel)
    return (
        Obligation("goal", f"at least {channel.wanted} labels that are right", f"{sure}", sure >= channel.wanted),
        Obligation("N", f"at most {channel.rows} labels", f"{promise.labels}", 0 < promise.labels <= channel.rows),
        _asked(parameters, promise),
        Obligation(
            "K", f"{channel.classes} classes told apart", f"{promise.classes}", promise.classes >= channel.classes
        ),
        Obligation("adaptive", "queries that may depend on scores", "no", channel.adaptive or not promise.adaptive),
        Obligation(
            "confidence",
            f"a chance of failure of at most {channel.delta}",
            f"{promise.chance}",
            0 <= promise.chance <= channel.delta,
        ),
        *(
            Obligation(one.field, one.need, "met" if one.met(held) else one.have(held), one.met(held))
            for one in (*parameters.scope.rows, *parameters.conditions)
        ),
        Obligation(
            "find",
            "which rows are scored" if channel.membership else "labels",
            "both" if promise.membership else "labels alone",
            promise.membership or not channel.membership,
        ),
        _released(channel, parameters),
        *_fixed(channel, parameters),
        *_shape(channel, parameters),
        *(Obligation(field, *UNPROVED, False) for field in channel.unknown),
    )


def _asked(parameters: Parameters, promise: Promise) -> Obligation:
    """Listed queries are asked all, and no other."""
    if parameters.listed is None:
        return Obligation("queries", "at least one query", f"{promise.queries}", promise.queries >= 1)
    same = promise.queries == parameters.listed >= parameters.fewest
    return Obligation("queries", f"the {parameters.listed} queries of the record", f"{promise.queries}", same)


def _shape(channel: Channel, parameters: Parameters) -> tuple[Obligation, ...]:
    """The metric is of the kind that the record is for: told where it is not."""
    needs = parameters.scope.needs
    if needs is None or needs.met(channel):
        return ()
    return (Obligation(needs.field, needs.need, needs.have(channel), False),)


def _released(channel: Channel, parameters: Parameters) -> Obligation:
    """A record speaks of scores as one release shows them: under any other its decoder is led astray."""
    scope = parameters.scope
    return Obligation("release", f"one of {', '.join(scope.releases)}", channel.released.id, scope.shown(channel))


def _fixed(channel: Channel, parameters: Parameters) -> tuple[Obligation, ...]:
    """What is written into the record is what the channel says; all else that is assumed was read off the channel."""
    actual = channel.facts
    return tuple(
        Obligation(name, value, actual.get(name, "no such fact"), actual.get(name) == value)
        for name, value in parameters.fixes.items()
    )
