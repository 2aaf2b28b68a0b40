"""One theorem against one channel: proposed, certified and priced, or refused with every reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from planner.attacks.theorem import Proposal, Theorem
from planner.certify import certify
from planner.channel.channel import Channel, manageable
from planner.model import Candidate, Certificate, Claim, Plan, Refusal, Status
from planner.numerics.patience import begin
from planner.numerics.reals import working
from planner.reductions import chain_of, flips_of

Propose = Callable[[Channel], Proposal[Any] | tuple[Refusal, ...]]


STATUSES = tuple(Status)  # the better first


def consider(theorem: Theorem[Any], channel: Channel) -> Candidate:
    """One theorem against one channel: of several scores, by the one that it takes the fewest queries of."""
    return min((consider_reading(theorem, one) for one in channel.readings), key=_place)


def consider_reading(theorem: Theorem[Any], channel: Channel) -> Candidate:
    """By the score that is read, at a precision that suits the channel."""
    begin(theorem.id)
    with working(channel.working_bits):
        return _consider(theorem, channel, theorem.propose)


def _place(candidate: Candidate) -> tuple[int, int]:
    """The better of two readings has the lower place; of equals the one that is written first."""
    queries = candidate.certified.queries if candidate.certified is not None else 0
    return STATUSES.index(candidate.status), queries


def explore(theorem: Theorem[Any], channel: Channel, known: bool) -> Candidate | None:
    """The same for a goal that nobody has set: None where it is over the budget; `known`: no label may be wrong."""
    found = (_explore(theorem, one, known) for one in channel.readings)
    return min((one for one in found if one is not None), key=_place, default=None)


def _explore(theorem: Theorem[Any], channel: Channel, known: bool) -> Candidate | None:

    def propose(channel: Channel) -> Proposal[Any] | tuple[Refusal, ...]:
        proposal = theorem.propose_known(channel) if known else theorem.propose(channel)
        if isinstance(proposal, tuple) or channel.budget is None or proposal.parameters.queries <= channel.budget:
            return proposal
        return ()  # not worth a certificate

    begin(theorem.id)
    with working(channel.working_bits):
        found = _consider(theorem, channel, propose)
    return found if found.status is Status.FEASIBLE else None


def guessed(theorem: Theorem[Any], channel: Channel) -> int:
    """About how many labels the budget leaves right where some that are stated may be wrong; nothing is promised."""
    return max(_guessed(theorem, one) for one in channel.readings)


def _guessed(theorem: Theorem[Any], channel: Channel) -> int:
    scope = theorem.scope
    if channel.unknown or channel.split or not (scope.shown(channel) and scope.fits(channel)):
        return 0
    with working(channel.working_bits):
        return theorem.likely_right(manageable(channel.stored))


def _consider(theorem: Theorem[Any], channel: Channel, propose: Propose) -> Candidate:
    outside = theorem.outside(channel)
    if outside:
        return Candidate(theorem.id, theorem.cite, Status.REFUSED, None, None, outside, channel, builder=theorem)
    claim = theorem.claim(channel) if channel.metric.logarithmic else None  # the paper speaks of log-loss alone
    proposal = propose(manageable(theorem.scope.read(channel)))
    if isinstance(proposal, tuple):
        return Candidate(theorem.id, theorem.cite, Status.REFUSED, claim, None, proposal, channel, builder=theorem)
    certificate = certify(channel, proposal.parameters)
    if not certificate.holds:
        reasons = theorem.failed(channel, certificate)
        return Candidate(theorem.id, theorem.cite, Status.REFUSED, claim, None, reasons, channel, builder=theorem)
    found = _within_budget(channel, theorem, claim, _priced(channel, proposal, certificate))
    if channel.budget is None or found.status is Status.FEASIBLE or channel.wanted < channel.rows:
        return found  # what some queries recover is asked of attacks on all labels alone
    return replace(found, guess=proposal.within(channel.budget))


def _priced(channel: Channel, proposal: Proposal[Any], certificate: Certificate) -> Plan:
    parameters = proposal.parameters
    affordable = channel.budget is None or parameters.queries <= channel.budget
    return Plan(
        labels_per_query=proposal.labels_per_query,
        queries=parameters.queries,
        precision_bits=_bits(channel, proposal.precision_bits),
        prediction_bits=proposal.prediction_bits,
        operations=proposal.operations,
        memory=proposal.memory,
        exposure=parameters.labels - certificate.promise.wrong if affordable else None,
        certificate=certificate,
        chain=(*flips_of(channel, certificate), *chain_of(parameters.scope.read(channel), parameters), *proposal.steps),
    )


def _bits(channel: Channel, enough: int) -> int:
    """Bits after the point that a score must hold: no more than its decimals do, on which the attack is certified."""
    unit = channel.digits.unit
    return enough if unit is None else min(enough, (unit.denominator - 1).bit_length())


def _within_budget(channel: Channel, theorem: Theorem[Any], claim: Claim | None, certified: Plan) -> Candidate:
    if channel.budget is None or certified.queries <= channel.budget:
        return Candidate(
            theorem.id,
            theorem.cite,
            Status.FEASIBLE,
            claim,
            certified,
            _doubts(theorem, channel, claim, certified),
            channel,
            builder=theorem,
        )
    short = theorem.refuse(channel, "queries", f"{certified.queries:,} queries", f"{channel.budget:,} allowed")
    reasons = (short, *_doubts(theorem, channel, claim, certified))
    return Candidate(theorem.id, theorem.cite, Status.OVER_BUDGET, claim, certified, reasons, channel, builder=theorem)


def _doubts(theorem: Theorem[Any], channel: Channel, claim: Claim | None, certified: Plan) -> tuple[Refusal, ...]:
    """Why the paper's number is not the certified one, where it promises more."""
    if claim is None or claim.erratum is None or claim.queries >= certified.queries:
        return ()
    from planner.limits.counting import fewest_answers

    have = f"{certified.labels_per_query} certified"
    answers = fewest_answers(channel.alone)
    need = f"the paper's {claim.labels_per_query} labels a query"
    if answers is not None and claim.labels_per_query > (answers[0] - 1).bit_length():
        bits = (answers[0] - 1).bit_length()
        have = f"a score that takes at most 2^{bits} values: {claim.labels_per_query} labels have more labelings (pigeonhole)"
    return (Refusal("phi", need, have, channel.lines.get("phi"), claim.erratum),)


def for_all_it_tells(candidate: Candidate | None) -> Candidate | None:
    """The candidate with its certificate made out for as many labels as it promises, where it was asked for fewer."""
    if candidate is None or candidate.certified is None or candidate.channel is None:
        return candidate
    plan, promise = candidate.certified, candidate.certified.certificate.promise
    told = promise.labels - promise.wrong
    if candidate.channel.wanted >= told:
        return candidate
    channel = replace(candidate.channel, wanted=told)
    certificate = certify(channel, plan.certificate.parameters)
    if not certificate.holds:
        return candidate
    return replace(candidate, channel=channel, certified=replace(plan, certificate=certificate))
