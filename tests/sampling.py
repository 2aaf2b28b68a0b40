"""The type of the fixture `one_in`, which tries a sample of what `--thorough` tries whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

OneIn = Callable[[int, Iterable[Any], str], list[Any]]
