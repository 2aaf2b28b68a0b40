"""Small scenarios whose reports hold every family of attacks and every limit, as the JSON that `plan` writes."""

from __future__ import annotations

import copy
import json
from functools import cache
from typing import Any

from dsl import loads
from planner import plan
from planner.report import Report
from threatplan.render.json import finite

Entry = dict[str, Any]

FAMILIES = {
    "listed_block": "N = 12; clip = 1e-6; noise = bounded(1e-3)",
    "geometric_odds": "N = 12; phi = arbitrary; noise = bounded(1/10)",
    "dyadic_weights": "N = 12; phi = arbitrary; clip = 1e-9",
    "prime_powers": "N = 12; clip = 1e-3; noise = multiplicative(0.001)",
    "design_stages": "N = 12; clip = 1e-6; columns = 2; decimals = 5",
    "digit_block": "N = 12; K = 3; clip = 1e-9; decimals = 5",
    "ones_block": "N = 30; K = 3; scorer = sklearn; decimals = significant(3)",
    "scaled_thresholds": "N = 30; K = 3; scorer = sklearn; decimals = 0; adaptive = no",
    "prefix_thresholds": "N = 30; K = 3; scorer = sklearn; decimals = 0; noise = gaussian(1/10)",
    "signed_labels": "N = 90; columns = 2; scorer = sklearn; decimals = 0; adaptive = no; time = exponential",
    "consistent_spread": "N = 300; columns = 2; scorer = sklearn; decimals = 1; adaptive = no",
    "amplitude_spread": "N = 300; clip = 1e-9; decimals = 1; adaptive = no",
    "prefix_passes": "N = 300; K = 3; scorer = sklearn; decimals = 1",
    "coded_spread": "N = 40; K = 3; clip = 1e-3; scorer = sklearn; noise = gaussian(1/10); adaptive = no",
    "growing_blocks": "N = 100; phi = arbitrary; clip = 1e-2; noise = multiplicative(0.01)",
    "thresholds": "N = 30; decimals = 1; clip = 1e-6",
    "dithered_spread": "N = 300; decimals = 1; clip = 1e-6",
    "threshold_splitting": "N = 60; decimals = 1; clip = 1e-6; guess = 95%",
    "spread": "N = 12; noise = gaussian(0.01); clip = 1e-3",
    "hadamard_mean": "N = 12; noise = gaussian(0.1); clip = 1e-3; goal = 75%",
    "zero_tests": "N = 12; noise = uniform(-1, 1); queries <= 15",
    "descent": "N = 30; clip = 1e-6; decimals = 4; release = ladder(1/4)",
    "patterns": "N = 20; clip = 1e-6; decimals = 4; release = ladder(1/20, 7/10); goal = 90%",
    "groups": "N = 40; clip = 1e-9; decimals = 4; release = ladder(1/50, 7/10); guess = 95%; goal = 40%",
    "room": "N = 90; clip = 1e-9; decimals = 4; release = ladder(1/4); goal = 5%",
    "guess": "N = 12; clip = 1e-3; decimals = 1; positives = 2; goal = 80%",
    "power_sums": "N = 30; clip = 1e-6; decimals = 4; columns = 2; guess = 90%; adaptive = no",
    "counts": "N = 12; metric = accuracy; decimals = 3",
    "free_block": "N = 30; metric = mse; decimals = 0",
    "square_block": "N = 30; metric = r2; decimals = 1",
    "rank_blocks": "N = 30; metric = roc_auc; positives = 13; decimals = 2",
    "one_row": "N = 12; metric = balanced_accuracy; decimals = 2",
    "class_counts": "N = 30; K = 3; metric = accuracy; decimals = 3",
    "pivot": "N = 30; metric = accuracy; abstain = yes; decimals = 1",
    "growing_counts": "N = 12; metric = kappa; decimals = 4",
    "split_labels": "N = 30; public = 12; clip = 1e-6; decimals = 4; columns = 2",
    "split_design": "N = 30; public = 12; clip = 1e-6; decimals = 4; columns = 2; find = labels_and_split",
    "split_peel": "N = 20; K = 3; public = 8; clip = 1e-6; decimals = 4; columns = 3; find = labels_and_split",
    "split_count": "N = 40; K = 3; public = 3; clip = 1e-6; decimals = 3; columns = 3; find = labels_and_split",
    "split_members": "N = 30; K = 3; public = 9; scorer = sklearn; decimals = 3; columns = 3; find = labels_and_split",
    "split_mean": "N = 12; public = 9; clip = 1e-6; columns = 2; noise = gaussian(1/5); find = labels_and_split",
    "split_thresholds": "N = 30; public = 24; clip = 1e-6; decimals = 0; columns = 2; find = labels_and_split",
    "splitting": "N = 40; K = 3; columns = 3; clip = 1e-6; decimals = 4; guess = 90%",
}
"""One scenario for each family, small enough to be checked hundreds of times."""

LIMITS = {
    "I1": "N = 40; clip = 1e-3; decimals = 2; queries <= 3; goal = 90%",
    "I2": "N = 40; clip = 1e-3; noise = bounded(1)",
    "I3": "N = 40; clip = 1e-3; decimals = 3; adaptive = no; queries <= 3",
    "I4": "N = 12; clip = 1e-3; noise = laplace(1/2); queries <= 2",
    "I5": "N = 50; clip = 1e-2; noise = gaussian(1); queries <= 100",
    "I6": "N = 500; clip = 1e-3; decimals = 1; queries <= 2",
    "I9": "N = 600; metric = accuracy; decimals = 1; queries <= 30",
    "I7": "N = 200; clip = 1e-3; decimals = 3; release = changes(3); queries <= 9",
    "I10": "N = 60; clip = 1e-6; decimals = 4; response = 2; goal = 90%",
    "I8": "N = 300; clip = 1e-9; decimals = 4; release = ladder(1/20, ln(2)); queries <= 50",
}
"""One for each limit."""

FREE_AVERAGES = {
    "gaussian, rounded": "N = 100; columns = 2; scorer = sklearn; decimals = 1; adaptive = no; noise = gaussian(1/100)",
    "laplace, cut off": "N = 100; K = 3; scorer = sklearn; decimals = truncated(1); noise = laplace(1/200); adaptive = no",
    "uniform, rounded": "N = 100; columns = 2; scorer = sklearn; decimals = 1; noise = uniform(-1/100, 1/40)",
    "subexponential": "N = 60; columns = 2; scorer = sklearn; decimals = 1; noise = subexponential(1/10000, 1/400)",
    "bounded": "N = 400; columns = 2; scorer = sklearn; decimals = 1; noise = bounded(1e-9); adaptive = no",
    "uniform, in full": "N = 100; columns = 2; scorer = sklearn; noise = uniform(0, 1)",
    "gaussian, in full": "N = 40; K = 10; clip = 1e-3; scorer = sklearn; noise = gaussian(1/20)",
}
"""Averages of rows that need not sum to 1, under every law."""

NOISY_COMPARISONS = {
    "bounded": ("threshold", "N = 30; columns = 2; decimals = 1; clip = 1e-6; noise = bounded(1/10)"),
    "gaussian": ("threshold", "N = 30; decimals = 1; clip = 1e-6; noise = gaussian(1/100)"),
    "laplace, cut off": ("threshold", "N = 30; decimals = truncated(1); clip = 1e-6; noise = laplace(1/200)"),
    "subexponential": ("threshold", "N = 30; decimals = 0; clip = 1e-6; noise = subexponential(1/10000, 1/400)"),
    "uniform": ("threshold", "N = 30; columns = 2; decimals = 1; clip = 1e-6; noise = uniform(1/50, 1/4)"),
    "uniform, no offset": ("threshold", "N = 9; columns = 2; decimals = 0; clip = 1e-15; noise = uniform(0, 1/100)"),
    "dither bounded": ("dither", "N = 300; decimals = 1; clip = 1e-6; noise = bounded(1e-9)"),
    "dither gaussian": ("dither", "N = 300; columns = 2; decimals = 1; clip = 1e-6; noise = gaussian(1/40000)"),
    "hunt gaussian": ("threshold-splitting", "N = 60; decimals = 1; clip = 1e-6; guess = 95%; noise = gaussian(1/200)"),
    "dither uniform": ("dither", "N = 300; columns = 2; decimals = 1; clip = 1e-6; noise = uniform(0, 1/4000)"),
}
"""Comparisons under noise: an attack, and a scenario."""

BRIER_FAMILIES = {
    "block": "N = 12; metric = brier; noise = bounded(1e-3)",
    "conway-guy": "N = 12; metric = brier; phi = arbitrary; noise = bounded(1/100)",
    "one-label": "N = 6; metric = brier; decimals = 1",
    "growing-block": "N = 60; metric = brier; phi = arbitrary; noise = multiplicative(0.01)",
    "design": "N = 12; metric = brier; scorer = sklearn; decimals = 3",
    "threshold": "N = 30; metric = brier; decimals = 1",
    "dither": "N = 30; metric = brier; decimals = truncated(1)",
    "spread": "N = 12; metric = brier; noise = gaussian(0.01)",
    "hadamard": "N = 12; metric = brier; noise = gaussian(0.1); goal = 75%",
}
"""One scenario for each attack that knows the Brier score."""

BRIER_VARIANTS = {
    "threshold": "N = 31; metric = brier; decimals = truncated(1)",
    "hadamard": "N = 16; metric = brier; noise = bounded(0.02); goal = 75%",
    "design": "N = 20; metric = brier; phi = float32; decimals = 4",
    "block": "N = 12; metric = brier; phi = float16",
}
"""With offset rows, under bounded noise, and in narrow formats."""

CLASSES_BRIER = {
    "design": "N = 12; K = 3; metric = brier; scorer = sklearn; decimals = 3",
    "batches": "N = 12; K = 5; metric = half_brier; phi = float32; decimals = 4",
    "splitting": "N = 12; K = 3; metric = brier; guess = 75%; decimals = 4",
    "spread": "N = 12; K = 4; metric = half_brier; noise = gaussian(0.01)",
    "hadamard": "N = 12; K = 3; metric = brier; noise = bounded(0.02); goal = 75%; summation = sequential",
}
"""Of several classes, whole and halved."""

CLASSES_LIMITS = {
    "I1": "N = 40; K = 3; metric = brier; decimals = 2; queries <= 3; goal = 90%",
    "I2": "N = 40; K = 4; metric = half_brier; noise = bounded(1)",
    "I3": "N = 40; K = 3; metric = brier; decimals = 3; adaptive = no; queries <= 3",
    "I4": "N = 12; K = 3; metric = brier; noise = laplace(1); queries <= 2",
    "I5": "N = 50; K = 4; metric = brier; noise = gaussian(1); queries <= 100",
    "I6": "N = 500; K = 3; metric = half_brier; decimals = 1; queries <= 2",
    "I7": "N = 200; K = 3; metric = brier; release = ladder(1/10, 2/3); queries <= 4",
}
"""And what no attack can do there."""

COUNTS = {
    **{f"{one}": f"N = 12; metric = {one}; decimals = 3" for one in (
        "f1", "macro_f1", "jaccard", "precision", "recall", "balanced_accuracy", "mcc", "kappa", "roc_auc")},
    "told": "N = 12; metric = recall; positives = 5; decimals = 2; noise = bounded(1/100)",
    "neutral": "N = 30; metric = accuracy; abstain = yes; decimals = 3",
    "some": "N = 30; metric = accuracy; goal = 60%; decimals = truncated(3)",
    "on the lattice": "N = 100; metric = accuracy; decimals = 2",
    "exact": "N = 12; metric = kappa; phi = arbitrary",
    "gaussian": "N = 12; metric = f1; noise = gaussian(1/1000)",
    "hidden": "N = 12; metric = f1; noise = bounded(1/10)",
    "flat": "N = 400; metric = accuracy; decimals = 1; goal = 90%; queries <= 10; adaptive = no",
    "some rows": "N = 12; metric = f1; noise = bounded(1/20); public = 50%",
}  # fmt: skip
"""Metrics of predicted classes."""

BRIER_LIMITS = {
    "I1": "N = 40; metric = brier; decimals = 2; queries <= 3; goal = 90%",
    "I2": "N = 40; metric = brier; noise = bounded(1)",
    "I3": "N = 40; metric = brier; decimals = 3; adaptive = no; queries <= 3",
    "I4": "N = 12; metric = brier; noise = laplace(1/2); queries <= 2",
    "I5": "N = 50; metric = brier; noise = gaussian(1); queries <= 100",
    "I6": "N = 500; metric = brier; decimals = 1; queries <= 2",
}
"""One for each limit."""

NEIGHBOURS = {
    "one label": "N = 50; clip = 1e-2; noise = uniform(-1, 1); queries <= 10",
    "all, three classes": "N = 60; K = 3; clip = 1e-2; noise = gaussian(1); queries <= 100",
    "all, laplace": "N = 200; clip = 1e-2; noise = laplace(1); queries <= 100",
    "listed": "N = 60; K = 3; clip = 1e-2; noise = gaussian(1); queries <= 100; adaptive = no",
    "all, subexponential": "N = 300; clip = 1e-2; noise = subexponential(1, 1/10); queries <= 100",
}
"""I5 in its forms."""

ENERGY = {
    "classes": "N = 300; K = 3; clip = 1e-3; decimals = 1; goal = 90%; queries <= 2",
    "listed": "N = 4000; clip = 1e-3; decimals = 1; adaptive = no; queries <= 5",
    "cut off behind noise": "N = 500; clip = 1e-3; decimals = truncated(1); noise = gaussian(1e-6); queries <= 4",
    "bounded": "N = 500; clip = 1e-3; noise = bounded(1/20); queries <= 2",
    "fixed point": "N = 400; phi = fixed(6, 4); queries <= 4",
    "blur": "N = 12; clip = 1e-6; noise = uniform(0, 1/20); queries <= 1",
    "listed blur": "N = 40; clip = 1e-3; noise = uniform(-1/1000, 1/1000); adaptive = no; queries <= 3",
    "uniform": "N = 40; clip = 1e-3; noise = uniform(-1, 1); queries <= 4",
    "gaussian": "N = 40; clip = 1e-3; noise = gaussian(1/10); queries <= 4",
    "listed gaussian": "N = 400; clip = 1e-3; noise = gaussian(1/50); adaptive = no; queries <= 4",
    "laplace": "N = 40; K = 3; clip = 1e-3; noise = laplace(1/10); queries <= 4",
    "subexponential": "N = 40; clip = 1e-3; noise = subexponential(1/100, 1/10); queries <= 4",
}
"""Every form of I6: on each kind of grid, through each law of noise, adaptively and not."""


RELATIVE = {
    "one column": "N = 400; clip = 1e-3; decimals = significant(2); adaptive = no; queries <= 20",
    "floats": "N = 4000; clip = 1e-3; adaptive = no; queries <= 20",
    "any sums": "N = 20000; K = 3; clip = 1e-3; decimals = significant(3); adaptive = no; queries <= 20",
    "divided": "N = 400; K = 3; renormalises = yes; clip = 1e-3; decimals = significant(2); adaptive = no; queries <= 2",
    "exact": "N = 400; phi = arbitrary; clip = 1e-6; decimals = significant(2); adaptive = no; queries <= 20",
    "added up": "N = 400; reduction = sum; clip = 1e-6; decimals = significant(2); adaptive = no; queries <= 20",
}
"""I3 of digits that are as fine as the score is small."""


def report(text: str) -> Report:
    """The report on a scenario, its fields in one line."""
    (scenario,) = loads("scenario sample {\n" + text.replace(";", "\n") + "\n}")
    return plan(scenario)


def as_json(made: Report) -> Entry:
    """A report as it is read back from a file."""
    entry: Entry = json.loads(json.dumps(finite(made.to_json())))
    return entry


@cache
def _entry(text: str) -> Entry:
    return as_json(report(text))


def entry(text: str) -> Entry:
    """The report as JSON data of one's own."""
    return copy.deepcopy(_entry(text))
