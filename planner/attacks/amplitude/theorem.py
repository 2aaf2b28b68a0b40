"""AD: averages of rounded scores, listed beforehand, whose rounding errors are made even by the size of all weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planner.attacks.amplitude.setting import rooms
from planner.attacks.attack import Attack
from planner.attacks.costs import average_cost
from planner.attacks.theorem import Proposal, Theorem, unasked
from planner.channel.channel import Channel
from planner.channel.conditions import ANY_SUMS, COINS_DECIDE, DITHERED
from planner.model import Refusal

if TYPE_CHECKING:
    from planner.attacks.amplitude.parameters import AmplitudeSpread

PARTS = 20  # of all labels, so many of which are asked about at the least


class Amplitude(Theorem["AmplitudeSpread"]):
    """A Hadamard matrix of butterflies under weights whose size is drawn anew for every query."""

    id = "swell"
    title = "Rounding made even by the size of all weights"
    cite = "attack AD"
    statement = (
        "A row of log-odds w charges |w|/2 + ln(1 + e^-|w|) on average of both labels, so the score of a query in which all "
        "weights have one size g rises with g by half a cell for each unit that g grows, whatever the labels are, as long "
        "as its sum of labels is small beside N: random signs see to that. With g drawn as a sum of eight uniform variables "
        "over L cells the rounding error is uniform, but for a part of 2 (8/(pi L))^8. So it averages out, like noise: query "
        "(tau, t) weighs block b of the labels by H[tau, b] times row t of a butterfly, and the mean over tau leaves every "
        "sum near an integer. All queries are listed beforehand, one column is enough; all labels are right with "
        "probability 1 - δ over the attacker's coins. Random noise is averaged along; significant digits are decimals, "
        "since all scores lie in one decade."
    )
    conditions = (
        "two classes",
        "scores rounded to decimals or to significant digits",
        "no noise, random noise, or a bound far below a decimal",
    )

    def propose(self, channel: Channel) -> Proposal[AmplitudeSpread] | tuple[Refusal, ...]:
        """The fewest queries over all bases and orders."""
        reasons = self.unmet(channel, *DITHERED) or self.unmet(channel, COINS_DECIDE)
        if reasons:
            return reasons
        if ANY_SUMS.met(channel):
            need = "rows that sum to 1: elsewhere an offset is free (see consistent)"
            return (self.refuse(channel, "scorer", need, "rows are charged as they are"),)
        if not tuple(rooms(channel)):
            need = "rounding coarser than the design attack bears: N units of the last digit > W/2"
            return (self.refuse(channel, "decimals", need, "finer"),)
        from planner.attacks.amplitude.settling import best_for

        # Of fewer labels a sum leans farther, so that some of them may take more queries than more of them do. Whichever
        # twentieth takes the fewest is asked, and a lower goal never takes more.
        twentieths = (-(-channel.rows * part // PARTS) for part in range(1, PARTS + 1))
        found = [best_for(unasked(channel), labels) for labels in twentieths if labels >= channel.wanted]
        best = min((one for one in found if one), key=lambda one: (one.queries, one.labels), default=None)
        if best is None:
            return (self.refuse(channel, self.deciding(channel), "a shape whose averages are sharp enough", "none"),)
        return average_cost(channel, best, best.block * best.rounds)

    def build(self, channel: Channel, parameters: AmplitudeSpread) -> Attack:
        """A runnable attack."""
        from planner.attacks.amplitude.run import AmplitudeAttack

        return AmplitudeAttack(self.id, channel, parameters)
