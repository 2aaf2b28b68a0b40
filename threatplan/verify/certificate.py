"""One certificate: its promise, what the channel owes it, and every inequality, derived anew from the parameters."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from importlib import import_module
from typing import Any

from threatplan.verify import reading
from threatplan.verify.channel import Channel
from threatplan.verify.claims import Claim, Derived
from threatplan.verify.intervals import (
    ARITHMETIC,
    INFINITY,
    Interval,
    decided,
    hull,
    larger,
    power_of_two,
    precision,
    real,
)
from threatplan.verify.obligations import unmet
from threatplan.verify.reading import Unreadable

# What derives each kind of parameters: a file of this folder.
FAMILIES = {
    "listed_block": "block",
    "geometric_odds": "geometric",
    "dyadic_weights": "dyadic",
    "prime_powers": "primes",
    "design_stages": "design",
    "digit_block": "digits",
    "growing_blocks": "growing",
    "thresholds": "thresholds",
    "dithered_spread": "dither",
    "spread": "spread",
    "hadamard_mean": "hadamard",
    "zero_tests": "zero",
}
WIDEST = Fraction(1, 64)  # of a recorded enclosure, as a part of the larger side: differences lose digits
LEAST = Fraction(1, 2**100)  # and where both sides vanish
_DECIMAL = re.compile(r"(-?\d+(?:\.\d+)?)(?:e([+-]?\d{1,6}))?\Z", re.IGNORECASE)
_BINARY = re.compile(r"(-?\d{1,40})\*2\^(-?\d{1,9})\Z")


@dataclass(frozen=True)
class Proof:
    """A claim, both of its sides, and whether it is proved."""

    claim: Claim
    left: Interval
    right: Interval
    proved: bool


def faults(channel: Channel, certified: reading.Data) -> Iterator[str]:
    """All that is not so: nothing, where the certificate is right."""
    parameters = reading.record(certified, "parameters")
    try:
        derived, proofs = _proofs(channel, json.dumps(parameters))
    except ARITHMETIC as error:
        if isinstance(error, Unreadable):
            raise
        yield f"the parameters lead to no numbers: {type(error).__name__}"
        return
    yield from unmet(channel, derived, reading.record(certified, "promise"))
    if reading.whole(certified, "queries") != derived.queries:
        yield f"{certified['queries']} queries are stated, and the parameters ask {derived.queries}"
    yield from recorded(channel, proofs, reading.items(certified, "certificate"))


@lru_cache(maxsize=64)
def _proofs(channel: Channel, parameters: str) -> tuple[Derived, tuple[Proof, ...]]:
    """What parameters promise and all that carries it; kept, since what is exposed is most often the best plan."""
    data = json.loads(parameters)
    kind = reading.text_of(data, "kind")
    if kind not in FAMILIES:
        raise Unreadable(f"parameters of a kind unknown to this checker: {kind[:40]!r}")
    derived: Derived = import_module(f"threatplan.verify.{FAMILIES[kind]}").derive(channel, data)
    return derived, tuple(proof_of(channel, claim) for claim in derived.claims)


def proof_of(channel: Channel, claim: Claim) -> Proof:
    """A claim, proved or not."""
    return Proof(claim, *claim.proof(channel))


def recorded(channel: Channel, proofs: Sequence[Proof], records: list[Any]) -> Iterator[str]:
    """Whether the inequalities of the record are those that must hold, and each is proved, by the record's figures too."""
    needed = [proof.claim.name for proof in proofs]
    if [reading.text_of(one, "name") for one in records] != needed:
        yield f"other inequalities are needed: {', '.join(needed)}"
        return
    for proof, record in zip(proofs, records, strict=True):
        claim = proof.claim
        if record.get("relation") != claim.relation or record.get("holds") is not True:
            yield f"{claim.name}: not stated to hold"
            continue
        if not proof.proved:
            yield f"{claim.name}: not proved, {proof.left!r} against {proof.right!r}"
        yield from _figures(channel, claim, record, proof.left, proof.right)


def _figures(channel: Channel, claim: Claim, record: reading.Data, left: Interval, right: Interval) -> Iterator[str]:
    """The bounds that the record prints: true, narrow, and themselves a proof."""
    with precision(max(256, channel.bits)):
        stated = [bounds(record, side) for side in ("left", "right")]
        ends = [abs(end).high for side in stated for end in (side.low, side.high) if end.finite]
        room = (larger(*ends) if ends else real(0)) * WIDEST + LEAST
        for name, side, own in zip(("left", "right"), stated, (left, right), strict=True):
            # A side may be bounded on the way to the record, in the direction that makes the relation harder.
            harder = name == ("left" if claim.relation in (">", ">=") else "right")
            low, high = (own.low - room, own.high) if harder else (own.low, own.high + room)
            if side.low > high or side.high < low:
                yield f"{claim.name}: the {name} side is {own!r}, stated as {side!r}"
            elif side.finite and not (side.high - side.low) <= room + 4 * (own.high - own.low):
                yield f"{claim.name}: the {name} side is stated too widely, as {side!r}"
        if decided(stated[0], claim.relation, stated[1]) is False:
            yield f"{claim.name}: the figures that are stated refute it"


def bounds(record: reading.Data, side: str) -> Interval:
    """Two printed bounds."""
    ends = reading.items(record, side)
    if len(ends) != 2:
        raise Unreadable(f"`{side}` is no pair of bounds")
    low, high = (_end(end, side) for end in ends)
    if low > high:
        raise Unreadable(f"`{side}` has its bounds in the wrong order")
    return hull(low, high)


def _end(text: Any, side: str) -> Interval:
    if text == "∞":
        return INFINITY
    found = _DECIMAL.match(text) if isinstance(text, str) and len(text) < 2000 else None
    if found:
        exponent = int(found[2] or 0)
        if abs(exponent) > 10**5:
            raise Unreadable(f"`{side}` has a bound beyond all size")
        return real(Fraction(found[1])) * real(10) ** exponent
    binary = _BINARY.match(text) if isinstance(text, str) else None
    if binary is None:
        raise Unreadable(f"`{side}` has a bound that is no number")
    return real(int(binary[1])) * power_of_two(int(binary[2]))
