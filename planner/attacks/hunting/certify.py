"""Threshold splitting: comparisons that bear the error, and as many of them as any few wrong labels can take."""

from __future__ import annotations

from planner.attacks.hunting.parameters import Hunt
from planner.attacks.threshold.certify import certainty, offset_inequalities, setting_inequalities
from planner.channel.channel import Channel
from planner.numerics.inequality import Proof
from planner.numerics.reals import ball, compare


def prove(channel: Channel, p: Hunt) -> Proof:
    """Every labeling that differs from the guess in as few labels as is assumed."""
    return Proof(
        f"{certainty(channel, p.noise_share)}, if it differs from the guess in at most {p.wrong:,} labels",
        (
            *setting_inequalities(channel, p),
            *offset_inequalities(p),
            compare("wrong labels that are reckoned with >= labels that the guess may have wrong",
                    lambda: ball(p.wrong), ">=", lambda: ball(channel.radius)),
            compare("queries >= bootstrap + tests + verification + offset's own",
                    lambda: ball(p.queries), ">=", lambda: ball(p.asked)),
        ),
    )  # fmt: skip
