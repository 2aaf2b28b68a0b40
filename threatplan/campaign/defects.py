"""What must not be: how a campaign writes down that something went wrong."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Any

Defect = dict[str, Any]  # kind, attack or limit or None, text


def defect(kind: str, where: str | None, text: str) -> Defect:
    """Something that must not be."""
    return {"kind": kind, "where": where, "text": text}


def describe(error: BaseException) -> str:
    """An exception and the line that raised it, without machine paths."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}"[:500] + place
