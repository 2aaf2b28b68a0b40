"""Counting: metrics of predicted classes tell how many labels of a set of rows are 1."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from planner.attacks.attack import Attack
from planner.attacks.theorem import Proposal, Theorem
from planner.channel.channel import Channel
from planner.channel.metrics.counting import READ_BITS, CountingMetric
from planner.designs.base import Design
from planner.designs.butterfly import Butterfly
from planner.designs.chooser import best_design
from planner.designs.popcounts import fewest_queries
from planner.model import Refusal

if TYPE_CHECKING:
    from planner.attacks.counting.parameters import Counts


class Counting(Theorem["Counts"]):
    """The design of zeros and ones, or with neutral rows one of entries up to 1."""

    id = "counting"
    title = "Counting labels by predicted classes"
    cite = "Lindström 1965; Cantor and Mills 1966; counting design"
    statement = (
        "Accuracy, F1, Jaccard index, precision and their like are functions of how many labels of the rows predicted 1 "
        "are 1, once it is known how many there are in all; all rows predicted 1 tell that, or `positives` does. M queries "
        "of a design of zeros and ones, the first of which is all ones, hold 1 + sum over j < M of popcount(j) labels. "
        "Where a class that does not exist is taken, rows that name it are neutral, and fewer queries do."
    )
    conditions = ("counts that differ by one are scored more than 2E apart",)

    def propose(self, channel: Channel) -> Proposal[Counts] | tuple[Refusal, ...]:
        """The smallest design; one query more where rows are left out and nobody says how many labels are 1."""
        metric = channel.metric
        assert isinstance(metric, CountingMetric)
        if channel.abstain:
            return _cost(channel, _neutral(channel.wanted))
        if not channel.exactly and metric.ones_step(channel.scored) is None:
            need = "a metric that tells how many labels are 1 when all rows are predicted 1, or `positives`"
            return (self.refuse(channel, "metric", need, metric.title),)
        return _cost(channel, _plain(channel))

    def build(self, channel: Channel, parameters: Counts) -> Attack:
        """A runnable counting attack."""
        from planner.attacks.counting.run import CountingAttack

        return CountingAttack(self.id, channel, parameters)


def _plain(channel: Channel) -> Counts:
    from planner.attacks.counting.parameters import Counts
    from planner.designs.ones import Ones

    design = Ones(fewest_queries(channel.wanted, lambda M: Ones(M).capacity()))
    first = channel.wanted < channel.rows and not channel.exactly
    return Counts(design.M + first, channel.wanted, design, neutral=False, first=first)


def _neutral(labels: int) -> Counts:
    from planner.attacks.counting.parameters import Counts

    design = best_design(labels, Fraction(1))
    return Counts(design.M, labels, design, neutral=True, first=False)


def _cost(channel: Channel, parameters: Counts) -> Proposal[Counts]:
    M = parameters.queries
    return Proposal(
        parameters,
        Fraction(channel.wanted, M),
        precision_bits=channel.scored.bit_length() + READ_BITS,
        prediction_bits=1 + parameters.neutral,
        operations=M * max(M.bit_length(), 1) ** 2 + channel.wanted,
        memory=8 * channel.rows * 4 + 64 * M,
        within=lambda queries: min(channel.wanted, _within(parameters, queries)),
    )


def _within(parameters: Counts, queries: int) -> int:
    """About how many labels so many queries tell."""
    from planner.designs.ones import Ones

    if queries < 2:
        return 0
    made: Design = (
        Butterfly(queries, parameters.design.base) if isinstance(parameters.design, Butterfly) else Ones(queries - 1)
    )
    return made.capacity()
