"""Labels of a secret part of the rows, past what rounding lets through."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, ClassVar

from planner.attacks.affording import ROOM, tops
from planner.attacks.attack import Attack
from planner.attacks.theorem import Proposal, Theorem
from planner.certify import certify
from planner.channel.channel import Channel
from planner.channel.conditions import COMPARATOR, CORNERED, COUNT_KNOWN, PART_SCORED, TWO_CLASSES
from planner.model import Refusal
from planner.numerics.reals import brief, lower, upper

if TYPE_CHECKING:
    from planner.attacks.split_threshold.parameters import SplitThresholds

STARTS = 64  # counting starts at this part of the largest weight, or where its half bears the error
SPARED = (64, 16, 8, 4)  # parts of the largest weight that rests of all rows may take of a margin
SPARE = 1 + 2.0**-16  # by which an inequality is kept clear of its bound


class SplitThreshold(Theorem["SplitThresholds"]):
    """Group testing with rounding as the test."""

    id = "split-threshold"
    title = "A secret part past the rounding limit, by comparisons"
    cite = "attack T in groups; Hwang 1972"
    statement = (
        "A rounded score says on which side of a boundary the sum of charges lies. With all rows at one weight the scored "
        "ones move that sum to any place, although nobody knows which they are: so comparisons count the classes among "
        "them, in log2(n+1) queries. Then some rows are set to W and all others to a common smaller weight that puts a "
        "boundary midway between no member of a class among them and one. Hwang's generalised binary splitting finds the "
        "k members of the commoner class in log2 C(N, k) + k such tests, then those of the other, the known ones moving the "
        "sum: about a bit a query however few decimals are shown. Rounding sets the price, it does not hide the split."
    )
    partial = False
    conditions: ClassVar[tuple[str, ...]] = (
        "a part of the rows is scored, and n is known",
        "K = 2",
        "scores rounded to decimals; no noise, or noise whose bound stays below the margins",
        "adaptive queries",
        "half of the scored rows move a sum by a cell n q",
    )

    def propose(self, channel: Channel) -> Proposal[SplitThresholds] | tuple[Refusal, ...]:
        """The fewest queries over a few largest weights and shares of their margin."""
        reasons = self.unmet(channel, PART_SCORED, CORNERED, TWO_CLASSES, COUNT_KNOWN, *COMPARATOR)
        if reasons:
            return reasons
        from planner.attacks.split_threshold.certify import prove

        reach = channel.metric.corner_reach(channel, 1)
        if not reach > 0:
            return (self.refuse(channel, "clip", "a row that tells its classes apart", f"W = {brief(reach)}"),)
        tried = [
            one for top in tops(channel, lower(reach) * (1 - ROOM), channel.law.grows) for one in _records(channel, top)
        ]
        found = [one for one in tried if prove(channel, one).holds]
        if not found:
            return self.failed(channel, certify(channel, min(tried, key=lambda one: one.rarest)))
        return _cost(channel, min(found, key=lambda one: one.queries))

    def deciding(self, channel: Channel) -> str:
        """Rounding is no error here: what comes before it is, and how far a row reaches."""
        if not channel.law.quiet:
            return "noise"
        return "clip" if channel.metric.logarithmic else "decimals"

    def build(self, channel: Channel, parameters: SplitThresholds) -> Attack:
        """A runnable attack."""
        from planner.attacks.split_threshold.run import SplitThresholdAttack

        return SplitThresholdAttack(self.id, channel, parameters)


def _records(channel: Channel, most: Fraction) -> Iterator[SplitThresholds]:
    """Records with this largest weight: the more rests take of the margin, the farther all rows move a sum."""
    from planner.attacks.split_threshold.certify import comparison_error
    from planner.attacks.split_threshold.parameters import SplitThresholds

    n, unit, rest = channel.scored, float(channel.digits.unit or 1), channel.metric.saving
    blank = _counted(
        channel, SplitThresholds(1, channel.rows, most, most, most, most, (n + 1) // 2, channel.membership)
    )
    error = float(upper(comparison_error(channel, blank))) if comparison_error(channel, blank).is_finite() else 1e300
    start, top = max(float(most) / STARTS, 2 * error * SPARE), float(most)
    for part in SPARED:
        spared = top / part
        least = max(start, _weight_of(rest, rest(top) + spared / n, top))
        turn = top - spared - 2 * error * SPARE - top / STARTS
        if turn > least:
            moved = (n * unit + n * (rest(least) - rest(turn)) / 2) / (turn - least)
            rarest = min(max(1, ceil(moved * SPARE + 0.5)), (n + 1) // 2)
            weights = Fraction(start), Fraction(least), Fraction(turn)
            yield _counted(channel, SplitThresholds(1, channel.rows, *weights, most, rarest, channel.membership))
    yield blank


def _counted(channel: Channel, p: SplitThresholds) -> SplitThresholds:
    from planner.attacks.split_threshold.parameters import comparisons

    return replace(p, queries=comparisons(channel.rows, channel.scored, p.rarest, p.both))


def _weight_of(rest: Callable[[float], float], wanted: float, top: float) -> float:
    """The least weight whose rest is no more than wanted: rests fall as weights grow."""
    low, high = 0.0, top
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rest(middle) > wanted else (low, middle)
    return high


def _cost(channel: Channel, p: SplitThresholds) -> Proposal[SplitThresholds]:
    return Proposal(
        p,
        Fraction(p.labels, p.queries),
        precision_bits=0,
        prediction_bits=64,
        operations=8 * channel.rows * p.queries,
        memory=24 * channel.rows * channel.columns,
        within=lambda queries: 0,
    )
