"""T: rounding is a comparator. Every label exactly, at any number of decimals, one query a label."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from dsl.scenario import NoNoise
from planner.attacks.attack import Attack
from planner.attacks.theorem import Proposal, Theorem
from planner.attacks.threshold.parameters import (
    Thresholds,
    direct_boundary,
    known_rows_needed,
    offset_gain,
    offset_rows_needed,
    verifying_weight,
)
from planner.attacks.threshold.setting import (
    rounding_refusals,
    shared_setting,
)
from planner.channel.channel import Channel
from planner.channel.sides import bits_of
from planner.model import Refusal
from planner.numerics.search import first_between

LEAST_MARGIN = 0.01  # nats; far above floating point for any N that can be asked
MARGIN_TO_ERROR = 1.001  # by which a margin must exceed the error that it is there for
LEAST_TO_ERROR = 2 * (1 + 2.0**-20)  # half the least offset exceeds the error, by no more than float64 needs
GROWTH = 1.25  # of the numbers of offset rows that are tried
STEADY = 1.0  # how far the charges of enough offset rows to cover a cell may be off together, in nats


class Threshold(Theorem[Thresholds]):
    """Rounded scores compared with boundaries that the attacker moves."""

    id = "threshold"
    title = "Threshold attack on deterministic rounding"
    cite = "attack T"
    statement = (
        "A rounded score says on which side of a boundary the sum of charges lies. Rows at one common log-odds, of "
        "which only the number of ones must be known, shift every sum by any amount up to a cell N q; so a boundary can "
        "be put midway between the two sums that a label may cause, and the score says which. Their own count is found "
        "by bisection. N + ceil(log2(j+1)) queries (for each bit of a class) recover every label of every labeling, "
        "however few decimals are shown: rounding sets the price of the attack, it does not prevent it."
    )
    compares = True
    conditions = (
        "no noise, or noise whose bound N τ stays below W/2",
        "scores rounded to decimals",
        "adaptive queries",
    )

    def propose(self, channel: Channel) -> Proposal[Thresholds] | tuple[Refusal, ...]:
        """No offset where a boundary lies well; otherwise as few offset rows as cover a cell."""
        reasons = rounding_refusals(self, channel)
        small = channel.metric.smallest_usable(channel)
        if reasons or small is None:
            return reasons or (self.refuse(channel, "clip", "W of at least 1", "a clip above 1/4"),)
        parameters = direct_setting(channel, small) or offset_setting(channel, small)
        if parameters is None:
            return (no_offset(self, channel, small),)
        return _cost(channel, some_labels(parameters, channel.wanted))

    def build(self, channel: Channel, parameters: Thresholds) -> Attack:
        """A runnable threshold attack."""
        from planner.attacks.threshold.run import ThresholdAttack

        return ThresholdAttack(parameters)


def direct_setting(channel: Channel, small: Fraction) -> Thresholds | None:
    """The form without offset rows, where boundaries happen to lie well."""
    if channel.classes > 2:
        return None  # what right labels are charged is not near 0 then
    queries = channel.rows + 1
    setting = Thresholds(queries=queries, offset_rows=0, offset_small=small, **shared_setting(channel, small, queries))
    margins = direct_boundary(setting)[1], verifying_weight(setting)[1]
    return setting if min(margins) > max(LEAST_MARGIN, MARGIN_TO_ERROR * setting.tolerance) else None


def offset_setting(channel: Channel, small: Fraction) -> Thresholds | None:
    """The form with offset rows, where there are rows enough; all labels are asked where some would reach into them."""
    rows, bits = channel.rows, bits_of(channel.classes)
    wanted = min(rows, channel.wanted + 1)  # one more query verifies
    for labels in sorted({wanted, rows}):
        found = offsets(channel, shared_setting(channel, small, bits * (labels + rows.bit_length())))
        if found is not None and (labels == rows or channel.wanted <= rows - found.offset_rows):
            return replace(found, queries=bits * (rows + found.bootstrap))
    return None


def no_offset(theorem: Theorem[Any], channel: Channel, small: Fraction) -> Refusal:
    """Why no rows shift a sum by a whole cell: there are too few of them, or noise exceeds what half of one moves."""
    quiet = replace(channel, noise=NoNoise())
    if channel.law.quiet or offset_setting(quiet, small) is None:
        return theorem.refuse(channel, "N", "rows enough to shift a sum by a whole cell", f"N = {channel.rows}")
    error = shared_setting(channel, small, most_queries(channel))["error"]
    half = channel.metric.strength_float(small, channel.classes) / 2
    need = f"noise that moves a sum by less than half of what a row does, with rows enough: N τ < {half:.4g}"
    return theorem.refuse(channel, "noise", need, f"N τ = {float(channel.rows * error):.4g}")


def most_queries(channel: Channel) -> int:
    """A comparison for each bit of a label, and no more rows to count than there are."""
    return bits_of(channel.classes) * (channel.rows + channel.rows.bit_length())


def offsets(channel: Channel, shared: dict[str, Any], steady: float = 1.0) -> Thresholds | None:
    """As few offset rows as cover a cell, started at the least log-odds of which half bears the error.

    Each one's charge is off by at most `steady`. The more the error, the more rows: what serves some error serves less.
    """
    cell = float(channel.rows * shared["unit"])
    row_error = min(steady, STEADY / max(cell, 16.0))
    offset_small = channel.metric.offset_prediction(channel, shared["small"], row_error)
    bare = Thresholds(queries=0, offset_rows=0, offset_small=offset_small, **shared)
    if channel.metric.strength_float(offset_small, channel.classes) < channel.metric.least_offset_reach(
        channel.classes
    ):
        return None
    found = fewest_offsets(bare)
    if found is None or channel.rows - found.offset_rows < max(1, known_rows_needed(found)):
        return None
    return found


def fewest_offsets(bare: Thresholds) -> Thresholds | None:
    """The fewest rows that cover a cell: their range falls as their least offset rises, which all of their grids raise.

    Rows that suffice are an interval, since a product of a concave falling range and the number of rows is concave;
    the numbers that are tried do not depend on the error.
    """
    step = float(bare.scored_by.level_step(bare.columns, bare.offset_small))

    def started(rows: int) -> Thresholds:
        least = LEAST_TO_ERROR * (bare.tolerance + rows * step)
        return replace(bare, offset_rows=rows, least=max(bare.least, Fraction(least)))

    def covers(rows: int) -> bool:
        return rows * offset_gain(started(rows)) >= float(bare.cell)

    below, rows = 0, offset_rows_needed(bare)
    while rows < bare.rows and not covers(rows):
        below, rows = rows, min(max(rows + 1, int(GROWTH * rows)), max(bare.rows - 1, rows + 1))
    if rows >= bare.rows:
        return None
    return started(first_between(covers, below, rows) if below else rows)


def some_labels(setting: Thresholds, wanted: int) -> Thresholds:
    """The same comparisons for no more labels than are wanted."""
    if wanted == setting.rows:
        return setting
    fewer = replace(setting, labels=wanted)
    return replace(fewer, queries=fewer.asked)


def _cost(channel: Channel, parameters: Thresholds) -> Proposal[Thresholds]:
    return Proposal(
        parameters,
        Fraction(parameters.labels, parameters.queries),
        precision_bits=0,
        prediction_bits=parameters.small.denominator.bit_length(),
        operations=4 * channel.rows * parameters.queries,
        memory=16 * channel.rows * channel.columns,
        within=lambda queries: max(0, min(parameters.labels, queries // parameters.bits - parameters.bootstrap - 1)),
    )
