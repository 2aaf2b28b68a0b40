"""Hidden labelings for simulations: made here from a seed, or read from a file that the user owns."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Labels = NDArray[Any]
Generator = np.random.Generator


class LabelsError(ValueError):
    """Labels that cannot be made or read."""


def make_labels(kind: str, N: int, K: int, generator: Generator) -> Labels:
    """A labeling of N rows in 0..K-1 of the named kind, `counts(a, b, ...)`, or the contents of a file."""
    if kind in KINDS:
        return KINDS[kind](N, K, generator)
    if counts := re.fullmatch(r"counts\(([\d_,\s]*)\)", kind):
        return _counted(counts[1], N, K, generator)
    return read_labels(Path(kind), N, K)


def _random(N: int, K: int, generator: Generator) -> Labels:
    return generator.integers(K, size=N)


def _balanced(N: int, K: int, generator: Generator) -> Labels:
    return generator.permutation(np.arange(N) % K)


def _skewed(N: int, K: int, generator: Generator) -> Labels:
    rare = generator.random(N) < 0.02
    return np.where(rare, generator.integers(1, K, size=N), 0)


KINDS: dict[str, Callable[[int, int, Generator], Labels]] = {
    "random": _random,
    "balanced": _balanced,
    "zeros": lambda N, K, generator: np.zeros(N, dtype=np.int64),
    "ones": lambda N, K, generator: np.ones(N, dtype=np.int64),
    "alternating": lambda N, K, generator: np.arange(N) % K,
    "skewed": _skewed,
}


def spoiled(labels: Labels, wrong: int, K: int, generator: Generator) -> Labels:
    """A guess at the labels: other classes in so many rows, drawn at random."""
    guess = labels.copy()
    rows = generator.choice(len(labels), size=wrong, replace=False)
    guess[rows] = (labels[rows] + generator.integers(1, K, size=wrong)) % K
    return guess


def flipped(labels: Labels, epsilon: float, K: int, generator: Generator) -> Labels:
    """Randomised response: each label as it is with probability e^epsilon/(e^epsilon + K - 1), else any other."""
    kept = generator.random(len(labels)) < 1 / (1 + (K - 1) * np.exp(-epsilon))
    return np.where(kept, labels, (labels + generator.integers(1, K, size=len(labels))) % K)


def _counted(text: str, N: int, K: int, generator: Generator) -> Labels:
    try:
        counts = [int(part) for part in text.split(",")]
    except ValueError:
        raise LabelsError(f"counts({text}) must hold integers separated by commas") from None
    if len(counts) > K:
        raise LabelsError(f"counts({text}) names {len(counts)} classes, but K = {K}")
    if sum(counts) != N:
        raise LabelsError(f"counts({text}) add up to {sum(counts)}, but N = {N}")
    return generator.permutation(np.repeat(np.arange(len(counts)), counts))


def read_labels(path: Path, N: int, K: int) -> Labels:
    """The labels in a file: .npy, or text with one label a line; of a CSV, column `label` or the last one."""
    try:
        values = np.load(path, allow_pickle=False) if path.suffix == ".npy" else _read_text(path)
    except OSError as error:
        known = ", ".join([*KINDS, "counts(a, b, ...)"])
        raise LabelsError(f"{path}: {error.strerror or error}; besides a file, labels may be {known}") from None
    except LabelsError:
        raise
    except (EOFError, ValueError) as error:
        raise LabelsError(f"{path} holds no labels: {error}") from None
    return _checked(values, path, N, K)


def _read_text(path: Path) -> Labels:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        rows = [row for row in csv.reader(stream) if row and not row[0].lstrip().startswith("#")]
    column, start = _header(rows)
    values = []
    for number, row in enumerate(rows[start:], start + 1):
        try:
            values.append(int(row[column]))
        except (ValueError, IndexError):
            raise LabelsError(f"{path}: row {number} holds no integer label: {','.join(row)!r}") from None
    return np.array(values, dtype=np.int64)


def _header(rows: list[list[str]]) -> tuple[int, int]:
    """Which column holds the labels, and on which row they start."""
    if not rows or re.fullmatch(r"\s*[+-]?\d+\s*", rows[0][-1]):
        return -1, 0
    names = [name.strip().lower() for name in rows[0]]
    return (names.index("label") if "label" in names else -1), 1


def _checked(values: Labels, path: Path, N: int, K: int) -> Labels:
    if values.ndim != 1:
        raise LabelsError(f"{path}: labels must be one-dimensional, not of shape {values.shape}")
    if len(values) != N:
        raise LabelsError(f"{path} holds {len(values)} labels, but N = {N}")
    if values.dtype.kind not in "iub":
        raise LabelsError(f"{path}: labels must be integers, not {values.dtype}")
    if N and (values.min() < 0 or values.max() >= K):
        raise LabelsError(f"{path}: labels must lie in 0..{K - 1}; found {values.min()}..{values.max()}")
    return values.astype(np.int64)
