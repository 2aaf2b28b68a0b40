"""The zero test: nothing to prove but that zeros show as infinity and that the queries are counted in full."""

from __future__ import annotations

from planner.attacks.zero import ZeroTests
from planner.channel import Channel
from planner.model import Proof
from planner.reals import ball, compare


def certify_zero(channel: Channel, p: ZeroTests) -> Proof:
    """Every label, with certainty, under any noise that leaves infinity infinite."""
    asked = p.labels * p.bits + (p.reserve if p.grouped else 0) + 2
    rows = p.classes if p.columns > 1 else 2
    return Proof(
        "every labeling, under any noise: an infinite score stays infinite",
        (
            compare("zeros show as infinity", lambda: ball(int(channel.can_return_infinity)), ">=", lambda: ball(1)),
            compare("grouped tests only if queries may adapt", lambda: ball(int(p.grouped)), "<=",
                    lambda: ball(int(channel.adaptive))),
            compare("classes that rows can tell >= K", lambda: ball(rows), ">=", lambda: ball(channel.K)),
            compare("labels >= goal", lambda: ball(p.labels), ">=", lambda: ball(channel.target)),
            compare("queries >= labels * bits + reserve + 2", lambda: ball(p.queries), ">=", lambda: ball(asked)),
        ),
    )  # fmt: skip
