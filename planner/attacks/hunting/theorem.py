"""XT: a good guess and rounded scores. The few wrong labels are hunted by comparisons of many rows at once."""

from __future__ import annotations

from dataclasses import fields, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from planner.attacks.attack import Attack
from planner.attacks.theorem import Proposal, Theorem
from planner.attacks.threshold.setting import rounding_refusals, shared_setting
from planner.attacks.threshold.theorem import no_offset, offsets
from planner.channel.channel import Channel
from planner.channel.conditions import INFORMED, TWO_CLASSES
from planner.model import Refusal

if TYPE_CHECKING:
    from planner.attacks.hunting.parameters import Hunt


class ThresholdSplitting(Theorem["Hunt"]):
    """Generalised binary splitting with rounding as the test."""

    id = "threshold-splitting"
    title = "Wrong guesses by comparisons"
    cite = "attack XT"
    statement = (
        "Predict the guess on many rows at once, and move a boundary of the rounding midway between what right labels are "
        "charged and one wrong label more: a rounded score then says whether any of them is wrong. Hwang's generalised "
        "binary splitting finds at most s wrong ones among n rows in (a + 2)s + p - 1 such tests, with "
        "n - s + 1 = 2^a (s + p) + t, p < s and t < 2^a: about s (log2(n/s) + 2), whichever they are. One more test "
        "verifies what is left, and notices a guess that is worse. The labels are never wrong."
    )
    informed = True
    compares = True
    conditions = (
        "a guess of two classes with at most s labels wrong",
        "no noise, or noise whose bound N τ stays below W/2",
        "scores rounded to decimals",
        "adaptive queries",
    )
    partial = False

    def propose(self, channel: Channel) -> Proposal[Hunt] | tuple[Refusal, ...]:
        """As few offset rows as cover a cell."""
        reasons = (*self.unmet(channel, INFORMED, TWO_CLASSES), *rounding_refusals(self, channel))
        small = channel.metric.smallest_usable(channel)
        if reasons or small is None:
            return reasons or (self.refuse(channel, "clip", "W of at least 1", "a clip above 1/4"),)
        from planner.attacks.hunting.parameters import Hunt
        from planner.attacks.threshold.parameters import Thresholds

        setting = offsets(channel, shared_setting(channel, small, most_queries(channel)))
        if setting is None:
            return (no_offset(self, channel, small),)
        shared = {each.name: getattr(setting, each.name) for each in fields(Thresholds)}
        bare = Hunt(wrong=channel.radius, **shared)
        return _cost(channel, replace(bare, queries=bare.asked))

    def build(self, channel: Channel, parameters: Hunt) -> Attack:
        """A runnable hunt."""
        from planner.attacks.hunting.run import HuntingAttack

        return HuntingAttack(channel, parameters)


def most_queries(channel: Channel) -> int:
    """No more, however many rows are the offset's: a bootstrap, two hunts and two verifications."""
    from planner.attacks.hunting.parameters import most_tests

    return channel.rows.bit_length() + 2 * most_tests(channel.rows, channel.radius) + 2


def _cost(channel: Channel, parameters: Hunt) -> Proposal[Hunt]:
    return Proposal(
        parameters,
        Fraction(parameters.labels, parameters.queries),
        precision_bits=0,
        prediction_bits=parameters.small.denominator.bit_length(),
        operations=4 * channel.rows * parameters.queries,
        memory=32 * channel.rows * channel.columns,
        within=lambda queries: parameters.labels if queries >= parameters.queries else 0,
    )
