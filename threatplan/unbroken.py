"""Pieces of output that are written whole: an interrupt waits for their end."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TextIO


@contextmanager
def unbroken() -> Iterator[None]:
    """Let the first Ctrl+C wait until the block is done; a second one, where nobody reads our output, does not wait."""
    if threading.current_thread() is not threading.main_thread() or not callable(signal.getsignal(signal.SIGINT)):
        yield
        return
    waiting: list[int] = []

    def handle(number: int, frame: FrameType | None) -> None:
        if waiting:
            raise KeyboardInterrupt
        waiting.append(number)

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if waiting:
        raise KeyboardInterrupt


def write_whole(stream: TextIO, text: str) -> None:
    """Write a text and see it off, all of it.

    Standard output is written by hand: where a signal cuts a write to a pipe short, Python's buffered stream reports how
    much went out, and the text stream above it drops the rest, even if no exception is raised.
    """
    with unbroken():
        stream.flush()
        if stream is not sys.__stdout__:
            stream.write(text)
            stream.flush()
            return
        data = memoryview(text.replace("\n", os.linesep).encode(stream.encoding, stream.errors or "strict"))
        while data:
            data = data[os.write(stream.fileno(), data) :]
