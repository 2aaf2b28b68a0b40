"""From a definition to a Scenario: every field evaluated, in whatever order they need each other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from dsl.checking import expectations, platforms, presets
from dsl.checking.agreements import AGREEMENTS
from dsl.checking.evaluate import evaluate
from dsl.checking.faults import Fault, Offsets, Place, Silent
from dsl.checking.fields import FIELDS, NAMES
from dsl.checking.functions import FUNCTIONS, Value
from dsl.checking.inheritance import Definition, Report
from dsl.checking.metrics import NEUTRAL, means_nothing, parts_of, rows_taken
from dsl.checking.spelling import field_value
from dsl.checking.values import CONVERT, numeric, parse_version
from dsl.numbers import Real
from dsl.reading.suggest import nearest
from dsl.reading.syntax import Expr, FieldStatement, Name
from dsl.reading.text import Source
from dsl.scenario import Ieee, Origin, Scenario

DEFAULT: Final = Origin("default", "default")
GAP: Final = re.compile(r"(?:(?!\n *(?:scenario\b|\})).)*?(# N = \?)", re.DOTALL)
_DEFAULTS: Final = dict.fromkeys(FIELDS, DEFAULT)


class Assembly:
    """A scenario in the making; also the scope in which its expressions are evaluated."""

    def __init__(
        self,
        definition: Definition,
        report: Report,
        swept: Mapping[str, Expr] | None = None,
        fixed: Mapping[str, Any] | None = None,
    ) -> None:
        self.definition = definition
        self.report = report
        self.swept = swept or {}  # what a sweep puts in place of a field
        self.fixed = fixed or {}  # values that are not to be evaluated again
        self.values: dict[str, Any] = {}
        self.origins: dict[str, Origin] = {}
        self.failed: set[str] = set(definition.broken)
        self.active: list[str] = []

    # -- the scope of expressions --------------------------------------------------------------------

    def lookup(self, name: Name, bits: int) -> Value:
        """The number that a name stands for."""
        field = NAMES.get(name.text)
        if field is None:
            raise self._unknown(name)
        if field in self.active:
            raise self._cycle(field, name)
        held = self.value(field)
        found = numeric(field, held)
        if found is None:
            raise Fault("T030", f"`{field}` is not a number here: it is `{field_value(field, held)}`", name)
        if isinstance(found, Real) and field not in self.fixed:
            node = self.node(field)
            return found if node is None else evaluate(node, self, bits)
        return found

    def _unknown(self, name: Name) -> Fault:
        words = {word for each in FIELDS.values() for word in each.words}
        if name.text in words:
            return Fault("T030", f"`{name.text}` is not a number", name)
        if name.text in FUNCTIONS:
            return Fault("T030", f"`{name.text}` needs an argument", name, f"write `{FUNCTIONS[name.text].usage}`")
        names = [field.name for field in FIELDS.values() if field.number]
        current = FIELDS[self.active[-1]].words if self.active else ()
        hint = nearest(name.text, [*current, *names]) or f"numbers may refer to {', '.join(names)}"
        return Fault("T026", f"unknown name `{name.text}`", name, hint)

    def _cycle(self, field: str, name: Name) -> Fault:
        loop = self.active[self.active.index(field) :]
        self.failed.update(loop)
        path = " -> ".join([*loop, field])
        return Fault("T025", f"`{field}` depends on itself: {path}", name, "give one of them a value of its own")

    # -- fields --------------------------------------------------------------------------------------

    def node(self, field: str) -> Expr | None:
        """What a field is set to: by the sweep, by the file, or by the scorer's preset."""
        if field in self.swept:
            return self.swept[field]
        statement = self.definition.fields.get(field)
        return statement.value if statement else self._preset(field)

    def value(self, field: str) -> Any:
        """The checked value of a field."""
        if field in self.values:
            return self.values[field]
        if field in self.failed:
            raise Silent
        if field in self.fixed:
            return self.fixed[field]
        self.active.append(field)
        try:
            self.values[field] = held = self._evaluate(field)
        except (Fault, Silent):
            self.failed.add(field)
            raise
        finally:
            self.active.pop()
        return held

    def _evaluate(self, field: str) -> Any:
        if self.senseless(field):
            return NEUTRAL[field]
        node = self.node(field)
        if node is not None:
            return CONVERT[field](node, self)
        if field == "columns":
            classes = self.value("K")
            return 1 if classes == 2 else classes
        if field == "predictions":
            metric = self.value("metric")
            return (rows_taken(metric) or parts_of(metric)[0].predictions)[0]
        if field == "N":
            raise Silent  # reported once, by the missing field itself
        return defaults()[field]

    def senseless(self, field: str) -> bool:
        """Whether the metric knows no such field, so that an inherited or a preset one means nothing."""
        if field not in NEUTRAL or "metric" in self.failed:
            return False
        return means_nothing(self.value("metric"), field)

    def _preset(self, field: str) -> Expr | None:
        """What the platform, or else the scorer, fills in for a field that nobody sets."""
        if (platform := self._platform(field)) is not None:
            return phrase(platform.decimals)
        if field not in presets.FILLED or not self._has("scorer"):
            return None
        release = self._release()
        if release is None or field not in release.fields:
            return None
        return phrase(presets.fill(release, self._dtype(field, release.fields[field]))[field])

    def _dtype(self, field: str, text: str) -> str:
        """The submission's floating-point format, where what the scorer fills in depends on it."""
        if field != "score_phi" and text != presets.EPSILON:
            return ""
        phi = self.value("phi")
        return f"float{phi.bits}" if isinstance(phi, Ieee) else ""

    def _has(self, field: str) -> bool:
        """Whether somebody sets this field."""
        return field in self.definition.fields or field in self.swept or field in self.fixed

    def _has_presets(self) -> bool:
        return self._has("scorer") or self._has("platform")

    def _platform(self, field: str) -> platforms.Platform | None:
        """The platform, if it fills in this field."""
        if field not in platforms.FILLED or not self._has("platform"):
            return None
        name = self.value("platform")
        return None if name is None else platforms.PLATFORMS[name]

    def _release(self) -> presets.Release | None:
        scorer = self.value("scorer")
        if scorer is None:
            return None
        version = parse_version(scorer.version) if scorer.version else None
        return presets.PRESETS[scorer.name].release(version)

    # -- the whole -----------------------------------------------------------------------------------

    def attempt(self, make: Callable[[], Any]) -> Any:
        """What `make` gives, or None and a report of why not."""
        try:
            return make()
        except Fault as fault:
            self.report(fault)
        except Silent:
            pass
        return None

    def scenario(self) -> Scenario | None:
        """The Scenario, or None if a field of it cannot be had."""
        definition = self.definition
        self._missing()
        self._take_defaults()
        for field in FIELDS:
            if field not in self.values:
                self.attempt(lambda field=field: self.value(field))  # type: ignore[misc]
        for agree in AGREEMENTS:
            self.attempt(lambda agree=agree: agree(self))  # type: ignore[misc]
        expected = expectations.evaluate(definition, self)
        if self.failed:
            return None
        values = {FIELDS[field].slot: self.fixed.get(field, self.values.get(field)) for field in FIELDS}
        return Scenario(
            name=definition.name,
            title=definition.title,
            file=definition.source.file,
            origins=self._origins(),
            expectations=expected,
            definition=definition,
            **values,
        )

    def _missing(self) -> None:
        absent = "N" not in self.definition.fields and "N" not in self.swept and "N" not in self.fixed
        if absent and "N" not in self.failed:
            self.failed.add("N")
            if not self.definition.damaged:
                message = f"scenario `{self.definition.name}` does not say how many labels there are"
                self.report(Fault("T024", message, self._gap() or self.definition.place, "add `N = …`"))

    def _gap(self) -> Place | None:
        """The comment `# N = ?` of a scenario that is to be filled in, where it has one."""
        found = GAP.match(self.definition.source.text, self.definition.place.start)
        return None if found is None else Offsets(*found.span(1))

    def _take_defaults(self) -> None:
        """Settle at once what nobody sets and nothing else decides: most fields of most scenarios."""
        if not self.fixed and not self._has_presets():
            said = (self.definition.fields, self.swept, self.failed)
            for field, held in defaults().items():
                if not any(field in each for each in said):
                    self.values[field] = held

    def _origins(self) -> Mapping[str, Origin]:
        origins = {field: self._origin(field) for field in self._said()}
        origins = {**_DEFAULTS, **origins}
        origins["shown"] = origins["decimals"]
        return origins

    def _said(self) -> Iterable[str]:
        """The fields that may have another origin than the default."""
        return FIELDS if self._has_presets() else {**self.definition.fields, **self.swept}

    def _origin(self, field: str) -> Origin:
        source = self.definition.source
        if self.senseless(field):
            return DEFAULT
        if field in self.swept:
            return located("sweep", "swept", source, self.swept[field])
        statement = self.definition.fields.get(field)
        if statement is not None:
            owner = self.definition.owners.get(field)
            if owner is None:
                return located("written", "written", source, statement)
            return located("inherited", f"inherited from `{owner}`, written", source, statement)
        if (platform := self._platform(field)) is not None:
            return preset_origin(platform.name, "")
        if field in presets.FILLED and self._has("scorer"):
            scorer = self.fixed.get("scorer", self.values.get("scorer"))
            release = self._release() if scorer else None
            if release is not None and field in release.fields:
                return preset_origin(scorer.name, release.versions)
        return DEFAULT


def located(kind: Any, how: str, source: Source, place: Place) -> Origin:
    """An origin in the file itself."""
    span = source.span(place.start, place.end)
    return Origin(kind, f"{how} at {source.file}:{span.line}:{span.column}", span)


@lru_cache
def preset_origin(name: str, versions: str) -> Origin:
    """An origin in a preset."""
    return Origin("preset", f"preset {name} {versions}".rstrip())


@lru_cache
def phrase(text: str) -> Expr:
    """The expression that a text of the language spells."""
    from dsl.reading.parser import parse

    blocks, faults = parse(Source(f"scenario phrase {{ x = {text} }}", "<phrase>"))
    statement = blocks[0].body[0]
    assert not faults, text
    assert isinstance(statement, FieldStatement)
    return statement.value


@lru_cache
def defaults() -> Mapping[str, Any]:
    """What fields hold when nothing sets them; not N, which must be set, nor what follows K or the metric."""
    plain = (field for field in FIELDS.values() if field.name not in ("N", "columns", "predictions"))
    return {field.name: CONVERT[field.name](phrase(field.default), _NOWHERE) for field in plain}


class _Nowhere:
    """The scope of the defaults, which name no other field."""

    def lookup(self, name: Name, bits: int) -> Value:
        raise AssertionError(name.text)


_NOWHERE: Final = _Nowhere()
