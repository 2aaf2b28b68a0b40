"""Known scorers: what each does to a submission and shows of its score, and how that is known.

Values are in the words of the language itself, and go through the same checks as a file's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

FILLED: Final = ("phi", "score_phi", "clip", "decimals", "summation", "renormalises", "checks", "abstain")


class Release(NamedTuple):
    """A scorer as it behaves from one version up to another."""

    fields: Mapping[str, str]
    provenance: str
    first: tuple[int, int] = (0, 0)
    last: tuple[int, int] = (0, 0)
    any_sums: bool = False  # it is known to charge rows of a column a class as they are, whatever they sum to

    @property
    def versions(self) -> str:
        """The versions it covers, in words; empty where versions do not matter."""
        if self.first == self.last == (0, 0):
            return ""
        low, high = (f"{major}.{minor}" for major, minor in (self.first, self.last))
        return low if low == high else f"{low} to {high}"


class Preset(NamedTuple):
    """A scorer by name, its releases from the oldest to the newest."""

    name: str
    title: str
    releases: tuple[Release, ...]
    sums: bool = False  # it can be told to show the sum of charges
    one_column: bool = False  # it takes the probabilities of two classes in one column, and nothing else

    @property
    def versioned(self) -> bool:
        """Whether the version matters."""
        return bool(self.releases[0].versions)

    def release(self, version: tuple[int, int] | None) -> Release | None:
        """The release that a version belongs to; the newest without one."""
        if version is None:
            return self.releases[-1]
        return next((each for each in self.releases if each.first <= version <= each.last), None)


def fill(release: Release, dtype: str) -> Mapping[str, str]:
    """What a release fills in where predictions come in `dtype`; empty: in no floating-point format.

    A scorer adds up in a floating-point format only what comes in one.
    """
    filled = dict(release.fields)
    if filled.get("clip") == EPSILON:
        filled["clip"] = EPSILONS.get(dtype, EPSILONS["float64"])
    if not dtype and "score_phi" in filled:
        filled["score_phi"] = "phi"
    return filled


EPSILON: Final = "epsilon"  # the clip is the machine epsilon of the submission's format
EPSILONS: Final = {"float16": "2^-10", "float32": "2^-23", "float64": "2^-52"}

_NUMPY: Final = {"phi": "float64", "score_phi": "float64", "summation": "pairwise", "decimals": "full"}
_SKLEARN: Final = {**_NUMPY, "abstain": "yes"}  # accuracy_score compares whatever classes it is given
_ANY_ORDER: Final = {"summation": "sequential"}  # the error bound of a running sum covers every order

PRESETS: Final[dict[str, Preset]] = {
    preset.name: preset
    for preset in (
        Preset(
            "sklearn",
            "scikit-learn's log_loss",
            (
                Release(
                    {**_SKLEARN, "clip": "1e-15", "renormalises": "yes", "checks": "no"},
                    "run: clips to 1e-15 (largest loss 34.5388), then divides each row by its sum without a "
                    "word; values outside [0, 1] are clipped too; numpy's mean in float64, whatever the submission's "
                    "format: its integer labels widen every "
                    "product (1.1: logarithms of a float32 submission in float32, their sum in float64)",
                    (0, 15),
                    (1, 1),
                ),
                Release(
                    {**_SKLEARN, "clip": EPSILON, "renormalises": "yes", "checks": "no"},
                    "run: clips to the epsilon of the submission's format (float64 2^-52, largest loss "
                    "36.0437); still divides each row by its sum, and warns of it from 1.3; logarithms and their mean "
                    "in float64 for float32 and float16 submissions too",
                    (1, 2),
                    (1, 4),
                ),
                Release(
                    {**_SKLEARN, "clip": EPSILON, "renormalises": "no", "checks": "no"},
                    "run (1.6): clips to the epsilon of the submission's format, values outside [0, 1] too; rows that do "
                    "not sum to 1 are charged as they are, with a warning; logarithms and their mean in float64 for "
                    "float32 and float16 submissions too",
                    (1, 5),
                    (1, 6),
                    any_sums=True,
                ),
                Release(
                    {**_SKLEARN, "clip": EPSILON, "renormalises": "no", "checks": "yes"},
                    "run (1.8): as 1.6, but a value outside [0, 1] raises",
                    (1, 7),
                    (1, 8),
                    any_sums=True,
                ),
                Release(
                    {**_SKLEARN, "score_phi": "phi", "clip": EPSILON, "renormalises": "no", "checks": "yes"},
                    "run: as 1.8, but a float32 or float16 submission is also added up in its own format; accuracy_score "
                    "takes a class that does not exist, as its source did before",
                    (1, 9),
                    (1, 9),
                    any_sums=True,
                ),
            ),
            sums=True,  # normalize=False
        ),
        Preset(
            "torch_bce",
            "PyTorch's binary_cross_entropy",
            (
                Release(
                    {
                        **_ANY_ORDER,
                        "phi": "float32",
                        "score_phi": "phi",
                        "clip": "exp(-100)",
                        "renormalises": "no",
                        "checks": "yes",
                        "decimals": "full",
                    },
                    "run (2.13): logarithms are not let below -100; computes in the input's format, float32 "
                    "unless told otherwise; a value outside [0, 1] raises; `.item()` gives the score in full, printing "
                    "it 4 decimals",
                ),
            ),
            sums=True,  # reduction="sum"
            one_column=True,
        ),
        Preset(
            "keras",
            "Keras 3's binary and categorical cross-entropy",
            (
                Release(
                    {
                        **_ANY_ORDER,
                        "phi": "float32",
                        "score_phi": "phi",
                        "clip": "1e-7",
                        "renormalises": "yes",
                        "checks": "no",
                        "decimals": "4",
                    },
                    "run (3.15): clips to 1e-7 (loss 16.118 at p = 0, 15.942 at p = 1) in float32; the "
                    "categorical form divides by the row sum first; prints 4 decimals",
                ),
            ),
        ),
        Preset(
            "xgboost",
            "XGBoost's logloss and mlogloss",
            (
                Release(
                    {
                        **_ANY_ORDER,
                        "phi": "float32",
                        "score_phi": "float64",
                        "clip": "1e-16",
                        "renormalises": "no",
                        "checks": "no",
                        "decimals": "5",
                    },
                    "run (3.2): clips to 1e-16 (largest loss 36.841); rows and logarithms in float32, the sum in "
                    "double; logs 5 decimals, though `Booster.eval` gives the double in full; raw predictions outside "
                    "[0, 1] are taken as they are (p = inf shows -inf exactly where the label is 1)",
                ),
            ),
        ),
        Preset(
            "lightgbm",
            "LightGBM's binary_logloss",
            (
                Release(
                    {
                        **_ANY_ORDER,
                        "phi": "float64",
                        "score_phi": "float64",
                        "clip": "9_444_733/2^73",
                        "renormalises": "no",
                        "checks": "no",
                        "decimals": "significant(6)",
                    },
                    "read in its source: clips to 1e-15 held in single precision, which is 1.0000000036e-15; sums "
                    "in double, prints 6 significant digits; run (4.7): raw predictions outside [0, 1] are taken as they "
                    "are",
                ),
            ),
        ),
        Preset(
            "kaggle",
            "Kaggle's classic log loss",
            (
                Release(
                    {
                        **_ANY_ORDER,
                        "phi": "float64",
                        "score_phi": "float64",
                        "clip": "1e-15",
                        "renormalises": "yes",
                        "checks": "no",
                        "decimals": "5",
                    },
                    "from published descriptions: clips to 1e-15, divides multiclass rows by their sum, "
                    "shows 5 decimals; how it sums and what it refuses is not known, so any order and any value is "
                    "allowed for; newer competitions state the scikit-learn rule instead",
                ),
            ),
        ),
        Preset(
            "ml_metrics",
            "the ml_metrics package's log_loss",
            (
                Release(
                    {**_NUMPY, "clip": "none", "renormalises": "no", "checks": "no"},
                    "read in its source: no clip, so that a probability of 0 on the true class scores inf; "
                    "float64, numpy's mean; nothing is checked",
                ),
            ),
        ),
    )
}


def takes_any_sums(name: str, version: str | None) -> bool:
    """Whether a scorer is known to charge rows as they are, whatever they sum to; of a version nobody knows: no."""
    parts = ["0", "0"] if version is None else [part for part in version.split(".")[:2] if part.isdigit()]
    if name not in PRESETS or len(parts) < 2:
        return False
    release = PRESETS[name].release(None if version is None else (int(parts[0]), int(parts[1])))
    return release is not None and release.any_sums
