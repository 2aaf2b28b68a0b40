"""The answer in plain words, for somebody who is no mathematician: what can be learned, by whom, what would change it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from threatplan.render.numbers import about, of, share, surely, whole

if TYPE_CHECKING:
    from planner.report import Report


def answer(report: Report) -> str:
    """Two to six sentences."""
    what = (_learned(report), *_besides(report), *_split(report), *_telling(report))
    return " ".join((*what, *_needed(report), _whom(report), *_unclipped(report), *_change(report), *_beside(report)))


def _beside(report: Report) -> Iterator[str]:
    """That its file may speak of the same board again, by another score."""
    from threatplan.twins import caveat

    if report.best is None and (told := caveat(report.scenario)):
        yield told


def _learned(report: Report) -> str:
    """What the verdict says."""
    labels = _labels(report)
    if report.best is not None and report.best.certified is not None:
        queries = report.best.certified.queries
        if queries == 0:
            return f"Yes: {labels} {'is' if report.channel.wanted == 1 else 'are'} known without a single submission."
        enough = "1 submission is" if queries == 1 else f"{whole(queries)} submissions are"
        return f"Yes: {enough} enough to learn {labels} from the scores alone{_surely(report)}{_allowed(report)}."
    if report.verdict == "impossible":
        return f"No: no attack is sure to learn {labels}{_within(report)}{_whatever(report)}."
    return (
        f"Not known: no attack that we know of learns {labels}{_within(report)}, and no proof says that there is none."
    )


def _besides(report: Report) -> Iterator[str]:
    """What can be had, and what cannot, where not all can."""
    if report.best is not None:
        return
    shown, total = report.exposure, report.scenario.N
    if shown.labels and report.channel.split:
        parts = share(Fraction(shown.labels, total)) + about(shown.labels, report.scenario)
        part = f"{whole(shown.labels)} of the {of(total, 'row')} ({parts})"
        asked = f"{of(shown.queries, 'submission')} {'is' if shown.queries == 1 else 'are'}"
        yield f"But {asked} enough to learn the labels of all scored rows among {part}{_ceiling(report)}."
    elif shown.labels:
        part = f"{whole(shown.labels)} of the {whole(total)} labels ({share(Fraction(shown.labels, total))})"
        yield f"But {part} can be read off in {of(shown.queries, 'submission')}{_ceiling(report)}."
    elif shown.right and shown.averaged is not None:
        assert shown.averaged.certified is not None
        part = f"{whole(shown.right)} of the {whole(total)} labels ({share(Fraction(shown.right, total))})"
        asked = of(shown.averaged.certified.queries, "submission")
        sure = "is" if shown.right == 1 else "are"  # guessing gets more right on average, and is sure of none
        yield f"But {part} {sure} sure to come out right in {asked}, not known which{_ceiling(report)}."
    elif shown.labels is None:
        yield f"How many labels can be read off is not known{_ceiling(report)}."


def _split(report: Report) -> Iterator[str]:
    """What labels alone cost where the split is wanted too, and the split where labels are enough."""
    if not report.channel.split or report.best is None or report.best.certified is None:
        return
    if not report.channel.membership:
        rows, least = whole(report.scenario.N), _least_of_both(report)
        if least is not None:
            yield f"Which of the {rows} rows these are comes out in {of(least, 'submission')}."
    elif report.exposure.labels == report.scenario.N and report.exposure.queries < report.best.certified.queries:
        yield f"The labels alone come out in {of(report.exposure.queries, 'submission')}."


def _least_of_both(report: Report) -> int | None:
    """Queries of the cheapest attack that also tells which rows are scored."""
    proved = (one.certified for one in report.candidates if one.certified is not None)
    told = (one.queries for one in proved if one.certificate.promise.membership)
    return min(told, default=None)


def _telling(report: Report) -> Iterator[str]:
    """Of several scores the one that gives most away, where one does."""
    if not report.leaks or report.leaks[0].queries is None:
        return
    most = [one.metric for one in report.leaks if one.queries == report.leaks[0].queries]
    names = f"{', '.join(most[:-1])} and {most[-1]}" if len(most) > 1 else most[0]
    if len(most) < len(report.leaks):
        yield f"Of the {len(report.leaks)} scores {names} give{'s' if len(most) == 1 else ''} most away."
    else:
        yield f"The scores {names} give equally much away."


def _ceiling(report: Report) -> str:
    from planner.ceiling import guessed, percent_above

    ceiling = report.ceiling
    if ceiling.fraction >= 1:
        return ""
    whose = " of the scored labels" if report.channel.split else ""
    most, without = percent_above(ceiling.fraction), share(guessed(report.channel))
    return f", and no attack gets more than {most}{whose} right on average (without any score: {without})"


def _needed(report: Report) -> Iterator[str]:
    """From how many submissions on nothing is proved, where it is impossible; that holds for whom is named next."""
    bound = report.lower_bound
    if report.verdict != "impossible":
        return
    if any(one.excludes_all for one in report.limits):
        yield "More submissions would not change that."
    elif bound.by:
        yield f"Learning {_labels(report)} takes at least {of(bound.queries, 'submission')}: that is proved."


def _whom(report: Report) -> str:
    """Whom the verdict speaks of, and who would do better."""
    known = report.assumes[0]
    if report.channel.secret.informed:
        return f"This assumes that {known}."
    better = [one for one in report.if_guessed if one.candidate is not None and one.candidate.status == "feasible"]
    if not better:
        return (
            "Nothing need be known of the labels for that."
            if report.best is not None
            else f"This assumes that {known}."
        )
    least = better[0]
    assert least.candidate is not None
    assert least.candidate.certified is not None
    asked = least.candidate.certified.queries
    queries = of(asked, "submission") if asked else "no submission"
    return (
        f"This assumes that {known}: whoever guesses {share(least.share)} of them right needs {queries} for the rest."
    )


def _unclipped(report: Report) -> Iterator[str]:
    """That most scorers would make it dearer, where nothing is said of yours."""
    from planner.assumptions import unclipped

    asked = report.exposure.queries if report.best is None else _asked(report)
    if asked and unclipped(report.channel) and not {"clip", "scorer"} & {*report.channel.lines}:
        yield (
            "Probabilities are taken to be charged as submitted, however small; most scorers clip them: "
            "name `scorer` or `clip`."
        )


def _change(report: Report) -> Iterator[str]:
    """From where on the verdict would be another, as far as that is proved."""
    bound = report.lower_bound
    if report.best is not None and not _asked(report):
        yield "No setting of the board would change that."
    elif report.best is not None and bound.by and bound.queries > 1:
        yield f"With fewer than {of(bound.queries, 'submission')} nobody could; `plan harden` names settings that hold out."
    elif report.best is not None:
        yield "`plan harden` names settings that hold out."
    elif report.verdict == "unknown" and (cheapest := _cheapest(report)) is not None:
        proved = f", and none can do with fewer than {whole(bound.queries)}" if bound.by and bound.queries > 1 else ""
        takes = f"takes {of(cheapest, 'submission')} by the cheapest attack that we know of"
        yield f"Learning {_labels(report)} {takes}{proved}."
    elif report.verdict == "unknown":
        yield "`plan harden` looks for settings at which it is proved that nobody could."


def _asked(report: Report) -> int:
    """Queries of the best attack."""
    return report.best.certified.queries if report.best is not None and report.best.certified is not None else 0


def _cheapest(report: Report) -> int | None:
    found = (one.certified.queries for one in report.candidates if one.certified is not None)
    return min(found, default=None)


def _labels(report: Report) -> str:
    from planner.planning import goal_text

    channel = report.channel
    if channel.split or channel.wanted == channel.rows:
        return goal_text(channel)
    return f"{whole(channel.wanted)} of the {whole(channel.rows)} labels"


def _surely(report: Report) -> str:
    """How surely, where noise or coins leave something to chance."""
    assert report.best is not None
    assert report.best.certified is not None
    chance = report.best.certified.certificate.promise.chance
    return f", with a probability of {surely(1 - chance)}" if chance else ""


def _allowed(report: Report) -> str:
    if report.channel.budget is None:
        return ", and nothing limits how many may be made"
    return f"; {whole(report.channel.budget)} {'is' if report.channel.budget == 1 else 'are'} allowed"


def _within(report: Report) -> str:
    """Up to how many submissions that is said."""
    budget = report.channel.budget
    if budget is None:
        return ", however many submissions are made"
    return f" within {of(budget, 'submission')}" if budget else " without a single submission"


def _whatever(report: Report) -> str:
    """That a proof speaks of every attack."""
    return " and whatever it computes" if report.channel.budget is None else ", whatever it computes"
