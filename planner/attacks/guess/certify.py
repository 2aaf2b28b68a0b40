"""The guess: right but for as many labels as it may have wrong."""

from __future__ import annotations

from planner.attacks.guess.parameters import Guess
from planner.channel.channel import Channel
from planner.numerics.inequality import Proof
from planner.numerics.reals import ball, compare


def prove(channel: Channel, p: Guess) -> Proof:
    """It speaks of every label, and has no more of them wrong than it says."""
    return Proof(
        "every labeling that differs from the guess in as few labels as is assumed; no score is needed",
        (
            compare("labels that may come out wrong >= labels that the guess may have wrong",
                    lambda: ball(p.wrong), ">=", lambda: ball(channel.radius)),
            compare("labels >= rows", lambda: ball(p.labels), ">=", lambda: ball(channel.rows)),
        ),
    )  # fmt: skip
