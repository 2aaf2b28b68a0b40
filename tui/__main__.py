"""`python -m tui [FILE]`: the explorer by itself, as the browser version starts it."""

from __future__ import annotations

import sys

from tui.app import run

if __name__ == "__main__":
    raise SystemExit(run(next(iter(sys.argv[1:]), None)))
