"""EvalAI: challenge_config.yaml, whose `challenge_phase_splits` say which leaderboard a phase has."""

from __future__ import annotations

from threatplan.faults import CommandError
from threatplan.importing.board import Board, Column, Part, Phase

NAME = "evalai"
FILE = "challenge_config.yaml with `challenge_phases`"
KNOWN = (
    "title", "short_description", "description", "evaluation_details", "terms_and_conditions", "image",
    "submission_guidelines", "leaderboard_description", "evaluation_script", "remote_evaluation", "is_docker_based",
    "is_static_dataset_code_upload", "start_date", "end_date", "published", "leaderboard", "challenge_phases",
    "dataset_splits", "challenge_phase_splits", "tags", "domain", "allowed_email_domains", "blocked_email_domains",
    "max_docker_image_size", "cli_version", "sponsors", "prizes",
)  # fmt: skip
DECIMALS = 2  # of a split that says nothing


def fits(data: Part) -> bool:
    """Whether it looks like one."""
    return "challenge_phases" in data.data


def read(data: Part) -> Board:
    """Its phases, each with the labels of the leaderboards that its splits name."""
    boards = {str(one.data.get("id", number)): one for number, one in enumerate(data.parts("leaderboard"), 1)}
    splits = list(data.parts("challenge_phase_splits"))
    phases = []
    for number, one in enumerate(data.parts("challenge_phases"), 1):
        own = str(one.data.get("id", number))
        mine = [split for split in splits if str(split.data.get("challenge_phase_id")) == own]
        columns = tuple(column for split in mine for column in _columns(split, boards))
        phases.append(_phase(one, data, tuple(dict.fromkeys(columns))))
    return Board(NAME, data.text("title"), tuple(phases), data.unknown(KNOWN))


def _columns(split: Part, boards: dict[str, Part]) -> tuple[Column, ...]:
    board = boards.get(str(split.data.get("leaderboard_id")))
    if board is None:
        raise CommandError(
            f"{split.place}.leaderboard_id: there is no leaderboard {split.data.get('leaderboard_id')!r}"
        )
    schema = board.data.get("schema")
    if isinstance(schema, str):
        import json

        try:
            schema = json.loads(schema)
        except ValueError as error:
            raise CommandError(f"{board.place}.schema is not valid JSON: {error}") from error
    labels = Part(schema, f"{board.place}.schema").texts("labels")
    decimals = split.count("leaderboard_decimal_precision")
    return tuple(Column(label, DECIMALS if decimals is None else decimals) for label in labels)


def _phase(one: Part, data: Part, columns: tuple[Column, ...]) -> Phase:
    return Phase(
        one.text("name", "phase"),
        columns,
        total=one.count("max_submissions"),
        day=one.count("max_submissions_per_day"),
        month=one.count("max_submissions_per_month"),
        start=one.day("start_date") or data.day("start_date"),
        end=one.day("end_date") or data.day("end_date"),
    )
