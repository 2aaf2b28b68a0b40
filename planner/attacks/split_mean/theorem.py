"""Labels of a secret part of the rows, and which part it is, under random noise."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from planner.attacks.affording import ROOM, tops
from planner.attacks.attack import Attack
from planner.attacks.corners import bits_read
from planner.attacks.theorem import Proposal, Theorem
from planner.certify import certify
from planner.channel.channel import Channel
from planner.channel.conditions import AVERAGING, CORNERED, COUNT_KNOWN, PART_SCORED, RANDOM_NOISE, TWO_CLASSES
from planner.model import Refusal
from planner.numerics.reals import brief, lower
from planner.numerics.search import first_between

if TYPE_CHECKING:
    from planner.attacks.split_mean.parameters import SplitMean

MOST_REPEATS = 2**24  # of every query


class SplitMeans(Theorem["SplitMean"]):
    """Every row in every query at full weight."""

    id = "split-mean"
    title = "A secret part under random noise, by averages"
    cite = "Hadamard averages; corner rows"
    statement = (
        "In every query each row is at the largest weight W, against class 1 or against class 0 by the signs of a Hadamard "
        "matrix. The average of the scores times a row's signs is +W/(2n) or -W/(2n) if it is scored, by its class, and 0 if "
        "not, and the average of M noises: a row is misread if that exceeds W/(4n). All N rows are right but for "
        "N P(|mean of M noises| >= W/(4n)), whatever the labels and the split are; M is at least N."
    )
    partial = False
    conditions: ClassVar[tuple[str, ...]] = (
        "a part of the rows is scored, and n is known",
        "K = 2",
        "random noise that does not grow with the loss",
        "N P(|mean of M noises| >= W/(4n) - e) <= δ/2",
    )

    def propose(self, channel: Channel) -> Proposal[SplitMean] | tuple[Refusal, ...]:
        """As few repeats as the averages need, over a few weights where predictions near 1 are coarse."""
        needed = PART_SCORED, CORNERED, RANDOM_NOISE, TWO_CLASSES, COUNT_KNOWN, *AVERAGING
        reasons = self.unmet(channel, *needed)
        if reasons:
            return reasons
        reach = channel.metric.corner_reach(channel, 1)
        if not reach > 0:
            return (self.refuse(channel, "clip", "a row that tells its classes apart", f"W = {brief(reach)}"),)
        top = lower(reach) * (1 - ROOM)
        found = [one for weight in tops(channel, top) if (one := _fewest(channel, weight)) is not None]
        if found:
            return _cost(channel, min(found, key=lambda one: one.queries))
        return self.failed(channel, certify(channel, _record(channel, top, MOST_REPEATS)))

    def build(self, channel: Channel, parameters: SplitMean) -> Attack:
        """A runnable attack."""
        from planner.attacks.split_mean.run import MeansAttack

        return MeansAttack(self.id, channel, parameters)


def _record(channel: Channel, weight: Fraction, repeats: int) -> SplitMean:
    from planner.attacks.split_mean.parameters import SplitMean

    order = 1 << (channel.rows - 1).bit_length()
    return SplitMean(order * repeats, channel.rows, order, repeats, weight)


def _fewest(channel: Channel, weight: Fraction) -> SplitMean | None:
    """The fewest repeats that are certified with this weight."""
    from planner.attacks.split_mean.certify import prove

    def holds(repeats: int) -> bool:
        return prove(channel, _record(channel, weight, repeats)).holds

    if not holds(MOST_REPEATS):
        return None
    high = 1
    while not holds(high):
        high *= 4
    return _record(channel, weight, first_between(holds, high // 4, high))


def _cost(channel: Channel, p: SplitMean) -> Proposal[SplitMean]:
    from planner.attacks.split_mean.certify import explained

    return Proposal(
        p,
        Fraction(p.labels, p.queries),
        precision_bits=bits_read(channel, p.weight, lambda: explained(channel, p)),
        prediction_bits=64,
        operations=2 * channel.rows * p.queries,
        memory=8 * channel.rows * (channel.columns + 4) + 64 * p.order,
        within=lambda queries: 0,
    )
