"""The fields of a scenario: the one table behind the checker, the formatter, completion and the reference."""

from __future__ import annotations

from typing import Final, NamedTuple

from dsl.checking.metrics import METRICS
from dsl.checking.platforms import PLATFORMS
from dsl.checking.presets import PRESETS


class Field(NamedTuple):
    """One field: how it is written, what it may hold, and what it is when it is not written."""

    name: str
    values: str  # as the reference describes them
    default: str  # in the language's own words; "" where the field is required
    documentation: str
    aliases: tuple[str, ...] = ()
    words: tuple[str, ...] = ()  # values that are plain words
    calls: tuple[str, ...] = ()  # values that take arguments, as they are used
    operator: str = "="
    attribute: str = ""  # of Scenario, where it is named otherwise
    number: bool = True  # whether expressions may refer to it

    @property
    def slot(self) -> str:
        """The attribute of Scenario that holds the field."""
        return self.attribute or self.name


NOISE_CALLS: Final = (
    "bounded(tau)",
    "uniform(a, b)",
    "gaussian(sigma)",
    "laplace(b)",
    "subexponential(lambda2, nu)",
    "multiplicative(alpha)",
)

RELEASE_CALLS: Final = ("ladder(eta)", "ladder(eta, start)", "capped(level)", "changes(B)")

FIELDS: Final[dict[str, Field]] = {
    field.name: field
    for field in (
        Field("N", "a positive integer", "", "How many labels are hidden."),
        Field("K", "an integer, at least 2", "2", "How many classes a label may have."),
        Field(
            "guess",
            "`none`, or a share of the labels: `99%`",
            "none",
            "How many labels the attacker's best guess already gets right: a majority class, or a model of its own. Which "
            "ones these are it does not know.",
            words=("none",),
        ),
        Field(
            "positives",
            "`unknown`, a count, or a share that is a whole count: `125`, `1%`",
            "unknown",
            "How many labels are 1, where that is public. For K = 2, and not together with `guess`: whoever knows it "
            "guesses the commoner class.",
            words=("unknown",),
        ),
        Field(
            "public",
            "`all`, a count, a share of the rows or a range: `300`, `30%`, `between(280, 320)`",
            "all",
            "How many of the N submitted rows the score is computed on; which ones is secret, and the same for every "
            "submission. A share is taken to the nearest row. `goal` then speaks of the labels of these rows. Not together "
            "with `guess` or `positives`.",
            words=("all",),
            calls=("between(a, b)",),
        ),
        Field(
            "find",
            "`labels`, `labels_and_split`",
            "labels",
            "What the attacker wants: the labels of the rows that are scored, or also which rows these are. The second needs "
            "`goal = all`.",
            words=("labels", "labels_and_split"),
            number=False,
        ),
        Field(
            "metric",
            ", ".join(f"`{metric.name}`" for metric in METRICS) + "; `several(accuracy, f1)`",
            METRICS[0].name,
            "The score that is shown, or `several` that come back together for each submission, all of the same kind of rows "
            "(log-loss beside accuracy: a scenario each). Labels are classes: real-valued targets are another problem. All "
            "but `log_loss`, `brier`, `half_brier` and `accuracy` are for K = 2, and all but the first know no `clip`.",
            words=tuple(metric.name for metric in METRICS),
            calls=("several(a, b)",),
            number=False,
        ),
        Field(
            "predictions",
            "`probability`, `class`, `real`",
            "by `metric`",
            "What a submitted row holds: probabilities, a class, or any number.",
            words=("probability", "class", "real"),
            number=False,
        ),
        Field(
            "abstain",
            "`yes`, `no`",
            "no",
            "Whether a class that does not exist is taken: such a row counts as wrong, whatever its label.",
            words=("yes", "no"),
            number=False,
        ),
        Field(
            "reduction",
            "`mean`, `sum`",
            "mean",
            "Whether the mean of the scored rows' charges is shown, or their sum (scikit-learn's `normalize=False`). "
            "`noise` and `decimals` then speak of the sum. `log_loss` only.",
            words=("mean", "sum"),
            number=False,
        ),
        Field(
            "phi",
            "`arbitrary`, `float16`, `float32`, `float64`, `fixed(i, f)`, or an integer",
            "float64",
            "The format of predictions, and of scores unless `score_phi` says otherwise. An integer p is the paper's "
            "FPA(p): fixed point with (p-1)//2 bits after the point; `arbitrary` is its APA.",
            aliases=("φ", "ϕ"),
            words=("arbitrary", "float16", "float32", "float64"),
            calls=("fixed(i, f)",),
        ),
        Field(
            "score_phi",
            "`phi`, or a format of the same kind: `float16`, `float32`, `float64`, `fixed(i, f)`, an integer, "
            "`arbitrary`",
            "phi",
            "The format in which charges are added up and the score is shown. Predictions keep the format `phi` "
            "until their logarithms are taken.",
            words=("phi", "arbitrary", "float16", "float32", "float64"),
            calls=("fixed(i, f)",),
            number=False,
        ),
        Field(
            "noise",
            "`none`, `bounded(τ)`, `uniform(a, b)`, `gaussian(σ)`, `laplace(b)`, `subexponential(λ², ν)`, "
            "`multiplicative(α)`, `multiplicative(α, β)`",
            "none",
            "The error that is added to a score before it is shown; a multiplicative one is a factor between 1 - α and "
            "1 + α, or 1 + β.",
            words=("none",),
            calls=(*NOISE_CALLS, "multiplicative(a, b)"),
            number=False,
        ),
        Field(
            "response",
            "`none`, or an epsilon above 0",
            "none",
            "Randomised response: each label is flipped once, with probability (K-1)/(e^ε + K-1), and scores are computed of "
            "the flipped ones, for ever. `goal`, exposure and ceiling speak of the true ones. Not together with `public`.",
            words=("none",),
        ),
        Field(
            "release",
            "`plain`, `best`, `ladder(η)`, `ladder(η, start)`, `capped(level)`, `changes(B)`",
            "plain",
            "What becomes of a score before its digits are shown: `plain` shows each; `best` the best so far; `ladder(η)` "
            "changes what is shown for a score that beats it by η, to a multiple of η, from infinity or from `start` on; "
            "`capped(level)` shows no score above a level; `changes(B)` is `best` until it changed B times.",
            words=("plain", "best"),
            calls=RELEASE_CALLS,
            number=False,
        ),
        Field(
            "decimals",
            "digits after the point, `percent(k)`, `truncated(n)`, `significant(n)`, or `full`",
            "full",
            "How much of a score a participant can read, on the page or elsewhere. It is rounded to the nearest; "
            "`percent(k)` is a percentage with k digits after the point; `truncated(n)` is cut off after n digits, that is "
            "rounded down, scores below 0 too: -0.123 shows as -0.13.",
            words=("full",),
            calls=("percent(k)", "truncated(n)", "significant(n)"),
            attribute="shown",
        ),
        Field(
            "clip",
            "`none`, or a probability between 0 and 1/2",
            "none",
            "Submitted probabilities are moved into [clip, 1 - clip]. A `scorer` sets it: many libraries to 1e-15, or to the "
            "epsilon of their format (2^-52 for float64).",
            words=("none",),
        ),
        Field("columns", "1 (K = 2 only) or K", "1 if K = 2, else K", "How many numbers a submitted row holds."),
        Field(
            "scorer",
            f'`none`, {", ".join(f"`{name}`" for name in PRESETS)}, or one with its version: `sklearn("1.5")`',
            "none",
            "A known scorer; it fills `clip`, `phi`, `score_phi`, `summation`, `renormalises`, `checks`, `abstain` and "
            "`decimals` unless the file sets them.",
            words=("none",),
            number=False,
        ),
        Field(
            "platform",
            f"`none`, {', '.join(f'`{name}`' for name in PLATFORMS)}",
            "none",
            "Where the scores are shown: it fills in the `decimals` that a participant can read, on the page or elsewhere, "
            "whatever the scorer prints, unless the file sets them. It never sets `queries`.",
            words=("none", *PLATFORMS),
            number=False,
        ),
        Field(
            "summation",
            "`pairwise`, `sequential`",
            "pairwise",
            "The order in which a floating-point scorer adds its rows.",
            words=("pairwise", "sequential"),
            number=False,
        ),
        Field(
            "renormalises",
            "`yes`, `no`",
            "no",
            "Whether the scorer divides each row by its sum.",
            aliases=("renormalizes",),
            words=("yes", "no"),
            number=False,
        ),
        Field(
            "checks",
            "`yes`, `no`",
            "yes",
            "Whether the scorer refuses predictions outside [0, 1]. One that does not, and does not move them into the "
            "clip's range either, lets a row pay any amount.",
            words=("yes", "no"),
            number=False,
        ),
        Field(
            "queries",
            "a count, rounded down, or `unlimited`",
            "unlimited",
            "How many submissions an attacker may make.",
            words=("unlimited",),
            operator="<=",
        ),
        Field(
            "accounts",
            "a count",
            "1",
            "How many accounts those have who work together. `queries` counts the submissions of all of them; a `release` "
            "that remembers has a memory for each.",
        ),
        Field(
            "time",
            "`polynomial`, `exponential`",
            "polynomial",
            "How much computing the attacker may do.",
            words=("polynomial", "exponential"),
            number=False,
        ),
        Field(
            "adaptive",
            "`yes`, `no`",
            "yes",
            "Whether a query may depend on earlier scores.",
            words=("yes", "no"),
            number=False,
        ),
        Field(
            "goal",
            "`all`, or a share of the labels: `99%`",
            "all",
            "How many of the labels the attacker wants.",
            words=("all",),
        ),
        Field(
            "confidence",
            "a probability below 1: `99%`",
            "99%",
            "1 - δ: how surely the labels are to be recovered under random noise.",
        ),
    )
}

NAMES: Final[dict[str, str]] = {
    spelling: field.name for field in FIELDS.values() for spelling in (field.name, *field.aliases)
}

KEYWORDS: Final = {
    "scenario": 'One situation: `scenario name : parent "title" { … }`.',
    "sweep": "One scenario becomes many: `sweep FIELD = values`, values a list of `v`, `a..b`, `a..b step s` "
    "or `a..b log n`: `sweep decimals = 2..6`, `sweep queries = 50, 100, 300`.",
    "expect": "What must hold, for `plan check`: `expect impossible`, `expect exposure <= 5%`, `expect ceiling <= 60%`.",
}

VERDICTS: Final = {
    "feasible": "An attack recovers the labels within the budget.",
    "impossible": "No attack can.",
    "unknown": "Neither is proved.",
}

MEASURES: Final = {
    "queries": "submissions that the best attack needs",
    "exposure": "labels that the best attack recovers within the budget; a percentage is a share of N",
    "ceiling": "labels that any attack gets right on average within the budget, at most; a percentage is a share of those "
    "that are scored",
    "m": "labels that the best attack recovers in one query",
    "bits": "bits of precision that the best attack needs",
}
