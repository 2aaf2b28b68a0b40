"""Growing blocks: the adaptive refinement that predicts known labels confidently."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from planner.attacks.attack import Attack
from planner.attacks.block.theorem import coarse, listed_cost, most_listed
from planner.attacks.costs import block_cost
from planner.attacks.theorem import Proposal, Theorem
from planner.channel.channel import Channel
from planner.channel.conditions import ADAPTIVE, TWO_CLASSES
from planner.model import Refusal
from planner.numerics.reals import ball, floor_of, lower, upper

if TYPE_CHECKING:
    from planner.attacks.growing.parameters import GrowingBlocks

MOST_PHASES = 6
MOST_GROWTH = 8  # labels a query that one phase may gain over the one before


class GrowingBlock(Theorem["GrowingBlocks"]):
    """Blocks whose size grows as labels become known."""

    id = "growing-block"
    title = "Block attack with known labels predicted confidently"
    cite = "Theorem U, adaptively"
    statement = (
        "A label that is already known is predicted confidently and costs next to nothing, so the loss falls, and with it "
        "every error that is relative to the loss: floating-point evaluation and multiplicative noise. Each halving of "
        "the unknown labels leaves room for about one more label a query."
    )
    conditions = ("K = 2", "adaptive = yes", "an error that grows with the loss")

    def propose(self, channel: Channel) -> Proposal[GrowingBlocks] | tuple[Refusal, ...]:
        """Phases that each settle half of what is unknown."""
        reasons = self._reasons(channel)
        if reasons:
            return reasons
        grid = coarse(channel)
        start = most_listed(grid)
        if start is None:
            return (self.refuse(channel, "noise", "a certified block of one label to start from", "none (see block)"),)
        parameters = _grow(grid, start.rows)
        if parameters is None or parameters.queries >= start.queries:
            return (
                self.refuse(channel, "noise", "fewer queries than blocks of one size", f"these need {start.queries}"),
            )
        return _cost(channel, parameters)

    def _reasons(self, channel: Channel) -> tuple[Refusal, ...]:
        reasons = [*self.unmet(channel, TWO_CLASSES, ADAPTIVE)]
        if not channel.bounded:
            reasons.append(self.refuse(channel, "phi", "bounded odds", "odds of any size"))
        relative = channel.law.grows or (channel.scores.floating and channel.shown is None)
        if not relative:
            reasons.append(self.refuse(channel, "noise", "an error that grows with the loss", "a constant error"))
        return tuple(reasons)

    def build(self, channel: Channel, parameters: GrowingBlocks) -> Attack:
        """A runnable adaptive attack."""
        from planner.attacks.growing.run import GrowingAttack

        return GrowingAttack(self.id, channel, parameters)


def _doubt(channel: Channel) -> Fraction | None:
    """A small probability whose complement the format carries too."""
    for exponent in range(40, 2, -1):
        p = Fraction(1, 2**exponent)
        if channel.metric.takes(channel, p) and channel.metric.takes(channel, 1 - p):
            return p
    return None


def _grow(channel: Channel, rows: tuple[Fraction, ...]) -> GrowingBlocks | None:
    from planner.attacks.growing.parameters import GrowingBlocks

    doubt = _doubt(channel)
    if doubt is None:
        return None
    # The union bound of random noise needs a bound on the queries before they are counted: that of equal blocks.
    budget = -(-channel.wanted // len(rows))
    phases: list[tuple[int, int, tuple[Fraction, ...]]] = []
    known = 0
    while known < channel.wanted:
        rows = _larger(channel, doubt, budget, known, rows)
        left = channel.wanted - known
        last = len(phases) == MOST_PHASES - 1
        blocks = -(-left // len(rows)) if last else max(1, -(-left // (2 * len(rows))))
        phases.append((known, blocks, rows))
        known = min(channel.wanted, known + blocks * len(rows))
    asked = sum(blocks for _, blocks, _ in phases)
    return GrowingBlocks(min(budget, asked), channel.wanted, doubt, tuple(phases))


def _larger(
    channel: Channel, doubt: Fraction, queries: int, known: int, rows: tuple[Fraction, ...]
) -> tuple[Fraction, ...]:
    """The largest block that bears the error with so many labels known; never smaller than the one before."""
    from planner.attacks.block.certify import block_loss
    from planner.attacks.growing.certify import phase_checks  # few channels have an error that grows
    from planner.attacks.growing.parameters import GrowingBlocks

    probe = GrowingBlocks(queries, channel.wanted, doubt, ())
    error = 2 * channel.errors(queries).sum_error(block_loss(channel, rows, known, doubt))
    most = floor_of(lambda: (channel.reach() / error).log() / arb(2).log()) + 2
    for m in range(min(most, len(rows) + MOST_GROWTH, channel.wanted - known), len(rows), -1):
        larger = _spread_out(channel, m)
        if larger and all(one.holds for one in phase_checks(channel, probe, known, larger)):
            return larger
    return rows[: max(1, min(len(rows), channel.wanted - known))]


def _spread_out(channel: Channel, m: int) -> tuple[Fraction, ...] | None:
    """Powers of two from W down, each pushed above the sum of the smaller ones."""
    step = ball(lower(channel.reach())) * (1 - arb(2) ** -16) / arb(2) ** (m - 1)
    rows, low = [], arb(0)
    for _ in range(m):
        p = channel.metric.prediction(channel, ball(upper(low + step)))
        if p is None:
            return None
        rows.append(p)
        low += channel.metric.weight(p)
    return tuple(rows)


def _cost(channel: Channel, parameters: GrowingBlocks) -> Proposal[GrowingBlocks]:
    from planner.attacks.block.parameters import ListedBlock

    largest = max((rows for _, _, rows in parameters.phases), key=len)
    bits = listed_cost(channel, ListedBlock(1, len(largest), largest))
    return block_cost(
        channel,
        parameters,
        len(parameters.phases[0][2]),
        bits.precision_bits,
        bits.prediction_bits,
    )
