"""Designs: butterfly, Hermite-Lindström and their like. Every label takes part in every query."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import ClassVar

from flint import arb

from planner.attacks.attack import Attack
from planner.attacks.design.parameters import DesignStages
from planner.attacks.design.settling import coarsest, settle
from planner.attacks.theorem import Proposal, Theorem
from planner.certify import certify
from planner.channel.channel import Channel
from planner.channel.conditions import COLUMN_A_CLASS, FLOATING_PREDICTIONS, MORE_CLASSES
from planner.designs.base import Design
from planner.designs.chooser import best_design, design_for
from planner.model import Refusal
from planner.numerics.reals import ball, brief, ceil_of
from planner.numerics.search import last_between


class Designs(Theorem[DesignStages]):
    """The binary design, or the direct one for K classes."""

    id = "design"
    title = "Detecting design: every label in every query"
    cite = "Lindström 1965; Cantor and Mills 1966; Theorem U"
    statement = (
        "Weigh every label in every query by a small integer such that the M sums determine all labels. With amplitude "
        "A = W/(2E) a design tells about n(A) + log2(M)/2 labels a query where a block tells log2(A), for every labeling "
        "and every error within the bound, and its transform decodes in about M log M steps."
    )
    conditions: ClassVar[tuple[str, ...]] = ("2 (E + dev) < W", "predictions in floating point", "K <= 128")
    most_classes: ClassVar[float] = 128  # of more, asking for binary digits takes hardly more queries

    def propose(self, channel: Channel) -> Proposal[DesignStages] | tuple[Refusal, ...]:
        """The fewest queries over all designs for the amplitude that the channel affords."""
        refusals = self._reasons(channel)
        if refusals:
            return refusals
        found = settle(channel, *self._shape(channel))
        return self._coarsest(channel) if found is None else _cost(channel, found)

    def _shape(self, channel: Channel) -> tuple[int, int]:
        """Classes that the design tells, and how often it is asked."""
        return channel.classes, 1

    def _reasons(self, channel: Channel) -> tuple[Refusal, ...]:
        if self.most_classes < channel.classes:
            return (
                self.refuse(channel, "K", f"at most {self.most_classes} classes", f"K = {channel.classes}: batches do"),
            )
        reasons = self.unmet(channel, FLOATING_PREDICTIONS) or self.unmet(channel, COLUMN_A_CLASS)
        if reasons:
            return reasons
        if channel.exact_scores and channel.metric.logarithmic:
            return (self.refuse(channel, "phi", "finite precision or noise", "exact scores: one query suffices"),)
        return ()

    def _coarsest(self, channel: Channel) -> Proposal[DesignStages] | tuple[Refusal, ...]:
        """The design of the least amplitude, or why not even that is certified."""
        least = coarsest(channel, *self._shape(channel))
        if least is None:
            have = f"W = {brief(channel.metric.stage_reach(channel, *self._shape(channel)))}"
            return (self.refuse(channel, "clip", "a row that tells its classes apart", have),)
        certificate = certify(channel, least)
        return _cost(channel, least) if certificate.holds else self.failed(channel, certificate)

    def build(self, channel: Channel, parameters: DesignStages) -> Attack:
        """A runnable design attack."""
        from planner.attacks.design.run import DesignAttack

        return DesignAttack(self.id, channel, parameters)


class Batches(Designs):
    """K classes by the binary digits of the class, each through a binary design."""

    id = "batches"
    title = "Binary batches for K classes"
    cite = "binary batches; Theorem U"
    statement = (
        "ceil(log2 K) rounds, each asking of every label whether its class lies in the half of the classes with that "
        "binary digit set: rows of two groups of classes, weighed by a binary design."
    )
    most_classes = inf
    conditions = ("K > 2", "2 (E + dev) < W'", "W' = ln((1/c - n)/n), n the larger group")

    def _shape(self, channel: Channel) -> tuple[int, int]:
        return 2, (channel.classes - 1).bit_length()

    def _reasons(self, channel: Channel) -> tuple[Refusal, ...]:
        return self.unmet(channel, MORE_CLASSES) or super()._reasons(channel)


def _cost(channel: Channel, parameters: DesignStages) -> Proposal[DesignStages]:
    M = parameters.queries
    bits = max(0, ceil_of(lambda: (channel.scored / ball(parameters.gap)).log() / arb(2).log()))
    design, digits = parameters.design, parameters.digits
    return Proposal(
        parameters,
        Fraction(channel.wanted, M),
        precision_bits=bits,
        prediction_bits=64,
        operations=2 * M * max(M.bit_length(), 1) + channel.wanted,
        memory=8 * channel.rows * (channel.columns + 4) + 64 * M,
        within=lambda queries: _within(design, queries // digits, parameters.labels),
    )


def _within(design: Design, queries: int, labels: int) -> int:
    """The most labels that designs of the same amplitude hold in so many queries: bisection on the labels."""

    def holds(some: int) -> bool:
        found = design_for(best_design, some, design.amplitude, design.K)
        return found is not None and queries >= found.M

    return last_between(holds, 0, labels + 1)
