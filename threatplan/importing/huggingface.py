"""Hugging Face competitions: conf.json, whose keys are in capitals."""

from __future__ import annotations

from threatplan.importing.board import Board, Column, Part, Phase

NAME = "huggingface"
FILE = "conf.json with `SUBMISSION_LIMIT`"
KNOWN = (
    "COMPETITION_TYPE", "SUBMISSION_LIMIT", "HARDWARE", "SELECTION_LIMIT", "START_DATE", "END_DATE",
    "EVAL_HIGHER_IS_BETTER", "SUBMISSION_ID_COLUMN", "SUBMISSION_COLUMNS", "SUBMISSION_ROWS", "EVAL_METRIC", "LOGO",
    "DATASET", "SUBMISSION_FILENAMES", "SCORING_METRIC", "TIME_LIMIT", "SAMPLE_SUBMISSION",
)  # fmt: skip
DECIMALS = 4


def fits(data: Part) -> bool:
    """Whether it looks like one."""
    return "SUBMISSION_LIMIT" in data.data or "EVAL_METRIC" in data.data


def read(data: Part) -> Board:
    """Its one phase: so many submissions a day, and as many rows as it says."""
    names = [name.strip() for name in data.text("EVAL_METRIC").split(",") if name.strip()]
    phase = Phase(
        "public",
        tuple(Column(name, DECIMALS) for name in names),
        day=data.count("SUBMISSION_LIMIT"),
        start=data.day("START_DATE"),
        end=data.day("END_DATE"),
        rows=data.count("SUBMISSION_ROWS"),
    )
    split = "its `split` column says which rows the public score is computed on: participants do not see it"
    return Board(NAME, data.text("DATASET"), (phase,), data.unknown(KNOWN), (split,), by_name=True)
