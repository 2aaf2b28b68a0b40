"""The ceiling: the bits that a budget's scores carry leave so many labels wrong on average, whatever the attack.

A label that comes out wrong with probability D is unknown by h(D) + D log2(K-1) bits at most; all labels together by what
they had, less what the scores told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import ceil

from threatplan.verify import energy, exclusions, limits, reading, relative, releases, response, secret
from threatplan.verify.channel import Channel
from threatplan.verify.claims import Claim
from threatplan.verify.intervals import log2, real
from threatplan.verify.verdict import limit_faults, printed


def faults(entry: reading.Data, channel: Channel) -> Iterator[str]:
    """What the budget's scores carry leaves as many labels wrong as is said, on average and against any promise."""
    stated = reading.record(entry, "ceiling")
    reading.only(stated, "fraction", "labels", "by", "parameters", "promised", "beyond")
    fraction, by = reading.field(stated, "fraction"), reading.field(stated, "by")
    if isinstance(fraction, bool) or not isinstance(fraction, int | float) or not 0 < fraction <= 1:
        raise reading.Unreadable("the ceiling is no share")
    if reading.whole(stated, "labels") != ceil(_whole_share(fraction, channel) * channel.scored):
        yield f"{fraction} of {channel.scored} labels are not {stated['labels']}"
    if by is None:
        guessed = channel.budget == 0 and printed(fraction, real(secret.guessed(channel)))
        if fraction != 1 and not guessed:
            yield "there is a ceiling, and nothing that proves it"
    elif not holds(channel, reading.text_of(stated, "by"), exclusions.inputs(stated), fraction):
        yield f"it is not proved that no more than {fraction} of the labels come out right on average"
    yield from _promised_faults(stated, channel)


def _whole_share(fraction: float, channel: Channel) -> Fraction:
    """The share as a number: what guessing gives is stated to a float's precision only."""
    guessed = secret.guessed(channel)
    return guessed if channel.budget == 0 and float(guessed) == fraction else Fraction(fraction)


def _promised_faults(stated: reading.Data, channel: Channel) -> Iterator[str]:
    promised, beyond = reading.whole(stated, "promised"), reading.field(stated, "beyond")
    if promised > channel.scored:
        yield f"{promised} of {channel.scored} labels"
    if promised >= channel.scored:
        return
    if beyond is None:
        yield "nothing excludes that more labels are promised"
        return
    missed = channel.scored - promised - 1
    more = replace(channel, target=channel.N - missed, looser=0, membership=False)
    queries = reading.field(beyond, "queries")
    short = channel.budget is not None and isinstance(queries, int) and channel.budget < queries
    if not short and not reading.truth(beyond, "excludes_all"):
        yield "the limit does not exclude that more labels are promised"
    yield from limit_faults(more, beyond)


def holds(channel: Channel, id: str, given: exclusions.Given, fraction: float) -> bool:
    """Whether the bits that the budget's scores carry leave at least 1 - fraction of the labels wrong on average."""
    channel = secret.board(channel)
    drawn, wrong, queries = secret.drawn(channel), 1 - Fraction(fraction), channel.budget
    if (
        not channel.known
        or (queries is None and id != "I10")
        or not 0 < wrong < 1
        or list(exclusions.input_faults(drawn, id, None, given))
    ):
        return False
    bits = response.carried(drawn) if id == "I10" else carried(drawn, id, queries or 0, dict(given))
    if bits is None:
        return False
    claim = Claim(
        "what is not known of a label <= what scores leave of it",
        lambda: secret.doubt(wrong, channel.K),
        "<=",
        lambda: (secret.possible_bits(drawn) - bits()) / channel.N,
    )
    return wrong <= 1 - Fraction(1, channel.K) and claim.proof(channel)[2]


def carried(c: Channel, id: str, queries: int, given: dict[str, Fraction]) -> limits.Bits | None:
    """The bits that so many scores tell at most, by the named proof; None: it does not apply."""
    if not exclusions.speaks(c, id):
        return None
    if id in ("I7", "I8"):
        return releases.carried(c, id, queries, given)
    answers, step = limits.fewest_answers(c), limits.grid(c)
    if id == "I1" and answers is not None:
        return lambda: queries * log2(answers)
    if c.reach_limit() is None or not limits.slack(c).finite:
        return None
    if id == "I3" and step is None:
        return relative.in_all(c, queries, given)
    if id == "I3" and step is not None and not c.adaptive:
        return lambda: (queries - 1) * limits.later_bits(c, step) + limits.score_bits(c, step)
    if id == "I4" and c.random and limits.capacity(c).finite:
        return lambda: queries * limits.capacity(c)
    return energy.in_all(c, queries, given) if id == "I6" else None
