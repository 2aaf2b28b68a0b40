"""The impossibility proofs from the channel alone: how many queries each excludes, and the relation that says so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from threatplan.verify import secret
from threatplan.verify.channel import RELATIVE, ROUNDED, STEPPED, Channel
from threatplan.verify.claims import Claim
from threatplan.verify.formats import float_place
from threatplan.verify.intervals import (
    INFINITY,
    ONE,
    ZERO,
    Interval,
    ceiling_above,
    erfc,
    exp,
    floor_above,
    larger,
    log,
    log2,
    log_factorial,
    pi,
    power_of_two,
    precision,
    real,
    sqrt,
)
from threatplan.verify.metrics.counting import F1, Counting
from threatplan.verify.metrics.squares import Squares

Bits = Callable[[], Interval]
NOTHING_TOLD = "bits needed > 0"  # where every score is the same; a report states no inequality for it


@dataclass(frozen=True)
class Exclusion:
    """What a proof comes to for a claimed number of queries: a relation, or nothing that it could say."""

    claims: tuple[Claim, ...] = ()
    excludes_all: bool = False
    applies: bool = True


SILENT = Exclusion(applies=False)


def too_few(queries: int | None, need: Bits, each: Bits, unit: str) -> Exclusion:
    """One query less carries fewer bits than are needed."""
    if not queries:
        return Exclusion()
    fewer = queries - 1
    return Exclusion((Claim(f"{fewer} x {unit} < bits needed", lambda: fewer * each(), "<", need),))


# -- what must be learned ------------------------------------------------------------------------------


def labels_bits(c: Channel) -> Interval:
    """Bits of all labels, less what need not be known."""
    return secret.possible_bits(c) - secret.tolerated_bits(c)


def fano_bits(c: Channel) -> Interval:
    """(1-δ) of them, less h(δ)."""
    d = c.delta
    if d == 0:
        return labels_bits(c)
    return (1 - d) * labels_bits(c) + d * log2(real(d)) + (1 - d) * log2(real(1 - d))


def slack(c: Channel) -> Interval:
    """How far a computed score can be from the exact one, whatever is submitted."""
    if c.fixed_scores:
        return power_of_two(-int(c.score_precision.fraction_bits))
    if isinstance(c.charges, Squares) and c.charges.drift(c) is None:
        return INFINITY
    if not c.charges.adds:
        return real(c.charges.moved(c) + 2 * c.underflow)
    if not c.ieee_scores:
        return ZERO
    largest = c.charges.largest_charge(c, reach_of(c))
    return c.float_error(c.additions(c.scored), shown=False) * largest + real(c.charges.moved(c) + 2 * c.underflow)


# -- I1 ------------------------------------------------------------------------------------------------


def counting(c: Channel, queries: int | None, stated: int | None = None) -> Exclusion:
    """M scores of A values tell A^M labelings apart; of as many as are stated, where that is hardly more than there are."""
    answers = fewest_answers(c)
    if answers is None:
        return SILENT
    if stated is not None and near(stated, answers):
        answers = stated

    def need() -> Interval:
        return labels_bits(c) + log2(real(1 - c.delta))

    if answers <= 1:
        return Exclusion((Claim(NOTHING_TOLD, need, ">", lambda: ZERO),), excludes_all=True)
    return too_few(queries, need, lambda: log2(answers), "log2 A bits")


def near(stated: int, answers: int) -> bool:
    """Whether a number of answers is right, or a hair above: floats are counted between figures that are rounded."""
    return answers <= stated <= answers + (answers >> 24)


def fewest_answers(c: Channel) -> int | None:
    """The least number of answers to one submission that can be argued for."""
    if c.beside:
        return _of_all(c)
    found = [one for one in (_of_format(c), _of_digits(c), _of_noise(c), *_of_counts(c)) if one is not None]
    return min(found) if found else None


def _of_all(c: Channel) -> int | None:
    """Answers of several scores at once: each combination of theirs, and no more than there are tables to read all off."""
    each = [fewest_answers(one) for one in c.apart]
    metrics = [one.charges for one in c.apart]
    found = [] if None in each else [prod(one or 1 for one in each)]
    if all(isinstance(one, Counting) and one.values(c) is not None for one in metrics) and not c.abstain:
        found.append(Counting.values(F1(), c) or 0)
    return min(found, default=None)


def _of_format(c: Channel) -> int | None:
    if c.ieee_scores:
        return _floats(c)
    if not c.fixed_scores:
        return None
    fraction = int(c.score_precision.fraction_bits)
    values = 2 ** (int(c.score_precision.integer_bits) + fraction + 1)
    if c.reach_limit() is None:
        return int(values)
    if breadth_of(c).high <= 0:
        return 1  # every score is the same
    return int(min(values, floor_above(lambda: within(c) * 2**fraction, c.bits + fraction) + 2))


def _floats(c: Channel) -> int:
    """Floats that a score may be: any, or those from the least score of bounded rows on, whose charges are not below 0.

    Dividing a row by its sum, and rounding, may take half of the least charge; 0 counts twice, by its sign.
    """
    bits = int(c.score_precision.bits)
    if c.reach_limit() is None or not slack(c).finite:
        return int(1 << bits)
    with precision(c.bits):
        least = c.charges.least_loss(c)
        low = (least / 4).least() if least is not None else Fraction(0)
        high = min((c.charges.largest_loss(c, reach_of(c)) * c.growth()).most(), low + within(c).most())
    return float_place(bits, c.parts * high) - float_place(bits, c.parts * low) + 4


def reach_of(c: Channel) -> Interval:
    """W, where there is one."""
    reach = c.reach_limit()
    assert reach is not None
    return reach


def breadth_of(c: Channel) -> Interval:
    """W, or the range of all charges of all rows where it is asked which of them are scored."""
    breadth = c.breadth() if c.membership else c.reach_limit()
    assert breadth is not None
    return breadth


def rows_of(c: Channel) -> int:
    """Rows that are scored, at least."""
    return c.scored - c.uncertain if c.membership else c.N


def within(c: Channel) -> Interval:
    """The length of an interval that holds every score of one submission, as it is computed."""
    return secret.share(c) * breadth_of(c) + 2 * slack(c)


def _of_digits(c: Channel) -> int | None:
    if c.shown is None or c.reach_limit() is None or not slack(c).finite:
        return None
    digits = int(c.shown.digits)
    if c.shown.name in STEPPED:
        # An interval of a whole number of units may begin and end with ties, and both be rounded outward.
        return floor_above(lambda: within(c) / c.step, c.bits) + 2
    if c.random or c.charges.least_loss(c) is None:
        return None

    with precision(c.bits):
        low = (_least(c) / 4).least()
        high = min((c.charges.largest_loss(c, reach_of(c)) * c.growth()).most(), low + within(c).most())
    return _digits_to(c.parts * high, digits) - _digits_to(c.parts * low, digits) + 3


def _digits_to(number: Fraction, digits: int) -> int:
    """Numbers of so many digits from 1 up to this one; those between it and 1, less than none, where it is below."""
    power = 0
    each: int = 10 ** (digits - 1)
    while number >= 10:
        number, power = number / 10, power + 1
    while number < 1:
        number, power = number * 10, power - 1
    return 9 * each * power + int(number * each) - each


def _of_noise(c: Channel) -> int | None:
    if c.reach_limit() is None or not slack(c).finite:
        return None
    if c.noise.name == "bounded" and c.noise.tau.lo > 0:
        step = 2 * c.noise.tau.lo
        return max(1, ceiling_above(lambda: within(c) / step, c.bits))
    if c.noise.name not in RELATIVE or c.charges.least_loss(c) is None:
        return None
    below = c.noise.alpha.lo
    above = c.noise.above.lo if c.noise.name == "skewed" else below
    if max(below, above) <= 0:
        return None

    def cells() -> Interval:
        largest = c.charges.largest_loss(c, reach_of(c))
        return log(largest / _least(c) * 2) / log((1 + real(above)) / (1 - real(below)))

    return ceiling_above(cells, c.bits) + 2


def _of_counts(c: Channel) -> tuple[int | None, ...]:
    """Scores that are functions of counts; where rows charge nothing, digits and snapped cells of all that they may be."""
    metric = c.charges
    if not isinstance(metric, Counting | Squares):
        return ()
    found: list[int | None] = [metric.values(c)] if isinstance(metric, Counting) else []
    if metric.adds or metric.length(c) is None:
        return tuple(found)

    def length() -> Interval:
        return metric.length(c) or ZERO

    # Nan is one more: labels that are all alike, where nobody says that they are not.
    nan = int(isinstance(metric, Counting) and metric.has_nan and not (c.counted and 0 < c.radius < c.N))
    if c.step:
        found.append(floor_above(lambda: length() / c.step, c.bits) + 2 + nan)
    if c.noise.name == "bounded" and c.noise.tau.lo > 0:
        found.append(max(1, ceiling_above(lambda: length() / (2 * c.noise.tau.lo), c.bits)) + nan)
    return tuple(found)


def _least(c: Channel) -> Interval:
    least = c.charges.least_loss(c)
    assert least is not None
    return least


# -- I2 ------------------------------------------------------------------------------------------------


def neighbour(c: Channel, queries: int | None) -> Exclusion:
    """The midpoint of two labelings' scores is a legal answer under either."""
    distance = secret.distance(c)
    if not c.charges.adds:
        return _pair(c)
    if c.noise.name != "bounded" or c.reach_limit() is None or c.delta >= Fraction(1, 2) or distance is None:
        return SILENT
    tau = c.noise.tau.lo

    def spread() -> Interval:
        return distance * reach_of(c) + 2 * c.N * slack(c)

    claim = Claim("2 N τ >= D W", lambda: 2 * c.N * real(tau), ">=", spread)
    return Exclusion((claim,), excludes_all=claim.proof(c)[2])


def _pair(c: Channel) -> Exclusion:
    """Two labelings that a metric of counts scores nearly alike, where nothing is known and no label may be wrong."""
    metric = c.charges
    apart = _nearest(c, metric) if isinstance(metric, Counting | Squares) and slack(c).finite else None
    if (
        c.noise.name != "bounded"
        or apart is None
        or c.uncertain
        or (secret.informed(c) and not c.counted)
        or c.wrong_allowed
        or c.delta >= Fraction(1, 2)
    ):
        return SILENT
    tau = c.noise.tau.lo
    name = "2 τ >= difference of two scores"
    claim = Claim(name, lambda: 2 * real(tau), ">=", lambda: real(apart) + 2 * slack(c))
    return Exclusion((claim,), excludes_all=claim.proof(c)[2])


def _nearest(c: Channel, metric: Counting | Squares) -> Fraction | None:
    """How far apart two possible labelings are scored at most; of so many ones, or zeros, those that differ by a swap."""
    if not c.counted:
        return metric.pair(c.N)
    if not isinstance(metric, Counting) or c.radius in (0, c.N):
        return None
    found = [metric.swap(c.N, n1) for n1 in (c.radius, c.N - c.radius)]
    return max((one for one in found if one is not None), default=None)


# -- I3 ------------------------------------------------------------------------------------------------


def entropy(c: Channel, queries: int | None) -> Exclusion:
    """A non-adaptive score of many labels concentrates on few cells of a grid."""
    step = grid(c)
    if c.adaptive or step is None or c.reach_limit() is None or c.delta >= Fraction(1, 2):
        return SILENT

    def need() -> Interval:
        return fano_bits(c) - score_bits(c, step) + later_bits(c, step)

    return too_few(queries, need, lambda: later_bits(c, step), "bits a score")


def later_bits(c: Channel, step: Fraction) -> Interval:
    """Of a later score, given the first: where rows are right or wrong, what it adds counts the labels of some rows.

    Known the sum of N fair coins, that of s of them has a variance of s (N-s)/(4N) on average, at most N/16.
    """
    if step != c.charges.lattice(c) or c.charges.weighs or c.abstain or c.K > 2 or secret.informed(c):
        return score_bits(c, step)
    return log2(2 * pi() * exp(1) * (real(Fraction(c.N, 16)) + Fraction(1, 12))) / 2


def score_bits(c: Channel, step: Fraction) -> Interval:
    """The entropy of a score on a grid: its variance is that of N labels, W^2/(4N) without a guess, and the grid's."""
    deviation = (
        reach_of(c) * sqrt(real(secret.spread(c))) if secret.informed(c) else breadth_of(c) / (2 * sqrt(rows_of(c)))
    )
    spread = deviation / step
    if step != c.charges.lattice(c):
        spread = spread + slack(c) / step + Fraction(1, 2)
    return log2(2 * pi() * exp(1) * (spread * spread + Fraction(1, 12))) / 2


def grid(c: Channel) -> Fraction | None:
    """The coarsest grid that scores are bound to."""
    steps: list[Fraction] = []
    if c.noise.name == "bounded" and c.noise.tau.lo > 0:
        steps.append(2 * c.noise.tau.lo)
    if c.step:
        steps.append(c.step)
    if c.fixed_scores:
        steps.append(Fraction(1, 2 ** int(c.score_precision.fraction_bits)))
    whole = c.charges.lattice(c)
    return max(steps if whole is None else [*steps, whole], default=None)


# -- I4, I5 --------------------------------------------------------------------------------------------


def fano(c: Channel, queries: int | None) -> Exclusion:
    """Random noise makes of every score a channel of known capacity."""
    if not c.random or c.reach_limit() is None or c.delta > Fraction(1, 2) or not capacity(c).finite:
        return SILENT
    return too_few(queries, lambda: fano_bits(c), lambda: capacity(c), "bits a score")


def capacity(c: Channel) -> Interval:
    """Bits that one noisy score carries at most."""
    reach, law = within(c), c.noise
    if not c.adaptive and law.name != "uniform":
        listed = reach_of(c) * sqrt(real(secret.spread(c)))
        reach = 2 * (listed + slack(c)) if secret.informed(c) else reach / sqrt(rows_of(c)) + 2 * slack(c)
    if law.name == "gaussian":
        share = reach / (2 * law.sigma.interval)
        return log2(1 + share * share) / 2
    if law.name == "subexponential":
        return log2(1 + reach * reach / (4 * law.lambda2.interval)) / 2
    if law.name == "laplace":
        return log2(1 + reach / (2 * law.b.interval))
    return log2(1 + reach / (law.b.interval - law.a.interval))


def neighbour_random(c: Channel, queries: int | None) -> Exclusion:
    """Too few scores settle no single label."""
    questions, differing = secret.doubts(c)
    if not c.random or c.reach_limit() is None or not questions:
        return SILENT
    if not queries:
        return Exclusion()
    low = queries - 1
    rho = Fraction(c.wrong_allowed, differing * questions)  # a pair may be left open for one wrong label
    allowed = rho + c.delta - rho * c.delta
    name = f"label error after {low} queries > tolerated"
    return Exclusion((Claim(name, lambda: label_error(c, low), ">", lambda: real(allowed)),))


def label_error(c: Channel, queries: int) -> Interval:
    """How often a question of two answers is settled wrongly after so many scores, at least."""
    shift, law = secret.doubts(c)[1] * reach_of(c) / c.N + 2 * slack(c), c.noise
    if law.name in ("gaussian", "subexponential"):
        sigma = law.sigma.interval if law.name == "gaussian" else sqrt(law.lambda2.interval)
        return erfc(sqrt(queries) * shift / (2 * sigma) / sqrt(2)) / 2
    if law.name == "laplace":
        x = shift / law.b.interval
        divergence = x + exp(-x) - 1
        return (1 - sqrt(larger(1 - exp(-queries * divergence), ZERO))) / 2
    silent = 1 - shift / (law.b.interval - law.a.interval)
    return silent**queries / 2 if silent > 0 else ZERO


# -- I9 ------------------------------------------------------------------------------------------------


def flat(c: Channel, queries: int | None) -> Exclusion:
    """Rounded accuracy of random labels: a submission leaves the cell about 1/2 in a share p of all cases, 2 x a tail."""
    rounded = c.shown is not None and c.shown.name in ROUNDED and c.shown.digits >= 1
    right_rows = c.charges.lattice(c) is not None and not c.charges.weighs
    errors = c.metric == "mae" and c.reach_limit() is not None
    if not (right_rows or errors) or not rounded or secret.informed(c) or c.noise.name not in ("none", "bounded"):
        return SILENT
    if c.uncertain or c.abstain or c.K > 2:
        return SILENT
    if not queries:
        return Exclusion()
    assert c.shown is not None

    def needed() -> Interval:
        return 1 - c.delta - exp((secret.tolerated_bits(c) - c.N) * log(2))

    def beyond() -> Interval:
        # Hoeffding: N terms within 1/2 either way are N (q/2 - slack) off, or more.
        cell = Fraction(1, 10 ** int(c.shown.digits if c.shown else 0)) - 2 * slack(c)
        return 2 * exp(-c.N * cell * cell / 2) if cell.low > 0 else ONE

    name = f"{queries - 1} p < 1 - δ - V/2^N"
    if errors:
        return Exclusion((Claim(name, lambda: (queries - 1) * beyond(), "<", needed),))
    # Right rows k with k/N >= 1/2 + q/2, the edge moved in by far more than a float of size 1 is off.
    width = Fraction(1, 10 ** int(c.shown.digits)) - Fraction(1, 2**40)
    least = -((-c.N - c.N * width) // 2)
    if 2 * least <= c.N:
        return SILENT

    def share() -> Interval:
        return 2 * binomial_tail(c.N, int(least))

    return Exclusion((Claim(name, lambda: (queries - 1) * share(), "<", needed),))


def binomial_tail(N: int, least: int) -> Interval:
    """P(at least so many of N fair coins): some terms, then a geometric series above all others."""
    if least > N:
        return ZERO
    choose = log_factorial(N) - log_factorial(least) - log_factorial(N - least)
    term, total, k = exp(choose - N * log(2)), ZERO, least
    while k <= N and k < least + 64:
        total, term, k = total + term, term * (N - k) / (k + 1), k + 1
    return total + term / (1 - real(Fraction(max(N - k, 0), k + 1)))
