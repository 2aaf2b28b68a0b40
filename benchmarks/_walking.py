"""Which functions of the project a call enters, in order."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = f"{Path(__file__).parent.parent}/"
OURS = ("dsl/", "planner/", "backends/", "threatplan/")


@dataclass
class Walk:
    """The functions that were entered, and how often the next one lay in another room."""

    entered: dict[CodeType, str] = field(default_factory=dict)  # with their files
    switches: int = 0
    last: str = ""

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        """What the interpreter tells of each call."""
        path = frame.f_code.co_filename.removeprefix(ROOT)
        if event != "call" or not path.startswith(OURS):
            return
        self.entered[frame.f_code] = path
        room = _room(path)
        self.switches += bool(self.last) and room != self.last
        self.last = room

    @property
    def files(self) -> Counter[str]:
        """The lines of code of the functions, by file."""
        lines = {(path, line) for code, path in self.entered.items() for _, _, line in code.co_lines() if line}
        return Counter(path for path, _ in lines)


def _room(path: str) -> str:
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "planner" and len(parts) > 2 else parts[0]


def walk(call: Callable[[], object]) -> Walk:
    """What the call enters."""
    found = Walk()
    sys.setprofile(found)
    try:
        call()
    finally:
        sys.setprofile(None)
    return found
