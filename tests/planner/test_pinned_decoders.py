"""Decoders at the edge of what they bear: how finely they compute, what they allow a score and what they refuse."""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import floor, log2

import mpmath as mp
import numpy as np
import pytest
from flint import arb

import planner.attacks.block.run as blocks
from dsl.numbers import Real
from dsl.scenario import Arbitrary, Bounded, Decimals, FixedPoint, Ieee, Multiplicative, Scenario
from planner.attacks.attack import InconsistentScores
from planner.attacks.block.run import BlockReader, dyadic_rows
from planner.attacks.digits.parameters import DigitBlock
from planner.attacks.digits.run import DigitAttack
from planner.attacks.explained import SHARE_BITS, Allowance, _reading
from planner.attacks.primes.parameters import PrimePowers
from planner.attacks.primes.run import PrimeAttack
from planner.channel.channel import channel_of
from planner.numerics.reals import working

CLIP = Real.of(Fraction(1, 10**15))


def a_channel(N=20, **fields):
    return channel_of(Scenario(name="c", N=N, **{"clip": CLIP, "phi": Arbitrary(), **fields}))


def real(value):
    return mp.mpf(value.numerator) / value.denominator


def middle(ball):
    return mp.mpf(str(ball.mid().str(40, radius=False)))


NOISES = [Bounded(Real.of(Fraction(1, 3**k))) for k in (3, 5, 8, 13, 21)]
NOISES += [Multiplicative(Real.of(Fraction(1, 3**k))) for k in (6, 9, 15)]


def superincreasing(m, start):
    """Probabilities whose weights double, roughly."""
    return tuple(Fraction(1, 2 + floor(2 ** (start * 2**i))) for i in range(m))


@pytest.mark.parametrize("noise", NOISES, ids=str)
@pytest.mark.parametrize(("m", "start"), [(1, 3), (2, 2.3), (4, 1.4), (5, 1.2)])
def test_how_finely_a_block_is_read(noise, m, start):
    """Rounding takes less than a sixteenth of the margin and of the error, among as many numbers as are rounded."""
    rows, channel = superincreasing(m, start), a_channel(noise=noise)
    reader = BlockReader(channel, 20, rows)
    with mp.workprec(300):
        weights = [mp.log(real((1 - p) / p)) for p in rows]
        gap = min(weight - mp.fsum(weights[:i]) for i, weight in enumerate(weights))
        loss = ((20 - m) * mp.log(2) - mp.fsum(mp.log(real(p)) for p in rows)) / 20
        with working(300):
            error = middle(channel.errors(20).sum_error(arb(str(loss))))
        alpha = real(noise.alpha.lo) if isinstance(noise, Multiplicative) else 0
        margin = (1 + alpha) * gap - 2 * error
        usable = min(margin if margin > 0 else gap / 2, error / 16)
        assert reader.scale == (m + 4).bit_length() + 3 - (mp.floor(mp.log(usable, 2)) - 1)
        assert (m + 4) * 2.0**-reader.scale <= usable / 4
        assert reader._bits == reader.scale + 5 + max(0, blocks._exponent(arb(str(weights[-1])))) + 40
        assert reader.weights == [int(mp.floor(weight * 2**reader.scale)) for weight in weights]
        constant = (20 - m) * mp.log(2) - mp.fsum(mp.log(real(1 - p)) for p in rows)
        assert reader._constant(m) == int(mp.floor(constant * mp.mpf(2) ** reader.scale))


def test_a_power_of_two_below_a_number():
    for value in (0.75, 1.0, 3.5, 2.0**-40 * 1.3, 1e20):
        assert blocks._exponent(arb(value)) in (floor(log2(value)), floor(log2(value)) - 1)


def test_sums_that_int64_may_not_hold_are_python_integers():
    assert blocks._integers([2**60 - 1]).dtype == np.int64
    assert blocks._integers([-(2**60)]).dtype == object
    assert blocks._integers([1], like=blocks._integers([2**60])).dtype == object
    assert blocks._integers([1], like=blocks._integers([5])).dtype == np.int64


@pytest.mark.parametrize("alpha", [0, Fraction(1, 7)])
def test_a_threshold_lies_midway(alpha):
    """Between the largest sum without the label, blurred upward, and the smallest with it, blurred downward."""
    noise = Multiplicative(Real.of(alpha)) if alpha else Bounded(Real.of(Fraction(1, 9)))
    reader = BlockReader(a_channel(noise=noise), 20, superincreasing(2, 2.3))
    low, weight = 1000, 5000
    assert reader._threshold(low, weight) == int((low * (1 + alpha) + weight * (1 - alpha)) / 2)


def reads(reader, sums):
    labels = np.full(reader.channel.rows, -1, dtype=np.int64)
    reader.read(labels, [Fraction(total, 2**reader.scale) for total in sums], len(reader.rows), 0)
    return labels[: len(reader.rows)].tolist()


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    "fields", [{"noise": NOISES[2]}, {"shown": Decimals(3)}, {"phi": FixedPoint(8, 20), "clip": None}]
)
def test_a_block_explains_what_its_channel_allows_and_no_more(fields, sign):
    channel = a_channel(**fields)
    rows = tuple(Fraction(round(p * 2**20), 2**20) for p in superincreasing(3, 2))
    reader = BlockReader(channel, 20, rows)
    exact = reader._constant(3) + reader.weights[0] + reader.weights[2]
    allowance = reader._allowance
    borne = floor((allowance.fixed + allowance.share * Fraction(exact, 2**reader.scale)) * 2**reader.scale)
    assert reads(reader, [exact + sign * borne]) == [1, 0, 1]
    assert 40 < borne < reader.weights[0] // 2
    with pytest.raises(InconsistentScores):
        reads(reader, [exact + sign * (borne + len(rows) + 6)])


@pytest.mark.parametrize("bits", [40, 90])
def test_levels_are_read_to_the_nearest(bits):
    reader = BlockReader(a_channel(noise=NOISES[4]), 20, dyadic_rows(3, bits, 0), core=1)
    for number in range(8):
        label = [number >> i & 1 for i in range(3)]
        total = reader._constant(3) + sum(w for w, on in zip(reader.weights, label, strict=True) if on)
        assert reads(reader, [total]) == label


# -- allowances ----------------------------------------------------------------------------------------


def test_what_is_allowed_is_what_is_certified():
    """E without what grows with the loss, which is charged at the predicted loss."""
    channel = a_channel(phi=Ieee(64), noise=Multiplicative(Real.of(Fraction(1, 1000))), shown=Decimals(4))
    with working(200):
        errors, loss = channel.errors(3), arb(2)
        found = Allowance.certified(channel, errors, loss, arb(1))
        more = Allowance.certified(channel, errors, loss, arb(1), arb(0.25))
        assert abs(ball_of(found.fixed) - 20 * errors.constant()) < arb(2) ** -100
        assert abs(ball_of(found.share) - errors.relative()) < arb(2) ** -100
        assert abs(float(more.fixed - found.fixed) - 0.25) < 1e-15
        assert (found.bears(arb(1), arb(1)), found.bears(arb(0.00099), arb(0))) == (False, True)


def test_what_is_left_of_a_margin_is_for_reading():
    """A real number is read to a sixteenth of the gap, or a quarter of what is left beyond both errors."""
    channel = a_channel(noise=Bounded(Real.of(Fraction(1, 50))))
    with working(200):
        for gap in (arb(1), arb(4)):
            found = Allowance.certified(channel, channel.errors(3), arb(2), gap)
            read = min(float(gap) / 16, (float(gap) - 0.8) / 4)
            assert abs(float(found.fixed) - (0.4 + read)) < 1e-12


def ball_of(value):
    return arb(value.numerator) / value.denominator


def test_how_finely_a_score_is_read():
    """Where the channel's own errors do not say it."""
    with working(200):
        loss, gap = arb(3), arb(1)
        assert _reading(a_channel(phi=Ieee(64)), loss, gap, gap) == 0
        decimal = _reading(a_channel(shown=Decimals(5)), loss, gap, gap)
        assert decimal == 20 * loss * arb(2) ** -52
        assert _reading(a_channel(phi=FixedPoint(8, 20), clip=None), loss, gap, gap) == 0
        assert _reading(a_channel(), loss, gap, arb(0.5)) == gap / 16
        assert _reading(a_channel(), loss, gap, arb(0.125)) == arb(0.125) / 4
        assert _reading(a_channel(), loss, gap, arb(-1)) == gap / 16


@pytest.mark.parametrize("kind", [np.int64, object])
def test_residuals_at_their_bound(kind):
    """fixed * 2^scale + rounded + share * (predicted + constant), to within two units."""
    assert SHARE_BITS == 128
    allowance = Allowance(Fraction(100), Fraction(1, 8))
    for predicted, constant, most in ((0, 0, 1600 + 3), (800, 0, 1703), (800, 80, 1713), (800, -80, 1703)):
        for sign in (1, -1):
            required(allowance, kind, sign * most, predicted, constant)
            with pytest.raises(InconsistentScores):
                required(allowance, kind, sign * (most + 2), predicted, constant)


def test_floats_leave_room_for_their_own_rounding():
    """2^-48 of what is allowed, and of the share of what is predicted."""
    fixed, half = Allowance(Fraction(2**50), Fraction(0)), Allowance(Fraction(0), Fraction(1, 2))
    for allowance, predicted in ((fixed, 0), (half, 2**51)):
        allowance.require(np.array([2**50 + 3]), np.array([predicted]), 0, 0)
        with pytest.raises(InconsistentScores):
            allowance.require(np.array([2**50 + 5]), np.array([predicted]), 0, 0)


def test_a_share_is_rounded_up_by_less_than_a_unit():
    allowance = Allowance(Fraction(0), Fraction(1, 3))
    for total in (3 * 10**9, 3 * 10**30):
        allowance.require(np.array([total // 3 + 1], dtype=object), np.array([total], dtype=object), 0, 0)
        with pytest.raises(InconsistentScores):
            allowance.require(np.array([total // 3 + 3], dtype=object), np.array([total], dtype=object), 0, 0)


def required(allowance, kind, left, predicted, constant):
    allowance.require(np.array([0, left], dtype=kind), np.array([0, predicted], dtype=kind), 4, 3, constant)


def decoded(attack, queries, exact, off):
    """The labels of a first score that is off by so much."""
    sums = [exact + off, *[exact] * (queries - 1)]
    return attack.decode([Fraction(int(mp.floor(total / 20 * mp.mpf(2) ** 200)), 2**200) for total in sums]).tolist()


# -- digits and primes ---------------------------------------------------------------------------------


@pytest.mark.parametrize("noise", NOISES, ids=str)
def test_how_finely_digits_are_read(noise):
    rows = tuple(tuple(Fraction(2 ** (i * s), 1 + 2**s + 4**s) for i in (2, 1, 0)) for s in (3, 12))
    channel = a_channel(K=3, columns=3, noise=noise)
    attack = DigitAttack("digits", channel, DigitBlock(10, 20, rows))
    with mp.workprec(300):
        steps = [s * mp.log(2) for s in (3, 12)]
        step = min(steps[0], steps[1] - 2 * steps[0])
        loss = (18 * mp.log(3) - mp.fsum(mp.log(real(row[-1])) for row in rows)) / 20
        with working(300):
            error = middle(channel.errors(10).sum_error(arb(str(loss))))
        alpha = real(noise.alpha.lo) if isinstance(noise, Multiplicative) else 0
        margin = (1 + alpha) * step - 2 * error
        usable = min(margin if margin > 0 else step, error)
        assert attack.scale == 48 - mp.floor(mp.log(usable, 2))
        assert abs(float(attack._loss()) - float(loss)) < 1e-14
        for above in (5000, 5001):
            assert attack._threshold(1000, above, 300) == int((1300 + above - alpha * (above - 1300)) / 2)
        assert attack.charges == [
            [int(mp.floor(-mp.log(real(p)) * mp.mpf(2) ** attack.scale)) for p in row] for row in rows
        ]


def test_digits_on_a_grid_lose_what_idle_rows_miss():
    """1/3 is off a fixed grid: twice what idle rows miss is taken off the gap."""
    rows = (tuple(Fraction(one, 2**20) for one in (2**20 - 2**14 - 2**7, 2**14, 2**7)),)
    channel = a_channel(N=5, K=3, columns=3, phi=FixedPoint(10, 20), clip=None)
    attack = DigitAttack("digits", channel, DigitBlock(5, 5, rows))
    with working(300), mp.workprec(300):
        away = 5 * abs(mp.log(3 * real(Fraction(2**20 // 3, 2**20))))
        far = 5 * abs(mp.log(3 * (1 - 2 * real(Fraction(2**20 // 3, 2**20)))))
        fixed = attack._allowance.fixed
        assert abs(real(fixed) - max(away, far) - 5 * mp.mpf(2) ** -21) < 1e-15


@pytest.mark.parametrize(("N", "step"), [(5, 15), (5, 20), (5, 27), (5, 35), (5, 60), (7, 36)])
def test_how_finely_digits_are_read_where_idle_rows_take_most_of_the_gap(N, step):
    """Of a gap of so many millionths idle rows take about 4 N, and rounding of the score N."""
    third = Fraction(2**20 // 3, 2**20)
    near = [Fraction(round((1 + shift * Fraction(step, 10**6)) * 2**20 / 3), 2**20) for shift in (1, 0)]
    rows = ((*near, 1 - sum(near)),)
    channel = a_channel(N=N, K=3, columns=3, phi=FixedPoint(10, 20), clip=None)
    attack = DigitAttack("digits", channel, DigitBlock(N, N, rows))
    with mp.workprec(300):
        charges = [-mp.log(real(p)) for p in rows[0]]
        gap = min(b - a for a, b in itertools.pairwise(charges))
        away = N * max(abs(mp.log(3 * real(third))), abs(mp.log(3 * real(1 - 2 * third))))
        error = N * mp.mpf(2) ** -21
        margin = gap - 2 * away - 2 * error
        usable = min(margin if margin > 0 else gap, error)
        assert attack.scale == 48 - mp.floor(mp.log(usable, 2))


def test_digits_at_their_bound():
    rows = tuple(tuple(Fraction(2 ** (i * s), 1 + 2**s + 4**s) for i in (2, 1, 0)) for s in (3, 12))
    channel = a_channel(K=3, columns=3, noise=NOISES[4])
    attack = DigitAttack("digits", channel, DigitBlock(10, 20, rows))
    with mp.workprec(300):
        for digits in ((0, 0), (2, 1), (1, 2)):
            exact = 18 * mp.log(3) - mp.fsum(mp.log(real(row[d])) for row, d in zip(rows, digits, strict=True))
            allowed = real(attack._allowance.fixed) + real(attack._allowance.share) * exact
            for sign in (1, -1):
                assert decoded(attack, 10, exact, sign * allowed * (1 - mp.mpf(2) ** -30))[:2] == list(digits)
                with pytest.raises(InconsistentScores):
                    decoded(attack, 10, exact, sign * allowed * (1 + mp.mpf(2) ** -30))


def test_a_ball_that_holds_several_products_of_primes_is_none_of_them():
    """The score of labels that leave 2 * 5, in 20 rows: a ball about it is refused once it may be another integer."""
    p = PrimePowers(1, 4, m=4, powers=1, class_blocks=1, exact=True, decoder="divide")
    attack = PrimeAttack("primes-apa", a_channel(phi=Arbitrary(), clip=None), p)
    with working(300):
        score = (arb(3 * 4 * 6 * 8) * arb(2) ** 16 / 10).log() / 20
        assert attack._integer_of(score) == 10
        assert attack._integer_of(score + arb(0, 1e-9)) == 10
        with pytest.raises(InconsistentScores):
            attack._integer_of(score + arb(0, 0.1))


@pytest.mark.parametrize("decoder", ["nearest", "divide"])
def test_primes_at_their_bound(decoder):
    channel = a_channel(noise=Bounded(Real.of(Fraction(1, 10**7))))
    p = PrimePowers(5, 20, m=4, powers=1, class_blocks=1, exact=True, decoder=decoder)
    attack = PrimeAttack("primes-apa", channel, p)
    with mp.workprec(300):
        whole = mp.fsum(mp.log(1 + prime) for prime in attack.primes) + 16 * mp.log(2)
        for labels in ((0, 0, 0, 0), (1, 1, 1, 1), (0, 1, 1, 0)):
            product = int(np.prod([prime for prime, one in zip(attack.primes, labels, strict=True) if not one]))
            exact = whole - mp.log(product)
            allowed = real(attack._allowance.fixed)
            assert abs(allowed - 20 * mp.mpf(10) ** -7) < allowed / 10**6 + mp.log(1 + 1 / mp.mpf(14)) / 15
            for sign in (1, -1):
                assert decoded(attack, 5, exact, sign * allowed * (1 - mp.mpf(2) ** -30))[:4] == list(labels)
                with pytest.raises(InconsistentScores):
                    decoded(attack, 5, exact, sign * allowed * (1 + mp.mpf(2) ** -30))
