"""What a certificate promises, and whether a channel lets the promise count.

A promise speaks of labels, classes, queries and chances, and of everything that it takes for granted of the channel.
The obligations compare it with the channel before any inequality of a family is looked at: a record made for other
classes, other rounding or fewer labels is refused here, however it came about.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Never

from dsl.numbers import Real
from dsl.records import dataclass, fields
from dsl.scenario import Arbitrary, Decimals, FixedPoint, Ieee, Noise, NoNoise, Precision, Shown, Significant, Truncated

if TYPE_CHECKING:
    from planner.channel import Channel
    from planner.parameters import Parameters

LONG = 1024  # bits beyond which a number is written in hexadecimal
NOTHING, NOISE, COINS = "nothing", "the noise", "the attacker's coins"
"""Over what the chance of a promise is taken."""


@dataclass(frozen=True)
class Promise:
    """Of `labels` stated labels all but `wrong` are right after `queries` queries, but for a probability `chance`."""

    labels: int
    classes: int  # told apart
    queries: int
    adaptive: bool  # whether later queries depend on earlier scores
    wrong: int
    chance: Fraction
    over: str  # what the chance is taken over
    assumes: tuple[tuple[str, str], ...]  # facts of the channel


@dataclass(frozen=True)
class Obligation:
    """One point in which a promise must agree with the channel."""

    field: str
    need: str
    have: str
    holds: bool


def promise_of(channel: Channel, parameters: Parameters) -> Promise:
    """What the parameters promise on this channel; facts that the record itself fixes are taken from the record."""
    over = parameters.over(channel)
    return Promise(
        labels=parameters.labels,
        classes=parameters.told,
        queries=parameters.queries,
        adaptive=parameters.adaptive,
        wrong=parameters.mistakes,
        chance=Fraction(0) if over == NOTHING else channel.delta,
        over=over,
        assumes=tuple({**facts(channel), **parameters.fixes}.items()),
    )


def obligations(channel: Channel, parameters: Parameters, promise: Promise) -> tuple[Obligation, ...]:
    """Everything that must hold of promise and channel, whatever the attack."""
    sure = promise.labels - promise.wrong
    return (
        Obligation("goal", f"at least {channel.target} labels that are right", f"{sure}", sure >= channel.target),
        Obligation("N", f"at most {channel.N} labels", f"{promise.labels}", 0 < promise.labels <= channel.N),
        _asked(parameters, promise),
        Obligation("K", f"{channel.K} classes told apart", f"{promise.classes}", promise.classes >= channel.K),
        Obligation("adaptive", "queries that may depend on scores", "no", channel.adaptive or not promise.adaptive),
        Obligation(
            "confidence",
            f"a chance of failure of at most {channel.delta}",
            f"{promise.chance}",
            0 <= promise.chance <= channel.delta,
        ),
        *(
            Obligation(one.field, one.need, "met" if one.met(channel) else one.have(channel), one.met(channel))
            for one in parameters.conditions
        ),
        *_fixed(channel, parameters),
        *(Obligation(field, "a kind that is known", "another", False) for field in channel.unknown),
    )


def _asked(parameters: Parameters, promise: Promise) -> Obligation:
    """Listed queries are asked all, and no other."""
    if parameters.listed is None:
        return Obligation("queries", "at least one query", f"{promise.queries}", promise.queries >= 1)
    same = promise.queries == parameters.listed > 0
    return Obligation("queries", f"the {parameters.listed} queries of the record", f"{promise.queries}", same)


def _fixed(channel: Channel, parameters: Parameters) -> tuple[Obligation, ...]:
    """What is written into the record is what the channel says; all else that is assumed was read off the channel."""
    actual = facts(channel)
    return tuple(
        Obligation(name, value, actual.get(name, "no such fact"), actual.get(name) == value)
        for name, value in parameters.fixes.items()
    )


# -- facts of a channel --------------------------------------------------------------------------------


def facts(channel: Channel) -> dict[str, str]:
    """All that a scorer does, each fact by the name of its field, in a form that can be compared."""
    return {
        "N": f"{channel.N}",
        "K": f"{channel.K}",
        "columns": f"{channel.columns}",
        "phi": precision_text(channel.precision),
        "score_phi": precision_text(channel.score_precision),
        "clip": "none" if channel.clip is None else number_text(channel.clip),
        "clip_of": channel.clip_of,
        "renormalises": "yes" if channel.renormalises else "no",
        "checks": "yes" if channel.checks else "no",
        "summation": str(channel.summation),
        "decimals": shown_text(channel.shown),
        "noise": noise_text(channel.noise),
    }


def precision_text(precision: Precision) -> str:
    """A format by its name and its bits."""
    match precision:
        case Arbitrary():
            return "arbitrary"
        case FixedPoint(integer_bits=i, fraction_bits=f):
            return f"fixed({i}, {f})"
        case Ieee(bits=bits):
            return f"float{bits}"
    return nameless(precision)  # type: ignore[unreachable]


def nameless(value: Never) -> str:
    """A value of no kind that there is; an obligation refuses it."""
    return f"unknown: {type(value).__name__}"


def shown_text(shown: Shown) -> str:
    """What is shown of a score."""
    match shown:
        case None:
            return "full"
        case Decimals(digits=digits):
            return f"rounded({digits})"
        case Truncated(digits=digits):
            return f"truncated({digits})"
        case Significant(digits=digits):
            return f"significant({digits})"
    return nameless(shown)  # type: ignore[unreachable]


def noise_text(noise: Noise) -> str:
    """A law by its name and its parameters."""
    if isinstance(noise, NoNoise):
        return "none"
    if not isinstance(noise, Noise):
        return nameless(noise)  # type: ignore[unreachable]
    inside = ", ".join(number_text(getattr(noise, each.name)) for each in fields(noise))
    return f"{type(noise).__name__.lower()}({inside})"


def number_text(value: Any) -> str:
    """An exact number, or the two ends of what encloses it; long ones in hexadecimal, which is quick at any length."""
    if isinstance(value, Real):
        return number_text(value.lo) if value.exact else f"{number_text(value.lo)}..{number_text(value.hi)}"
    exact = Fraction(value)
    if max(exact.numerator.bit_length(), exact.denominator.bit_length()) <= LONG:
        return f"{exact}"
    return f"{exact.numerator:#x}/{exact.denominator:#x}"
