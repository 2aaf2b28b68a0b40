"""The planner's figures derived again with none of its code: what `plan verify` computes, as numbers of mpmath."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from mpmath import mp, mpf

from dsl.numbers import Real
from dsl.scenario import Scenario
from planner.channel import channel as planner_channel
from planner.report import channel_to_json
from threatplan.verify import limits
from threatplan.verify.channel import Channel
from threatplan.verify.intervals import Interval, precision, real
from threatplan.verify.recorded import channel_of

mp.dps = 60
BITS = 256


def number(value: Real | Fraction | int) -> mpf:
    exact = value.lo if isinstance(value, Real) else Fraction(value)
    return mpf(exact.numerator) / exact.denominator


def channel(scenario: Scenario) -> Channel:
    """The checker's channel, from the exact record alone."""
    return channel_of(channel_to_json(planner_channel.channel_of(scenario))["exact"])


def _middle(compute: Callable[[], Interval]) -> mpf:
    with precision(BITS):
        value = compute()
        return number((value.least() + value.most()) / 2) if value.finite else mp.inf


def _exact(value: mpf) -> Interval:
    """A number of mpmath, a hair of which does not matter."""
    return real(Fraction(int(value * mpf(2) ** BITS), 2**BITS))


def W(scenario: Scenario) -> mpf | None:
    """The largest log-odds that an attacker can count on."""
    reach = _middle(channel(scenario).reach)
    return reach if mp.isfinite(reach) else None


def most(scenario: Scenario) -> mpf:
    """The largest spread of charges that a row can ever have."""
    return _middle(lambda: channel(scenario).reach_limit() or real(0))


def has_reach(scenario: Scenario) -> bool:
    """Whether rows are bounded at all."""
    with precision(BITS):
        return channel(scenario).reach_limit() is not None


def relative(scenario: Scenario) -> mpf:
    """The part of the error that grows with the loss."""
    return _middle(channel(scenario).relative)


def score_error(scenario: Scenario, queries: int, loss: mpf) -> mpf:
    """The most by which a score shown differs from a loss of at most `loss`."""
    own = channel(scenario)
    asked = queries if own.random else 1
    return _middle(lambda: own.score_error(asked, _exact(loss)))


# -- limits --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Need:
    """What has to be learned, in bits: the labelings that count as right, counted one by one."""

    N: int
    K: int
    wrong: int
    delta: mpf

    @classmethod
    def of(cls, scenario: Scenario) -> Need:
        target = ceil(scenario.goal * scenario.N)
        return cls(scenario.N, scenario.K, scenario.N - target, number(1 - scenario.confidence))

    def labels(self) -> mpf:
        ball = sum(mp.binomial(self.N, j) * mpf(self.K - 1) ** j for j in range(self.wrong + 1))
        return self.N * mp.log(self.K, 2) - mp.log(ball, 2)

    def counting(self) -> mpf:
        return self.labels() + mp.log(1 - self.delta, 2)

    def fano(self) -> mpf:
        d = self.delta
        entropy = -(d * mp.log(d, 2) + (1 - d) * mp.log(1 - d, 2)) if 0 < d < 1 else mpf(0)
        return (1 - d) * self.labels() - entropy


def answers(scenario: Scenario) -> int | None:
    """I1's A; None: a score may take any number of values."""
    return limits.fewest_answers(channel(scenario))


def slack(scenario: Scenario) -> mpf:
    """How far a computed score can be from the exact one, whatever is submitted."""
    return _middle(lambda: limits.slack(channel(scenario)))


def entropy_bits(scenario: Scenario, step: Fraction) -> mpf:
    """I3's bits a score."""
    return _middle(lambda: limits.score_bits(channel(scenario), step))


def grid(scenario: Scenario) -> Fraction | None:
    """The coarsest grid that scores are bound to."""
    return limits.grid(channel(scenario))


def capacity(scenario: Scenario) -> mpf:
    """I4's bits a score."""
    return _middle(lambda: limits.capacity(channel(scenario)))


def label_error(scenario: Scenario, queries: int) -> mpf:
    """I5: a label is wrong at least this often after so many scores."""
    return _middle(lambda: limits.label_error(channel(scenario), queries))


def tolerated(scenario: Scenario) -> mpf:
    """The share of a single label's failures that the goal and the confidence allow."""
    rho, d = mpf(Need.of(scenario).wrong) / scenario.N, number(1 - scenario.confidence)
    return rho + d - rho * d
