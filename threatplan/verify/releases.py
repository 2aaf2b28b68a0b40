"""Boards that remember: how many different things they can show (I7), and how long a Ladder stays silent (I8).

Derived from what each release does. A board that only falls is told by how often it passes each of its levels: C(M + L, L)
sequences. With at most B changes, which queries change and which levels they fall to: C(M, b) C(L, b), summed over b <= B;
the ratio of a term to the next one rises with b, so a geometric series over the last bounds the sum. Accounts with a memory
each are boards that fall by themselves: what was shown says which is asked next, so their levels and changes add up.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor

from threatplan.verify import limits, secret
from threatplan.verify.channel import Channel
from threatplan.verify.claims import Claim
from threatplan.verify.intervals import ZERO, Interval, exp, log, log2, log_factorial, precision, real
from threatplan.verify.limits import NOTHING_TOLD, SILENT, Exclusion

COUNTED = ("best", "ladder", "capped", "changes")
FEWEST_SHOWN = Fraction(1, 2)


def half_up(x: Fraction) -> int:
    """The nearest whole number."""
    return floor(x + FEWEST_SHOWN)


# -- I7 ------------------------------------------------------------------------------------------------


def shape(c: Channel) -> dict[str, int] | None:
    """Levels to fall through and changes at most, or answers to each query; None: not to be counted."""
    kind = c.release.name
    unit = None if c.shown is None or c.shown.name == "significant" else Fraction(1, 10 ** int(c.shown.digits))
    if kind == "ladder" and c.release.start is not None:
        first, eta = c.release.start.hi, c.release.eta.lo
        return {"levels": c.accounts * (half_up(first / eta - 1) + 1) if first > eta else 0}
    if kind == "capped":
        return None if unit is None else {"answers": half_up(c.release.level.hi / unit) + 1}
    step, top = c.release.eta.lo if kind == "ladder" else unit, largest(c)
    if step is None or top is None:
        return None
    levels = {"levels": c.accounts * (half_up(top / step) + 1)}
    return levels | ({"changes": c.accounts * int(c.release.most)} if kind == "changes" else {})


def largest(c: Channel) -> Fraction | None:
    """No score that is computed exceeds it; None: some may, or noise comes on top."""
    if c.noise.name != "none" or c.reach_limit() is None or not limits.slack(c).finite:
        return None
    with precision(c.bits):
        return (c.charges.largest_loss(c, limits.reach_of(c)) * c.growth() + limits.slack(c)).most()


def agreed(c: Channel, given: dict[str, Fraction]) -> dict[str, int] | None:
    """What was counted, as stated where that is hardly more than is derived here: largest scores are rounded up."""
    own = shape(c)
    if own is None or set(own) != set(given) - {"too_few"}:
        return None
    said = {name: int(given[name]) for name in own}
    fits = all(own[name] <= said[name] <= own[name] + (own[name] >> 24) + c.accounts for name in own)
    return said if fits and said.get("changes") == own.get("changes") else None


def bits(counted: dict[str, int], M: int) -> Interval:
    """log2 of the number of transcripts."""
    if "answers" in counted:
        return M * log2(counted["answers"])
    L, B = counted["levels"], counted.get("changes")
    if M == 0 or L == 0:
        return ZERO
    if B is not None and min(M, L) > B:
        q = Fraction(B * B, (M - B + 1) * (L - B + 1))
        if q < 1:
            return choose(M, B) + choose(L, B) - log2(real(1 - q))
    return choose(M + L, L)


def choose(n: int, k: int) -> Interval:
    """log2 C(n, k)."""
    return (log_factorial(n) - log_factorial(k) - log_factorial(n - k)) / log(2)


def transcripts(c: Channel, queries: int | None, given: dict[str, Fraction]) -> Exclusion:
    """So many transcripts name so many labelings."""
    if c.release.name not in COUNTED or shape(c) is None:
        return SILENT

    def need() -> Interval:
        return limits.labels_bits(c) + log2(real(1 - c.delta))

    if not need() > 0:
        return SILENT
    counted = agreed(c, given)
    if counted is None:
        return Exclusion()  # what is stated is faulted where inputs are
    if counted.get("answers", 2) <= 1 or counted.get("levels", 1) == 0:
        return Exclusion((Claim(NOTHING_TOLD, need, ">", lambda: ZERO),), excludes_all=True)
    if not queries:
        return Exclusion()
    fewer = queries - 1
    name = f"log2 of the transcripts of {fewer} queries < bits needed"
    return Exclusion((Claim(name, lambda: bits(counted, fewer), "<", need),))


# -- I8 ------------------------------------------------------------------------------------------------


def silent_start(c: Channel) -> bool:
    """A Ladder from ln K, for somebody who knows nothing and whose rows sum to no more than 1."""
    if c.release.name != "ladder" or c.release.start is None or not c.charges.logarithmic or c.noise.name != "none":
        return False
    unit_rows = c.columns == 1 or c.renormalises
    unknown = not secret.informed(c) and c.scored == c.N
    if not (unit_rows and unknown and (c.checks or c.reach_limit() is not None)) or not _slack(c).finite:
        return False
    with precision(c.bits):
        near = real(c.release.start.hi) + real(c.release.eta.lo) > log(c.K)
        return bool(near and margin(c) > 0)


def _slack(c: Channel) -> Interval:
    """The error of computing a score; without a bound on charges there is none in floats."""
    if c.ieee_scores and c.reach_limit() is None:
        return log(0)
    return limits.slack(c)


def margin(c: Channel) -> Interval:
    """s: nothing is shown for a score above ln K - s, as exact rows that sum to 1 + (K-1) clip would have it."""
    clip = ZERO if c.clip is None else c.clip.interval
    return log(c.K) - (real(c.release.start.hi) - real(c.release.eta.lo)) - (c.K - 1) * clip - _slack(c)


def heard(c: Channel, queries: int) -> Interval:
    """M e^(-Ns)."""
    return queries * exp(-c.N * margin(c))


def start(c: Channel, queries: int | None) -> Exclusion:
    """Nothing is shown, and what is named without a score is seldom right."""
    if not silent_start(c):
        return SILENT
    if not queries:
        return Exclusion()
    fewer = queries - 1

    def chance() -> Interval:
        return heard(c, fewer) + exp(-limits.labels_bits(c) * log(2))

    name = f"chance that {fewer} queries show anything, or are not needed < 1 - δ"
    return Exclusion((Claim(name, chance, "<", lambda: real(1 - c.delta)),))


# -- what is carried in all ------------------------------------------------------------------------------


def carried(c: Channel, id: str, queries: int, given: dict[str, Fraction]) -> limits.Bits | None:
    """log2 T; and for a Ladder that is silent but with probability p, h(p) + p log2 T."""
    if c.release.name not in COUNTED:
        return None
    counted = agreed(c, given) if id == "I7" else shape(c)
    if counted is None:
        return None
    if id == "I7":
        return lambda: bits(counted, queries)
    with precision(c.bits):
        if not silent_start(c) or not heard(c, queries) <= real(FEWEST_SHOWN):
            return None

    def told() -> Interval:
        p = heard(c, queries)
        return p * bits(counted, queries) - p * log2(p) - (1 - p) * log2(1 - p)

    return told
