"""Attacks on deterministic rounding: every boundary lies farther from the sums it parts than any error reaches.

Sums are of the charges of all N rows; a cell is N times the last shown unit. Where the attacker chooses in float64 which
boundary to use, the same float64 steps are taken here, and what they give is then proved.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

from threatplan.verify import intervals as iv
from threatplan.verify import reading
from threatplan.verify.channel import ROUNDED, WHOLE, Channel
from threatplan.verify.claims import (
    NOISE,
    NOTHING,
    Claim,
    Derived,
    carried,
    columns_for_classes,
    count,
    offsets_known,
    wide_floats,
    wide_scores,
)
from threatplan.verify.intervals import Interval, power_of_two, real
from threatplan.verify.metrics import metric_of
from threatplan.verify.metrics.base import Metric
from threatplan.verify.reading import Unreadable
from threatplan.verify.sides import bits_of, imbalance

MOST_DECIMALS = 12
MOST_LEAST = 2**20  # log-odds, far beyond what a float64 predicts
FIELDS = ("kind", "queries", "labels", "rows", "classes", "metric", "columns", "unit", "truncates", "small",
          "offset_rows", "offset_small", "error", "least", "noise_centre")  # fmt: skip


@dataclass(frozen=True)
class Thresholds:
    """The parameters that all such attacks share."""

    queries: int
    labels: int
    rows: int
    classes: int
    metric: str
    columns: int
    unit: Fraction
    truncates: bool
    small: Fraction
    offset_rows: int
    offset_small: Fraction
    error: Fraction
    least: Fraction
    noise_centre: Fraction

    @property
    def noise_part(self) -> Fraction:
        """Of delta, that noise without a bound may leave the one that is reckoned with."""
        return WHOLE

    @property
    def cell(self) -> Fraction:
        """Distance of two boundaries."""
        return self.rows * self.unit

    @property
    def bits(self) -> int:
        """Passes over all labels."""
        return bits_of(self.classes)

    @property
    def whole(self) -> bool:
        """Whether the offset's own labels are recovered, too."""
        return self.labels >= self.rows

    @property
    def bootstrap(self) -> int:
        """Queries that count the ones among the offset rows."""
        return self.offset_rows.bit_length()

    @property
    def least_offset(self) -> Fraction:
        """The weight at which offset rows start, as the attacker's float64 has them."""
        return Fraction(float(self.least))

    @property
    def charges(self) -> Metric:
        """What rows are made for."""
        return metric_of(self.metric)

    @property
    def half(self) -> Fraction:
        """Where in a unit a boundary lies."""
        return Fraction(1) if self.truncates else Fraction(1, 2)


def read(data: reading.Data, *further: str) -> dict[str, Any]:
    """The fields from their record."""
    reading.only(data, *FIELDS, *further)
    p: dict[str, Any] = {
        **{name: reading.whole(data, name, 1) for name in ("queries", "labels", "rows", "columns")},
        **{
            name: reading.rational(data, name)
            for name in ("unit", "small", "offset_small", "error", "least", "noise_centre")
        },
        "classes": reading.whole(data, "classes", 2),
        "metric": reading.text_of(data, "metric"),
        "offset_rows": reading.whole(data, "offset_rows"),
        "truncates": reading.truth(data, "truncates"),
    }
    metric = metric_of(p["metric"])
    usable = all(metric.usable(p[name], p["classes"]) for name in ("small", "offset_small"))
    if p["unit"] <= 0 or p["error"] < 0 or not usable:
        raise Unreadable("a probability or unit of the thresholds is none")
    if not 0 < p["least"] < MOST_LEAST:
        raise Unreadable("offset rows that start nowhere")
    return p


def derive(channel: Channel, data: reading.Data) -> Derived:
    """One comparison for each label and bit, and what finds the offset or verifies the answer."""
    p = Thresholds(**read(data))
    further = p.bootstrap + (not p.whole) if p.offset_rows else int(p.whole)
    asked, outside = p.bits * (p.labels + further), p.rows - p.offset_rows
    over = NOISE if channel.unbounded else NOTHING
    claims = (
        *setting(channel, p),
        *(with_offset(p) if p.offset_rows else _without_offset(p)),
        count("labels asked one by one <= rows outside the offset", min(p.labels, outside), "<=", outside),
        count("queries >= (labels + bootstrap or verification) * bits of a class", p.queries, ">=", asked),
    )
    return Derived(p.labels, p.queries, p.classes, claims, adaptive=True, over=over, fits=fits(channel, p))


def fits(channel: Channel, p: Thresholds) -> tuple[tuple[str, bool], ...]:
    """The scorer rounds as is assumed; noise without a bound for certain has one but for a part of delta."""
    shown = channel.shown
    names = ("truncated",) if p.truncates else ROUNDED
    rounds = shown is not None and shown.name in names and p.unit == channel.step
    return (
        columns_for_classes(channel),
        offsets_known(channel),
        wide_floats(channel),
        wide_scores(channel),
        ("scores are rounded or cut off to that unit, as is assumed", rounds),
        ("a float64 shows all decimals", channel.step * 10**MOST_DECIMALS >= 1),
        ("all rows are used", p.rows == channel.N),
        ("columns of a submission", p.columns == channel.columns),
        ("classes of a row", p.classes == channel.K),
        ("charges of the scorer's metric", p.metric == channel.metric),
        ("random noise leaves a doubt", not channel.random or channel.delta > 0),
    )


def setting(channel: Channel, p: Thresholds) -> tuple[Claim, ...]:
    """The scorer takes the predictions as they are and computes as exactly as is assumed."""
    used = [p.small, p.offset_small]
    if p.columns == 1:
        used += [1 - small for small in used]

    def reading_error() -> Interval:
        return (largest_score(p) + p.error) * power_of_two(-51) / p.unit

    return (
        count("classes told apart >= K", p.classes, ">=", channel.K),
        count("columns of a submission", p.columns, ">=", 1 if channel.K == 2 else channel.K),
        count("labels >= goal", p.labels, ">=", channel.target),
        carried(channel, used, "predictions"),
        Claim("assumed floating-point error of a score >= e_f", lambda: real(p.error), ">=",
              lambda: score_error(channel, p)),
        Claim("float error of a shown score, in its last decimal < 1/4", reading_error, "<",
              lambda: real(Fraction(1, 4))),
    )  # fmt: skip


def weight(p: Thresholds, small: Fraction) -> Interval:
    """The largest weight between the sides with no prediction below `small`."""
    return p.charges.strength(small, p.classes)


def score_error(channel: Channel, p: Thresholds) -> Interval:
    """What noise, less its centre as the attacker has it, and floating point add to a score before it is rounded."""
    steady = channel.constant(p.queries, p.noise_part) - channel.half_unit()
    return steady + abs(channel.centre() - p.noise_centre) + channel.relative() * heaviest(p)


def tolerance(p: Thresholds) -> Interval:
    """The error of a sum of charges, the scorer's and the attacker's own."""
    return p.rows * (p.error + largest_score(p) * power_of_two(-48))


def largest_score(p: Thresholds) -> Interval:
    """A row's largest charge, and the noise's centre."""
    return heaviest(p) + abs(p.noise_centre)


def drift(p: Thresholds) -> Fraction:
    """What the noise's centre adds to a sum."""
    return p.rows * p.noise_centre


def heaviest(p: Thresholds) -> Interval:
    """The largest charge of a row."""
    return p.charges.heavy(min(p.small, p.offset_small))


def grid_step(p: Thresholds, small: Fraction) -> Interval:
    """How far a row's weight is off."""
    return p.charges.step(p.columns, small)


def offset_deviation(p: Thresholds) -> Interval:
    """How far the offset is off."""
    return p.offset_rows * grid_step(p, p.offset_small)


# -- with offset rows ----------------------------------------------------------------------------------


def with_offset(p: Thresholds) -> tuple[Claim, ...]:
    """Offset rows, and rows with known labels, can move a sum by a whole cell; boundaries are not missed."""

    def reach() -> Interval:
        """How much more a row pays at the offset's largest weight than at its least."""
        most = weight(p, p.offset_small)
        return p.charges.payment_range(real(p.least_offset), most, imbalance(p.classes))

    def covered() -> Interval:
        return p.offset_rows * (reach() - (weight(p, p.offset_small) - p.least_offset) / 2)

    def error() -> Interval:
        return offset_deviation(p) + tolerance(p)

    known = _known_rows(p)
    return (
        Claim("range of the offset rows >= one cell N q", covered, ">=", lambda: real(p.cell)),
        Claim("range of rows with known labels >= one cell N q", lambda: known * reach(), ">=", lambda: real(p.cell)),
        count("rows outside the offset >= rows needed for that", p.rows - p.offset_rows, ">=", max(1, known)),
        Claim("half a row's least offset > float error + dev", lambda: real(p.least_offset / 2), ">", error),
        Claim("W/2 > float error + dev", lambda: weight(p, p.small) / 2, ">",
              lambda: error() + grid_step(p, p.small)),
    )  # fmt: skip


def float_reach(p: Thresholds, small: Fraction) -> float:
    """The attacker's float64 of the largest weight."""
    return p.charges.float_strength(small, p.classes)


def _known_rows(p: Thresholds) -> int:
    """Rows with known labels that the attacker takes for an offset."""
    top, ratio = float_reach(p, p.offset_small), float(imbalance(p.classes))
    each = p.charges.float_payment_range(float(p.least), top, ratio)
    if each <= 0:
        raise Unreadable("offset rows that move nothing")
    return ceil(float(p.cell) / each)


# -- without -------------------------------------------------------------------------------------------


def _without_offset(p: Thresholds) -> tuple[Claim, ...]:
    """One boundary between the two scores of a label with all others even, and one that a wrong label crosses."""
    metric, shown = p.charges, _direct_boundary(p)
    smalls = [Fraction(metric.realised(_verifying_weight(p), p.columns, sign)) for sign in (1, -1)]
    first = p.half * p.cell - drift(p)

    def place() -> Interval:
        return real((shown + p.half) * p.cell - drift(p)) - (p.rows - 1) * metric.even(2)

    def light() -> list[Interval]:
        return [metric.light(small) for small in smalls]

    def wrong() -> Interval:
        heavy = iv.smaller(*(metric.heavy(small) for small in smalls))
        return (p.rows - 1) * iv.smaller(*light()) + heavy - first

    return (
        count("classes without offset rows", p.classes, "<=", 2),
        Claim("boundary - charge of a label that pays nothing > float error",
              lambda: place() - metric.light(p.small), ">", lambda: tolerance(p)),
        Claim("charge of a label that pays W - boundary > float error",
              lambda: metric.heavy(p.small) - place(), ">", lambda: tolerance(p)),
        Claim("first boundary - charge of right labels > float error",
              lambda: first - p.rows * iv.larger(*light()), ">", lambda: tolerance(p)),
        Claim("charge with one wrong label - first boundary > float error", wrong, ">", lambda: tolerance(p)),
    )  # fmt: skip


def _direct_boundary(p: Thresholds) -> int:
    """The boundary that the attacker chooses between N - 1 even rows plus almost nothing and plus W."""
    half, cell = float(p.half), float(p.cell)
    reach, rest = float_reach(p, p.small), (p.rows - 1) * p.charges.float_even(p.classes)
    pays = p.charges.float_payment
    moved = float(drift(p))
    above = ceil((rest + reach / 2 + moved) / cell - half)

    def margin(shown: int) -> float:
        place = ((shown + half) * cell - moved) - rest
        return min(place - pays(-reach), pays(reach) - place)

    return max(above, above - 1, key=margin)


def _verifying_weight(p: Thresholds) -> float:
    """The weight for all rows at which the attacker has one wrong label cross the first boundary."""
    first, N = float(p.half) * float(p.cell) - float(drift(p)), p.rows
    low, high, pays = 0.0, float_reach(p, p.small), p.charges.float_payment
    if first > N * pays(-high) + high / 2:
        for _ in range(100):
            v = (low + high) / 2
            low, high = (v, high) if N * pays(-v) + v / 2 > first else (low, v)
    return high
