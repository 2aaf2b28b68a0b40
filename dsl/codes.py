"""Every diagnostic code: what it means, and a file that shows it. `plan explain T012` reads from here."""

from __future__ import annotations

from typing import Final, NamedTuple


class Code(NamedTuple):
    """One kind of fault; from T100 on, of warning."""

    title: str
    explanation: str
    example: str = ""  # a text that gives this diagnostic; empty where no text does


def _body(*lines: str) -> str:
    return "scenario s {\n" + "".join(f"    {line}\n" for line in lines) + "}\n"


_N: Final = "N = 1000"

CODES: Final[dict[str, Code]] = {
    "T001": Code("the file cannot be read", "It does not exist, is a directory, or may not be opened."),
    "T002": Code("not UTF-8", "A `.threat` file is text in UTF-8, with or without a byte-order mark."),
    "T003": Code("a NUL byte", "Text holds no NUL bytes; the file is binary, or UTF-16.", "scenario s { \0 }"),
    "T004": Code("the file is too large", "Files of more than 8 MiB are not read."),
    "T005": Code(
        "too long, or nested too deeply",
        "A value has at most 250 words and signs, and is nested less deeply; a sweep lists at most 10,000 values; "
        "a scenario has at most 1,000 statements.",
        _body("N = " + "(" * 300 + "1" + ")" * 300),
    ),
    "T006": Code("no scenario", "A file must hold at least one scenario.", "# nothing but a comment\n"),
    "T007": Code(
        "a control character",
        "Text holds no control characters but tabs and line ends: a terminal would obey them.",
        'scenario s "\x1b[2J" { N = 1000 }',
    ),
    "T010": Code("unexpected character", "The language has no use for this character.", _body("N = 5 $ 3")),
    "T011": Code("unexpected word", "Something else has to stand here.", _body("N = 25 000")),
    "T012": Code("unknown field", "No field has this name.", _body(_N, "quries <= 300")),
    "T013": Code("unclosed string", 'A string ends with `"` on its own line.', 'scenario s "title {\n}\n'),
    "T014": Code("malformed number", "This is neither a number nor a name.", _body("N = 25k")),
    "T015": Code("braces do not match", "Every `{` has its `}`.", "scenario s {\n    N = 1000\n"),
    "T016": Code(
        "wrong relation",
        "`queries` is an upper bound, written `<=`; every other field, and a sweep, is set with `=`.",
        _body(_N, "queries = 300"),
    ),
    "T020": Code(
        "two scenarios of one name",
        "Names are how a file's scenarios refer to each other, so each is used once.",
        _body(_N) + _body(_N),
    ),
    "T021": Code("set twice", "A field, or a sweep of it, stands once in a scenario.", _body(_N, "N = 2000")),
    "T022": Code("unknown parent", "A scenario inherits from one of the same file.", "scenario s : base {\n}\n"),
    "T023": Code(
        "inherits from itself",
        "Following the parents leads back to where it began.",
        "scenario a : b {\n}\nscenario b : a {\n}\n",
    ),
    "T024": Code("N is missing", "Every scenario says how many labels are hidden.", _body("K = 2")),
    "T025": Code(
        "depends on itself",
        "Fields may refer to each other in any order, but not in a circle.",
        _body("N = 2*K", "K = N/2"),
    ),
    "T026": Code(
        "unknown name",
        "Numbers may refer to the numeric fields of the same scenario.",
        _body(_N, "queries <= M/5"),
    ),
    "T027": Code("unknown noise", "This is none of the laws of noise.", _body(_N, "noise = gausian(0.1)")),
    "T028": Code("unknown function", "No function has this name.", _body(_N, "queries <= log(N)")),
    "T029": Code(
        "unknown version",
        "A preset that depends on the version covers certain ones.",
        _body(_N, 'scorer = sklearn("0.1")'),
    ),
    "T030": Code("not a number", "A number is needed here.", _body("N = none")),
    "T031": Code("N is not a positive integer", "There is a whole number of labels.", _body("N = 2.5")),
    "T032": Code("K is below 2", "Labels have at least two classes.", _body(_N, "K = 1")),
    "T033": Code("clip out of range", "A clip lies strictly between 0 and 1/2.", _body(_N, "clip = 15")),
    "T034": Code("unknown scorer", "No preset has this name.", _body(_N, "scorer = sklern")),
    "T035": Code(
        "not a share",
        "`goal` and `guess` are above 0 and at most 100%; `confidence` is below 100%.",
        _body(_N, "goal = 120%"),
    ),
    "T036": Code(
        "columns do not fit K",
        "A row holds one probability for each class; for two classes one column is enough.",
        _body(_N, "K = 3", "columns = 1"),
    ),
    "T037": Code("no such choice", "The field holds one of a few words.", _body(_N, "time = polynomal")),
    "T038": Code("negative budget", "A budget is zero or more.", _body(_N, "queries <= -1")),
    "T039": Code("out of range", "A number of bits or digits is too small.", _body(_N, "decimals = -1")),
    "T040": Code("division by zero", "The divisor is exactly zero.", _body("N = 1/0")),
    "T041": Code(
        "too large",
        "Numbers on the way stay between 2^-4096 and 2^4096; N is at most 10^18, K at most 10^6.",
        _body("N = 9^9^9^9"),
    ),
    "T042": Code("undefined", "The function has no value there.", _body("N = sqrt(-1)")),
    "T043": Code(
        "too close to tell",
        "An irrational value lies so close to a whole number that 4096 bits do not tell on which side.",
        _body("N = 1000", "queries <= sqrt(2)*sqrt(2)"),
    ),
    "T044": Code("wrong number of arguments", "Each function and law takes its own.", _body("N = sqrt(1, 2)")),
    "T045": Code(
        "impossible noise",
        "A bound is not negative, a scale is above zero, alpha is below 1, and a < b.",
        _body(_N, "noise = bounded(-0.1)"),
    ),
    "T046": Code(
        "formats of two kinds",
        "Predictions and scores are both in floating point, both in fixed point, or both exact.",
        _body(_N, "phi = 64", "score_phi = float64"),
    ),
    "T047": Code(
        "a field that the metric does not know",
        "Probabilities are clipped to keep logarithms finite; a metric without logarithms needs no clip, one of classes no "
        "columns.",
        _body(_N, "metric = brier", "clip = 1e-15"),
    ),
    "T048": Code(
        "classes that the metric does not know",
        "The metric compares one number with a label that is 0 or 1; of three classes or more nothing is proved.",
        _body(_N, "K = 3", "metric = mse"),
    ),
    "T049": Code(
        "not a count of labels",
        "`positives` says how many of the labels of two classes are 1: a whole number, at most N.",
        _body(_N, "positives = 1001"),
    ),
    "T050": Code("a range outside a sweep", "`a..b` lists the points of a sweep.", _body("N = 1..5")),
    "T051": Code("a range that makes no sense", "Ends and step do not fit.", _body(_N, "sweep N = 1..5 step 0")),
    "T052": Code(
        "two kinds of knowledge",
        "A known number of ones is a guess by itself: all labels of the commoner class.",
        _body(_N, "guess = 99%", "positives = 10"),
    ),
    "T053": Code(
        "a sweep that depends on a sweep",
        "Sweeps form a product; the values of one cannot follow another.",
        _body(_N, "sweep N = 10, 20", "sweep queries = 1..N"),
    ),
    "T054": Code(
        "predictions that the metric does not take",
        "Each metric is computed of rows of its own kind: probabilities, classes, or any numbers. A board that shows the "
        "log-loss of probabilities and their accuracy, cut at one half, is a scenario for each score. What one score gives "
        "away is given away. An `impossible` of each alone is no proof for both together.",
        _body(_N, "metric = brier", "predictions = class"),
    ),
    "T055": Code(
        "not a part of the rows",
        "`public` says how many of the N submitted rows are scored: at least one, at most N.",
        _body(_N, "public = 1001"),
    ),
    "T056": Code(
        "a secret part, and knowledge of labels",
        "Nothing is proved of an attacker who knows something of the labels beforehand where a part of the rows is scored. "
        "Leave out what is known: an attack that needs no knowledge works for whoever has some, but an impossible is no "
        "proof against them. What knowledge changes where all rows are scored is seen without `public`.",
        _body(_N, "guess = 99%", "public = 30%"),
    ),
    "T057": Code(
        "the split of a part of the labels",
        "Which rows are scored is one secret: it is found whole, or not asked for.",
        _body(_N, "public = 30%", "goal = 90%", "find = labels_and_split"),
    ),
    "T058": Code("unknown release", "This is none of the releases.", _body(_N, "release = laddr(0.01)")),
    "T059": Code(
        "impossible release",
        "Steps, starts and levels are above zero; `changes` takes a whole number, the first score being one of them.",
        _body(_N, "release = ladder(0)"),
    ),
    "T060": Code(
        "unknown expectation",
        "Expected is a verdict, or a comparison on queries, exposure, ceiling, m or bits.",
        _body(_N, "expect safe"),
    ),
    "T061": Code(
        "an expectation that cannot be evaluated",
        "It is compared with something that has no number here.",
        _body(_N, "expect queries <= noise"),
    ),
    "T062": Code("contradiction", "A scenario has one verdict.", _body(_N, "expect feasible", "expect impossible")),
    "T063": Code(
        "several scores, and a release",
        "What a board tells that keeps back some of several scores is not known.",
        _body(_N, "metric = several(log_loss, brier)", "release = best"),
    ),
    "T064": Code(
        "impossible response",
        "Epsilon says how much the odds of a label may change: above 0, or labels are flipped to pure chance.",
        _body(_N, "response = 0"),
    ),
    "T065": Code(
        "flipped labels, and a secret part",
        "Nothing is proved of labels that were flipped where a part of the rows is scored.",
        _body(_N, "response = 2", "public = 30%"),
    ),
    "T066": Code("not a count of accounts", "Whoever submits has an account.", _body(_N, "accounts = 0")),
    "T067": Code(
        "a sum that the scorer does not show",
        "Some libraries show the mean of the losses, and nothing else.",
        _body(_N, "scorer = xgboost", "reduction = sum"),
    ),
    "T101": Code("noise that changes nothing", "A bound of zero is no noise.", _body(_N, "noise = bounded(0)")),
    "T102": Code(
        "noise off centre",
        "Both ends have the same sign: every score is moved the same way.",
        _body(_N, "noise = uniform(0.1, 0.2)"),
    ),
    "T103": Code("more decimals than digits", "The format has no more digits.", _body(_N, "decimals = 30")),
    "T104": Code("a budget of nothing", "Nobody may submit at all.", _body(_N, "queries <= 0")),
    "T105": Code(
        "low confidence",
        "`confidence` is the probability of success, not of failure.",
        _body(_N, "noise = gaussian(0.1)", "confidence = 1%"),
    ),
    "T106": Code(
        "confidence without chance",
        "Neither the noise is random here, nor does an attacker toss coins, as against rounded scores.",
        _body(_N, "confidence = 95%"),
    ),
    "T107": Code("a goal that guessing reaches", "Ask for more than 1/K.", _body(_N, "goal = 50%")),
    "T108": Code("a very large clip", "Predictions are squeezed to almost nothing.", _body(_N, "clip = 0.1")),
    "T109": Code("more classes than labels", "N and K may be the wrong way round.", _body("N = 2", "K = 1000")),
    "T110": Code(
        "arithmetic that the scorer does not have",
        "Real scorers compute in IEEE formats.",
        _body(_N, "scorer = sklearn", "phi = arbitrary"),
    ),
    "T111": Code("nothing to renormalise", "A row has a single column.", _body(_N, "renormalises = yes")),
    "T112": Code(
        "a range of one point",
        "The step is 1 unless it is given.",
        _body(_N, "sweep goal = 0.6..0.9"),
    ),
    "T113": Code("less than one label", "Exposure and ceiling count labels.", _body(_N, "expect exposure <= 0.5")),
    "T114": Code("a value twice", "A sweep lists a value twice.", _body(_N, "sweep N = 10, 10")),
    "T115": Code(
        "more columns than the scorer takes",
        "The scorer takes the probabilities of two classes in one column.",
        _body(_N, "K = 3", "scorer = torch_bce"),
    ),
    "T116": Code(
        "a guess that tells nothing",
        "Whoever knows nothing gets one label in K right.",
        _body(_N, "guess = 50%"),
    ),
    "T117": Code(
        "a goal that the guess meets",
        "As many labels may come out wrong as the guess has wrong: nothing is left to find out.",
        _body(_N, "guess = 99%", "goal = 99%"),
    ),
    "T118": Code(
        "a platform without a budget",
        "What a platform allows is its organiser's choice, so that `queries` is never filled in. `queries <= unlimited` says "
        "that nothing limits them.",
        _body(_N, "platform = codabench"),
    ),
    "T119": Code(
        "a single scored row",
        "`public = 1` counts: one row is scored. All of them are `public = all`, a share has a percent sign.",
        _body(_N, "public = 1"),
    ),
    "T120": Code(
        "a character that cannot be seen",
        "Bidirectional marks, joiners and fillers make a text look like another; they are shown by their numbers.",
        'scenario s "90\u202e%" { N = 1000 }',
    ),
    "T121": Code(
        "a ceiling below what guessing gives",
        "Whoever sees no score gets one label in K right, or what `guess` or `positives` says: no setting has a lower "
        "ceiling. A number without a percent sign counts labels.",
        _body(_N, "expect ceiling <= 70"),
    ),
}
