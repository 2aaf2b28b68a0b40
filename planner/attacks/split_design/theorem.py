"""Labels of a secret part of the rows, and which part it is."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from planner.attacks.affording import ROOM, rounded_down, tops
from planner.attacks.attack import Attack
from planner.attacks.corners import bits_read, corner_error
from planner.attacks.theorem import Proposal, Theorem
from planner.certify import certify
from planner.channel.channel import Channel
from planner.channel.conditions import ADAPTIVE, CORNERED, FLOATING_PREDICTIONS, PART_SCORED, TWO_CLASSES
from planner.designs.lindstrom import Lindstrom
from planner.designs.popcounts import fewest_queries
from planner.model import Refusal
from planner.numerics.reals import ball, brief, lower
from planner.numerics.search import settled

if TYPE_CHECKING:
    from planner.attacks.split_design.parameters import SplitDesign
    from planner.designs.corner import Corner

LOWEST = tuple(Fraction(part, 8) for part in (4, 5, 6, 7))  # of the largest weight, the smallest: half loses no place
MOST_GAPS = 2**40  # of a row: sums of integers stay exact


class SplitDesigns(Theorem["SplitDesign"]):
    """One round for labels and split."""

    id = "split-design"
    title = "Labels of a secret part, and which part it is"
    cite = "corner rows; Lindström 1965; residues modulo 3"
    statement = (
        "A row has three states: not scored, or scored and of one of two classes. In every query each row charges one class "
        "a whole number of gaps and the other next to nothing, now the one and now the other, so that the alternating sum of "
        "a component is +m, -m or 0; with m = c 3^k it is read modulo 3. All N rows are told in one round, about "
        "log3 of A + log2(M)/2 a query. With all rows at the largest weight, only their signs turning, the gap is W itself: "
        "whenever 2E < W, labels and split are told. The number of scored rows only scales the scores: where it is known to "
        "lie in a range, each number is tried, and of two states that are left a query tells which is wrong."
    )
    partial = False
    conditions: ClassVar[tuple[str, ...]] = (
        "a part of the rows is scored; n is known, or queries may be adaptive",
        "K = 2",
        "gap > 2 (E + dev)",
        "predictions in floating point",
    )

    def propose(self, channel: Channel) -> Proposal[SplitDesign] | tuple[Refusal, ...]:
        """The fewest queries over a few ranges of weights, the one of a single weight among them."""
        reasons = self.unmet(channel, PART_SCORED, CORNERED, TWO_CLASSES, FLOATING_PREDICTIONS)
        if channel.uncertain:
            reasons += self.unmet(channel, ADAPTIVE)
        if reasons:
            return reasons
        reach = channel.metric.corner_reach(channel, 1)
        if not reach > 0:
            return (self.refuse(channel, "clip", "a row that tells its classes apart", f"W = {brief(reach)}"),)
        from planner.designs.corner import Corner

        weights = tops(channel, lower(reach), channel.digits.grows or channel.law.grows)
        found = [one for top in weights for low in LOWEST if (one := _settle(channel, top, low)) is not None]
        best = min(found, key=lambda one: one.queries, default=None)
        if best is not None:
            return _cost(channel, best)
        signs = [_record(channel, Corner(1, 1), top) for top in weights]
        certificates = [certify(channel, one) for one in signs]
        held = next((one for one, proof in zip(signs, certificates, strict=True) if proof.holds), None)
        return self.failed(channel, certificates[0]) if held is None else _cost(channel, held)

    def build(self, channel: Channel, parameters: SplitDesign) -> Attack:
        """A runnable attack."""
        from planner.attacks.split_design.run import split_attack

        return split_attack(self.id, channel, parameters)


def _settle(channel: Channel, top: Fraction, lowest: Fraction) -> SplitDesign | None:
    """Alternate between the gap for so many queries and the queries for a gap."""
    from planner.attacks.split_design.certify import prove
    from planner.designs.corner import Corner

    def afforded(before: SplitDesign | None) -> SplitDesign | None:
        queries = max(1, channel.rows // 8) if before is None else before.queries
        error = corner_error(channel, queries, ball(top * lowest), ball(top), either=True)
        if not error.is_finite() or not error > 0:
            return None
        high = min(int(lower(ball(top) / (2 * error) * (1 - ball(ROOM)))), MOST_GAPS)
        return _record(channel, Corner(high, max(1, int(high * lowest))), top) if high >= 2 else None

    return settled(afforded, lambda one: prove(channel, one).holds)


def _record(channel: Channel, seed: Corner, top: Fraction) -> SplitDesign:
    """The smallest design over the seed that holds all rows, its gap stretched to the largest weight."""
    from planner.attacks.split_design.parameters import SplitDesign

    M = fewest_queries(2 * channel.rows, lambda blocks: Lindstrom(blocks, seed).capacity())
    gap, settling = rounded_down(top / seed.high), channel.uncertain
    return SplitDesign(M + settling, channel.rows, Lindstrom(M, seed), gap, settling)


def _cost(channel: Channel, p: SplitDesign) -> Proposal[SplitDesign]:
    from planner.attacks.split_design.certify import design_error

    M = p.queries
    bits = bits_read(channel, p.gap, lambda: design_error(channel, p))
    return Proposal(
        p,
        Fraction(p.labels, M),
        precision_bits=bits,
        prediction_bits=64,
        operations=24 * M**2 + p.labels,  # most slots of a component differ: pairs of a set and a subset, at most M^1.6
        memory=8 * channel.rows * (channel.columns + 4) + 64 * M,
        within=lambda queries: 0,
    )
