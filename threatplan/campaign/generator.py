"""Random scenarios over the whole language, crowded where mistakes would show.

Scenario number i of a seed depends on nothing but the seed and i. What is made is text, so the language is tried with
the planner: formulas, percentages, powers and presets as people write them. Most sizes are small: the boundaries
between feasible and impossible lie at all sizes, and small ones are simulated in milliseconds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final

from dsl.checking.metrics import BY_NAME, METRICS, Metric, rows_taken
from dsl.checking.platforms import PLATFORMS
from dsl.checking.presets import PRESETS
from dsl.scenario import Several

LOG_LOSS: Final = METRICS[0]
HALF: Final = BY_NAME["half_brier"]
OTHERS: Final = tuple(metric for metric in METRICS[1:] if metric is not HALF)
SMALLEST_NORMAL: Final = {"float16": 14, "float32": 126, "float64": 1022}
SCORER_BITS: Final = 50  # about what the presets' clips leave
FACTORS: Final = (1, 1, 0.999, 1.001, 0.5, 0.25, 0.125, 1 / 3)  # of the edge
CLIPS: Final = {
    "none": 0.0, "1e-15": 1e-15, "1e-7": 1e-7, "2^-52": 2.0**-52, "2^-23": 2.0**-23, "1e-16": 1e-16,
    "1e-3": 1e-3, "0.1": 0.1, "0.4": 0.4, "1/3": 1 / 3, "49%": 0.49,
}  # fmt: skip
OTHER_METRIC: Final = 0.45  # how often two classes are scored by another metric than log-loss, where it is known
SKEWED: Final = 0.25  # how often factors have another bound above 1 than below
TOGETHER: Final = 0.15  # how often others come back with it
UNIT_REACH: Final = 1.0  # of a row in any of them
RELEASED: Final = 0.12  # how often scores are not simply shown
SUMMED: Final = 0.1  # how often a log-loss is said to be a mean or a sum
FLIPPED: Final = 0.05  # how often labels are flipped before they are scored
PLACED: Final = 0.05  # how often a platform is named
INFORMED: Final = 0.25  # how often something is known of the labels beforehand
DIVIDED: Final = 0.2  # how often a part of the rows is scored
MOST_DRAWN: Final = 10_000  # scenarios until one sets a field
EVEN: Final = 0.5  # how often a field is left to its default, where nothing speaks against it


def random_scenario(seed: int, index: int, field: str | None = None) -> str:
    """The text of scenario number `index`; with a field, the first of its own sequence that sets it."""
    for attempt in range(MOST_DRAWN):
        lines = _drawn(f"{seed} {index}" if field is None else f"{seed} {index} {field} {attempt}")
        if field is None or any(line.startswith(f"{field} ") for line in lines):
            fields = "\n".join(f"    {line}" for line in lines)
            return f"scenario random_{index} {{\n{fields}\n}}\n"
    raise ValueError(f"no scenario sets `{field}`")


def _drawn(name: str) -> list[str]:
    draw, metric = Random(f"threatplan campaign {name}"), Random(f"threatplan campaign metric {name}")
    chosen = metric.choice(OTHERS) if metric.random() < OTHER_METRIC else LOG_LOSS
    maker = _Maker(draw, _halved(Random(f"threatplan campaign half {name}"), chosen))
    if maker.K == 2:
        maker.beside = _beside(Random(f"threatplan campaign beside {name}"), maker.metric)
    maker.reduction = _reduction(Random(f"threatplan campaign reduction {name}"), maker)
    knowledge, platform = (Random(f"threatplan campaign {what} {name}") for what in ("knowledge", "platform"))
    lines = [*maker.lines(), *_rows(metric, maker), *_knowledge(knowledge, maker), *_platform(platform)]
    lines += _release(Random(f"threatplan campaign release {name}"), maker)
    lines += _response(Random(f"threatplan campaign response {name}"))
    return [*lines, *_part(Random(f"threatplan campaign part {name}"), maker, lines)]


class _Maker:
    """Draws the fields of one scenario, the later ones in sight of the earlier.

    The metric has coins of its own: a scenario of log-loss is the same whether or not others are drawn.
    """

    def __init__(self, draw: Random, metric: Metric = LOG_LOSS) -> None:
        self.draw = draw
        self.N = _size(draw)
        self.K = draw.choices((2, 3, 4, 5, 8, 10), (60, 14, 9, 6, 5, 6))[0]
        self.scorer = _preset(draw, self.K)
        self.phi = _submitted(draw) if self.scorer else _precision(draw)
        self.clip = None if self.scorer and draw.random() < 0.8 else _clip(draw)
        self.random_noise = False
        self.metric = metric if _knows(metric, self.K, self.scorer, self.phi) else LOG_LOSS
        self.beside: tuple[Metric, ...] = ()  # scores that come back with it
        self.reduction: str | None = None  # what is said of it
        if not self.metric.clips:
            self.clip = None

    def lines(self) -> Iterator[str]:
        """The lines of the scenario's body."""
        yield f"N = {self.N}"
        if self.metric is not LOG_LOSS:
            yield f"metric = {self._scores()}"
        if self.reduction:
            yield f"reduction = {self.reduction}"
        if self.K > 2 or self.draw.random() < EVEN:
            yield f"K = {self.K}"
        for name, value in (("scorer", self.scorer), ("phi", self.phi), ("clip", self.clip)):
            if value is not None:
                yield f"{name} = {value}"
        yield from self._noise()
        yield from self._shown()
        yield from self._form()
        yield from self._attacker()

    @property
    def divisor(self) -> int:
        """Of the sum of charges."""
        return 1 if self.reduction == "sum" else self.N

    def _scores(self) -> str:
        names = ", ".join(one.name for one in (self.metric, *self.beside))
        return f"several({names})" if self.beside else names

    def _noise(self) -> Iterator[str]:
        kind = self.draw.choices(list(NOISES), [weight for weight, _ in NOISES.values()])[0]
        self.random_noise = kind in RANDOM
        if kind != "none":
            yield f"noise = {NOISES[kind][1](self)}"

    def _shown(self) -> Iterator[str]:
        chance = self.draw.random()
        if chance < 0.25:
            yield f"decimals = {self._boundary_digits()}"
        elif chance < 0.45:
            yield f"decimals = {self.draw.randint(0, 9)}"
        elif chance < 0.47:
            yield f"decimals = percent({max(0, self._boundary_digits() - 2)})"
        elif chance < 0.5:
            yield f"decimals = truncated({self.draw.choice((self._boundary_digits(), self.draw.randint(0, 9)))})"
        elif chance < 0.63:
            yield f"decimals = significant({self.draw.randint(1, 9)})"

    def _form(self) -> Iterator[str]:
        """How a submission looks and is added up; what makes no sense for the metric is drawn and left out."""
        for line in self._forms():
            if not any(line.split()[0] in one.senseless for one in (self.metric, *self.beside)):
                yield line

    def _forms(self) -> Iterator[str]:
        if self.K == 2 and self.draw.random() < EVEN:
            columns = self.draw.choice(("1", "2", "K"))
            yield f"columns = {columns if self.metric is LOG_LOSS else '1'}"
        if self.draw.random() < 0.3:
            yield f"summation = {self.draw.choice(('pairwise', 'sequential'))}"
        if self.draw.random() < 0.2:
            yield f"renormalises = {self.draw.choice(('yes', 'no'))}"
        if self.draw.random() < 0.1:
            yield f"checks = {self.draw.choice(('yes', 'no'))}"
        if self.draw.random() < 0.2:
            yield f"score_phi = {self._score_format()}"

    def _score_format(self) -> str:
        """A format of the kind of the predictions', finer or coarser."""
        if self.phi is None or self.phi.startswith("float"):
            return self.draw.choice(("phi", "float16", "float32", "float64", "float64"))
        return "phi" if self.phi == "arbitrary" else f"fixed({self.draw.randint(1, 24)}, {self.draw.randint(1, 48)})"

    def _attacker(self) -> Iterator[str]:
        draw = self.draw
        if draw.random() < 0.6:
            yield f"queries <= {draw.choice(BUDGETS)(draw, self.N)}"
        if draw.random() < 0.3:
            yield f"time = {draw.choice(('polynomial', 'exponential'))}"
        if draw.random() < 0.4:
            yield f"adaptive = {draw.choice(('yes', 'no', 'no'))}"
        if draw.random() < 0.25:
            yield f"goal = {draw.choice(('99%', '90%', '3/4', '60%', '1 - 1/N' if self.N > 1 else '1'))}"
        if self.random_noise or draw.random() < 0.1:
            yield f"confidence = {draw.choices(*CONFIDENCES)[0]}"

    def reach(self) -> float:
        """About the largest weight of a row: what noise and digits are to be compared with."""
        if self.metric is not LOG_LOSS:
            return UNIT_REACH
        if self.clip is not None and (clip := CLIPS.get(self.clip, 0.0) or _number(self.clip)):
            return max(0.02, math.log(1 / clip - 1))
        return math.log(2) * (SCORER_BITS if self.scorer else _range_bits(self.phi))

    def size(self) -> float:
        """A size of noise, often at the edge 2 N tau = W."""
        if self.draw.random() < 0.4:
            return 10 ** self.draw.uniform(-7, 1)
        return self.reach() / (2 * self.divisor) * self.draw.choice((*FACTORS, self.draw.uniform(0.02, 2)))

    def bound(self) -> str:
        """A noise bound, as a number or as a formula."""
        if self.draw.random() < 0.2:
            return self.draw.choice((f"1/{self.draw.randint(2, 4000)}", "sqrt(2)/1000", "1/(8*N)", "ln(2)/N"))
        return f"{self.size():.{self.draw.choice((1, 3, 8))}e}"

    def interval(self) -> str:
        """The law uniform(a, b), around zero or not."""
        width = self.size()
        shift = self.draw.choice((0.0, 0.0, width / 3, -2 * width))
        return f"uniform({shift - width:.6e}, {shift + width:.6e})"

    def magnitude(self, low: float, high: float) -> str:
        """A positive number of any size between two powers of ten."""
        return f"{10 ** self.draw.uniform(low, high):.{self.draw.choice((0, 2, 5))}e}"

    def _boundary_digits(self) -> int:
        """Decimals at which half a unit, N times over, is about half of W."""
        edge = math.log10(self.divisor / self.reach())
        return max(0, math.ceil(edge) + self.draw.choice((-1, 0, 0, 1, 1, 2, 3)))


def _reduction(draw: Random, maker: _Maker) -> str | None:
    """Whether a mean or a sum is shown, by coins of its own, where the scorer can be told to."""
    able = maker.scorer is None or PRESETS[maker.scorer.split("(")[0]].sums
    if not maker.metric.sums or not able or draw.random() >= SUMMED:
        return None
    return draw.choice(("sum", "sum", "sum", "mean"))


def _knowledge(draw: Random, maker: _Maker) -> Iterator[str]:
    """What is known of the labels, by coins of its own: a scenario without is the same whether or not others are drawn."""
    if draw.random() >= INFORMED:
        return
    if maker.K == 2 and draw.random() < 0.3:
        yield f"positives = {draw.randint(0, maker.N)}"
        return
    wrong = draw.choice((0, 1, 1, 2, 3, maker.N // 10, maker.N // 4, draw.randint(0, maker.N)))
    right = maker.N - min(wrong, maker.N - 1)
    yield f"guess = {draw.choice((f'{right}/N', '99%', '95%', '90%'))}"


def _platform(draw: Random) -> Iterator[str]:
    """Where scores are shown, by coins of its own."""
    if draw.random() < PLACED:
        yield f"platform = {draw.choice(list(PLATFORMS))}"


def _part(draw: Random, maker: _Maker, lines: Sequence[str]) -> Iterator[str]:
    """How many rows are scored, by coins of its own, where nothing is known of the labels."""
    if draw.random() >= DIVIDED or any(line.startswith(("guess ", "positives ", "response ")) for line in lines):
        return
    n = draw.choice((1, max(1, maker.N // 3), max(1, maker.N - 1), draw.randint(1, maker.N)))
    low, high = sorted((n, draw.randint(1, maker.N)))
    shares = f"{n}/N", "30%" if maker.N > 1 else "all"
    yield f"public = {draw.choices((f'{n}', *shares, f'between({low}, {high})'), (6, 2, 2, 1))[0]}"
    if draw.random() < EVEN and not any(line.startswith("goal ") for line in lines):
        yield f"find = {draw.choice(('labels', 'labels_and_split', 'labels_and_split'))}"


def _release(draw: Random, maker: _Maker) -> Iterator[str]:
    """What becomes of scores, by coins of its own; a Ladder's steps often at the edge where one row is one step."""
    if draw.random() >= RELEASED or maker.beside:
        return
    step = draw.choice((0.01, 0.1, 0.3, maker.reach() / maker.N / 1.5, maker.reach() / maker.N))
    eta = f"{step:.{draw.choice((1, 3))}e}"
    start = draw.choice((f"ln({maker.K})", f"ln({maker.K})", "1/5", "1"))
    if draw.random() < EVEN:
        yield f"accounts = {draw.choice((1, 2, 3, 30))}"
    yield "release = " + draw.choice(
        ("best", f"ladder({eta})", f"ladder({eta}, {start})", f"capped({start})", f"changes({draw.randint(1, 9)})")
    )


def _response(draw: Random) -> Iterator[str]:
    """Labels flipped once, by coins of their own: hardly ever, often, or almost always to pure chance."""
    if draw.random() < FLIPPED:
        yield f"response = {draw.choice(('0.1', '1', '2', 'ln(3)', '5', '12', '30'))}"


Law = tuple[int, Callable[[_Maker], str]]
RANDOM: Final = ("uniform", "gaussian", "laplace", "subexponential")
NOISES: Final[dict[str, Law]] = {
    "none": (40, lambda maker: "none"),
    "bounded": (22, lambda maker: f"bounded({maker.bound()})"),
    "uniform": (6, _Maker.interval),
    "gaussian": (9, lambda maker: f"gaussian({maker.magnitude(-6, 0)})"),
    "laplace": (7, lambda maker: f"laplace({maker.magnitude(-6, 0)})"),
    "subexponential": (6, lambda maker: f"subexponential({maker.magnitude(-9, -1)}, {maker.magnitude(-5, 0)})"),
    "multiplicative": (10, lambda maker: f"multiplicative({_share(maker)}{_above(maker)})"),
}
BUDGETS: Final[Sequence[Callable[[Random, int], str]]] = (
    lambda draw, N: str(draw.randint(0, 3)),
    lambda draw, N: str(draw.randint(1, 2 * N)),
    lambda draw, N: f"N/{draw.randint(1, 9)}",
    lambda draw, N: "log2(N)" if N > 1 else "1",
    lambda draw, N: f"N + {draw.randint(0, 9)}",
    lambda draw, N: "300",
)
CONFIDENCES: Final = (("1 - 1e-9", "99.9999999%", "99%", "95%", "1/2", "10%", "1 - 1e-4"), (30, 30, 12, 10, 6, 4, 8))


def _halved(draw: Random, metric: Metric) -> Metric:
    """A Brier score, sometimes halved for any number of classes, by coins of its own."""
    return HALF if metric is BY_NAME["brier"] and draw.random() < EVEN / 2 else metric


def _size(draw: Random) -> int:
    kind = draw.random()
    if kind < 0.30:
        return draw.randint(1, 6)
    if kind < 0.75:
        return draw.randint(4, 24)
    if kind < 0.97:
        return draw.randint(16, 72)
    return draw.choice((100, 128, 198, 129, 256, draw.randint(73, 400)))


def _preset(draw: Random, K: int) -> str | None:
    if draw.random() >= 0.22:
        return None
    binary = ["torch_bce", "lightgbm"] if K == 2 else []
    versions = [f'sklearn("{version}")' for version in ("0.24", "1.1", "1.2", "1.4", "1.5", "1.8", "1.9")]
    return draw.choice(["sklearn", "keras", "xgboost", "kaggle", "ml_metrics", *binary, draw.choice(versions)])


def _knows(metric: Metric, K: int, scorer: str | None, phi: str | None) -> bool:
    """Whether the scorer computes the metric of so many classes, of predictions in a format that it is known of."""
    computes = scorer is None or scorer.startswith(("sklearn", "kaggle"))
    if K > 2 and metric.binary:
        return False
    if K > 2 and metric.since > (0, 0):
        computes = scorer in (None, "sklearn", 'sklearn("1.8")', 'sklearn("1.9")')
    formats = (
        None,
        "arbitrary",
        "float64",
        *(("float16", "float32") if metric.name in ("brier", "half_brier") else ()),
    )
    return computes and phi in formats


def _beside(draw: Random, metric: Metric) -> tuple[Metric, ...]:
    """Scores that come back with one of another metric than log-loss, by coins of their own: of the same rows."""
    if metric is LOG_LOSS or draw.random() >= TOGETHER:
        return ()
    fit = [one for one in OTHERS if one is not metric and rows_taken(Several((metric.name, one.name)))]
    found = draw.sample(fit, min(len(fit), draw.choice((1, 1, 2))))
    return tuple(found) if rows_taken(Several((metric.name, *(one.name for one in found)))) else ()


def _rows(draw: Random, maker: _Maker) -> Iterator[str]:
    """What rows hold, by the metric's own coins."""
    metric = maker.metric
    taken = rows_taken(Several((metric.name, *(one.name for one in maker.beside))))
    if draw.random() < EVEN and (metric is not LOG_LOSS or draw.random() < 0.1):
        yield f"predictions = {draw.choice(taken)}"
    if metric.abstains and not maker.beside and draw.random() < EVEN:
        yield f"abstain = {draw.choice(('yes', 'no'))}"


def _submitted(draw: Random) -> str | None:
    """The format of a submission to a known scorer: mostly its own."""
    return draw.choice(("float16", "float32", "float64")) if draw.random() < 0.2 else None


def _precision(draw: Random) -> str | None:
    kind = draw.random()
    if kind < 0.38:
        return draw.choice((None, "float64"))
    if kind < 0.56:
        return draw.choice(("float32", "float16"))
    if kind < 0.70:
        return "arbitrary"
    if kind < 0.86:
        return str(draw.randint(5, 90))
    return f"fixed({draw.randint(1, 24)}, {draw.randint(1, 48)})"


def _clip(draw: Random) -> str | None:
    kind = draw.random()
    if kind < 0.35:
        return None
    return draw.choice(list(CLIPS)) if kind < 0.85 else f"{10 ** draw.uniform(-12, -0.4):.3e}"


def _share(maker: _Maker) -> str:
    return maker.draw.choice(("1/8", "1/4", "0.124", "1/2", "0.9", maker.magnitude(-6, -1), maker.magnitude(-3, -0.05)))


def _above(maker: _Maker) -> str:
    """Another bound for factors above 1, by coins of its own."""
    draw = Random(f"threatplan campaign above {maker.N} {maker.K} {maker.scorer} {maker.phi} {maker.clip}")
    return f", {draw.choice(('0', '1/100', '1/3'))}" if draw.random() < SKEWED else ""


def _number(text: str) -> float:
    """The clip that was drawn as a plain number; `none` is no number."""
    return float(text) if text[0].isdigit() else 0.0


def _range_bits(phi: str | None) -> int:
    """How many times a probability can be halved, about."""
    if phi is None or phi in SMALLEST_NORMAL:
        return SMALLEST_NORMAL[phi or "float64"]
    if phi == "arbitrary":
        return SMALLEST_NORMAL["float64"]
    if phi.startswith("fixed"):
        return int(phi.partition(",")[2].rstrip(")"))
    return max(1, (int(phi) - 1) // 2)
