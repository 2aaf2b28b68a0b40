"""CodaLab: competition.yaml of version 1, `phases` by number and `leaderboard` with its `columns` by key."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from threatplan.importing.board import Board, Column, Part, Phase

NAME = "codalab"
FILE = "competition.yaml with `leaderboard: columns:`"
KNOWN = (
    "title", "description", "image", "html", "phases", "leaderboard", "admin_names", "end_date", "start_date",
    "has_registration", "force_submission_to_leaderboard", "disallow_leaderboard_modifying",
    "enable_detailed_results", "enable_medical_image_viewer", "enable_per_submission_metadata", "enable_forum",
    "allow_teams", "require_team_approval", "anonymous_leaderboard", "competition_docker_image",
    "show_datasets_from_yaml", "teams", "reward", "allow_public_submissions", "queue", "disable_custom_docker_image",
    "hide_chart", "hide_top_three",
)  # fmt: skip


def fits(data: Part) -> bool:
    """Whether it looks like one."""
    board = data.data.get("leaderboard")
    return "phases" in data.data and isinstance(board, Mapping) and "columns" in board


def read(data: Part) -> Board:
    """Its phases; one lasts until the next begins, the last until the end of the competition."""
    board = Part(data.data["leaderboard"], "leaderboard")
    columns = tuple(_column(one) for one in board.parts("columns"))
    parts = list(data.parts("phases"))
    starts = [one.day("start_date") for one in parts]
    ends = [*starts[1:], data.day("end_date")]
    phases = tuple(_phase(*each, columns) for each in zip(parts, starts, ends, strict=True))
    return Board(NAME, data.text("title"), phases, data.unknown(KNOWN))


def _column(one: Part) -> Column:
    return Column(one.text("label") or one.place.rpartition("[")[2].rstrip("]"), one.count("numeric_format"))


def _phase(one: Part, start: date | None, end: date | None, columns: tuple[Column, ...]) -> Phase:
    return Phase(
        one.text("label") or one.text("phasenumber", "phase"),
        columns,
        total=one.count("max_submissions"),
        day=one.count("max_submissions_per_day"),
        start=start,
        end=end,
    )
