"""What all tests share."""

from __future__ import annotations

import signal
import threading


def pytest_configure() -> None:
    """Processes that tests interrupt must be interruptible, even if a shell started all this in the background."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)
