"""What a family of attacks is checked for: the facts of its promise, and the relations that carry it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from threatplan.verify.channel import RELATIVE, WHOLE, Channel
from threatplan.verify.formats import LARGEST
from threatplan.verify.intervals import Interval, Term, larger, prove, real

NOTHING, NOISE, COINS = "nothing", "the noise", "the attacker's coins"
NOISE_AND_COINS = "the noise and the attacker's coins"
FLIPS = "which labels were flipped"


@dataclass(frozen=True)
class Claim:
    """A relation to be proved, by the name that the certificate gives it."""

    name: str
    left: Term
    relation: str
    right: Term

    def proof(self, channel: Channel) -> tuple[Interval, Interval, bool]:
        """Both sides, and whether the relation is proved."""
        return prove(self.left, self.relation, self.right, channel.bits)


@dataclass(frozen=True)
class Derived:
    """What parameters promise, derived anew, and all that must hold for it."""

    labels: int
    queries: int
    classes: int
    claims: tuple[Claim, ...]
    adaptive: bool = False
    wrong: int = 0
    over: str | None = None  # None: the noise where it is random, else nothing
    listed: int | None = None  # queries that are asked, all of them and no other; None: made up on the way
    releases: tuple[str, ...] = ("plain",)  # under which its decoder was proved
    fits: tuple[tuple[str, bool], ...] = ()  # conditions on the channel that are no inequalities
    of_a_part: bool = False  # made for scores of a secret part of the rows; others need all of them scored
    membership: bool = False  # whether it tells which rows are scored
    reads: bool = True  # labels off scores, as they are stored

    def chance_over(self, channel: Channel) -> str:
        """What the chance of failure is taken over."""
        if self.over is not None:
            return self.over
        return NOISE if channel.random else NOTHING


def part_of_a_query(channel: Channel, m: int) -> tuple[str, bool]:
    """A block has no more rows than a submission."""
    return "the block is part of a query", m <= channel.N


def two_classes(channel: Channel) -> tuple[str, bool]:
    """A weight for each label tells two classes."""
    return "two classes", channel.K == 2


def columns_for_classes(channel: Channel) -> tuple[str, bool]:
    """Rows of several classes need their columns."""
    return "a column for each class", channel.K == 2 or channel.columns == channel.K


def any_sums(channel: Channel) -> tuple[str, bool]:
    """Rows of a column a class are charged as they are."""
    free = channel.any_sums and not channel.renormalises and channel.columns == channel.K
    return "a scorer that charges rows whatever they sum to", free


def logarithms(channel: Channel) -> tuple[str, bool]:
    """Products of odds are sums of charges."""
    return "charges that are logarithms of predictions", channel.charges.logarithmic


def offsets_known(channel: Channel) -> tuple[str, bool]:
    """What rows of labels that nobody knows shift a sum by is worked out for two classes, and for logarithms."""
    return "two classes, or charges that are logarithms", channel.K == 2 or channel.charges.logarithmic


def exact_predictions(channel: Channel) -> tuple[str, bool]:
    """Predictions are rationals of any length."""
    return "arbitrary precision", channel.precision.name == "arbitrary"


def wide_floats(channel: Channel) -> tuple[str, bool]:
    """Predictions are written as float64."""
    wide = channel.precision.name == "arbitrary" or (channel.ieee and channel.precision.bits == 64)
    return "float64 or arbitrary precision", wide


def wide_scores(channel: Channel) -> tuple[str, bool]:
    """Shown decimals are read as float64."""
    score = channel.score_precision
    return "scores in float64 or arbitrary precision", score.name == "arbitrary" or (
        channel.ieee_scores and score.bits == 64
    )


def count(name: str, left: int | Fraction, relation: str, right: int | Fraction) -> Claim:
    """A relation of exact numbers."""
    return Claim(name, lambda: real(left), relation, lambda: real(right))


def room(capacity: int, labels: int) -> Claim:
    """The queries hold the labels."""
    return count("capacity of the queries >= labels", capacity, ">=", labels)


def carried(channel: Channel, probabilities: list[Fraction], name: str = "probabilities") -> Claim:
    """The scorer takes every probability as it is."""
    fit = sum(map(channel.carries, probabilities))
    return count(f"{name} that the scorer takes as they are", fit, ">=", len(probabilities))


def separation(
    channel: Channel,
    queries: int,
    gap: Term,
    loss: Term,
    tilted: bool,
    deviation: Term | None = None,
    heaviest: Term | None = None,
) -> Claim:
    """Sums of any two labelings differ by more than both errors.

    Under multiplicative noise sums X < Y become [X(1-α), X(1+α)] and alike, which are disjoint where (1+α)(Y - X)
    exceeds 2αY: a decoder that parts them midway between the intervals needs no more, any other the whole 2E.
    """
    noisy = tilted and channel.noise.name in RELATIVE
    least = "(1+α) smallest gap" if noisy else "smallest gap"

    def left() -> Interval:
        kept = gap() if deviation is None else gap() - 2 * deviation()
        return (1 + channel.alpha) * kept if noisy else kept

    name = f"{least} of sums{' - 2 dev' if deviation else ''} > 2E"
    return Claim(name, left, ">", lambda: 2 * channel.sum_error(queries, loss(), heaviest and heaviest()))


def stays_finite(channel: Channel, queries: int, loss: Term, part: Fraction = WHOLE) -> Claim:
    """Neither the sum nor the score overflows: noise may double it, digits once more, and a decimal adds below 1."""

    def largest() -> Interval:
        grown = loss() * channel.growth()
        noise = abs(channel.centre()) + channel.tau(queries, part)
        return larger(channel.scored * grown, channel.parts * (4 * grown + 2 * noise) + 2)

    limit = LARGEST[channel.score_precision.bits]
    return Claim("largest finite sum and score < range of the format", largest, "<", lambda: real(limit))


def score_fits(channel: Channel, queries: int, loss: Term, part: Fraction = WHOLE) -> tuple[Claim, ...]:
    """A fixed-point score stays within its range, and so does a sum in float16; wider formats have room for any."""
    if channel.ieee_scores and channel.score_precision.bits == 16:
        return (stays_finite(channel, queries, loss, part),)
    if not channel.fixed_scores:
        return ()
    largest: Callable[[], Interval] = lambda: loss() + abs(channel.centre())  # noqa: E731
    limit = 2 ** int(channel.score_precision.integer_bits)
    return (Claim("largest score < range of the format", largest, "<", lambda: real(limit)),)
