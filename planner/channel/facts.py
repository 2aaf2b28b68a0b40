"""Facts of a channel: all that a scorer does, in a form that can be compared."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from planner.exact import KINDS
from planner.numerics.reals import number_text

if TYPE_CHECKING:
    from planner.channel.channel import Channel


def facts_of(channel: Channel) -> dict[str, str]:
    """Each fact by the name of its field."""
    return {
        "N": f"{channel.rows}",
        "K": f"{channel.classes}",
        "guess": _known(channel),
        "public": _scored(channel),
        "metric": channel.metric.id,
        "predictions": channel.predictions,
        "abstain": "yes" if channel.abstain else "no",
        "reduction": channel.reduction,
        "columns": f"{channel.columns}",
        "phi": channel.submission.text,
        "score_phi": channel.scores.text,
        "clip": "none" if channel.clip is None else number_text(channel.clip),
        "clip_of": channel.clip_of,
        "renormalises": "yes" if channel.renormalises else "no",
        "checks": "yes" if channel.checks else "no",
        "any_sums": "yes" if channel.any_sums else "no",
        "summation": str(channel.summation),
        "decimals": channel.digits.text,
        "noise": channel.law.text,
        "release": _release(channel.release),
        "response": "none" if channel.response is None else number_text(channel.response),
    }


def _scored(channel: Channel) -> str:
    """How many rows are scored."""
    if not channel.split:
        return "all"
    return f"between({channel.fewest}, {channel.scored})" if channel.uncertain else f"{channel.scored}"


def _release(value: Any) -> str:
    """The release by its name and its parameters."""
    given = (getattr(value, each.name) for each in fields(value))
    inside = ", ".join(number_text(one) for one in given if one is not None)
    name = KINDS.get(type(value), f"unknown: {type(value).__name__}")
    return f"{name}({inside})" if inside else name


def _known(channel: Channel) -> str:
    """What is known of the labels beforehand."""
    if not channel.secret.informed:
        return "none"
    return f"{'just' if channel.exactly else 'at most'} {channel.radius} wrong"
