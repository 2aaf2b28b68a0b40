"""Grand Challenge: a phase as its API returns it, or a list of them."""

from __future__ import annotations

from datetime import date
from math import ceil

from threatplan.importing.board import Board, Column, Part, Phase

NAME = "grand_challenge"
FILE = "a phase with `submissions_limit_per_user_per_period`"
KNOWN = (
    "pk", "id", "url", "slug", "title", "challenge", "archive", "score_title", "score_jsonpath",
    "score_error_jsonpath", "score_default_sort", "score_decimal_places", "extra_results_columns",
    "scoring_method_choice", "result_display_choice", "creator_must_be_verified", "submission_kind",
    "allow_submission_comments", "display_submission_comments", "supplementary_file_choice",
    "submissions_limit_per_user_per_period", "submission_limit_period", "total_number_of_submissions_allowed",
    "submissions_open_at", "submissions_close_at", "submission_page_html", "public", "display_all_metrics",
    "evaluation_detail_observable_url", "evaluation_comparison_observable_url", "auto_publish_new_results",
)  # fmt: skip
DECIMALS = 4


def fits(data: Part) -> bool:
    """Whether it looks like one."""
    return "submissions_limit_per_user_per_period" in data.data or "score_jsonpath" in data.data


def read(data: Part) -> Board:
    """The phase: a limit of 0, or none, closes it."""
    decimals = data.count("score_decimal_places")
    shown = DECIMALS if decimals is None else decimals
    names = [data.text("score_title") or _last(data.text("score_jsonpath"))]
    names += [one.text("title") or _last(one.text("path")) for one in data.parts("extra_results_columns")]
    start, end = data.day("submissions_open_at"), data.day("submissions_close_at")
    limit, period = data.count("submissions_limit_per_user_per_period"), data.count("submission_limit_period") or 1
    phase = Phase(
        data.text("title", "phase"),
        tuple(Column(name, shown) for name in names if name),
        total=None if period == 1 else _total(limit, period, start, end),
        day=limit if period == 1 else None,
        start=start,
        end=end,
        closed=limit == 0,
    )
    return Board(NAME, data.text("challenge") or data.text("title"), (phase,), data.unknown(KNOWN))


def _total(limit: int | None, period: int, start: date | None, end: date | None) -> int | None:
    """A limit for periods of several days, over all of them."""
    if limit is None or start is None or end is None or end < start:
        return None
    return limit * ceil(((end - start).days + 1) / period)


def _last(path: str) -> str:
    """The last name of a path into the results."""
    return path.rpartition(".")[2]
