"""The gate: hidden labels on one side, submissions on the other, and between them what was proved."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from threatplan.scoregate.journal import Journal, Line
from threatplan.scoregate.scoring import METRICS, Array, InvalidSubmissionError, canonical
from threatplan.scoregate.stages import Chain

LONGEST_NAME = 200
CLIP, LEAST_CLIP = 1e-15, 2.0**-53


class CapReachedError(RuntimeError):
    """A team has used all its submissions."""


class OtherBoardError(RuntimeError):
    """The journal belongs to a board with other labels or another release."""


@dataclass(frozen=True)
class Shown:
    """What a participant is told, and nothing else."""

    value: float
    changed: bool
    left: int | None  # submissions; None: any number


@dataclass(frozen=True)
class Meter:
    """What a board has told so far, at most."""

    teams: int
    submissions: int  # that were scored
    bits: float | None  # log2 of how many transcripts there are; None: as many as one likes
    labels: float  # the share of labels that anybody gets right on average who knew nothing, at most


class ScoreGate:
    """Scores submissions on hidden labels, and shows what the release lets through.

    `ScoreGate(labels, metric="log_loss", release=Plain(), journal=":memory:", cap=None, classes=2, clip=1e-15)`: `cap` is how
    many submissions a team has (None: any number), `clip` what probabilities of log-loss are moved away from 0 and 1 by.
    """

    def __init__(
        self,
        labels: Any,
        metric: str = "log_loss",
        release: Chain = Chain(),  # noqa: B008 - frozen
        journal: str | Path = ":memory:",
        cap: int | None = None,
        classes: int = 2,
        clip: float = CLIP,
    ) -> None:
        self._labels = _labels(labels)
        self.rows = len(self._labels)
        # How many classes there are is said, never read off the labels: what is refused would tell of them.
        if isinstance(classes, bool) or not isinstance(classes, int) or classes < 2:
            raise ValueError("there are at least two classes")
        if int(self._labels.max()) >= classes:
            raise ValueError(f"labels are in 0..{classes - 1}: say how many classes there are")
        self.classes = classes
        if metric not in METRICS:
            raise ValueError(f"there is no metric {metric!r}: it is one of {', '.join(METRICS)}")
        if metric == "brier" and self.classes != 2:
            raise ValueError("brier is for two classes")
        if cap is not None and cap < 1:
            raise ValueError("a cap is at least 1")
        if not LEAST_CLIP <= clip < 0.5:  # below, 1 - clip is 1, and a score may be infinite
            raise ValueError("a clip is between 2^-53 and 1/2")
        self.metric, self.chain, self.cap, self.clip = METRICS[metric], release, cap, clip
        self.journal = Journal(journal)
        self._agree()

    # -- setting up ------------------------------------------------------------------------------------

    def _agree(self) -> None:
        """The journal is this board's; the seed of flipped labels is drawn once, and kept in it."""
        with self.journal.writing():
            salt = self.journal.setting("salt", secrets.token_hex(16))
            seed = self.journal.setting("response", secrets.token_hex(32))
            own = hmac.new(bytes.fromhex(salt), self._labels.tobytes(), hashlib.sha256).hexdigest()
            epsilon = "" if self.chain.epsilon is None else f"response({self.chain.epsilon!r}) "
            settings = f"{self.rows} {self.classes} {self.metric.name} {self.clip!r} {epsilon}{self.chain.text} "
            board = self.journal.setting("board", f"{settings}{self.chain.decimals} {own}")
            if board != f"{settings}{self.chain.decimals} {own}":
                raise OtherBoardError("the journal was begun with other labels, another metric or another release")
        if self.chain.epsilon is not None:
            self._labels = _flipped(self._labels, self.classes, self.chain.kept(self.classes), seed)

    # -- submissions -----------------------------------------------------------------------------------

    def submit(self, team: str, predictions: Any) -> Shown:
        """Score a team's predictions and show what may be shown; a duplicate is answered as it was, and not counted."""
        _named(team)
        try:
            checked, digest = canonical(self.metric, predictions, self.rows, self.classes)
        except InvalidSubmissionError as fault:
            self._refused(team, str(fault))
            raise
        with self.journal.writing():
            again = self.journal.earlier(team, digest)
            last = self.journal.last(team)
            if again is not None and last is not None:
                return _told(again, False, self._left(last.number))
            line = self._scored(checked, last, self._next(last))
            self.journal.add(team, line, time.time(), digest)
        return _told(line, line.changed, self._left(line.number))

    def _scored(self, checked: Array, last: Line | None, number: int) -> Line:
        release = self.chain.release
        before = release.start() if last is None else _state(last.state)
        score = self.metric.score(self._labels, checked, self.clip)
        after, released = release.step(before, score)
        # Whether the *state* changed is not said: digits may hide it, and it was not counted among what is shown.
        shown = self.chain.shown(released)
        return Line(number, after, shown, shown != self._seen(last))

    def _seen(self, last: Line | None) -> float | None:
        """What the team sees now."""
        if last is not None:
            return last.shown
        first = self.chain.release.at_first()
        return None if first is None else self.chain.shown(first)

    def _refused(self, team: str, fault: str) -> None:
        """A submission that fails is counted like any other, and changes nothing."""
        with self.journal.writing():
            last = self.journal.last(team)
            state = self.chain.release.start() if last is None else _state(last.state)
            line = Line(self._next(last), state, self._seen(last), False, refused=True)
            self.journal.add(team, line, time.time(), None, fault)

    def _next(self, last: Line | None) -> int:
        number = 1 if last is None else last.number + 1
        if self.cap is not None and number > self.cap:
            raise CapReachedError(f"all {self.cap} submissions are used")
        return number

    def _left(self, used: int) -> int | None:
        return None if self.cap is None else self.cap - used

    # -- what was told -----------------------------------------------------------------------------------

    def meter(self) -> Meter:
        """Bits that were released so far at most, over all teams, and how many labels they give away on average."""
        from threatplan.scoregate.telling import labels_right, released_bits

        teams, scored = self.journal.totals()
        bits = released_bits(self, teams, scored)
        return Meter(teams, scored, bits, labels_right(self, bits))

    def to_threat(self, name: str = "board") -> str:
        """The scenario that describes this board, for `plan check`."""
        from threatplan.scoregate.telling import scenario_text

        return scenario_text(self, name)

    def close(self) -> None:
        """Let go of the journal."""
        self.journal.close()


def _named(team: Any) -> None:
    """A name that can be written down and read, and that no other name looks like by its spaces or accents alone."""
    if not isinstance(team, str) or not 0 < len(team) <= LONGEST_NAME:
        raise ValueError(f"a team has a name of at most {LONGEST_NAME} characters")
    if not team.isprintable() or team != team.strip() or team != unicodedata.normalize("NFC", team):
        raise ValueError("a team's name is printable text in its composed form (NFC), without spaces around it")


def _told(line: Line, changed: bool, left: int | None) -> Shown:
    assert line.shown is not None
    return Shown(line.shown, changed, left)


def _labels(labels: Any) -> Array:
    found = np.asarray(labels)
    if found.ndim != 1 or not len(found) or found.dtype.kind not in "iub" or int(found.min()) < 0:
        raise ValueError("labels are whole numbers from 0 on, one a row")
    return found.astype(np.int64)


def _flipped(labels: Array, classes: int, kept: float, seed: str) -> Array:
    """Each label as it is, or with the same chance any other; the same whenever the seed is the same."""
    draw = np.random.Generator(np.random.PCG64(int(seed, 16)))
    moved = (labels + draw.integers(1, classes, len(labels))) % classes
    return np.where(draw.random(len(labels)) < kept, labels, moved)


def _state(held: Any) -> Any:
    """A state as the machine has it: JSON makes lists of pairs."""
    return tuple(held) if isinstance(held, list) else held
