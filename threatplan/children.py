"""Programs of ours in processes of their own: the one place that says how Python is started."""

from __future__ import annotations

import os
import site
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]


class Child(NamedTuple):
    """What starts one: its command line, and the environment that goes with it."""

    command: list[str]
    environment: dict[str, str]


def child(module: str, *arguments: str, **variables: str) -> Child:
    """How to start one of our modules without running what the current folder calls `json.py`.

    `python -m` looks for modules in the current folder first, and a folder with a `.threat` file in it may be anybody's.
    """
    environment = {**os.environ, **variables, "PYTHONPATH": os.pathsep.join(_path())}
    return Child([sys.executable, "-P", "-m", module, *arguments], environment)


def _path() -> list[str]:
    """What `PYTHONPATH` is to hold: ourselves unless installed, and the user's own places.

    Empty and relative ones name whatever folder we are in. Installed packages come after the standard library, where
    Python puts them: ahead of it one of them could stand in for a part of it.
    """
    installed = (*site.getsitepackages(), site.getusersitepackages())
    own = [] if str(ROOT) in installed else [str(ROOT)]
    given = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return own + [place for place in given if os.path.isabs(place)]
