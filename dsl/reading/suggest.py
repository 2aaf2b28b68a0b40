"""Did you mean …?"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

# What others call it: words that no spelling leads from to ours.
ELSEWHERE = {
    "rows": "N",
    "labels": "N",
    "samples": "N",
    "classes": "K",
    "submissions": "queries",
    "attempts": "queries",
    "budget": "queries",
    "digits": "decimals",
    "rounding": "decimals",
    "epsilon": "clip",
    "eps": "clip",
    "split": "public",
    "score": "metric",
    "auc": "roc_auc",
    "cross_entropy": "log_loss",
    "crossentropy": "log_loss",
    "bce": "log_loss",
    "quadratic": "brier",
    "normal": "gaussian",
}
LONGEST = 100
MANY = 200


def nearest(word: str, names: Iterable[str]) -> str | None:
    """A hint with the name that `word` was probably meant to be, if there is one."""
    found = nearest_name(word, names)
    return f"did you mean `{found}`?" if found else None


def nearest_name(word: str, names: Iterable[str]) -> str | None:
    """The name that `word` was probably meant to be."""
    from difflib import get_close_matches

    if len(word) > LONGEST:
        return None
    candidates = list(names)
    if len(candidates) > MANY:  # comparing with all of them would take too long
        near = (name for name in candidates if name[0] == word[0] and abs(len(name) - len(word)) <= 2)
        candidates = list(islice(near, MANY))
    folded = {name.casefold(): name for name in reversed(candidates)}
    if word.casefold() in folded:
        return folded[word.casefold()]
    if (meant := ELSEWHERE.get(word.casefold().replace("-", "_"))) in candidates:
        return meant
    found = get_close_matches(word.casefold(), folded, n=1, cutoff=0.67)
    return folded[found[0]] if found else None
