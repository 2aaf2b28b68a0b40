"""Every limit by its name: what it must show for what it claims, and whether its inputs are those of the channel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from threatplan.verify import energy, limits, neighbours, reading, relative, releases, response, secret
from threatplan.verify.channel import RELEASES, Channel
from threatplan.verify.limits import SILENT, Exclusion
from threatplan.verify.reading import Unreadable

Given = tuple[tuple[str, Fraction], ...]
Stated = dict[str, Fraction]  # the same by name


def _counting(channel: Channel, queries: int | None, given: Stated) -> Exclusion:
    """With as many answers as are stated, where they are."""
    return limits.counting(channel, queries, int(given["answers"]) if "answers" in given else None)


def _entropy(channel: Channel, queries: int | None, given: Stated) -> Exclusion:
    """Of scores on a grid, or of relative digits."""
    if limits.grid(channel) is None:
        return relative.entropy(channel, queries, given)
    return limits.entropy(channel, queries)


PROOFS: dict[str, Callable[[Channel, int | None, Stated], Exclusion]] = {
    "I1": _counting,
    "I2": lambda channel, queries, _: limits.neighbour(channel, queries),
    "I3": _entropy,
    "I4": lambda channel, queries, _: limits.fano(channel, queries),
    "I5": neighbours.proof,
    "I6": energy.energy,
    "I7": releases.transcripts,
    "I8": lambda channel, queries, _: releases.start(channel, queries),
    "I9": lambda channel, queries, _: limits.flat(channel, queries),
    "I10": lambda channel, _, given: response.exclusion(channel, given),
}
"""What proves each limit: of the channel, of as many queries as are claimed, and of what is stated besides."""
LIMITS = tuple(PROOFS)
ANY_METRIC = ("I1", "I2", "I10")  # limits that need no score that adds up what rows charge
JOINT = ("I1",)  # limits that speak of several scores that come back together
SPEAKS_OF = {"I1": ("plain", "best", "capped"), "I7": releases.COUNTED, "I8": ("ladder",), "I10": tuple(RELEASES)}
"""The releases that each proof was made for; others speak of boards that show every score."""
OF_SECRET = {"radius", "exactly", "membership"}  # inputs that say which secrets a proof is about
OF_LABELS = ("I2", "I5")  # proofs about one label: who is told which rows are scored has to find it all the same
# Inputs that may be any number: the proof holds with each, if it holds.
FREE = {"I3": ("rate", "part"), "I5": ("point",), "I6": ("rate", "share"), "I10": ("first", "block")}


def exclusion(channel: Channel, id: str, queries: int | None, given: Given) -> Exclusion:
    """What must be proved for the limit to claim so many queries (None: it claims none)."""
    if id not in PROOFS:
        raise Unreadable(f"a limit unknown to this checker: {id[:40]!r}")
    if not channel.known or secret.settled(channel) or not (channel.charges.adds or id in ANY_METRIC):
        return SILENT
    if not speaks(channel, id):
        return SILENT
    if channel.membership and (id in OF_LABELS or channel.breadth() is None):
        return SILENT
    return PROOFS[id](channel, queries, dict(given))


def speaks(channel: Channel, id: str) -> bool:
    """Whether the proof was made for the channel's release, and for as many scores as come back."""
    return channel.release.name in SPEAKS_OF.get(id, ("plain",)) and (id in JOINT or not channel.beside)


def inputs(limit: reading.Data) -> Given:
    """What a limit states beside the channel, as rational numbers."""
    given = reading.record(limit, "parameters")
    return tuple(
        (
            name,
            reading.rational(given, name)
            if name in ("step", "rate", "share", "part", "point")
            else Fraction(reading.whole(given, name)),
        )
        for name in given
        if name not in OF_SECRET
    )


def world(channel: Channel, limit: reading.Data) -> Channel:
    """The channel with the labelings that a limit speaks of: all, unless it names a part of those near a guess."""
    given = reading.record(limit, "parameters")
    says = limit.get("queries") is not None or limit.get("excludes_all") or limit.get("inequalities") or given
    if channel.split and channel.known:  # of what is not known no part is, either
        # A proof that says nothing need not say of what: of labels alone, if of anything.
        return _split_world(channel, given) if says else secret.board(channel)
    if not OF_SECRET & given.keys():
        return channel
    found = secret.part(channel, reading.whole(given, "radius"), reading.truth(given, "exactly"))
    if found is None:
        raise Unreadable("a limit speaks of labelings that are not possible")
    return found


def _split_world(channel: Channel, given: reading.Data) -> Channel:
    """Labels and split together, where both are asked for; else, or if the proof says so, the labels alone."""
    if not channel.known:
        return channel
    if OF_SECRET & given.keys() - {"membership"} or (channel.membership != ("membership" in given)):
        raise Unreadable("a limit does not say of which secret it speaks, or of one that is not asked for")
    both = channel.membership and reading.truth(given, "membership")
    return channel if both else secret.board(channel)


def input_faults(channel: Channel, id: str, queries: int | None, given: Given) -> Iterator[str]:
    """Inputs that the channel settles are what it says."""
    if id == "I7" and speaks(channel, id) and releases.agreed(channel, dict(given)) is None:
        yield f"the board's transcripts are counted by {releases.shape(channel)}, stated otherwise"
    own: dict[str, Any] = {
        "answers": limits.fewest_answers(channel) if id == "I1" else None,
        "distance": secret.distance(channel),
        "too_few": None if queries is None else queries - 1,
        "labels": channel.N,
        "neighbours": neighbours.neighbours(channel) if id == "I5" else None,
        "step": energy.step_of(channel) if id == "I6" else limits.grid(channel),
    }
    for name, said in given:
        if name in FREE.get(id, ()) or (id == "I7" and name != "too_few"):
            continue
        if name not in own:
            raise Unreadable(f"`{name}` is unknown to this checker")
        hair = name == "answers" and own[name] is not None and limits.near(int(said), own[name])
        if said != own[name] and not hair:
            yield f"{name} is {own[name]}, stated as {said}"
