"""All labelings of a small scenario, and whether an attack's queries tell them apart: no code of the planner's."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import product
from typing import Any

import numpy as np
from mpmath import mp, mpf

from dsl.scenario import Scenario
from tests.planner import oracle

Real = np.longdouble  # 64 bits of significand: far finer than any error bound of float64 at N <= 10


@cache
def labelings(N: int, K: int) -> np.ndarray:
    """All K^N labelings, one a row."""
    return np.array(list(product(range(K), repeat=N)), dtype=np.int64)


def _log(value: Any) -> Any:
    """ln of a float or a rational, of any size."""
    if hasattr(value, "denominator") and not isinstance(value, float):
        top, bottom = int(value.numerator), int(value.denominator)
        if not top:
            return -Real(np.inf)
        return _long(mp.log(mpf(top)) - mp.log(mpf(bottom)))
    return np.log(Real(value)) if value > 0 else -Real(np.inf)


def _long(value: mpf) -> Any:
    return Real(mp.nstr(value, 30))


def charges(scenario: Scenario, query: np.ndarray) -> np.ndarray:
    """t_i(k) = -ln of what the scorer sees of u[i,k], (N, K)."""
    if query.dtype == object:
        entries = np.stack([1 - query, query], axis=1) if query.ndim == 1 else query
        table = -np.vectorize(_log, otypes=[Real])(entries)
    else:
        exact = query.astype(Real)
        with np.errstate(divide="ignore"):
            table = -np.stack([np.log1p(-exact), np.log(exact)], axis=1) if query.ndim == 1 else -np.log(exact)
    if scenario.clip is None:
        return table
    c = oracle.number(scenario.clip)
    return np.clip(table, _long(-mp.log(1 - c)), _long(-mp.log(c)))


def told_apart(scenario: Scenario, queries: Iterable[np.ndarray], asked: int) -> bool:
    """Whether every two labelings are separated, errors at their worst, in at least one query.

    Labelings whose intervals of possible scores chain together stay in one class; each query splits the classes, and
    the pairs within a class that is left are looked at one by one.
    """
    rows = labelings(scenario.N, scenario.K)
    group = np.zeros(len(rows), dtype=np.int64)
    intervals = []
    for query in queries:
        table = charges(scenario, query)
        mean = table[np.arange(scenario.N), rows].sum(axis=1) / scenario.N
        error = _errors(scenario, asked, mean)
        intervals.append((mean - error, mean + error))
        group = _split(group, mean, *intervals[-1])
    left = np.flatnonzero(np.bincount(group) > 1)
    return all(_pairs_apart(np.flatnonzero(group == one), intervals) for one in left)


def _pairs_apart(members: np.ndarray, intervals: list[tuple[np.ndarray, np.ndarray]]) -> bool:
    apart = np.eye(len(members), dtype=bool)
    for low, high in intervals:
        above = low[members][:, None] > high[members][None, :]
        apart |= above | above.T
    return bool(apart.all())


def _errors(scenario: Scenario, asked: int, mean: np.ndarray) -> np.ndarray:
    """How far each labeling's score may be off: noise and rounding as at the largest score, the rest with its own loss."""
    finite = np.isfinite(mean)
    largest = mpf(str(mean[finite].max(initial=Real(0))))
    slope = oracle.relative(scenario)
    constant = oracle.score_error(scenario, asked, largest) - slope * largest
    return _long(constant) + _long(slope) * np.where(finite, mean, Real(0))


def _split(group: np.ndarray, mean: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    order = np.lexsort((mean, group))
    same = group[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (same[1:] != same[:-1]) | (low[order][1:] > high[order][:-1])
    result = np.empty_like(group)
    result[order] = np.cumsum(new) - 1
    return result
