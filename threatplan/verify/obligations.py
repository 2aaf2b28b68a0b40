"""What a promise owes its channel: labels, classes, chances, adaptivity, and every fact that it takes for granted."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from threatplan.verify import reading, response, secret
from threatplan.verify.channel import ROUNDED, Channel, Enclosure
from threatplan.verify.claims import FLIPS, NOTHING, Derived
from threatplan.verify.formats import Kind

LONG = 1024  # bits beyond which numbers are written in hexadecimal


def unmet(channel: Channel, derived: Derived, promise: reading.Data) -> Iterator[str]:
    """Where the promise is not what the parameters give, or the channel does not let it count."""
    reading.only(
        promise, "labels", "classes", "queries", "adaptive", "wrong", "membership", "chance", "over", "assumes"
    )
    over, wrong = derived.chance_over(channel), derived.wrong
    if channel.response is not None and derived.reads:
        over = FLIPS if over == NOTHING else f"{over}, and {FLIPS}"
        wrong += response.flipped(channel.N, channel.response, channel.K, channel.delta)
    chance = Fraction(0) if over == NOTHING else channel.delta
    stated = {
        "labels": (reading.whole(promise, "labels"), derived.labels),
        "classes": (reading.whole(promise, "classes"), derived.classes),
        "queries": (reading.whole(promise, "queries"), derived.queries),
        "adaptive": (reading.truth(promise, "adaptive"), derived.adaptive),
        "wrong": (reading.whole(promise, "wrong"), wrong),
        "membership": (reading.truth(promise, "membership"), derived.membership),
        "chance": (reading.rational(promise, "chance"), chance),
        "over": (reading.text_of(promise, "over"), over),
    }
    for name, (said, found) in stated.items():
        if said != found:
            yield f"the promise says {name} = {said}, and the parameters give {found}"
    sure = derived.labels - wrong
    owed = (
        (f"{channel.target} labels are to be right, {sure} are", sure >= channel.target),
        (f"there are {channel.N} labels, and {derived.labels} are promised", derived.labels <= channel.N),
        (f"{channel.K} classes are to be told apart, {derived.classes} are", derived.classes >= channel.K),
        (f"{derived.listed} queries are listed", derived.listed is None or derived.listed == derived.queries),
        ("queries may not depend on scores", channel.adaptive or not derived.adaptive),
        (f"a chance of failure of {chance} is more than {channel.delta}", 0 <= chance <= channel.delta),
        (
            "nothing is known of such formats or submissions: of two kinds, or none that the metric has",
            channel.known,
        ),
        ("nothing is known of a secret part and a guess", not (channel.split and secret.informed(channel))),
        ("every row must be scored", derived.of_a_part or not channel.split),
        ("which rows are scored is to be told, too", derived.membership or not channel.membership),
        (f"a board of release {channel.release.name}", channel.release.name in derived.releases),
        *((f"needs {text}", met) for text, met in derived.fits),
    )
    yield from (text for text, met in owed if not met)
    assumed, actual = reading.record(promise, "assumes"), facts(channel)
    for name in sorted(assumed.keys() | actual.keys()):
        if assumed.get(name) != actual.get(name):
            yield f"{name} is taken to be {assumed.get(name)!r}, and is {actual.get(name)!r}"


def facts(channel: Channel) -> dict[str, str]:
    """What the scorer does, each fact by the name of its field."""
    return {
        "N": str(channel.N),
        "K": str(channel.K),
        "guess": _known(channel),
        "public": _scored(channel),
        "metric": channel.metric,
        "predictions": channel.predictions,
        "abstain": "yes" if channel.abstain else "no",
        "reduction": channel.reduction,
        "columns": str(channel.columns),
        "phi": _format(channel.precision),
        "score_phi": _format(channel.score_precision),
        "clip": "none" if channel.clip is None else _number(channel.clip),
        "clip_of": channel.clip_of,
        "renormalises": "yes" if channel.renormalises else "no",
        "checks": "yes" if channel.checks else "no",
        "any_sums": "yes" if channel.any_sums else "no",
        "summation": channel.summation,
        "decimals": _shown(channel),
        "noise": _noise(channel.noise),
        "release": _noise(channel.release),
        "response": "none" if channel.response is None else _number(channel.response),
    }


def _scored(channel: Channel) -> str:
    if channel.uncertain:
        return f"between({channel.scored - channel.uncertain}, {channel.scored})"
    return "all" if channel.scored == channel.N else str(channel.scored)


def _known(channel: Channel) -> str:
    if not secret.informed(channel):
        return "none"
    return f"{'just' if channel.exactly else 'at most'} {channel.radius} wrong"


def _format(kind: Kind) -> str:
    if kind.name == "ieee":
        return f"float{kind.bits}"
    return kind.name if kind.name == "arbitrary" else f"fixed({kind.integer_bits}, {kind.fraction_bits})"


def _shown(channel: Channel) -> str:
    kind = channel.shown
    if kind is None:
        return "full"
    name, digits = "rounded" if kind.name in ROUNDED else kind.name, int(kind.digits)
    if not channel.step:
        return f"{name}({digits})"
    while channel.step * 10**digits < 1:  # of a sum: the n-th part of its last decimal may be one, too
        digits += 1
    return f"{name}({digits})" if channel.step * 10**digits == 1 else f"{name} to steps of {channel.step}"


def _noise(kind: Kind) -> str:
    inside = ", ".join(_number(value) for _, value in kind.numbers if value is not None)
    return f"{kind.name}({inside})" if inside else kind.name


def _number(value: Enclosure | int) -> str:
    if isinstance(value, int):
        return str(value)
    if value.lo == value.hi:
        return _rational(value.lo)
    return f"{_rational(value.lo)}..{_rational(value.hi)}"


def _rational(value: Fraction) -> str:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) <= LONG:
        return str(value)
    return f"{value.numerator:#x}/{value.denominator:#x}"
