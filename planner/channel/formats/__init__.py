"""Number formats: which numbers they hold, how they round, how they add up. A new one is a new file and a line here."""

from __future__ import annotations

from typing import Any

from planner.channel.formats.arbitrary import ArbitraryFormat
from planner.channel.formats.base import Format, Unknown
from planner.channel.formats.fixed import FixedFormat
from planner.channel.formats.ieee import IeeeFormat

FORMATS: tuple[type[Format], ...] = (ArbitraryFormat, FixedFormat, IeeeFormat)


def format_of(value: Any) -> Format:
    """The format that a value of the language names; nothing is known of any other value."""
    return next((one for one in FORMATS if type(value) is one.kind), Unknown)(value)
