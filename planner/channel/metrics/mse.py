"""Mean squared error of classes 0 and 1: a row charges (u - y)^2, as the Brier score does, whatever number u is.

Predictions between 0 and 1 do what they do to a Brier score, and all of its attacks need no more. Where any number may be
submitted a row weighs as much as one likes: then no limit that rests on bounded rows holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flint import arb

from dsl.scenario import Arbitrary, Ieee
from planner.channel.metrics.brier import Brier

if TYPE_CHECKING:
    from planner.channel.channel import Channel

WIDE = (Ieee(64), Arbitrary())  # scikit-learn widens what comes in fewer bits, since its labels are integers


class Mse(Brier):
    """The mean of (u - y)^2 for any u."""

    id = "mse"
    title = "the mean squared error"
    predictions = ("real", "probability")
    free = True

    def unknown(self, channel: Channel) -> tuple[str, ...]:
        """As of the Brier score, in float64 or exactly."""
        known = (("phi", channel.precision in WIDE), ("score_phi", channel.score_precision in WIDE))
        return (*super().unknown(channel), *(field for field, is_known in known if not is_known))

    def span(self, channel: Channel) -> arb:
        """1, if nothing outside [0, 1] is charged."""
        return super().span(channel) if channel.predictions == "probability" else arb.pos_inf()


MSE = Mse()
