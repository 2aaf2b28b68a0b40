"""The `plan` command: find the sub-command, run it, and turn whatever happens into an exit code."""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from threatplan.commands import COMMANDS, DEFAULT, load
from threatplan.faults import BAD_INPUT, BROKEN, DONE, INTERRUPTED, PIPE_CLOSED, CommandError, InputError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

COLLECT_AFTER = 200_000
"""Objects between two garbage collections. Starting and planning make many that stay: looking for garbage among them
after every 700, as Python does unasked, takes a tenth of a short run and finds none. An ordinary plan makes 50,000, and
looking through them once takes 20 ms."""


def script() -> NoReturn:
    """Run `plan` as the whole of a process, most often too short a one for garbage to matter."""
    gc.set_threshold(COLLECT_AFTER)
    code = main()
    gc.freeze()  # the process takes all of its memory with it: nothing need be searched for cycles first
    sys.exit(code)


def main(argv: Sequence[str] | None = None) -> int:
    """Run `plan` with these arguments and return its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        _open_streams()
        code = _answer(arguments)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return PIPE_CLOSED
    except OSError as error:
        _discard_output()
        message = f"cannot write the output: {error.strerror or error}"
        return _say(CommandError(message, code=BROKEN), arguments)


def _answer(arguments: list[str]) -> int:
    """Run the command; whatever a user can act on becomes a message, the rest a short apology."""
    try:
        return _dispatch(arguments)
    except (CommandError, InputError) as fault:
        return _say(fault, arguments)
    except SystemExit as end:  # argparse, after --help
        return DONE if not end.code else end.code if isinstance(end.code, int) else BROKEN
    except OSError:
        raise
    except Exception as error:
        return _apologise(error, arguments)


def _open_streams() -> None:
    """Streams that whoever started us had closed lead nowhere; the others show any character somehow."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - as long as the process
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    if sys.stderr is sys.__stderr__ and sys.stderr is not None:
        raw = _Lossy(sys.stderr.fileno(), "w", closefd=False)
        sys.stderr = io.TextIOWrapper(
            io.BufferedWriter(raw), sys.stderr.encoding, "backslashreplace", line_buffering=True
        )


class _Lossy(io.FileIO):
    """Standard error is talk: where it cannot be written (a full disk, a reader that left), the work goes on."""

    def write(self, data: ReadableBuffer, /) -> int:
        """Write, or let it be."""
        try:
            return super().write(data)
        except OSError:
            return memoryview(data).nbytes


def _dispatch(arguments: list[str]) -> int:
    first = arguments[0] if arguments else ""
    if first in ("--version", "-V"):
        from threatplan import __version__

        print(f"plan {__version__}")
        return DONE
    name, rest = (first, arguments[1:]) if first in COMMANDS else (DEFAULT, arguments)
    command, parser = load(name)
    if not arguments:
        parser.print_help(sys.stderr)
        return BAD_INPUT
    return command.run(parser.parse(rest))


def _say(fault: CommandError | InputError, arguments: list[str]) -> int:
    from threatplan.talk import report_fault

    sys.stdout.flush()
    return report_fault(fault, arguments)


def _apologise(error: Exception, arguments: list[str]) -> int:
    if "--debug" in arguments:
        import traceback

        from dsl.visible import visible

        for piece in traceback.format_exception(error):
            print("\n".join(map(visible, piece.rstrip("\n").split("\n"))), file=sys.stderr)
    if isinstance(error, RecursionError | MemoryError):
        message = f"{type(error).__name__}: this needs more memory than there is"
        return _say(CommandError(message, code=BROKEN), arguments)
    hint = "this is a fault of threatplan: please report it with the output of the same command and --debug"
    return _say(CommandError(f"internal failure: {type(error).__name__}: {error}", hint, BROKEN), arguments)


def _discard_output() -> None:
    """What is still buffered has no reader: the interpreter must not try again when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    script()
