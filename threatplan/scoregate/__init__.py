"""For organisers: a gate between hidden labels and those who submit, with the releases that the planner proves.

    from threatplan.scoregate import Ladder, Rounded, ScoreGate
    gate = ScoreGate(labels, release=Ladder(eta=0.01, start=0.6931) >> Rounded(3), journal="board.sqlite", cap=300)
    gate.submit("team", predictions)      # Shown(value, changed, left)
    gate.meter(), gate.to_threat()        # what was told so far; the scenario for `plan check`

What it keeps to is in docs/scoregate.md.
"""

from __future__ import annotations

from threatplan.scoregate.gate import CapReachedError, Meter, OtherBoardError, ScoreGate, Shown
from threatplan.scoregate.journal import JournalError
from threatplan.scoregate.scoring import InvalidSubmissionError
from threatplan.scoregate.stages import Best, Capped, Chain, Changes, Ladder, Plain, Response, Rounded

__all__ = [
    "Best",
    "CapReachedError",
    "Capped",
    "Chain",
    "Changes",
    "InvalidSubmissionError",
    "JournalError",
    "Ladder",
    "Meter",
    "OtherBoardError",
    "Plain",
    "Response",
    "Rounded",
    "ScoreGate",
    "Shown",
]
