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

from planner.attacks.promise import NOTHING, Obligation, Promise
from planner.channel.conditions import ALL_SCORED
from planner.channel.facts import facts
from planner.channel.metrics.base import SHAPES
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
            proof = certifier_of(type(parameters))(channel, parameters)
        except (ArithmeticError, ValueError, LookupError) as fault:
            # A record of absurd numbers, such as no theorem proposes: what cannot be computed is not proved.
            absurd = Obligation("parameters", "numbers that make an attack", str(fault), False)
            return Certificate(parameters, promise, (*duties, absurd), "nothing: the record makes no attack", ())
        return Certificate(parameters, promise, duties, proof.guarantee, proof.inequalities)


def certifier_of(kind: type[Parameters]) -> Check:
    """The family's own inequalities: `prove` of the file certify.py beside its parameters, read when first needed."""
    family = kind.__module__.rpartition(".")[0]
    prove: Check = import_module(f"{family}.certify").prove
    return prove


def promise_of(channel: Channel, parameters: Parameters) -> Promise:
    """What the parameters promise on this channel; facts that the record itself fixes are taken from the record."""
    over = parameters.over(channel)
    return Promise(
        labels=parameters.labels,
        classes=parameters.told,
        queries=parameters.queries,
        adaptive=parameters.adaptive,
        wrong=parameters.mistakes,
        membership=parameters.membership,
        chance=Fraction(0) if over == NOTHING else channel.delta,
        over=over,
        assumes=tuple({**facts(channel), **parameters.fixes}.items()),
    )


def obligations(channel: Channel, parameters: Parameters, promise: Promise) -> tuple[Obligation, ...]:
    """Everything that must hold of promise and channel, whatever the attack."""
    sure = promise.labels - promise.wrong
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
            Obligation(one.field, one.need, "met" if one.met(channel) else one.have(channel), one.met(channel))
            for one in (*(() if parameters.of_a_part else (ALL_SCORED,)), *parameters.conditions)
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
        *(Obligation(field, "a kind that is known", "another", False) for field in channel.unknown),
    )


def _asked(parameters: Parameters, promise: Promise) -> Obligation:
    """Listed queries are asked all, and no other."""
    if parameters.listed is None:
        return Obligation("queries", "at least one query", f"{promise.queries}", promise.queries >= 1)
    same = promise.queries == parameters.listed >= parameters.fewest
    return Obligation("queries", f"the {parameters.listed} queries of the record", f"{promise.queries}", same)


def _shape(channel: Channel, parameters: Parameters) -> tuple[Obligation, ...]:
    """The metric is of the kind that the record is for: told where it is not."""
    if not parameters.needs or getattr(channel.metric, parameters.needs):
        return ()
    return (Obligation("metric", SHAPES[parameters.needs], channel.metric.title, False),)


def _released(channel: Channel, parameters: Parameters) -> Obligation:
    """A record speaks of scores as one release shows them: under any other its decoder is led astray."""
    named = channel.released.id in parameters.releases
    return Obligation("release", f"one of {', '.join(parameters.releases)}", channel.released.id, named)


def _fixed(channel: Channel, parameters: Parameters) -> tuple[Obligation, ...]:
    """What is written into the record is what the channel says; all else that is assumed was read off the channel."""
    actual = facts(channel)
    return tuple(
        Obligation(name, value, actual.get(name, "no such fact"), actual.get(name) == value)
        for name, value in parameters.fixes.items()
    )
