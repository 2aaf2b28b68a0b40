"""Fields that must agree with each other, checked once all of them are known."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Final

from dsl.checking.faults import Fault, Place
from dsl.checking.metrics import NEUTRAL, parts_of, rows_taken
from dsl.checking.presets import PRESETS
from dsl.checking.spelling import field_value, rational
from dsl.checking.values import CONVERT, parse_version
from dsl.reading.syntax import Expr
from dsl.scenario import Plain, Several, scored_rows

if TYPE_CHECKING:
    from dsl.checking.assembly import Assembly


def columns(scope: Assembly) -> None:
    """A row holds a number for each class, or one for two classes."""
    columns, classes = scope.value("columns"), scope.value("K")
    if columns == classes or (columns == 1 and classes == 2) or scope.senseless("columns"):
        return  # of rows that hold a class nobody asks for columns
    scope.failed.add("columns")
    place: Place = scope.node("columns") or scope.definition.place
    need = "1 or 2" if classes == 2 else str(classes)
    message = f"a row for K = {classes} classes cannot hold {columns} column{'s' if columns > 1 else ''}"
    raise Fault("T036", message, place, f"`columns` must be {need}, or left out")


def formats(scope: Assembly) -> None:
    """Predictions and scores in formats of one kind: no arithmetic mixes floating point and fixed point."""
    phi, score = scope.value("phi"), scope.value("score_phi")
    if score is None or type(score) is type(phi):
        return
    scope.failed.add("score_phi")
    place: Place = scope.node("score_phi") or scope.definition.place
    message = f"predictions in `{field_value('phi', phi)}` are not added up in `{field_value('score_phi', score)}`"
    hint = "both are floating point, both fixed point, or both arbitrary; leave `score_phi` out for the same format"
    raise Fault("T046", message, place, hint)


def metric_and_classes(scope: Assembly) -> None:
    """A metric of two classes where there are two."""
    metrics, classes = parts_of(scope.value("metric")), scope.value("K")
    if classes == 2:
        return
    place: Place = scope.node("metric") or scope.definition.place
    for metric in metrics:
        if metric.binary:
            scope.failed.add("metric")
            hint = "set `K = 2`, or another metric"
            raise Fault("T048", f"`{metric.name}` is for two classes, not K = {classes}", place, hint)
        if _version(scope) < metric.since:
            scope.failed.add("metric")
            known = ".".join(map(str, metric.since))
            message = f"this version of scikit-learn has no `{metric.name}` of K = {classes} classes"
            raise Fault("T048", message, place, f"{known} and newer do: set `K = 2`, or another version")


def _version(scope: Assembly) -> tuple[float, float]:
    """Of scikit-learn, where a version is named; else none is too old."""
    scorer = scope.value("scorer")
    if scorer is None or scorer.name != "sklearn" or scorer.version is None:
        return inf, inf
    return parse_version(scorer.version) or (inf, inf)


def metric_and_fields(scope: Assembly) -> None:
    """A field beside a metric that knows none such; one that was inherited is passed over, a sweep of it is not."""
    for field in NEUTRAL:
        node = scope.swept.get(field) or _own(scope, field)
        if node is None or "metric" in scope.definition.sweeps or "metric" in scope.failed:
            continue
        without = [one for one in parts_of(scope.value("metric")) if field in one.senseless]
        if without and CONVERT[field](node, scope) != NEUTRAL[field]:
            scope.failed.add(field)
            message = f"`{field}` makes no sense for `{without[0].name}`"
            raise Fault("T047", message, node, "remove it, or set another metric")


def metric_and_predictions(scope: Assembly) -> None:
    """Rows that the metric can be computed of."""
    held, rows = scope.value("metric"), scope.value("predictions")
    taken = rows_taken(held)
    if rows in taken:
        return
    place: Place = scope.node("predictions") or scope.node("metric") or scope.definition.place
    scope.failed.add("predictions")
    metric = next(one for one in parts_of(held) if rows not in one.predictions)
    message = f"`{metric.name}` is not computed of `predictions = {rows}`"
    if taken:
        raise Fault("T054", message, place, f"write {' or '.join(f'`{one}`' for one in taken)}")
    each = ", ".join(f"`{one.name}` takes {' or '.join(one.predictions)}" for one in parts_of(held))
    raise Fault("T054", message, place, f"{each}: write a scenario for each score (`plan explain T054`)")


def several_and_release(scope: Assembly) -> None:
    """Several scores, each of them shown: nothing is known of a release of all of them."""
    if not isinstance(scope.value("metric"), Several) or scope.value("release") == Plain():
        return
    scope.failed.add("release")
    place: Place = scope.node("release") or scope.definition.place
    message = "no release but `plain` is known of several scores"
    raise Fault("T063", message, place, "leave `release` out, or name the one score that is released")


def reduction_and_scorer(scope: Assembly) -> None:
    """A sum, where the scorer can be told to show one."""
    scorer = scope.value("scorer")
    if scope.value("reduction") == "mean" or scorer is None or PRESETS[scorer.name].sums:
        return
    scope.failed.add("reduction")
    place: Place = scope.node("reduction") or scope.definition.place
    able = " and ".join(f"`{preset.name}`" for preset in PRESETS.values() if preset.sums)
    raise Fault("T067", f"`{scorer.name}` shows no sum of losses", place, f"of the presets {able} can be told to")


def _own(scope: Assembly, field: str) -> Expr | None:
    """What the scenario itself sets a field to."""
    statement = scope.definition.fields.get(field)
    return statement.value if statement and field not in scope.definition.owners else None


def positives(scope: Assembly) -> None:
    """A count of labels that are 1: of two classes, no more than there are labels, and the only thing that is known."""
    held = scope.value("positives")
    if held is None:
        return
    classes, labels = scope.value("K"), scope.value("N")
    place: Place = scope.node("positives") or scope.definition.place
    if classes != 2:
        scope.failed.add("positives")
        raise Fault("T049", f"`positives` is for two classes, not K = {classes}", place, "set `guess` instead")
    if scope.value("guess") is not None:
        scope.failed.add("positives")
        hint = "whoever knows `positives` guesses the commoner class: keep what tells more"
        raise Fault("T052", "`guess` and `positives` cannot stand together", place, hint)
    count = held * labels if isinstance(held, Fraction) else held
    if count > labels or Fraction(count).denominator > 1:
        scope.failed.add("positives")
        much = f"{rational(count)} of {labels:,} labels"
        raise Fault("T049", f"`positives` cannot be {much}", place, "a count of labels, or a share that is one")


def public(scope: Assembly) -> None:
    """The scored rows are some of those submitted, and nothing else is known of their labels."""
    held, rows = scope.value("public"), scope.value("N")
    place: Place = scope.node("public") or scope.definition.place
    fewest, most = scored_rows(rows, held)
    if not 1 <= most <= rows:
        scope.failed.add("public")
        hint = "N counts the rows of a submission, `public` those of them that are scored"
        raise Fault("T055", f"{most:,} of {rows:,} rows cannot be scored", place, hint)
    if fewest < rows:
        _nothing_else_known(scope, place)


_STILL_FEASIBLE = (
    "an attack that needs no knowledge works for whoever has some, but `impossible` is then no proof against them"
)


def _nothing_else_known(scope: Assembly, place: Place) -> None:
    """What is known of labels beforehand and a secret part of the rows: no result covers both."""
    for field in ("guess", "positives"):
        if scope.value(field) is not None:
            scope.failed.add("public")
            message = f"`public` and `{field}` cannot stand together"
            raise Fault("T056", message, place, f"leave `{field}` out: {_STILL_FEASIBLE}")


def response(scope: Assembly) -> None:
    """Labels that were flipped, and a secret part of the rows: no result covers both."""
    fewest, _ = scored_rows(scope.value("N"), scope.value("public"))
    if scope.value("response") is None or fewest == scope.value("N"):
        return
    scope.failed.add("response")
    place: Place = scope.node("response") or scope.definition.place
    message = "`public` and `response` cannot stand together"
    raise Fault("T065", message, place, "no attack and no proof covers both: leave one of them out")


def find(scope: Assembly) -> None:
    """Which rows are scored can only be asked of all of them."""
    if scope.value("find") == "labels" or scope.value("goal") == 1:
        return
    scope.failed.add("find")
    place: Place = scope.node("find") or scope.definition.place
    raise Fault("T057", "`find = labels_and_split` needs `goal = all`", place, "leave `goal` out, or find labels alone")


AGREEMENTS: Final[tuple[Callable[[Assembly], None], ...]] = (
    columns,
    formats,
    metric_and_classes,
    metric_and_fields,
    metric_and_predictions,
    several_and_release,
    reduction_and_scorer,
    positives,
    public,
    response,
    find,
)
