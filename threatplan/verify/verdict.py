"""The conclusions of a report: figures of the channel, limits, the verdict, the best attack and what is exposed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import ceil
from typing import Any

from threatplan.verify import certificate, exclusions, limits, reading, secret
from threatplan.verify.channel import Channel
from threatplan.verify.intervals import Interval, hull, precision, real

NEAR = Fraction(1, 10**12)  # to which a float64 prints a figure
LEAST = Fraction(1, 2**1022)  # and what it cannot print
# What the channel calls the fields of a scenario, where the names differ.
RENAMED = {"phi": "precision", "queries": "budget"}
DERIVED = {
    "metric",
    "goal",
    "confidence",
    "scorer",
    "platform",
    "score_phi",
    "guess",
    "positives",
    "public",
    "find",
}  # what the channel holds only in another form
FOLLOWS = {
    "metric",
    "beside",
    "scored",
    "radius",
    "exactly",
    "uncertain",
    "looser",
    "membership",
    "score_precision",
    "target",
    "delta",
    "clip_of",
    "any_sums",
}  # what no scenario says in so many words
ANY_SUMS = [(1, minor) for minor in range(5, 10)]  # releases of scikit-learn that were seen to take rows of any sum
SHARED = ("queries", "labels_per_query", "precision_bits", "prediction_bits", "operations", "memory", "exposure")


# -- the channel ---------------------------------------------------------------------------------------


def channel_faults(entry: reading.Data, channel: Channel) -> Iterator[str]:
    """The channel is that of the scenario, and its figures are right."""
    scenario, stated = reading.record(entry, "scenario"), reading.record(entry, "channel")
    exact = reading.record(stated, "exact")
    names = {own: name for name, own in RENAMED.items()}
    reading.only(scenario, *DERIVED, *(names.get(own, own) for own in exact if own not in FOLLOWS))
    for name, value in scenario.items():
        if name not in DERIVED and value != reading.field(exact, RENAMED.get(name, name)):
            yield f"the scenario says {name} = {value!r}, and the channel does not"
    score = reading.field(scenario, "score_phi")
    if reading.field(exact, "score_precision") != (reading.field(scenario, "phi") if score is None else score):
        yield "scores are not in the format that the scenario says"
    if _metrics(scenario) != (channel.metric, *channel.beside):
        yield f"the scenario shows {_metrics(scenario)}, and the channel does not"
    yield from secret.faults(scenario, channel)
    if channel.any_sums and not _takes_any_sums(scenario, channel):
        yield "rows are taken to be charged whatever they sum to, and nothing says so of the scorer"
    yield from secret.part_faults(scenario, channel)
    if channel.delta != 1 - reading.rational(scenario, "confidence"):
        yield f"a confidence of {scenario['confidence']} does not leave {channel.delta}"
    shown = {
        "N": channel.N,
        "K": channel.K,
        "columns": channel.columns,
        "adaptive": channel.adaptive,
        "target": channel.target,
        "noise": channel.noise.name,
    }
    for name, value in shown.items():
        if reading.field(stated, name) != value:
            yield f"{name} is {value}, stated as {stated[name]!r}"
    with precision(channel.bits):
        reach = channel.reach()
        error = channel.sum_error(1, channel.even())
        figures = {"W": reach, "E": error, "delta": real(channel.delta)}
        for name, figure in figures.items():
            if not printed(reading.field(stated, name), figure):
                yield f"{name} is {figure!r}, stated as {stated[name]!r}"
        ends = certificate.bounds(stated, "E_bounds")
        if ends.low > error.high or ends.high < error.low or not _narrow(ends, error):
            yield f"E is {error!r}, stated within {stated['E_bounds']}"


def _metrics(scenario: reading.Data) -> tuple[Any, ...]:
    """The scores that a scenario says come back: one by its name, or several."""
    held = reading.field(scenario, "metric")
    if not isinstance(held, dict):
        return (held,)
    reading.only(held, "kind", "metrics")
    found = tuple(reading.items(held, "metrics"))
    if held["kind"] != "several" or len(found) < 2:
        raise reading.Unreadable("`metric` is neither a score nor several")
    return found


def _takes_any_sums(scenario: reading.Data, channel: Channel) -> bool:
    """scikit-learn of a release of which that was seen, in several columns that nothing divides by their sum."""
    scorer = reading.field(scenario, "scorer")
    if not isinstance(scorer, dict) or scorer.get("name") != "sklearn" or channel.renormalises or channel.columns == 1:
        return False
    version = scorer.get("version")
    parts = [] if version is None else str(version).split(".")[:2]
    return version is None or (len(parts) == 2 and all(map(str.isdigit, parts)) and tuple(map(int, parts)) in ANY_SUMS)


def printed(value: Any, figure: Interval) -> bool:
    """Whether a float64 prints the figure; null prints infinity."""
    if value is None:
        return not figure.finite
    if isinstance(value, bool) or not isinstance(value, int | float) or not figure.finite:
        return False
    slack = abs(Fraction(value)) * NEAR + LEAST
    wide = hull(Fraction(value) - slack, Fraction(value) + slack)
    return not (wide.low > figure.high or wide.high < figure.low)


def _narrow(stated: Interval, own: Interval) -> bool:
    if not stated.finite:
        return not own.finite
    return (stated.high - stated.low) <= certificate.WIDEST * abs(own).high + 4 * (own.high - own.low)


# -- candidates ----------------------------------------------------------------------------------------


def candidate_faults(channel: Channel, candidate: reading.Data) -> Iterator[str]:
    """A certified candidate is certified, and within or over the budget as it says."""
    status, certified = reading.text_of(candidate, "status"), reading.field(candidate, "certified")
    if certified is None:
        if status != "refused":
            yield f"{status} without a certificate"
        return
    yield from certificate.faults(channel, certified)
    queries = reading.whole(certified, "queries")
    affordable = channel.budget is None or queries <= channel.budget
    if status != ("feasible" if affordable else "over_budget"):
        yield f"{queries} queries against a budget of {channel.budget} are not {status}"
    expected = sure_labels(certified) if affordable else None
    if reading.field(certified, "exposure") != expected:
        yield f"{expected} labels are recovered within the budget, stated as {certified['exposure']!r}"


def guessed_faults(entry: reading.Data, channel: Channel) -> Iterator[str]:
    """Attacks by somebody with a guess are stated beside a proof against those who have none, and certified for it."""
    stated = reading.items(entry, "if_guessed")
    if stated and (channel.split or secret.informed(channel) or reading.text_of(entry, "verdict") != "impossible"):
        yield "what a guess would change is stated where none is assumed away"
    for one in stated:
        reading.only(one, "guess", "attack", "status", "certified")
        share = reading.rational(one, "guess")
        if not 0 < share < 1:
            yield f"a guess is right on {share} of the labels"
        elif one["certified"] is not None:
            yield from candidate_faults(replace(channel, radius=channel.N - ceil(share * channel.N)), one)


def leak_faults(entry: reading.Data, channel: Channel) -> Iterator[str]:
    """Of several scores each is stated with an attack that reads it alone, the most telling first."""
    stated = reading.items(entry, "leaks")
    names = [reading.text_of(one, "metric") for one in stated]
    if sorted(names) != sorted((channel.metric, *channel.beside) if channel.beside else ()):
        yield f"scores that come back are {(channel.metric, *channel.beside)}, stated as {names}"
    asked = [None if one["certified"] is None else reading.whole(one["certified"], "queries") for one in stated]
    known = [queries for queries in asked if queries is not None]
    if [*sorted(known), *[None] * (len(asked) - len(known))] != asked:
        yield "a score that gives less away stands before one that gives more"
    for one in stated:
        reading.only(one, "metric", "attack", "certified")
        if one["certified"] is not None:
            read = reading.record(reading.record(reading.record(one, "certified"), "promise"), "assumes").get("metric")
            if read != one["metric"]:
                yield f"what {one['metric']} gives away is read off {read}"
            yield from certificate.faults(channel, one["certified"])
    feasible = [one["certified"]["queries"] for one in entry["candidates"] if one["certified"] is not None]
    if stated and (min(known, default=None) != min(feasible, default=None)):
        yield "the most telling score takes other queries than the cheapest attack"


def sure_labels(certified: reading.Data) -> int:
    """Labels that are promised to be right."""
    promise = reading.record(certified, "promise")
    return reading.whole(promise, "labels") - reading.whole(promise, "wrong")


# -- limits --------------------------------------------------------------------------------------------


def limit_faults(channel: Channel, limit: reading.Data) -> Iterator[str]:
    """A limit excludes what it says it excludes, and nothing that it does not prove."""
    id, stated = reading.text_of(limit, "id"), reading.field(limit, "queries")
    queries = None if stated is None else reading.whole(limit, "queries")
    everything, records = reading.truth(limit, "excludes_all"), reading.items(limit, "inequalities")
    given, channel = exclusions.inputs(limit), exclusions.world(channel, limit)
    found, proofs = _excluded(channel, id, queries, given)
    if everything and queries is not None:
        yield "excludes all queries, and some"
    if not found.applies:
        if queries is not None or everything or records:
            yield "says more than it can on this channel"
        return
    yield from exclusions.input_faults(channel, id, queries, given)
    if everything and not (found.excludes_all and all(proof.proved for proof in proofs)):
        yield "it is not proved that no number of queries suffices"
    shown = [proof for proof in proofs if proof.claim.name != limits.NOTHING_TOLD]
    yield from certificate.recorded(channel, shown, records, claimed=everything or queries is not None)


@lru_cache(maxsize=64)
def _excluded(
    channel: Channel, id: str, queries: int | None, given: exclusions.Given
) -> tuple[limits.Exclusion, tuple[certificate.Proof, ...]]:
    found = exclusions.exclusion(channel, id, queries, given)
    return found, tuple(certificate.Proof(channel, claim) for claim in found.claims)


# -- conclusions ---------------------------------------------------------------------------------------


def conclusion_faults(entry: reading.Data, channel: Channel) -> Iterator[str]:
    """Verdict, best attack and lower bound follow from the candidates, the limits and the budget."""
    candidates, stated_limits = reading.items(entry, "candidates"), reading.items(entry, "limits")
    if tuple(reading.text_of(one, "id") for one in stated_limits) != exclusions.LIMITS:
        yield f"the limits are not {', '.join(exclusions.LIMITS)}"
    proved = [(one["queries"], one["id"]) for one in stated_limits if one["queries"] is not None]
    least = max((queries for queries, _ in proved), default=0)
    bound = {"queries": least, "by": next(id for queries, id in proved if queries == least)} if least > 1 else None
    unasked = secret.settled(channel) or (not least and not secret.all_of_them(channel))
    least_of_all = {"queries": int(not unasked), "by": None}
    if reading.record(entry, "lower_bound") != (bound or least_of_all):
        yield f"the limits prove {bound or 'nothing'}, stated as {entry['lower_bound']}"
    feasible = [one for one in candidates if one["status"] == "feasible"]
    excluded = [
        one["id"]
        for one in stated_limits
        if one["excludes_all"] or (None not in (channel.budget, one["queries"]) and channel.budget < one["queries"])
    ]
    verdict = "feasible" if feasible else "impossible" if excluded else "unknown"
    if reading.text_of(entry, "verdict") != verdict:
        yield f"the verdict is {verdict}, stated as {entry['verdict']!r}"
    if any(one["certified"]["queries"] < least or excluded for one in feasible):
        yield "an attack is certified that a limit excludes"
    yield from _best_faults(entry, feasible)


def _best_faults(entry: reading.Data, feasible: list[Any]) -> Iterator[str]:
    best = reading.field(entry, "best")
    if (best is None) != (not feasible):
        yield "there is a best attack where none is feasible, or none where one is"
        return
    if best is None:
        return
    same = [one for one in feasible if one["attack"] == reading.text_of(best, "attack")]
    if not same or any(best.get(name) != same[0]["certified"].get(name) for name in SHARED):
        yield f"the best attack {best['attack']!r} is not the candidate of that name"
    if any(one["certified"]["queries"] < reading.whole(best, "queries") for one in feasible):
        yield "another feasible attack asks fewer queries than the best"


def exposure_faults(entry: reading.Data, channel: Channel) -> Iterator[str]:
    """What is exposed is a certified attack on just these labels within the budget, none of them wrong."""
    exposure = reading.record(entry, "exposure")
    reading.only(exposure, "labels", "fraction", "queries", "attack", "certified", "right", "corrected", "averaged")
    certified = reading.field(exposure, "certified")
    feasible = [one["certified"] for one in reading.items(entry, "candidates") if one["status"] == "feasible"]
    known = [sure_labels(one) for one in feasible if not reading.whole(reading.record(one, "promise"), "wrong")]
    if certified is None:
        yield from _nothing_known(exposure, channel, known)
    else:
        yield from _known_faults(exposure, channel, known)
        yield from _attack_faults(entry, channel, reading.field(exposure, "attack"), certified)
    yield from _right_faults(entry, channel, feasible)


def _nothing_known(exposure: reading.Data, channel: Channel, known: list[int]) -> Iterator[str]:
    """Nothing is exposed where nothing may be asked; otherwise it is not known."""
    labels = reading.field(exposure, "labels")
    nothing = labels == 0 and channel.budget == 0
    if known or not (labels is None or nothing) or exposure.get("queries") != 0 or exposure.get("attack") is not None:
        yield "labels are exposed without a certificate, or a certificate exposes none"
    if exposure.get("fraction") != (0.0 if nothing else None):
        yield f"the fraction exposed is stated as {exposure.get('fraction')!r}"


def _known_faults(exposure: reading.Data, channel: Channel, known: list[int]) -> Iterator[str]:
    """The figures are those of the certificate, which leaves no label wrong."""
    certified = reading.record(exposure, "certified")
    found = sure_labels(certified)
    if reading.whole(reading.record(certified, "promise"), "wrong"):
        yield "labels are called known of which some may be wrong"
    if reading.field(exposure, "labels") != found or found < 1:
        yield f"{found} labels are certified to be exposed, stated as {exposure['labels']!r}"
    if not printed(reading.field(exposure, "fraction"), real(Fraction(found, channel.N))):
        yield f"the fraction exposed is {found}/{channel.N}, stated as {exposure['fraction']!r}"
    if reading.whole(exposure, "queries") != reading.whole(certified, "queries"):
        yield f"{certified['queries']} queries expose that, stated as {exposure['queries']}"
    if any(one > found for one in known):
        yield "a feasible attack exposes more"


def _attack_faults(entry: reading.Data, channel: Channel, attack: Any, certified: reading.Data) -> Iterator[str]:
    """An attack of the catalogue, within the budget, with a certificate for as many labels as it leaves right."""
    found, queries = sure_labels(certified), reading.whole(certified, "queries")
    if reading.field(certified, "exposure") != found:
        yield f"{found} labels are certified to be right, stated as {certified['exposure']!r}"
    if channel.budget is not None and queries > channel.budget:
        yield f"{queries} queries expose that, allowed are {channel.budget}"
    if attack not in [one["attack"] for one in entry["candidates"]]:
        yield f"no candidate is called {attack!r}"
    # It was certified for the scenario's own goal, or for as many labels as it exposes: its promise is the same.
    # Where a part is scored it speaks of labels, whatever is wanted beside them.
    goals = [goal for goal in (channel.target, found) if goal <= found]
    alone = replace(channel, membership=False)
    yield from min((list(certificate.faults(replace(alone, target=goal), certified)) for goal in goals), key=len)


def _right_faults(entry: reading.Data, channel: Channel, feasible: list[Any]) -> Iterator[str]:
    """Labels right in the end: those known, those of the guess, or those that an attack leaves right without saying which."""
    exposure = reading.record(entry, "exposure")
    guessed = channel.N - channel.radius if secret.informed(channel) else None
    averaged, left = reading.field(exposure, "averaged"), None
    if averaged is not None:
        held = reading.record(exposure, "averaged")
        reading.only(held, "attack", "certified")
        certified = reading.record(held, "certified")
        left = sure_labels(certified)
        yield from _attack_faults(entry, channel, reading.field(held, "attack"), certified)
        if left <= max(reading.field(exposure, "labels") or 0, guessed or 0):
            yield "an attack is named that leaves no more labels right than are known or guessed"
    found = [one for one in (reading.field(exposure, "labels"), guessed, left) if one is not None]
    right = max(found, default=None)
    if reading.field(exposure, "right") != right:
        yield f"{right} labels are right in the end, stated as {exposure['right']!r}"
    if any(sure_labels(one) > (right or 0) for one in feasible):
        yield "a feasible attack leaves more labels right"
    corrected = None if guessed is None or right is None else right - guessed
    if reading.field(exposure, "corrected") != corrected:
        yield f"{corrected} labels of the guess are corrected, stated as {exposure['corrected']!r}"
