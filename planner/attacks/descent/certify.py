"""The descent: a row turned for the better is seen, one turned for the worse is not.

Let x be the score of the rows as they stand, computed with an error of at most e, and W what turning a row changes.

best: the board shows min x in digits. A turn for the better lowers the score by W/N - 2e at least, and is seen if that is
more than a unit of the last decimal: W > 2E, E with half a unit in it. A turn for the worse raises it, and the minimum stays.

ladder(eta): R is the multiple of eta nearest to x, so x lies within eta/2 of it. A turn for the better comes to
x - W/N + 2e < R + eta/2 - W/N + 2e, which is below R - eta if W/N > 3/2 eta + 2e. A turn for the worse stays above
R - eta/2. What is shown falls by a step at least, which digits show if it is more than two units of the last.
"""

from __future__ import annotations

from dataclasses import replace

from flint import arb

from dsl.scenario import LadderOf
from planner.attacks.descent.parameters import Descent
from planner.attacks.inequalities import guarantee
from planner.channel.channel import Channel
from planner.numerics.inequality import Inequality, Proof
from planner.numerics.reals import ball, compare, upper_end


def prove(channel: Channel, parameters: Descent) -> Proof:
    """What a row changes against the step and the error."""
    fit = sum(channel.metric.takes(channel, one) for one in (parameters.doubt, 1 - parameters.doubt))
    checks = (
        compare("probabilities that the scorer takes as they are", lambda: ball(fit), ">=", lambda: ball(2)),
        compare("queries >= rows turned and one", lambda: ball(parameters.queries), ">=",
                lambda: ball(parameters.labels + 1)),
        *(_ladder(channel, parameters) if isinstance(channel.release, LadderOf) else _best(channel, parameters)),
    )  # fmt: skip
    return Proof(guarantee(channel), checks)


def largest_loss(channel: Channel, parameters: Descent) -> arb:
    """All rows wrong that take part, the others idle."""
    turned = parameters.labels * channel.metric.heavy(parameters.doubt)
    return (turned + (channel.scored - parameters.labels) * channel.neutral_charge()) / channel.scored


def _best(channel: Channel, parameters: Descent) -> tuple[Inequality, ...]:
    def error() -> arb:
        return 2 * channel.errors(1).sum_error(largest_loss(channel, parameters))

    return (compare("weight of a row > 2E", lambda: channel.metric.weight(parameters.doubt), ">", error),)


def _ladder(channel: Channel, parameters: Descent) -> tuple[Inequality, ...]:
    assert isinstance(channel.release, LadderOf)
    eta, exact, unit = channel.release.eta, replace(channel, shown=None), channel.digits.unit

    def needed() -> arb:
        error = exact.errors(1).sum_error(largest_loss(channel, parameters))
        return channel.scored * ball(upper_end(eta)) * 3 / 2 + 2 * error

    name = "weight of a row > 3/2 N η + 2E"
    found = (compare(name, lambda: channel.metric.weight(parameters.doubt), ">", needed),)
    if unit is None:
        return found
    return (*found, compare("η > 2 units of the last decimal", lambda: ball(eta.lo), ">", lambda: ball(2 * unit)))
