"""The words that reports print, each in a sentence or two: verdicts, labels of lines, heads of tables, symbols."""

from __future__ import annotations

from typing import NamedTuple


class Word(NamedTuple):
    """A word as it is printed, what it is called by besides, its kind and what it means."""

    id: str
    kind: str  # verdict, figure, column, symbol or term
    title: str
    statement: str
    also: tuple[str, ...] = ()


WORDS: tuple[Word, ...] = (
    # -- verdicts, and what became of an attack --
    Word(
        "feasible",
        "verdict",
        "An attack recovers the labels within the budget",
        "Of a scenario: a certified attack gets all labels (or the share in `goal`), for every labeling. Of an attack: it "
        "is certified and keeps to the budget.",
    ),
    Word(
        "impossible",
        "verdict",
        "No attack can, whatever it computes",
        "A proof excludes that somebody recovers the labels (or the share in `goal`) who knows no more of them beforehand "
        "than the scenario says. Some of them may be exposed all the same: see exposure and ceiling.",
    ),
    Word(
        "unknown",
        "verdict",
        "Neither is proved",
        "No certified attack keeps to the budget, and no proof excludes one. Never to be read as safe.",
    ),
    Word(
        "over budget",
        "verdict",
        "Certified, but it asks for more queries than are allowed",
        "What it recovers within the budget counts for the exposure.",
        ("over_budget",),
    ),
    Word(
        "refused",
        "verdict",
        "The attack does not apply",
        "Something that it needs is not so here; `Why not` names the field, what is needed and what there is.",
    ),
    Word(
        "gave up",
        "verdict",
        "Planning took longer than --seconds",
        "There is no verdict then, and the exit code is 2.",
        ("gave_up",),
    ),
    Word(
        "holds", "verdict", "The inequality is proved", "Both sides are rigorous enclosures, and they do not overlap."
    ),
    Word(
        "not proved",
        "verdict",
        "The inequality is not proved",
        "Its sides overlap, or it is false: it counts for nothing.",
        ("is not proved",),
    ),
    Word(
        "ok",
        "verdict",
        "As it should be",
        "Of an expectation: it holds. Of a report: everything in it was derived again.",
    ),
    Word(
        "FAIL",
        "verdict",
        "An expectation does not hold",
        "`plan check` then ends with exit code 1.",
        ("fails", "failure"),
    ),
    Word("all hold", "verdict", "Every expectation holds", "The gate is open: `plan check` ends with exit code 0."),
    Word(
        "all verified",
        "verdict",
        "Every report was derived again",
        "By `plan verify`, with none of the planner's code.",
    ),
    # -- the lines of a report --
    Word(
        "exposure",
        "figure",
        "Labels that are known within the budget",
        "Rows whose label the best certified attack states within the budget, all of them right with the scenario's "
        "confidence. It is a lower bound on what can be had: a better attack may exist. Not known (null in JSON) where no "
        "attack is certified for any label, which is not 0.",
        ("exposes", "still exposes", "exposed"),
    ),
    Word(
        "right",
        "figure",
        "Labels that come out right in the end",
        "Those that are known, those of a guess that is right, and those that averages get right without telling which.",
    ),
    Word(
        "corrected", "figure", "Mistakes of a guess that are surely mended", "Counted where the scenario has a `guess`."
    ),
    Word(
        "ceiling",
        "figure",
        "What no attack exceeds",
        "The share of labels that any attack gets right on average within the budget, at most. It is proved of every attack, "
        "known or not: the information that so many scores carry does not suffice for more.",
    ),
    Word(
        "promised",
        "figure",
        "More cannot be promised",
        "The largest goal that no limit excludes at the scenario's confidence.",
    ),
    Word(
        "lower bound", "figure", "Queries that any attack needs", "Proved by the limit in brackets.", ("lower_bound",)
    ),
    Word(
        "assumes",
        "figure",
        "What the verdict takes for granted",
        "Above all whatever favours the organiser: who knows more of the labels, or has more accounts, is another scenario.",
        ("assumptions",),
    ),
    Word(
        "but",
        "figure",
        "What somebody with a guess would need",
        "Beside a proof that speaks of those who have none.",
        ("if_guessed",),
    ),
    Word(
        "sweeps",
        "figure",
        "The scenario stands for several",
        "`plan` shows the base point, `plan sweep` all of them.",
        ("points", "point"),
    ),
    Word("not known", "figure", "Nobody here knows", "Nothing is certified and nothing excluded. It is not 0."),
    Word(
        "leaks",
        "figure",
        "Of several scores that come back together, what each gives away by itself",
        "The queries of the best attack on it alone; the most telling score comes first.",
    ),
    Word(
        "seen",
        "figure",
        "What simulated runs took",
        "What is promised holds for every labeling; most may need less. On the page that `plan report` writes.",
    ),
    # -- tables --
    Word("attack", "column", "A way to learn labels from scores", "`plan explain NAME` states each."),
    Word("theorem", "column", "Where the attack is from", "A theorem of the paper, or the source beside it."),
    Word(
        "m",
        "column",
        "Labels that one query yields",
        "On average over all queries; `paper m` is the paper's figure.",
        ("labels_per_query",),
    ),
    Word(
        "paper m",
        "column",
        "Labels a query, as the paper claims",
        "A star marks a claim that does not hold: the erratum says why.",
    ),
    Word(
        "paper queries",
        "column",
        "Queries, as the paper claims",
        "A star marks a claim that does not hold.",
        ("paper",),
    ),
    Word(
        "query",
        "column",
        "A submission and its score",
        "All rows are submitted at once, and one score comes back.",
        ("submission", "submissions"),
    ),
    Word(
        "bits",
        "column",
        "Binary digits after the point that the score must hold",
        "The attack tells the labels if the score is right to so many.",
        ("precision_bits",),
    ),
    Word("status", "column", "What became of an attack", "feasible, over budget or refused."),
    Word(
        "verdict",
        "column",
        "The answer to a scenario",
        "feasible, impossible or unknown; beside gave up, where time ran out.",
    ),
    Word("share", "column", "Exposed labels as a share of all", "In per cent."),
    Word(
        "knob",
        "column",
        "Something that an organiser can set",
        "decimals, clip, noise, public, release, a cap on queries.",
    ),
    Word("now", "column", "The present setting", "As the scenario has it."),
    Word(
        "impossible at",
        "column",
        "The mildest setting at which recovery is impossible",
        "By this knob alone. The next milder one does not do.",
    ),
    Word(
        "exposure at",
        "column",
        "The mildest setting at which attacks we know of expose no more",
        "Evidence, not a proof: other attacks may do better. `exposure <= 5% at` names the share.",
        ("exposure <= 5% at",),
    ),
    Word("change", "column", "Lines to write into the scenario", "`plan harden --apply FILE` writes them."),
    Word(
        "price",
        "column",
        "How far an honest score may be off for a change",
        "1 s.e., a standard error, is as far as chance moves the score anyhow, since the rows are a sample: reckoned for a "
        "calibrated model that is right on 95% of them. Below one nobody can tell. A cap on submissions moves no score.",
        ("s.e.", "standard error", "standard errors", "standard_errors"),
    ),
    Word("proof", "column", "The limits that exclude it", "`plan explain I1` states one of them."),
    # -- runs --
    Word("through", "figure", "The scorer that a run asked", "A model of it, scikit-learn's own function, or yours."),
    Word(
        "exact",
        "figure",
        "Trials in which every label came out right",
        "The interval is Clopper and Pearson's, at 95%.",
    ),
    Word("split", "figure", "Which rows are scored", "Rows that were rightly said to be scored or not."),
    Word(
        "seconds",
        "figure",
        "Where a run's time went",
        "Encoding queries, scoring them, decoding the scores.",
        ("encode", "score", "decode"),
    ),
    Word(
        "trial",
        "term",
        "One labeling attacked",
        "`plan run --trials` says how many; each has labels of its own.",
        ("trials",),
    ),
    Word("seed", "term", "Of all that is random in a run", "Runs of the same seed are the same."),
    # -- parts of a report --
    Word(
        "Why not",
        "term",
        "Reasons why attacks do not apply",
        "Settings alone keep these out, and they would do better than what is certified. --explain tells all.",
    ),
    Word(
        "Limits",
        "term",
        "Proofs of what no attack can do",
        "Each excludes numbers of queries, or says why it is silent.",
        ("limit",),
    ),
    Word(
        "Expectations",
        "term",
        "What the file relies on",
        "`expect` lines; `plan check` makes a gate of them.",
        ("expectation", "expected"),
    ),
    Word(
        "Proof of", "term", "Every step and inequality", "Of the best attack and of each limit: --explain prints them."
    ),
    Word(
        "guarantee",
        "term",
        "What a certificate promises",
        "For which labelings, which errors, and with what probability.",
    ),
    Word(
        "certificate",
        "term",
        "The proof that an attack works here",
        "A promise, the obligations by which the channel lets it count, and inequalities between rigorous enclosures.",
        ("certified", "as certified"),
    ),
    Word(
        "at the attacker",
        "term",
        "What the attack costs whoever runs it",
        "Operations, memory, and the bits of a prediction.",
    ),
    Word(
        "Costs",
        "term",
        "What a setting costs honest participants",
        "How far it moves the score of a model that is right on 95%, in standard errors of that score.",
    ),
    Word("Mind", "term", "What to keep in mind", "What a setting does not do, and what it costs."),
    Word("Why", "term", "The proofs of what is proposed", "A limit for each setting."),
    Word(
        "What each knob does alone",
        "term",
        "One setting changed, all others as they are",
        "Beside the ranked list, which has pairs.",
    ),
    Word(
        "budget",
        "term",
        "Submissions that everybody who works together may make",
        "`queries` in the scenario; the reports say *allowed*.",
        ("allowed",),
    ),
    Word(
        "scored",
        "term",
        "Rows that the score is computed on",
        "All of them, or a part that nobody knows (`public`). An attack on such a board covers rows: it tells the label of "
        "each that is scored, and nothing of the others.",
        ("covered", "covers", "scored rows", "if scored", "where scored"),
    ),
    Word("base point", "term", "The first point of the sweeps", "What `plan FILE` plans."),
    # -- what a change of configuration does --
    Word(
        "worse",
        "verdict",
        "The new board gives away more",
        "The verdict, the share that is exposed or the ceiling went up, and none of them down.",
    ),
    Word(
        "better",
        "verdict",
        "The new board gives away less",
        "The verdict, the share that is exposed or the ceiling went down, and none of them up.",
    ),
    Word("mixed", "verdict", "Worse in one figure and better in another", "Look at each line."),
    Word("same", "verdict", "No figure changed", "Verdict, exposed share and ceiling are as they were."),
    Word("added", "verdict", "Only the new file has the scenario", "There is nothing to compare it with."),
    Word("removed", "verdict", "Only the old file has the scenario", "Nothing is said of it any more."),
    Word("changed", "figure", "Fields that hold another value", "As they are written in each file."),
    # -- symbols --
    Word(
        "W",
        "symbol",
        "The largest spread of charges of one row",
        "How far the sum moves when one label is another. Queries weigh labels by parts of it.",
    ),
    Word(
        "E",
        "symbol",
        "The largest error of the sum",
        "Scores times rows: rounding, noise within its bound, floating-point errors. Two labelings whose sums differ by more "
        "than 2E in some query are told apart.",
    ),
    Word(
        "dev",
        "symbol",
        "What rows are off by",
        "Predictions that a format can hold charge nearly what was meant; this is the rest.",
    ),
    Word(
        "gap", "symbol", "The least difference of two sums", "Of labelings that a query tells apart, in the units of W."
    ),
    Word("unit", "symbol", "The weight of 1 in a design", "Weights are whole numbers of it."),
    Word("amplitude", "symbol", "The largest weight, in units", "W holds unit times amplitude."),
    Word(
        "A",
        "symbol",
        "Answers that one query can have",
        "Different scores that can be shown for it: log2 A bits at most.",
    ),
    Word("L", "symbol", "Levels of a board that remembers", "Between where it starts and the best score there is."),
    Word("M", "symbol", "Queries", "How many are asked."),
    Word(
        "D",
        "symbol",
        "Labels in which two labelings differ",
        "In the ceiling: the share of labels that come out wrong.",
    ),
    Word(
        "V",
        "symbol",
        "Labelings within what the goal allows to be wrong",
        "Of one labeling: log2 V bits need not be told.",
    ),
    Word("δ", "symbol", "The probability that may fail", "1 - confidence.", ("delta",)),
    Word("τ", "symbol", "The bound of bounded noise", "No score is off by more.", ("tau",)),
    Word("σ", "symbol", "The standard deviation of Gaussian noise", "Of one score.", ("sigma",)),
    Word("η", "symbol", "The step of a Ladder", "By which a score must beat what is shown.", ("eta",)),
    Word(
        "ε",
        "symbol",
        "How much an answer may change the odds of a label",
        "Of `response`: labels are flipped so that nobody's odds for a label change by more than a factor of e^ε.",
        ("epsilon",),
    ),
    Word("P", "symbol", "A probability", "Over noise and coins, whatever the labels are.", ("p",)),
    Word(
        "e",
        "symbol",
        "The error of a score beside its noise",
        "Rounding and arithmetic; e_f is the floating-point part.",
        ("e_f",),
    ),
    Word("g", "symbol", "The gap of a sum", "As in gap.", ("h",)),
    Word("q", "symbol", "The step of shown scores", "10^-decimals; a cell of sums is N q wide."),
    Word(
        "scoregate",
        "term",
        "The gate that comes with this",
        "A library for organisers (`threatplan.scoregate`): it keeps the labels and shows scores through a release such as "
        "`ladder(η)`, or with labels that were flipped, and writes down what it showed.",
    ),
    Word(
        "gate",
        "term",
        "What stands in between",
        "In a pipeline `plan check`: it is shut, with exit code 1, while an expectation does not hold. Between labels and "
        "those who submit a program of one's own, as scoregate is.",
    ),
    Word(
        "levels",
        "term",
        "What a score may be shown as",
        "Where a board shows multiples of a step alone, or only what is better than before: each is a level, and fewer of "
        "them tell less.",
        ("level",),
    ),
    Word(
        "set right",
        "term",
        "An honest score is worked out from what is shown",
        "Scores of flipped labels are off by a known share: (a - π) / (1 - π K/(K-1)) is the accuracy on the labels as they "
        "are stored, π = (K-1)/(e^ε + K-1).",
    ),
    Word("labeling", "term", "All labels at once", "K^N of them, unless a guess leaves fewer.", ("labelings",)),
    Word(
        "idle rows",
        "term",
        "Rows whose label a query does not ask about",
        "They charge the same whatever their label is.",
    ),
    Word("answers", "term", "Scores that can be shown", "See A."),
)
