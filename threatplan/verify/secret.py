"""What is known of the labels beforehand, and what is left to learn: the labelings near a guess.

A guess has at most `radius` labels wrong, or just so many. Every figure is that of the set of labelings which this leaves;
a proof may speak of a part of the set instead, since finding those is no harder.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import ceil

from threatplan.verify import reading
from threatplan.verify.channel import Channel
from threatplan.verify.intervals import ZERO, Interval, log, log2, log_factorial, real, smaller

TERMS = 64  # of the sum that a ball's volume is, counted inwards: a bound from below


def informed(c: Channel) -> bool:
    """Whether anything is known."""
    return c.exactly or c.radius < c.N


def settled(c: Channel) -> bool:
    """Whether the guess meets the goal by itself."""
    return informed(c) and c.radius <= c.wrong_allowed


def all_of_them(c: Channel) -> bool:
    """Whether all labels are wanted, and more surely than a coin tells them: these are not had unasked."""
    return c.wrong_allowed + c.looser == 0 and c.delta < Fraction(1, 2)


def part(c: Channel, radius: int, exactly: bool) -> Channel | None:
    """The channel with these labelings only; None: they are not all possible."""
    whole = (radius, exactly) == (c.radius, c.exactly)
    shell = exactly and not c.exactly and radius <= c.radius
    return replace(c, radius=radius, exactly=exactly) if informed(c) and (whole or shell) else None


def board(c: Channel) -> Channel:
    """The scored rows alone: all that is left to find for somebody who was told which rows these are.

    Of as few rows as may be scored: more have more labels, and each does less to a score. As many may be wrong as if as
    many as can be were scored. That more may be scored stays said: some proofs know of no such order.
    """
    if not c.split:
        return c
    rows = c.scored - c.uncertain
    wrong = min(rows, c.wrong_allowed + c.looser)
    return replace(c, N=rows, target=rows - wrong, radius=rows, looser=0, membership=False)


def part_faults(scenario: reading.Data, c: Channel) -> Iterator[str]:
    """Where the channel does not say of the scored rows what the scenario says."""
    public, find = reading.field(scenario, "public"), reading.text_of(scenario, "find")
    if public is None:
        low = high = c.N
    elif isinstance(public, dict):
        reading.only(public, "kind", "low", "high")
        low, high = reading.whole(public, "low", 1), reading.whole(public, "high", 1)
    elif isinstance(public, str):
        low = high = (2 * reading.rational(scenario, "public") * c.N + 1) // 2
    else:
        low = high = reading.whole(scenario, "public", 1)
    if (c.scored - c.uncertain, c.scored) != (low, high):
        yield f"{low} to {high} rows are scored, stated as {c.scored - c.uncertain} to {c.scored}"
    missed = 1 - reading.rational(scenario, "goal")
    wrong, wrong_at_most = missed * low // 1, missed * high // 1
    if (c.target, c.looser) != (c.N - wrong, wrong_at_most - wrong):
        yield f"a goal of {scenario['goal']} lets {wrong} to {wrong_at_most} labels of scored rows be wrong"
    if find not in ("labels", "labels_and_split") or c.membership != (find == "labels_and_split" and low < c.N):
        yield f"the scenario wants {find!r}, and the channel does not"


def faults(scenario: reading.Data, c: Channel) -> Iterator[str]:
    """Where the channel does not know what the scenario says is known."""
    guess, positives = reading.field(scenario, "guess"), reading.field(scenario, "positives")
    if guess is not None and positives is not None:
        yield "a guess and a count of ones are both known"
    radius, exactly = c.N, positives is not None
    if guess is not None:
        radius = c.N - ceil(reading.rational(scenario, "guess") * c.N)
    if positives is not None:
        shared = isinstance(positives, str)
        ones = (
            reading.rational(scenario, "positives") * c.N if shared else Fraction(reading.whole(scenario, "positives"))
        )
        if ones.denominator != 1 or not 0 <= ones <= c.N or c.K != 2:
            yield f"{positives!r} is no count of ones"
        radius = int(min(ones, c.N - ones))
    if (c.radius, c.exactly) != (radius, exactly):
        yield f"{radius} labels may be guessed wrong, stated as {c.radius}"


# -- what must be learned ------------------------------------------------------------------------------


def shell_bits(c: Channel, distance: int) -> Interval:
    """log2 of C(N, j)(K-1)^j."""
    choose = log_factorial(c.N) - log_factorial(distance) - log_factorial(c.N - distance)
    return (choose + distance * log(c.K - 1)) / log(2)


def possible_bits(c: Channel) -> Interval:
    """log2 of how many secrets are possible, from below: labelings, of whichever rows are scored where that is asked."""
    if c.membership:
        return smaller(split_bits(c, c.scored - c.uncertain), split_bits(c, c.scored))
    if not informed(c):
        return c.N * log2(c.K)
    if c.exactly:
        return shell_bits(c, c.radius)
    last = min(c.radius, c.N * (c.K - 1) // c.K)
    ratio, summed = Fraction(1), real(1)
    product = real(1)
    for step in range(min(last, TERMS)):
        j = last - step
        ratio = Fraction(j, (c.N - j + 1) * (c.K - 1))
        product = product * ratio
        summed = summed + product
    return shell_bits(c, last) + log2(summed)


def split_bits(c: Channel, rows: int) -> Interval:
    """log2 of C(N, n) K^n; its logarithm is concave in n, so no n of a range has fewer than both ends."""
    choose = log_factorial(c.N) - log_factorial(rows) - log_factorial(c.N - rows)
    return choose / log(2) + rows * log2(c.K)


def tolerated_bits(c: Channel) -> Interval:
    """log2 of how many labelings count as right: terms C(N,j)(K-1)^j rise at least geometrically up to the last."""
    r = c.wrong_allowed
    if r == 0:
        return ZERO
    q = Fraction(r, (c.N - r + 1) * (c.K - 1))
    if q >= 1:
        return c.N * log2(c.K)
    return shell_bits(c, r) - log2(real(1 - q))


# -- how far scores tell labelings apart -----------------------------------------------------------------


def share(c: Channel) -> Fraction:
    """Of W: scores of one submission lie within that of each other. s labels move the sum by s W, either way."""
    return min(Fraction(1), Fraction(2 * c.radius, c.N)) if informed(c) else Fraction(1)


def distance(c: Channel) -> int | None:
    """In how many labels two labelings must differ for no answer to be right for both; None: none do."""
    r, s = c.wrong_allowed, c.radius
    if c.exactly:
        return 2 * r + 2 if r < min(s, c.N - s) else None
    return 2 * r + 1 if 2 * r < min(c.N, 2 * s) else None


def doubts(c: Channel) -> tuple[int, int]:
    """Independent questions of two answers that may be open, and the labels that the answers differ in."""
    return (min(c.radius, c.N - c.radius), 2) if c.exactly else (min(c.radius, c.N), 1)


def trace(c: Channel) -> Fraction:
    """Of the covariance of a label's indicator, on average over the rows."""
    p, even = Fraction(c.radius, c.N), Fraction(c.K - 1, c.K)
    if not informed(c) or (p > even and not c.exactly):
        return even
    return 1 - (1 - p) ** 2 - p * p / (c.K - 1)


def spread(c: Channel) -> Fraction:
    """Times W^2, the variance of a score whose submission was fixed beforehand; known only where there is a guess."""
    s, N = c.radius, c.N
    if c.exactly and 2 * s <= N and N > 1:
        p = Fraction(s, N)
        return p * (1 - p) / (N - 1)
    return share(c) ** 2 / 4


# -- on average ------------------------------------------------------------------------------------------


def drawn(c: Channel) -> Channel:
    """The channel with the labelings that averages are taken over: all, or those at just the guess's distance."""
    if not informed(c):
        return c
    return replace(c, radius=c.radius if c.exactly else min(c.radius, c.N * (c.K - 1) // c.K), exactly=True)


def guessed(c: Channel) -> Fraction:
    """The share of labels right on average without a score, of those that averages are taken over."""
    return max(Fraction(c.N - drawn(c).radius, c.N) if informed(c) else Fraction(0), Fraction(1, c.K))


def doubt(wrong: Fraction, classes: int) -> Interval:
    """What is not known of a label at most that comes out wrong so often, in bits."""
    return wrong * (log2(classes - 1) - log2(real(wrong))) - (1 - wrong) * log2(real(1 - wrong))
