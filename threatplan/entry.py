"""Where the `plan` script begins: so little that an interrupt before the command is loaded is met too."""

from __future__ import annotations

import sys
from typing import NoReturn


def script() -> NoReturn:
    """Load the command and run it; whenever Ctrl+C comes, the process ends with 130 and without a traceback."""
    try:
        from threatplan.__main__ import script as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)
