"""The zero test: zeros show as infinity, nothing else does, and the queries are counted in full."""

from __future__ import annotations

from planner.attacks.inequalities import stays_finite
from planner.attacks.zero.parameters import ZeroTests
from planner.channel.channel import Channel
from planner.numerics.inequality import Inequality, Proof
from planner.numerics.reals import ball, compare


def prove(channel: Channel, p: ZeroTests) -> Proof:
    """Every label, with certainty, under any noise that leaves infinity infinite."""
    asked = p.labels * p.bits + (p.reserve if p.grouped else 0) + 2
    rows, shows = p.classes if p.columns > 1 else 2, channel.metric.shows_infinity(channel)
    return Proof(
        "every labeling, under any noise that leaves a finite score finite: an infinite score stays infinite",
        (
            compare("zeros show as infinity", lambda: ball(int(shows)), ">=", lambda: ball(1)),
            compare("grouped tests only if queries may adapt", lambda: ball(int(p.grouped)), "<=",
                    lambda: ball(int(channel.adaptive))),
            compare("classes that rows can tell >= K", lambda: ball(rows), ">=", lambda: ball(channel.classes)),
            compare("labels >= goal", lambda: ball(p.labels), ">=", lambda: ball(channel.wanted)),
            compare("queries >= labels * bits + reserve + 2", lambda: ball(p.queries), ">=", lambda: ball(asked)),
            *_misses_show(channel, p),
        ),
    )  # fmt: skip


def _misses_show(channel: Channel, p: ZeroTests) -> tuple[Inequality, ...]:
    """Where no zero is hit no row charges more than ln K, and the score stays finite: only a format can overflow."""
    return (stays_finite(channel, p.queries, channel.neutral_charge),) if channel.scores.floating else ()
