"""A channel read from its exact record: whatever no scenario says is refused, and what would take too long."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from threatplan.verify import reading
from threatplan.verify.channel import RELEASES, Channel, Enclosure
from threatplan.verify.formats import SIGNIFICAND, Kind
from threatplan.verify.metrics import METRICS
from threatplan.verify.reading import Unreadable

MOST_LABELS, MOST_CLASSES, MOST_SHOWN = 10**18, 10**6, 1000  # what the language takes
MOST_EPSILON = 1000
MOST_BITS = 2**18  # of a format, fewer than the language takes: the check of one report stays a matter of seconds
FORMATS = {"arbitrary": (), "fixed": ("integer_bits", "fraction_bits"), "ieee": ("bits",)}
NOISES = {
    "none": (),
    "bounded": ("tau",),
    "uniform": ("a", "b"),
    "gaussian": ("sigma",),
    "laplace": ("b",),
    "subexponential": ("lambda2", "nu"),
    "multiplicative": ("alpha",),
    "skewed": ("alpha", "above"),
}
SHOWN = dict.fromkeys(("decimals", "percent", "truncated", "significant"), ("digits",))


def channel_of(data: reading.Data) -> Channel:
    """The channel of an exact record."""
    fields = tuple(name for name in Channel.__dataclass_fields__ if name != "counted")  # which follows from `exactly`
    reading.only(data, *fields)
    channel = Channel(
        N=reading.whole(data, "N", 1),
        scored=reading.whole(data, "scored", 1),
        K=reading.whole(data, "K", 2),
        metric=_word(data, "metric", tuple(METRICS)),
        predictions=_word(data, "predictions", ("probability", "class", "real")),
        abstain=reading.truth(data, "abstain"),
        reduction=_word(data, "reduction", ("mean", "sum")),
        columns=reading.whole(data, "columns", 1),
        precision=_kind(data, "precision", FORMATS),
        score_precision=_kind(data, "score_precision", FORMATS),
        clip=None if data["clip"] is None else enclosure(data, "clip"),
        renormalises=reading.truth(data, "renormalises"),
        summation=_word(data, "summation", ("pairwise", "sequential")),
        shown=None if data["shown"] is None else _kind(data, "shown", SHOWN),
        noise=_kind(data, "noise", NOISES),
        budget=None if data["budget"] is None else reading.whole(data, "budget"),
        time=_word(data, "time", ("polynomial", "exponential")),
        adaptive=reading.truth(data, "adaptive"),
        target=reading.whole(data, "target"),
        delta=reading.rational(data, "delta"),
        clip_of=_word(data, "clip_of", ("prediction", "charged", "logarithm")),
        checks=reading.truth(data, "checks"),
        release=_kind(data, "release", RELEASES),
        response=None if data["response"] is None else enclosure(data, "response"),
        accounts=reading.whole(data, "accounts", 1),
        any_sums=reading.truth(data, "any_sums"),
        radius=reading.whole(data, "radius"),
        exactly=reading.truth(data, "exactly"),
        counted=reading.truth(data, "exactly"),
        uncertain=reading.whole(data, "uncertain"),
        looser=reading.whole(data, "looser"),
        membership=reading.truth(data, "membership"),
        beside=_beside(data),
    )
    _sensible(channel)
    return replace(channel, noise=_of_one(channel.noise, channel.parts))


def _of_one(law: Kind, parts: int) -> Kind:
    """The noise of a sum as that of its n-th part: lengths are divided by n, a variance by its square, a factor stays."""
    divisors = {"alpha": 1, "above": 1, "lambda2": parts**2}
    return Kind(law.name, tuple((name, each.over(divisors.get(name, parts))) for name, each in law.numbers))


def enclosure(data: reading.Data, name: str) -> Enclosure:
    """A real number by its ends."""
    ends = reading.record(data, name)
    reading.only(ends, "lo", "hi")
    found = Enclosure(reading.rational(ends, "lo"), reading.rational(ends, "hi"))
    if found.lo > found.hi:
        raise Unreadable(f"`{name}` has its ends in the wrong order")
    return found


def _kind(data: reading.Data, name: str, known: Mapping[str, tuple[str, ...]]) -> Kind:
    given = reading.record(data, name)
    kind = reading.text_of(given, "kind")
    if kind not in known:
        raise Unreadable(f"`{name}` is of a kind unknown to this checker: {kind[:40]!r}")
    reading.only(given, "kind", *known[kind])
    read = {id(NOISES): enclosure, id(RELEASES): _of_release}.get(id(known), reading.whole)
    return Kind(kind, tuple((each, read(given, each)) for each in known[kind]))


def _of_release(data: reading.Data, name: str) -> Any:
    """A count of changes, or a real number; a Ladder that starts at infinity has no start."""
    if name == "most":
        return reading.whole(data, name, 1)
    return None if name == "start" and data[name] is None else enclosure(data, name)


def _beside(data: reading.Data) -> tuple[str, ...]:
    """Scores that come back with the one that is read: others, and each once."""
    found = tuple(reading.items(data, "beside"))
    if any(name not in METRICS for name in found) or len({data["metric"], *found}) != 1 + len(found):
        raise Unreadable("`beside` names no other scores than there are, each once")
    return found


def _word(data: reading.Data, name: str, known: tuple[str, ...]) -> str:
    word = reading.text_of(data, name)
    if word not in known:
        raise Unreadable(f"`{name}` is none of {', '.join(known)}")
    return word


def _sensible_format(format: Kind) -> bool:
    if format.name == "fixed" and format.fraction_bits + format.integer_bits > MOST_BITS:
        raise Unreadable(f"a format of more than {MOST_BITS:,} bits, finer than this checker takes")
    if format.name == "fixed":
        return bool(format.fraction_bits >= 1)
    return format.name == "arbitrary" or format.bits in SIGNIFICAND


def _sensible(c: Channel) -> None:
    """Refuse what no scenario says, and what would take too long."""
    law = dict(c.noise.numbers)
    faults = {
        "precision": not _sensible_format(c.precision),
        "score_precision": not _sensible_format(c.score_precision),
        "clip": c.clip is not None and not (c.charges.clips and 0 < c.clip.lo <= c.clip.hi < Fraction(1, 2)),
        "shown": c.shown is not None and c.shown.digits > MOST_SHOWN,
        "noise": any(value.lo < 0 for name, value in law.items() if c.noise.name != "uniform"),
        "release": any(isinstance(one, Enclosure) and one.lo <= 0 for _, one in c.release.numbers),
        "response": c.response is not None and not 0 < c.response.lo <= c.response.hi <= MOST_EPSILON,
        "uniform": c.noise.name == "uniform" and law["a"].hi >= law["b"].lo,
        "N": c.N > MOST_LABELS,
        "accounts": c.accounts > MOST_LABELS,
        "scored": not 1 <= c.scored <= c.N,
        "uncertain": c.uncertain >= c.scored,
        "looser": c.looser > c.uncertain,
        "membership": c.membership and c.scored - c.uncertain == c.N,
        "K": c.K > MOST_CLASSES,
        "target": c.target > c.N,
        "radius": c.radius > c.N,
        "delta": not 0 <= c.delta < 1,
        "columns": c.columns not in (1, c.K) or (c.columns == 1 and c.K > 2 and c.charges.predictions != ("class",)),
    }
    for name, wrong in faults.items():
        if wrong:
            raise Unreadable(f"`{name}` has a value that no scenario has")
