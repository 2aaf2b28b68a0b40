"""What a verdict takes for granted, in words: above all whatever favours the organiser."""

from __future__ import annotations

from planner.channel.channel import Channel


def assumptions(channel: Channel) -> tuple[str, ...]:
    """Each assumption on its own; what is known beforehand first."""
    found = [
        _knowledge(channel),
        _scored(channel),
        _released(channel),
        "nothing else is shown that depends on the labels",
    ]
    if unclipped(channel):
        found.append("probabilities are charged as submitted, however near 0")
    if channel.response is not None:
        found.append(
            "labels were flipped once, each by itself, before anything was scored; goals speak of the true ones"
        )
    if "class" in channel.metric.predictions and not channel.abstain:
        found.append("a class that does not exist is refused")
    if _needs_both_classes(channel):
        found.append("attacks speak of labels of both classes: no score tells which one it is where all are alike")
    if channel.budget is not None:
        found.append("all submissions of everybody who works together count against the budget")
    return tuple(found)


def unclipped(channel: Channel) -> bool:
    """Whether nothing keeps the logarithm of a small probability within bounds, as most scorers do."""
    return channel.metric.logarithmic and channel.clip is None


def _needs_both_classes(channel: Channel) -> bool:
    """Whether labels that are all alike may be scored as any others of one class, for all that is known of them."""
    told = channel.metric.one_class or channel.metric.control
    return not told and not channel.exactly


def _scored(channel: Channel) -> str:
    if not channel.split:
        return "all rows are scored"
    some = f"{channel.fewest:,} to {channel.scored:,}" if channel.uncertain else f"{channel.scored:,}"
    return f"{some} of the {channel.rows:,} rows are scored, the same for every submission; which ones is secret"


def _released(channel: Channel) -> str:
    """What becomes of scores, and of whose: a release with a memory has one for each account."""
    if channel.beside:
        first = ", ".join((channel.metric_id, *channel.beside[:-1]))
        return f"{first} and {channel.beside[-1]} come back for each submission"
    if channel.released.id == "plain":
        return "each score is shown"
    if not channel.released.remembers:
        return channel.released.title
    some = f"{channel.accounts:,} memories for those" if channel.accounts > 1 else "one memory for all"
    return f"{channel.released.title}; the board has {some} who work together"


def _knowledge(channel: Channel) -> str:
    if not channel.secret.informed:
        return "nothing is known of the labels beforehand"
    if channel.exactly:
        ones = channel.rows - channel.radius if channel.commoner else channel.radius
        return f"it is known that {ones:,} of the {channel.rows:,} labels {'is' if ones == 1 else 'are'} 1"
    right = channel.rows - channel.radius
    if not channel.radius:
        return "the attacker's guess is right on every label"
    return f"the attacker's guess is right on {right:,} of the {channel.rows:,} labels, and it is not known on which"
