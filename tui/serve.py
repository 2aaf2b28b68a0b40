"""The explorer in a browser, on this machine only."""

from __future__ import annotations

import os
import shlex
import socket
import sys
from typing import TYPE_CHECKING, Any

from threatplan.faults import CommandError

if TYPE_CHECKING:
    from aiohttp import web

HOST = "localhost"


def serve(path: str | None = None, port: int = 8000) -> int:
    """Offer the explorer at http://localhost:PORT until it is interrupted; the exit code."""
    _check_port(port)
    os.environ["PYTHONPATH"] = os.pathsep.join(part or os.getcwd() for part in sys.path)
    command = shlex.join([sys.executable, "-m", "tui", *([path] if path else [])])
    _server(command, port).serve()
    return 0


def _check_port(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except (OSError, OverflowError) as error:
            raise CommandError(f"port {port} cannot be used: {error}", "give another with --port") from None


def _server(command: str, port: int) -> Any:
    try:
        from aiohttp import web
        from textual_serve.server import Server
    except ImportError:
        hint = "pip install 'threatplan[serve]'"
        raise CommandError("the browser version needs the package textual-serve", hint) from None

    class LocalServer(Server):  # type: ignore[misc]
        """Serves the explorer to pages of its own only: it can read and write files."""

        def initialize_logging(self) -> None:
            """Quiet."""

        async def on_startup(self, app: web.Application) -> None:
            """One line on standard error."""
            print(f"the explorer is at {self.public_url}; Ctrl+C ends it", file=sys.stderr, flush=True)

        async def handle_websocket(self, request: web.Request) -> Any:
            """Refuse a page that another site served, and another site that took this one's address."""
            if request.headers.get("Origin") != self.public_url or request.host != f"{HOST}:{self.port}":
                raise web.HTTPForbidden(text="the explorer answers its own page only")
            return await super().handle_websocket(request)

    return LocalServer(command, host=HOST, port=port, title="threatplan")
