"""The guess itself: what is known without a query."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from planner.attacks.attack import Attack
from planner.attacks.theorem import Proposal, Theorem
from planner.channel.channel import Channel
from planner.channel.conditions import INFORMED
from planner.model import Refusal

if TYPE_CHECKING:
    from planner.attacks.guess.parameters import Guess


class Guessing(Theorem["Guess"]):
    """Labels that need not be asked for."""

    id = "guess"
    title = "The attacker's own guess"
    cite = "no query"
    statement = (
        "Whoever guesses all labels with at most s of them wrong has met every goal that allows s wrong labels, without a "
        "single query."
    )
    conditions = ("guess or positives is given", "as many labels may be wrong as the guess has wrong")
    informed = True
    partial = False

    def propose(self, channel: Channel) -> Proposal[Guess] | tuple[Refusal, ...]:
        """All labels, where the goal allows as many wrong ones."""
        reasons = self.unmet(channel, INFORMED)
        if reasons:
            return reasons
        from planner.attacks.guess.parameters import Guess

        if channel.radius > channel.wrong_allowed:
            need = f"at most {channel.wrong_allowed} labels that the guess has wrong"
            return (self.refuse(channel, "goal", need, f"up to {channel.radius}"),)
        parameters = Guess(0, channel.rows, channel.classes, channel.radius)
        return Proposal(
            parameters,
            Fraction(channel.rows),
            precision_bits=0,
            prediction_bits=0,
            operations=channel.rows,
            memory=8 * channel.rows,
            within=lambda queries: channel.rows,
        )

    def build(self, channel: Channel, parameters: Guess) -> Attack:
        """The guess as an attack."""
        from planner.attacks.guess.run import GuessAttack

        return GuessAttack(channel)
