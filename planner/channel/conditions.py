"""What an attack asks of a channel: conditions that a theorem refuses by and the certifier certifies by.

One object serves both. A theorem that forgets a condition costs nothing but time: the certifier asks again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dsl.alike import ByFields
from dsl.scenario import Arbitrary, Ieee, Time
from planner.channel.channel import Channel

MOST_DECIMALS = 12
"""Decimals to which a float64 shows every score; with more, other attacks need no comparisons."""

UNPROVED = ("a result that covers it together with the other fields", "none is proved")
"""What every attack needs of a field whose value, with the others beside it, the mathematics has no word for."""


@dataclass(frozen=True, eq=False, repr=False)
class Condition(ByFields):
    """One demand: the field that decides, what is needed, whether a channel meets it and what it has instead."""

    field: str
    need: str
    met: Callable[[Channel], bool]
    have: Callable[[Channel], str]


def _classes(channel: Channel) -> str:
    return f"K = {channel.classes}"


def _noise(channel: Channel) -> str:
    return channel.law.name


def _phi(channel: Channel) -> str:
    return channel.submission.described


def _metric(channel: Channel) -> str:
    return channel.metric.title


WEIGHS = Condition("metric", "a metric whose rows weigh their labels by any amount", lambda c: c.metric.weighs, _metric)
ADDS = Condition("metric", "a metric that adds up what rows charge", lambda c: c.metric.adds, _metric)
COUNTS = Condition("metric", "a metric that counts labels", lambda c: c.metric.counts, _metric)
RANKS = Condition("metric", "a score of ranks", lambda c: c.metric.ranks, _metric)
SQUARES = Condition("metric", "a metric that is a function of a sum of squares", lambda c: c.metric.squares, _metric)


LOGARITHMIC = Condition("metric", "charges that are logarithms of predictions", lambda c: c.metric.logarithmic, _metric)


CORNERED = Condition("metric", "rows that charge one class next to nothing", lambda c: c.metric.cornered, _metric)


def _scored(channel: Channel) -> str:
    count = f"{channel.fewest:,} to {channel.scored:,}" if channel.uncertain else f"{channel.scored:,}"
    return f"{count} of {channel.rows:,} rows, and which ones is secret"


ALL_SCORED = Condition("public", "every row to be scored", lambda c: not c.split, _scored)
PART_SCORED = Condition("public", "a part of the rows to be scored", lambda c: c.split, lambda c: "all of them")
COUNT_KNOWN = Condition("public", "a known number of scored rows", lambda c: not c.uncertain, _scored)
INFORMED = Condition(
    "guess", "a guess of all labels, or their count", lambda c: c.secret.informed, lambda c: "nothing is known"
)
ONES_TOLD = Condition(
    "positives", "how many labels are 1 to be told", lambda c: c.ones_told, lambda c: "nobody tells it"
)
TWO_CLASSES = Condition("K", "two classes", lambda c: c.classes == 2, _classes)
MORE_CLASSES = Condition("K", "more than two classes", lambda c: c.classes > 2, _classes)
NO_POWER_OF_TWO = Condition(
    "K",
    "a number of classes that is no power of two",
    lambda c: c.classes & (c.classes - 1) != 0,
    lambda c: f"{c.classes}",
)
COLUMN_A_CLASS = Condition(
    "columns", "a column a class", lambda c: c.classes == 2 or c.columns == c.classes, lambda c: f"{c.columns}"
)
ANY_SUMS = Condition(
    "scorer",
    "one that is known to charge rows of a column a class as they are, whatever they sum to",
    lambda c: c.any_sums and not c.renormalises and c.columns == c.classes,
    lambda c: "rows are divided by their sums" if c.renormalises else "not known",
)
FREE_PREDICTIONS = Condition(
    "predictions",
    "squared error of any numbers",
    lambda c: c.metric.free and c.predictions == "real",
    lambda c: f"{c.predictions} predictions, {c.metric.title}",
)
ADAPTIVE = Condition(
    "adaptive", "queries that depend on earlier scores", lambda c: c.adaptive, lambda c: "all are listed beforehand"
)
ROUNDED = Condition(
    "decimals",
    "scores rounded to decimals, or cut off",
    lambda c: c.digits.steps,
    lambda c: "no such rounding",
)
ALL_OR_DECIMALS = Condition(
    "decimals", "all digits, or decimals", lambda c: c.shown is None or c.digits.steps, lambda c: c.digits.text
)
FEW_DECIMALS = Condition(
    "decimals",
    f"at most {MOST_DECIMALS} decimals, all of which a float64 shows",
    lambda c: c.digits.unit is None or c.digits.unit * 10**MOST_DECIMALS >= 1,
    lambda c: f"{c.digits.digits}" if c.shown is not None else "all of them",
)
BOUNDED_NOISE = Condition(
    "noise",
    "none, or within a bound, be it with some probability: a comparison bears what is below its margin",
    lambda c: c.law.certain or c.random,
    _noise,
)
STEADY_NOISE = Condition("noise", "noise that does not grow with the loss", lambda c: not c.law.grows, _noise)
RANDOM_NOISE = Condition(
    "noise", "noise that is random and independent from query to query", lambda c: c.random, _noise
)
NOT_DRAWN = Condition("noise", "none, or noise that is not random", lambda c: not c.random, _noise)
ALL_LABELINGS = Condition(
    "time", "exponential: all labelings are compared", lambda c: c.time == Time.EXPONENTIAL, lambda c: str(c.time)
)
QUIET = Condition("noise", "none", lambda c: c.law.quiet, _noise)
RIGHT_ROWS = Condition(
    "metric",
    "scores that are numbers of right rows",
    lambda c: c.metric.counts and c.metric.lattice(c) is not None,
    lambda c: c.metric.title,
)
ABSTAINS = Condition(
    "abstain", "a class that does not exist to be taken", lambda c: c.abstain, lambda c: "such rows are refused"
)
DOUBT_ALLOWED = Condition(
    "confidence",
    "below 100%: nothing is certain under random noise",
    lambda c: not c.random or c.delta > 0,
    lambda c: "100%",
)
COINS_DECIDE = Condition("confidence", "below 100%: coins decide", lambda c: c.delta > 0, lambda c: "100%")
EXACT_PREDICTIONS = Condition("phi", "arbitrary precision", lambda c: c.submission.exact, _phi)
FLOATING_PREDICTIONS = Condition(
    "phi",
    "predictions in floating point",
    lambda c: c.submission.floating or c.submission.exact,
    lambda c: "a fixed grid: blocks apply",
)
WIDE_FLOATS = Condition(
    "phi", "float64 or arbitrary", lambda c: c.precision in (Ieee(64), Arbitrary()), lambda c: c.submission.text
)
DOUBLES = Condition(
    "phi",
    "predictions and scores in float64",
    lambda c: c.precision == c.score_precision == Ieee(64),
    lambda c: f"predictions in {c.submission.text}, scores in {c.scores.text}",
)
WIDE_SCORES = Condition(
    "score_phi",
    "float64 or arbitrary: what is read off a score in decimals is read as a float64",
    lambda c: c.score_precision in (Ieee(64), Arbitrary()),
    lambda c: c.scores.text,
)
ZEROS_SHOW = Condition(
    "clip",
    "a scorer that returns infinity for a missed 0",
    lambda c: c.metric.shows_infinity(c),
    lambda c: "probabilities are kept away from 0",
)

AVERAGED_ERRORS = Condition(
    "decimals",
    "scores rounded to decimals, or random noise on all of their digits",
    lambda c: c.digits.steps or (c.random and c.shown is None),
    lambda c: "significant digits" if c.digits.grows else "no error to average out",
)

SHOWN_IN_DIGITS = Condition(
    "decimals",
    "scores rounded to decimals, or to significant digits",
    lambda c: c.digits.steps or c.digits.grows,
    lambda c: "all digits",
)

OFFSETS_KNOWN = Condition(
    "metric",
    "charges of two classes, or logarithms: of no others is it proved what rows of unknown labels shift",
    lambda c: c.classes == 2 or c.metric.logarithmic,
    lambda c: f"{c.metric.title} of K = {c.classes}",
)

COMPARATOR = (OFFSETS_KNOWN, COLUMN_A_CLASS, ROUNDED, FEW_DECIMALS, BOUNDED_NOISE, DOUBT_ALLOWED, ADAPTIVE, WIDE_FLOATS,
              WIDE_SCORES)  # fmt: skip
"""Rounding of scores that are off by no more than a bound, and can be asked adaptively."""

AVERAGING = (COLUMN_A_CLASS, STEADY_NOISE, DOUBT_ALLOWED, WIDE_FLOATS)
"""Sums of all labels whose errors average out."""

FALLING = (LOGARITHMIC, TWO_CLASSES, COLUMN_A_CLASS, ADAPTIVE, QUIET, ALL_OR_DECIMALS, WIDE_FLOATS, WIDE_SCORES)
"""Log-loss of two classes without noise, whose board is watched while it falls."""

DITHERED = (
    LOGARITHMIC, TWO_CLASSES, SHOWN_IN_DIGITS, FEW_DECIMALS, BOUNDED_NOISE, STEADY_NOISE, DOUBT_ALLOWED, WIDE_FLOATS,
    WIDE_SCORES,
)  # fmt: skip
"""Rounded scores of rows that charge ln(2 cosh(w/2)) on average of both labels."""
