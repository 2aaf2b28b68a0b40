"""Designs: butterfly, Hermite-Lindström and their like. Every label takes part in every query."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf
from typing import ClassVar

from flint import arb

from planner.attacks.attack import Attack
from planner.attacks.design.certify import prove, spread_error
from planner.attacks.design.parameters import DesignStages
from planner.attacks.theorem import Proposal, Theorem
from planner.certify import certify
from planner.channel.channel import Channel
from planner.channel.conditions import COLUMN_A_CLASS, FLOATING_PREDICTIONS, MORE_CLASSES
from planner.designs.base import Design, DesignError
from planner.designs.butterfly import Butterfly
from planner.designs.chooser import best_design
from planner.designs.popcounts import fewest_queries
from planner.designs.sets import powers_of_two
from planner.model import Refusal
from planner.numerics.reals import ball, brief, ceil_of, lower
from planner.numerics.search import last_between

ROUNDS = 12  # M and the amplitude depend on each other; this many steps settle them
REACHES = 24  # parts of W that are tried where predictions near 1 are coarse
ROOM = Fraction(1, 2**24)  # relative; keeps the certified inequality clear of its bound


Family = Callable[[int, Fraction, int], Design]


def light_butterfly(n: int, amplitude: Fraction, classes: int = 2) -> Design:
    """Powers of two: the least total weight for its amplitude, so the least rounding error of a float scorer."""
    base = powers_of_two(int(amplitude))
    if amplitude < 1:
        raise DesignError("amplitude below one gap")
    return Butterfly(fewest_queries(n, lambda M: Butterfly(M, base).capacity()), base)


FAMILIES: tuple[Family, ...] = (light_butterfly, best_design)


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


def settle(channel: Channel, classes: int, digits: int) -> DesignStages | None:
    """The design with the fewest queries, over families whose rows weigh differently much."""
    reach = channel.metric.stage_reach(channel, classes, digits)
    if not reach > 0:
        return None
    families = FAMILIES if classes == 2 else FAMILIES[-1:]
    found = [_settle_family(channel, family, classes, digits, lower(reach)) for family in families]
    return min((one for one in found if one is not None), key=lambda one: one.queries, default=None)


def coarsest(channel: Channel, classes: int, digits: int) -> DesignStages | None:
    """The design of the least amplitude, with as much of W as serves it: if that is not certified, none is."""
    reach = channel.metric.stage_reach(channel, classes, digits)
    family = light_butterfly if classes == 2 else best_design
    design = _design(family, channel.wanted, Fraction(classes - 1), classes) if reach > 0 else None
    if design is None:
        return None
    heaviness, queries = design.row_l1_bound(channel.wanted) / design.amplitude, design.M * digits
    part = _best_part(channel, lower(reach), queries, heaviness, classes)
    return DesignStages(queries, channel.wanted, design, rounded_down(part / design.amplitude), digits)


def _settle_family(channel: Channel, family: Family, classes: int, digits: int, reach: Fraction) -> DesignStages | None:
    """Alternate between the error for a design and the design for an error, until the certifier agrees."""
    queries, heaviness = max(1, channel.wanted // 8), Fraction(2)
    best: DesignStages | None = None
    for _ in range(ROUNDS):
        part = _best_part(channel, reach, queries, heaviness, classes)
        amplitude = _amplitude(channel, part, queries, heaviness * part, classes)
        design = _design(family, channel.wanted, amplitude, classes)
        if design is None:
            return best
        # Stretch the gap to what W allows: the margin is then as wide as it can be.
        gap = rounded_down(part / design.amplitude)
        parameters = DesignStages(design.M * digits, channel.wanted, design, gap, digits)
        if prove(channel, parameters).holds:
            if best is not None and best.queries <= parameters.queries:
                return best
            best = parameters
        elif best is not None:
            return best
        heaviness = design.row_l1_bound(channel.wanted) / design.amplitude
        queries = design.M * digits
    return best


def _best_part(channel: Channel, reach: Fraction, queries: int, heaviness: Fraction, classes: int) -> Fraction:
    """How much of W to use: all of it, unless predictions near 1 are coarse or digits are relative to the score."""
    if channel.columns > 1 and not channel.digits.grows:
        return reach
    whole, heavy = ball(reach), ball(heaviness)

    def gaps(part: int) -> arb:
        """How many gaps that part of W holds, in balls alone: this is asked more often than all else."""
        most = whole * part / REACHES
        error = spread_error(channel, queries, most, heavy * most, classes)
        return (most / error).lower() if error.is_finite() else arb(0)

    return reach * max(range(REACHES, 3, -1), key=gaps) / REACHES


def rounded_down(gap: Fraction) -> Fraction:
    """A float64 not above the gap, so that the encoder uses exactly the certified one."""
    down = Fraction(float(gap))
    return down if down <= gap else Fraction(float(gap * (1 - Fraction(1, 2**50))))


def _amplitude(channel: Channel, reach: Fraction, queries: int, spread: Fraction, classes: int) -> Fraction:
    """W over the gap that the error demands, a little on the safe side."""
    error = spread_error(channel, queries, ball(reach), ball(spread), classes)
    if not error.is_finite():
        return Fraction(0)
    return lower(ball(reach) / (2 * error) * (1 - ball(ROOM)))


def _design(family: Family, n: int, amplitude: Fraction, classes: int) -> Design | None:
    try:
        return family(n, amplitude, classes)
    except DesignError:
        return None


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
        found = _design(best_design, some, design.amplitude, design.K)
        return found is not None and queries >= found.M

    return last_between(holds, 0, labels + 1)
