"""Parameters of attacks: what a theorem proposes, the certifier re-checks and an encoder runs.

Each kind is plain, frozen data that survives a round trip through JSON, so that a certificate can be checked
again by someone who holds nothing but the channel and this record.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from dsl.alike import ByFields
from planner.attacks.promise import NOISE, NOTHING
from planner.attacks.scope import Scope, scope_of
from planner.channel.conditions import Condition

if TYPE_CHECKING:
    from planner.channel.channel import Channel

KINDS: dict[str, type[Parameters]] = {}


@dataclass(frozen=True, eq=False, repr=False)
class Parameters(ByFields):
    """What all attacks share: how many queries they ask, and for how many labels.

    The properties say what such a record promises beside that. Their defaults are the safe ones: a record that does
    not say how many classes it tells apart tells none.
    """

    kind: ClassVar[str]
    scope: ClassVar[Scope]  # of which boards such a record may be certified: as its family says
    queries: int
    labels: int

    @property
    def told(self) -> int:
        """Classes that are told apart."""
        return 1

    @property
    def listed(self) -> int | None:
        """How many queries are listed beforehand; None: they are made up on the way, within `queries`."""
        return None

    @property
    def fewest(self) -> int:
        """Queries without which nothing is promised."""
        return 1

    @property
    def adaptive(self) -> bool:
        """Whether later queries depend on earlier scores."""
        return False

    @property
    def mistakes(self) -> int:
        """How many of the labels may come out wrong."""
        return 0

    @property
    def membership(self) -> bool:
        """Whether it tells which rows are scored, beside their labels."""
        return False

    def over(self, channel: Channel) -> str:
        """What the chance of failure is taken over."""
        return NOISE if channel.random else NOTHING

    @property
    def fixes(self) -> dict[str, str]:
        """Facts of the channel that are written into the record."""
        return {}

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """What the channel must be like for such a record to be run at all."""
        return ()

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        KINDS[cls.kind] = cls
        cls.scope = scope_of(cls)

    @property
    def tilted(self) -> bool:
        """Whether the decoder parts two sums midway between what noise that grows with the loss makes of them.

        Only such a decoder earns the factor 1 + α of the gap; one that takes the nearest sum, or rounds, does not.
        """
        return False

    def to_json(self) -> dict[str, Any]:
        """The parameters as JSON data; rationals are written as strings."""
        data = {each.name: _plain(getattr(self, each.name)) for each in fields(self)}
        return {"kind": self.kind, **data}


def blocks_of(labels: int, m: int) -> int:
    """Queries of m labels each."""
    return -(-labels // m) if m > 0 else 0


def parameters_from_json(data: dict[str, Any]) -> Parameters:
    """The parameters that `to_json` wrote, of a kind that was read already: `planner.catalogue.kinds` reads all."""
    kind = KINDS[data["kind"]]
    return kind(**{each.name: _restored(data[each.name]) for each in fields(kind)})


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        # Hexadecimal: numbers of many thousand bits are written and read in linear time.
        return {"fraction": f"{value.numerator:#x}/{value.denominator:#x}"}
    if is_dataclass(value):
        inside = {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
        return {"type": _name_of_part(value), **inside}
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return value


def _restored(value: Any) -> Any:
    if isinstance(value, dict) and "fraction" in value:
        numerator, _, denominator = value["fraction"].partition("/")
        return Fraction(int(numerator, 0), int(denominator, 0))
    if isinstance(value, dict):
        return _part(value["type"])(**{key: _restored(one) for key, one in value.items() if key != "type"})
    if isinstance(value, list):
        return tuple(_restored(one) for one in value)
    return value


def _name_of_part(part: Any) -> str:
    """What a record calls a part of a design."""
    from planner.designs import PARTS

    home = type(part).__module__, type(part).__qualname__
    return next(name for name, place in PARTS.items() if place == home)


def _part(name: str) -> Any:
    """A class of the designs, by the name that a record gives."""
    from planner.designs import PARTS

    if name not in PARTS:
        raise ValueError(f"{name} is no part of a design")
    module, attribute = PARTS[name]
    return getattr(import_module(module), attribute)
