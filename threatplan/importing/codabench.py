"""Codabench: competition.yaml of version 2, `phases` and `leaderboards` as lists."""

from __future__ import annotations

from threatplan.importing.board import Board, Column, Part, Phase

NAME = "codabench"
FILE = "competition.yaml with a list of `leaderboards`"
KNOWN = (
    "version", "title", "description", "image", "terms", "pages", "tasks", "solutions", "phases", "leaderboards",
    "leaderboard", "docker_image", "registration_auto_approve", "enable_detailed_results",
    "show_detailed_results_in_leaderboard", "show_detailed_results_in_submission_panel", "make_programs_available",
    "make_input_data_available", "auto_run_submissions", "can_participants_make_submissions_public", "forum_enabled",
    "queue", "fact_sheet", "reward", "contact_email", "allow_robot_submissions", "competition_type",
    "whitelist_emails", "participation_template", "logo", "published",
)  # fmt: skip
DECIMALS = 2  # of a column that says nothing


def fits(data: Part) -> bool:
    """Whether it looks like one."""
    boards = data.data.get("leaderboards", data.data.get("leaderboard"))
    return isinstance(data.data.get("phases"), list) and isinstance(boards, list)


def read(data: Part) -> Board:
    """Its phases, each with the columns of all leaderboards."""
    key = "leaderboards" if "leaderboards" in data.data else "leaderboard"
    columns = tuple(_column(one) for board in data.parts(key) for one in board.parts("columns"))
    phases = tuple(_phase(one, columns) for one in data.parts("phases"))
    return Board(NAME, data.text("title"), phases, data.unknown(KNOWN))


def _column(one: Part) -> Column:
    decimals = one.count("precision")
    name = one.text("title") or one.text("key")
    return Column(name, DECIMALS if decimals is None else decimals, one.flag("hidden"))


def _phase(one: Part, columns: tuple[Column, ...]) -> Phase:
    return Phase(
        one.text("name", "phase"),
        columns,
        total=one.count("max_submissions_per_person", "max_submissions"),
        day=one.count("max_submissions_per_day"),
        start=one.day("start"),
        end=one.day("end"),
    )
