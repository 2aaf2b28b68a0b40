"""A Ladder that starts at a public level gives its labels to whoever can afford e^(N eta) queries a level."""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from itertools import accumulate, pairwise
from math import isfinite, log, log1p
from typing import TYPE_CHECKING

from dsl.scenario import LadderOf
from planner.attacks.attack import Attack
from planner.attacks.costs import falling_cost
from planner.attacks.surest import surest
from planner.attacks.theorem import Proposal, Theorem
from planner.channel.channel import Channel
from planner.model import Refusal

if TYPE_CHECKING:
    from planner.attacks.patterns.parameters import Patterns

MOST_LEVELS = 20_000  # that a record lists
MOST_TRIED = 18  # new rows a level that are proposed: 262,143 queries for them
SPARE = 1 + 1e-9  # times the proved error, for what floats lose
FLOATS = 1e-9  # that sums of N charges in floats are trusted to, relative


class LadderPatterns(Theorem["Patterns"]):
    """All patterns of as many rows as a step of the Ladder is worth."""

    id = "patterns"
    title = "All patterns of a few rows, until the Ladder falls by a step"
    cite = "patterns"
    statement = (
        "On a Ladder that starts at a public level all rows begin at 1/2. As many rows as it takes to beat the level by "
        "a step are made sure, in one pattern after the other: the board falls for the right one alone, and to a level "
        "that is known beforehand. Then as many more, with those that are known beside them. A level takes about N "
        "eta/ln 2 rows, so 2^(N eta/ln 2) = e^(N eta) queries: the Ladder is as strong as N eta, and no stronger. The "
        "last rows, whose charges are less than a step together, stay unknown."
    )
    conditions = (
        "release = ladder(eta, start), the start not far below ln 2",
        "K = 2, log_loss, no noise, adaptive = yes",
        "N eta/ln 2 of at most 18 rows, eta more than two units of the last decimal",
    )

    def propose(self, channel: Channel) -> Proposal[Patterns] | tuple[Refusal, ...]:
        """The least number of rows at every level, until as many labels are known as are wanted."""
        from planner.attacks.patterns.parameters import Patterns

        probe = Patterns(1, channel.wanted, Fraction(1, 2), (1,))
        reasons = self.unmet(channel, *probe.conditions)
        if reasons:
            return reasons
        doubt = surest(channel)
        if doubt is None:
            return (self.refuse(channel, "clip", "a prediction whose two sides are taken as they are", "none"),)
        levels = sure_rows(channel, doubt)
        enough = [one for one, two in pairwise((0, *levels)) if one < channel.wanted]
        if not levels or levels[-1] < channel.wanted:
            have = f"{levels[-1] if levels else 0} of at most {MOST_TRIED} new ones a level"
            return (self.refuse(channel, "release", f"levels that tell {channel.wanted} rows", have),)
        bare = Patterns(1, channel.wanted, doubt, levels[: len(enough)])
        parameters = Patterns(bare.asked, channel.wanted, doubt, bare.sure)
        return _priced(channel, parameters)

    def deciding(self, channel: Channel) -> str:
        """What is shown."""
        return "release"

    def build(self, channel: Channel, parameters: Patterns) -> Attack:
        """A runnable adaptive attack."""
        from planner.attacks.patterns.run import PatternsAttack

        return PatternsAttack(self.id, channel, parameters)


def sure_rows(channel: Channel, doubt: Fraction) -> tuple[int, ...]:
    """c_t for as many levels as there are rows and patterns that can be tried."""
    from planner.attacks.patterns.certify import MOST_NEW, error
    from planner.attacks.patterns.parameters import Patterns

    assert isinstance(channel.release, LadderOf)
    assert channel.release.start is not None
    rows, eta, shown = channel.scored, float(channel.release.eta.lo), float(channel.release.start.hi)
    light, even = -log1p(-float(doubt)), log(2)
    off = float(error(channel, Patterns(1, 1, doubt, (rows,)))) * SPARE + rows * FLOATS
    found: list[int] = []
    while isfinite(off) and len(found) < MOST_LEVELS:
        sure = _least(found[-1] if found else None, (rows * even - rows * (shown - eta) + off) / (even - light))
        while sure <= rows and _doubtful(rows * even - sure * (even - light), rows * eta, off):
            sure += 1
        if sure > rows or sure - (found[-1] if found else 0) > min(MOST_TRIED, MOST_NEW):
            break
        found.append(sure)
        shown = round((rows * even - sure * (even - light)) / (rows * eta)) * eta
    return tuple(found)


def _least(before: int | None, needed: float) -> int:
    """The first whole number above what is needed, and above what was sure before; none may be needed at first."""
    return max(int(needed // 1) + 1, 0 if before is None else before + 1)


def _doubtful(total: float, step: float, off: float) -> bool:
    """Whether a sum is so near the middle between two levels that an error decides which is shown."""
    return abs(total / step % 1 - 0.5) * step <= 2 * off


def _priced(channel: Channel, parameters: Patterns) -> Proposal[Patterns]:
    spent = list(accumulate(max(1, 2 ** (two - one) - 1) for one, two in pairwise((0, *parameters.sure))))

    def within(queries: int) -> int:
        reached = bisect_right(spent, queries)
        return min(parameters.labels, parameters.sure[reached - 1]) if reached else 0

    return falling_cost(channel, parameters, parameters.doubt, within)
