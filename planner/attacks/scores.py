"""Scores as exact rationals, whatever number type a scorer answers with."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import isfinite
from typing import Any

from planner.attacks.attack import InconsistentScores
from planner.channel.channel import Channel
from planner.numerics.reals import midpoint


def exact_score(score: Any) -> Fraction:
    """The score's value; the midpoint of a ball. What is no finite number explains no labeling."""
    try:
        return _exact(score)
    except (TypeError, ValueError, OverflowError) as fault:
        raise InconsistentScores(f"{score!r} is no score") from fault


def _exact(score: Any) -> Fraction:
    if isinstance(score, Fraction | int):
        return Fraction(score)
    if hasattr(score, "mid"):  # a python-flint ball
        if not score.is_finite():
            raise ValueError("not finite")
        return midpoint(score)
    if hasattr(score, "numerator") and hasattr(score, "denominator"):  # gmpy2.mpq
        return Fraction(int(score.numerator), int(score.denominator))
    value = float(score)
    if not isfinite(value):
        raise ValueError("not finite")
    return Fraction(value)


def sums_of(channel: Channel, scores: Iterable[Any], expected: int) -> list[Fraction]:
    """N times each score, recentred; exactly as many as the attack asks for."""
    sums = [channel.scored * (exact_score(score) - channel.centre) for score in scores]
    if len(sums) != expected:
        raise InconsistentScores(f"{len(sums)} scores for {expected} queries")
    return sums
