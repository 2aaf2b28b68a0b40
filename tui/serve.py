"""The explorer in a browser, for whoever started it: on this machine only, and only with the token of its address."""

from __future__ import annotations

import os
import re
import secrets
import shlex
import socket
import sys
from hmac import compare_digest
from html import escape
from typing import TYPE_CHECKING, Any

from threatplan.children import child
from threatplan.faults import CommandError

if TYPE_CHECKING:
    from aiohttp import web
    from aiohttp.typedefs import Handler

HOST = "127.0.0.1"
"""Not `localhost`: that may be an IPv6 address too, where another user of the machine could listen for the token."""
TOKEN_BYTES = 32
ELSEWHERE = re.compile(r'<link\s[^>]*href="https?://(?!127\.0\.0\.1)[^>]*>')
"""What textual-serve's page asks of other machines: a font, without which it does."""
FOCUS = """<script>
const seeking = setInterval(() => {
  const keys = document.querySelector(".xterm-helper-textarea");
  if (keys) { keys.focus(); clearInterval(seeking); }
}, 100);
</script>
"""
REFUSED = "the explorer answers whoever has the address that it printed"


def serve(path: str | None = None, port: int = 8000) -> int:
    """Offer the explorer at http://127.0.0.1:PORT/TOKEN/ until it is interrupted; the exit code."""
    _check_port(port)
    command, environment = child("tui", *([path] if path else []))
    os.environ.update(environment)  # textual-serve hands on its own
    title = f"{os.path.basename(path)}: threatplan" if path else "threatplan"
    _server(shlex.join(command), port, secrets.token_urlsafe(TOKEN_BYTES), title).serve()
    return 0


def _check_port(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except (OSError, OverflowError) as error:
            raise CommandError(f"port {port} cannot be used: {error}", "give another with --port") from None


def dressed(page: str, title: str) -> str:
    """The page with a title and with keys that go to the explorer from the start; no other machine is asked for anything."""
    alone = ELSEWHERE.sub("", page).replace("<head>", f"<head>\n<title>{escape(title)}</title>", 1)
    return alone.replace("</body>", f"{FOCUS}</body>", 1)


def _server(command: str, port: int, token: str, title: str = "threatplan") -> Any:
    try:
        from aiohttp import web
        from textual_serve.server import Server
    except ImportError:
        hint = "pip install 'threatplan[serve]'"
        raise CommandError("the browser version needs the package textual-serve", hint) from None

    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse whoever lacks the token, and whoever reached this machine under another name."""
        given = request.path.split("/")[1].encode(errors="replace")
        if not compare_digest(given, token.encode()) or request.host != f"{HOST}:{port}":
            raise web.HTTPForbidden(text=REFUSED)
        response = await handler(request)
        if request.path == f"/{token}/" and isinstance(response, web.Response) and response.text:
            response.text = dressed(response.text, title)
        return response

    class LocalServer(Server):  # type: ignore[misc]
        """Serves the explorer below a path that only its owner knows: it can read and write files."""

        def initialize_logging(self) -> None:
            """Quiet."""

        async def _make_app(self) -> web.Application:
            """The page, its files and its socket, all of them behind the token."""
            app = web.Application(middlewares=[guard])
            app.on_response_prepare.append(_private)
            app.add_subapp(f"/{token}", await super()._make_app())
            return app

        async def on_startup(self, app: web.Application) -> None:
            """One line on standard error."""
            print(f"the explorer is at {self.public_url}/{token}/; Ctrl+C ends it", file=sys.stderr, flush=True)

        async def handle_websocket(self, request: web.Request) -> Any:
            """Refuse a page that another site served."""
            if request.headers.get("Origin") != self.public_url:
                raise web.HTTPForbidden(text=REFUSED)
            return await super().handle_websocket(request)

    return LocalServer(command, host=HOST, port=port, title="threatplan")


async def _private(request: web.Request, response: web.StreamResponse) -> None:
    """The address is a secret: no other site is told it, and no cache keeps it."""
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cache-Control"] = "no-store"
