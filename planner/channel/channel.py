"""The score channel: all that the mathematics needs to know of a scenario.

A channel is a secret, a metric, two formats, a mechanism and an attacker. Row i of a submission charges its label t_i;
the reported score is the mean charge of the rows that are scored, plus an error. Two figures decide almost everything:
W, the largest difference of charges that one row can make, and E, the largest error of the *sum* of charges. Attacks use
what can surely be reached (`reach`) and errors rounded up; limits use what can at most be reached (`span`) and errors
rounded down.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import floor
from typing import Any, Literal

from flint import arb

from dsl.alike import ByFields
from dsl.checking.presets import takes_any_sums
from dsl.scenario import FixedPoint, Noise, Plain, Precision, Scenario, Shown, Summation, Time
from dsl.scenario import Release as ReleaseValue
from planner.channel.errors import WHOLE, Errors, growth
from planner.channel.facts import facts_of
from planner.channel.formats import format_of
from planner.channel.formats.base import Format
from planner.channel.mechanisms import digits_of, law_of
from planner.channel.mechanisms.base import Digits, Law
from planner.channel.metrics import metric_of
from planner.channel.metrics.base import Metric
from planner.channel.releases import Release, release_of
from planner.channel.response import FLIPS_SHARE, flipped_at_most
from planner.channel.secret import Secret
from planner.numerics.lockless import cached_property
from planner.numerics.reals import Number, per_precision

SPARE_BITS = 64  # of a fixed grid finer than any attack needs
USED_BITS = 1024  # of a finer grid, or of more digits: a plan takes no more, and writes its rows out in half a second
EVERY_SCORE = Plain()
FALLING = ("log_loss", "brier", "half_brier")  # metrics of which releases are proved: better when lower, never below 0
ClipOf = Literal["prediction", "charged", "logarithm"]  # a prediction, the probability charged, its logarithm


@dataclass(frozen=True, eq=False, repr=False)
class Channel(ByFields):
    """A scenario as the mathematics sees it.

    Its scores are means. Where the sum of n charges is shown, noise and digits are those of the sum; an attacker divides what
    is shown by n, and law and digits here are what the mean has of them.
    """

    rows: int  # of a submission
    scored: int  # of them: the divisor of a score; at most, where that is not known
    classes: int
    wanted: int  # labels that must come out right
    radius: int  # labels that the attacker's guess may have wrong; as many as there are: it has none
    exactly: bool  # it has just so many wrong
    metric_id: str  # of the score that is read
    predictions: str  # what a row holds: "probability", "class" or "real"
    abstain: bool  # a class that does not exist is taken, and counts as wrong
    columns: int
    precision: Precision  # of predictions, until their charges are computed
    score_precision: Precision  # of charges as they are added up, and of the score
    clip: Number | None
    renormalises: bool
    summation: Summation
    shown: Shown
    noise: Noise
    budget: int | None
    time: Time
    adaptive: bool
    delta: Fraction  # admissible probability of failure
    clip_of: ClipOf = "prediction"  # what the scorer keeps away from 0
    checks: bool = True  # predictions outside [0, 1] are refused
    release: ReleaseValue = EVERY_SCORE  # what becomes of scores before their digits are shown
    response: Number | None = None  # epsilon: labels were flipped once, and scores are computed of those
    accounts: int = 1  # of those who work together, each with a memory of its own where a release has one
    any_sums: bool = False  # rows of a column a class are known to be charged as they are, whatever they sum to
    uncertain: int = 0  # by how many fewer rows the score may be computed on
    looser: int = 0  # how many more labels may be wrong if as many rows are scored as can be
    membership: bool = False  # which rows are scored is wanted too
    beside: tuple[str, ...] = ()  # metrics whose scores come back with it
    reduction: str = "mean"  # of the scored rows' charges: "mean" or "sum"
    lines: dict[str, int] = field(default_factory=dict, compare=False, repr=False)
    sources: dict[str, str] = field(default_factory=dict, compare=False, repr=False)
    scenario: Scenario | None = field(default=None, compare=False, repr=False)  # that it was made of, for its scorer

    def __getstate__(self) -> dict[str, Any]:
        """What is copied and pickled: the fields, and nothing that was computed from them and kept."""
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}

    # -- its parts -----------------------------------------------------------------------------------

    @cached_property
    def secret(self) -> Secret:
        """The set of possible labelings, and how many of them count as right."""
        wrong = min(self.wrong_allowed + self.looser, self.fewest)
        held = self.rows, self.fewest, self.classes, wrong, self.radius, self.exactly
        return Secret(*held, uncertain=self.uncertain, membership=self.membership)

    @cached_property
    def metric(self) -> Metric:
        """What rows charge their labels."""
        return metric_of(self.metric_id)

    @property
    def readings(self) -> tuple[Channel, ...]:
        """The channel once for each score that comes back: read by an attacker, with the others beside it."""
        names = (self.metric_id, *self.beside)
        if not self.beside:
            return (self,)
        return tuple(self._reading(name, tuple(other for other in names if other != name)) for name in names)

    @property
    def alone(self) -> Channel:
        """The channel of the score that is read, as if no other came back."""
        return self._reading(self.metric_id, ()) if self.beside else self

    def _reading(self, metric: str, beside: tuple[str, ...]) -> Channel:
        return replace(self, metric_id=metric, beside=beside)

    @cached_property
    def submission(self) -> Format:
        """The format of predictions."""
        return format_of(self.precision)

    @cached_property
    def scores(self) -> Format:
        """The format of scores."""
        return format_of(self.score_precision)

    @cached_property
    def law(self) -> Law:
        """The noise of a mean."""
        return law_of(self.noise, self.parts)

    @cached_property
    def digits(self) -> Digits:
        """What is shown of a mean."""
        return digits_of(self.shown, self.parts)

    @property
    def summed(self) -> bool:
        """Whether the sum of charges is shown, and not their mean."""
        return self.reduction == "sum"

    @property
    def parts(self) -> int:
        """How many times the mean is shown."""
        return self.scored if self.summed else 1

    @cached_property
    def released(self) -> Release:
        """What becomes of scores before they are shown, as a state machine."""
        return release_of(self.release)

    @property
    def _falls(self) -> bool:
        """Whether lower scores of all rows are better: of no other boards is it known what a memory of theirs tells."""
        return self.metric_id in FALLING and not self.split

    @property
    def _divides(self) -> bool:
        """Whether a sum is as good as a mean: of a known number of charges, each shown, on no fixed grid of its own."""
        return self.metric.totals and not self.uncertain and self.released.id == "plain" and not self.scores.fixed

    @cached_property
    def unknown(self) -> tuple[str, ...]:
        """The fields whose values the mathematics has no word for: nothing is promised under them, nothing excluded.

        Predictions and scores in formats of two kinds are such values: no arithmetic is known that mixes them. So is a
        secret part of the rows for somebody who knows something of the labels, or for a metric that counts: no result covers
        both. Of several scores each must be known, and shown.
        """
        if self.beside:
            each = (("release",) if self.released.id != "plain" else (), *(one.alone.unknown for one in self.readings))
            return tuple(dict.fromkeys(field for fields in each for field in fields))
        known = (
            ("public", not self.split or (self.metric.weighs and not self.secret.informed)),
            ("metric", self.metric.known),
            ("reduction", self.reduction == "mean" or (self.summed and self._divides)),
            ("predictions", self.predictions in self.metric.predictions),
            ("phi", self.submission.known),
            ("score_phi", type(self.scores) is type(self.submission)),
            ("noise", self.law.known),
            ("decimals", self.digits.known),
            ("release", self.released.known and (self.released.id == "plain" or self._falls)),
            ("response", self.response is None or not self.split),
            ("summation", isinstance(self.summation, Summation)),
        )
        return (*(field for field, is_known in known if not is_known), *self.metric.unknown(self))

    @cached_property
    def stored(self) -> Channel:
        """The channel of the stored labels: nothing is known of these, and enough are wanted to leave the goal of true ones.

        As many more as may have been flipped, but for a share of delta; all of them, where even these are too few.
        """
        return (
            self
            if self.response is None
            else replace(
                self,
                response=None,
                wanted=min(self.rows, self.wanted + self.flipped),
                delta=self.delta * (1 - FLIPS_SHARE),
                radius=self.rows,
                exactly=False,
            )
        )

    @cached_property
    def flipped(self) -> int:
        """How many of the stored labels are not the true ones, at most, but for a share of delta."""
        return 0 if self.response is None else flipped_at_most(self.rows, self.response, self.classes, self.delta)

    @cached_property
    def facts(self) -> dict[str, str]:
        """All that a scorer does, each fact by the name of its field."""
        return facts_of(self)

    # -- what it comes to ------------------------------------------------------------------------------

    @property
    def exact_scores(self) -> bool:
        """Whether a score is an exact real number: arbitrary precision, no noise, shown in full."""
        quiet = self.law.name == "none" and self.shown is None
        return self.submission.exact and self.scores.exact and quiet

    @property
    def random(self) -> bool:
        """Whether the noise is random and independent from query to query."""
        return self.law.random

    @property
    def centre(self) -> Fraction:
        """What an attacker subtracts from every score: where noise is centred, less half of what is cut off."""
        return self.law.centre + self.digits.centre

    @property
    def fewest(self) -> int:
        """No fewer rows are scored."""
        return self.scored - self.uncertain

    @property
    def split(self) -> bool:
        """Whether a secret part of the rows is scored, or may be."""
        return self.fewest < self.rows

    @property
    def wrong_allowed(self) -> int:
        """How many labels may come out wrong."""
        return self.rows - self.wanted

    @property
    def commoner(self) -> int:
        """The class that an attacker guesses who knows no more than how many labels are 1."""
        held = self.scenario
        return int(held is not None and held.positives is not None and 2 * held.ones > held.N)

    @property
    def ones_told(self) -> bool:
        """Whether the number of ones is public: labels at one distance of any other guess may have any number of them."""
        held = self.scenario
        return self.exactly and held is not None and held.positives is not None

    @property
    def useful_bits(self) -> int:
        """How fine a grid attacks use at most: it tells all labels by powers of two, with room to spare."""
        return min(self.wanted + 2 * self.rows.bit_length() + SPARE_BITS, USED_BITS)

    @property
    def working_bits(self) -> int:
        """A precision at which the finest step of the scores that an attack uses is far from drowning in rounding."""
        fraction = min(max(self.submission.fraction_bits, self.scores.fraction_bits), self.useful_bits)
        return 128 + fraction + min(4 * self.digits.digits, USED_BITS) + self.rows.bit_length()

    @per_precision
    def neutral_charge(self) -> arb:
        """What a neutral row is charged, whatever its label."""
        return self.metric.neutral_charge(self.classes)

    @per_precision
    def reach(self) -> arb:
        """W for attacks: a weight that a two-class row surely realises; infinite: as large as one likes."""
        return self.metric.reach(self)

    @property
    def bounded(self) -> bool:
        """Whether there is a weight that no row of two classes exceeds."""
        return bool(self.reach().is_finite())

    @per_precision
    def span(self) -> arb:
        """W for limits: no row can do more. Infinite where a row can do anything, or show infinity: nothing is excluded."""
        if self.unknown:
            return arb.pos_inf()
        span = self.metric.span(self)
        return arb.pos_inf() if self.sum_overflows(self.metric.largest_charge(self, span)) else span

    @per_precision
    def breadth(self) -> arb:
        """An interval of this length holds every score of a submission, whatever is secret.

        Where all that is asked are labels of rows that an attacker may be told, it is what one row can do. Where rows are
        scored or not, it is the range of all charges of all rows.
        """
        return self.metric.breadth(self, self.span()) if self.membership else self.span()

    @property
    def confined(self) -> bool:
        """Whether there is a difference of charges that no row exceeds, and no score is infinite."""
        return bool(self.span().is_finite())

    def sum_overflows(self, charge: arb) -> bool:
        """Whether a sum of charges of this size each cannot be excluded to leave the range of the score's format.

        Then a finite loss may show as infinity, as float16 shows every loss from N = 94,502 on.
        """
        largest = self.scores.largest() if self.scores.floating else None
        return largest is not None and not self.scored * charge * growth(self) < largest

    def errors(self, queries: int, share: Fraction = WHOLE) -> Errors:
        """The errors of scores when the attack asks `queries` queries: random noise of all of them at once.

        That noise leaves its bound with at most a `share` of delta; what else may fail has the rest.
        """
        key = (queries, share) if self.random else (1, WHOLE)
        return self._errors.get(key) or self._errors.setdefault(key, Errors(self, *key))

    @cached_property
    def _errors(self) -> dict[tuple[int, Fraction], Errors]:
        return {}


CLIPS_OF: dict[str, ClipOf] = {"torch_bce": "logarithm", "xgboost": "charged", "lightgbm": "charged"}
FIELD_NAMES = ("N", "K", "guess", "positives", "public", "find", "metric", "predictions", "abstain", "reduction", "phi",
               "score_phi", "noise", "response", "release", "decimals", "clip", "columns", "scorer", "checks", "queries",
               "accounts", "time", "adaptive", "goal", "confidence")  # fmt: skip


def channel_of(scenario: Scenario) -> Channel:
    """The channel that a scenario describes."""
    lines = {name: line for name in FIELD_NAMES if (line := scenario.line(name)) is not None}
    sources = {name: origin.source for name, origin in scenario.origins.items()}
    (fewest, most), missed = scenario.scored, 1 - scenario.goal
    return Channel(
        rows=scenario.N,
        scored=most,
        classes=scenario.K,
        # Rows that no answer speaks of may all be scored: no more than so many labels of scored rows may be missed.
        wanted=scenario.N - floor(missed * fewest),
        radius=scenario.N if scenario.mistakes is None else scenario.mistakes,
        exactly=scenario.positives is not None,
        metric_id=scenario.metrics[0],
        beside=scenario.metrics[1:],
        predictions=scenario.predictions,
        abstain=scenario.abstain,
        reduction=scenario.reduction,
        columns=scenario.columns,
        precision=scenario.phi,
        score_precision=scenario.score_format,
        clip=scenario.clip,
        renormalises=scenario.renormalises,
        summation=scenario.summation,
        shown=scenario.shown,
        noise=scenario.noise,
        budget=scenario.queries,
        time=scenario.time,
        adaptive=scenario.adaptive,
        delta=1 - scenario.confidence,
        checks=scenario.checks,
        release=scenario.release,
        response=scenario.response,
        accounts=scenario.accounts,
        clip_of=CLIPS_OF.get(scenario.scorer.name, "prediction") if scenario.scorer else "prediction",
        any_sums=_any_sums(scenario),
        uncertain=most - fewest,
        looser=floor(missed * most) - floor(missed * fewest),
        membership=scenario.find == "labels_and_split" and scenario.split,
        lines=lines,
        sources=sources,
        scenario=scenario,
    )


def _any_sums(scenario: Scenario) -> bool:
    """Only where the scorer is one that was seen to take such rows: others may refuse them."""
    scorer = scenario.scorer
    several = scenario.columns > 1 and not scenario.renormalises
    return scorer is not None and several and takes_any_sums(scorer.name, scorer.version)


def manageable(channel: Channel) -> Channel:
    """The channel with grids of `USED_BITS` at most, for proposals: an attacker need not use every bit of a grid."""
    return with_grids(channel, USED_BITS)


def with_grids(channel: Channel, most: int) -> Channel:
    """The channel with fixed grids no finer than `most` bits."""
    precision, score = (_capped(one, most) for one in (channel.precision, channel.score_precision))
    if (precision, score) == (channel.precision, channel.score_precision):
        return channel
    return replace(channel, precision=precision, score_precision=score)


def _capped(one: Precision, most: int) -> Precision:
    if not isinstance(one, FixedPoint) or one.fraction_bits <= most:
        return one
    return replace(one, fraction_bits=most)
