"""The design that a channel affords: the search behind the theorem, for other families too whose last step is a design."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from planner.attacks.affording import ROOM, rounded_down
from planner.attacks.design.certify import prove, spread_error
from planner.attacks.design.parameters import DesignStages
from planner.channel.channel import Channel
from planner.designs.chooser import FAMILIES, Family, best_design, design_for, light_butterfly
from planner.numerics.reals import ball, lower
from planner.numerics.search import settled

REACHES = 24  # parts of W that are tried where predictions near 1 are coarse


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
    design = design_for(family, channel.wanted, Fraction(classes - 1), classes) if reach > 0 else None
    if design is None:
        return None
    heaviness, queries = design.row_l1_bound(channel.wanted) / design.amplitude, design.M * digits
    part = _best_part(channel, lower(reach), queries, heaviness, classes)
    return DesignStages(queries, channel.wanted, design, rounded_down(part / design.amplitude), digits)


def _settle_family(channel: Channel, family: Family, classes: int, digits: int, reach: Fraction) -> DesignStages | None:
    """Alternate between the error for a design and the design for an error, until the certifier agrees."""

    def afforded(before: DesignStages | None) -> DesignStages | None:
        queries, heaviness = max(1, channel.wanted // 8), Fraction(2)
        if before is not None:
            queries, heaviness = before.queries, before.design.row_l1_bound(channel.wanted) / before.design.amplitude
        part = _best_part(channel, reach, queries, heaviness, classes)
        amplitude = _amplitude(channel, part, queries, heaviness * part, classes)
        design = design_for(family, channel.wanted, amplitude, classes)
        if design is None:
            return None
        # Stretch the gap to what W allows: the margin is then as wide as it can be.
        gap = rounded_down(part / design.amplitude)
        return DesignStages(design.M * digits, channel.wanted, design, gap, digits)

    return settled(afforded, lambda one: prove(channel, one).holds)


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


def _amplitude(channel: Channel, reach: Fraction, queries: int, spread: Fraction, classes: int) -> Fraction:
    """W over the gap that the error demands, a little on the safe side."""
    error = spread_error(channel, queries, ball(reach), ball(spread), classes)
    if not error.is_finite():
        return Fraction(0)
    return lower(ball(reach) / (2 * error) * (1 - ball(ROOM)))
