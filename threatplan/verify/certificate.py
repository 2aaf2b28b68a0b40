"""One certificate: its promise, what the channel owes it, and every inequality, derived anew from the parameters."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from importlib import import_module
from typing import Any

from threatplan.verify import reading, response
from threatplan.verify.channel import Channel
from threatplan.verify.claims import Claim, Derived
from threatplan.verify.intervals import (
    ARITHMETIC,
    INFINITY,
    MINUS_INFINITY,
    Interval,
    decided,
    hull,
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
    "counts": "counting",
    "free_block": "line",
    "square_block": "squares",
    "one_row": "counting",
    "growing_counts": "counting",
    "pivot": "counting",
    "class_counts": "counting",
    "rank_blocks": "ranks",
    "digit_block": "digits",
    "ones_block": "ones",
    "scaled_thresholds": "scaled",
    "prefix_thresholds": "prefix",
    "consistent_spread": "consistent",
    "amplitude_spread": "amplitude",
    "prefix_passes": "passes",
    "coded_spread": "codes",
    "signed_labels": "signs",
    "growing_blocks": "growing",
    "thresholds": "thresholds",
    "dithered_spread": "dither",
    "threshold_splitting": "hunting",
    "spread": "spread",
    "hadamard_mean": "hadamard",
    "zero_tests": "zero",
    "guess": "guess",
    "descent": "descent",
    "patterns": "patterns",
    "groups": "groups",
    "room": "room",
    "splitting": "splitting",
    "power_sums": "power_sums",
    "split_labels": "split_labels",
    "split_design": "split_design",
    "split_peel": "split_peel",
    "split_thresholds": "split_threshold",
    "split_count": "split_count",
    "split_members": "split_members",
    "split_mean": "split_mean",
}
# Kinds that need no rows of any weight.
WEIGHTLESS = ("guess", "counts", "one_row", "growing_counts", "pivot", "class_counts", "rank_blocks", "square_block")
UNREAD = ("guess",)  # kinds that ask for no score
WIDEST = Fraction(1, 64)  # of a recorded enclosure, as a part of it: differences lose digits
NARROW = Fraction(1, 10**6)  # of an integer, which loses nothing but its printed digits
LEAST = Fraction(1, 2**100)  # and where it vanishes
_DECIMAL = re.compile(r"(-?\d+(?:\.\d+)?)(?:e([+-]?\d{1,6}))?\Z", re.IGNORECASE)
_BINARY = re.compile(r"(-?\d{1,40})\*2\^(-?\d{1,18})\Z")


class Proof:
    """A claim, both of its sides, and whether it is proved; worked out when it is asked for."""

    def __init__(self, channel: Channel, claim: Claim) -> None:
        self.claim = claim
        self._channel = channel

    @cached_property
    def sides(self) -> tuple[Interval, Interval]:
        """Both sides; all reals, where the parameters lead to no numbers."""
        return self._worked_out[:2]

    @property
    def proved(self) -> bool:
        """Whether the relation is proved."""
        return self._worked_out[2]

    @cached_property
    def _worked_out(self) -> tuple[Interval, Interval, bool]:
        try:
            return self.claim.proof(self._channel)
        except ARITHMETIC:
            everything = hull(MINUS_INFINITY, INFINITY)
            return everything, everything, False


def faults(channel: Channel, certified: reading.Data) -> Iterator[str]:
    """All that is not so: nothing, where the certificate is right. Of several scores it is about the one that it assumes."""
    parameters = reading.record(certified, "parameters")
    channel = channel.read_by(reading.record(reading.record(certified, "promise"), "assumes").get("metric"))
    if not channel.charges.weighs and parameters.get("kind") not in WEIGHTLESS:
        yield f"rows have no weights in {channel.metric}"
        return
    # What is read off scores are labels as they are stored.
    held = channel if parameters.get("kind") in UNREAD else response.stored(channel)
    derivation = _derivation(held, json.dumps(parameters))
    derived = derivation.derived
    yield from unmet(channel, derived, reading.record(certified, "promise"))
    if reading.whole(certified, "queries") != derived.queries:
        yield f"{certified['queries']} queries are stated, and the parameters ask {derived.queries}"
    yield from recorded(held, derivation.proofs, reading.items(certified, "certificate"))


@dataclass(frozen=True)
class Derivation:
    """What parameters promise, and the proofs that carry it: each is worked out when it is asked for, and kept."""

    derived: Derived
    proofs: tuple[Proof, ...]


@lru_cache(maxsize=64)
def _derivation(channel: Channel, parameters: str) -> Derivation:
    """Kept, since what is exposed is most often the best plan."""
    data = json.loads(parameters)
    kind = reading.text_of(data, "kind")
    if kind not in FAMILIES:
        raise Unreadable(f"parameters of a kind unknown to this checker: {kind[:40]!r}")
    derived: Derived = import_module(f"threatplan.verify.{FAMILIES[kind]}").derive(channel, data)
    return Derivation(derived, tuple(Proof(channel, claim) for claim in derived.claims))


def recorded(channel: Channel, proofs: Sequence[Proof], records: list[Any], claimed: bool = True) -> Iterator[str]:
    """Whether the inequalities of the record are those that are needed, each as it is stated.

    What is claimed must be proved, and no figure that is stated may say otherwise. A limit that claims nothing may show
    the inequality that fails.
    """
    needed = [proof.claim.name for proof in proofs]
    if [reading.text_of(one, "name") for one in records] != needed:
        yield f"other inequalities are needed: {', '.join(needed)}"
        return
    for proof, record in zip(proofs, records, strict=True):
        name, relation = proof.claim.name, proof.claim.relation
        if record.get("relation") != relation or record.get("holds") is not claimed:
            yield f"{name}: not stated to {'hold' if claimed else 'fail'}"
            continue
        if proof.proved is not claimed:
            yield f"{name}: {'not ' if claimed else ''}proved, {proof.sides[0]!r} against {proof.sides[1]!r}"
        with precision(max(256, channel.bits)):
            left, right = bounds(record, "left"), bounds(record, "right")
            # A side may be bounded on its way into the record, in the direction that makes the relation harder.
            greater = relation in (">", ">=")
            yield from _figure(f"{name}: the left side", left, proof.sides[0], -1 if greater else 1)
            yield from _figure(f"{name}: the right side", right, proof.sides[1], 1 if greater else -1)
            if claimed and decided(left, relation, right) is not True:
                yield f"{name}: the figures that are stated do not prove it"


def _figure(what: str, stated: Interval, own: Interval, harder: int) -> Iterator[str]:
    """Printed bounds enclose the number, and little else."""
    widest = NARROW if own.whole else WIDEST
    room = abs(stated).high * widest + LEAST if stated.finite else real(0)
    low = own.low - room if harder < 0 else own.low
    high = own.high + room if harder > 0 else own.high
    if stated.low > high or stated.high < low:
        yield f"{what} is {own!r}, stated as {stated!r}"
    elif stated.finite and not (stated.high - stated.low) <= room + 4 * (own.high - own.low):
        yield f"{what} is stated too widely, as {stated!r}"


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
