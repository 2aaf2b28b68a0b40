"""A tiny leaderboard on 127.0.0.1 behind a gate, with nothing but the standard library, numpy and threatplan.

    python examples/board.py                                  serves a board of 2,000 hidden labels until interrupted
    curl -d '{"team": "me", "predictions": [0.5, …]}' http://127.0.0.1:8000/submit

Its gate is a Ladder that starts at ln 2. What `plan` proves of that is checked by `plan check`, of the scenario that
`gate.to_threat()` writes; and `plan run SCENARIO --scorer examples.board:score` attacks the same gate in this process.
"""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from math import log
from typing import Any

import numpy as np

from threatplan.scoregate import CapReachedError, InvalidSubmissionError, JournalError, Ladder, Rounded, ScoreGate

ROWS, CAP, LARGEST_BODY = 2000, 300, 2**20
RELEASE = Ladder(eta="0.01", start=log(2)) >> Rounded(4)
STATUS = {InvalidSubmissionError: 400, ValueError: 400, CapReachedError: 429, JournalError: 503}


class Handler(BaseHTTPRequestHandler):
    """POST /submit: a team and its predictions; the answer is what the gate shows, or why it shows nothing."""

    gate: ScoreGate

    def do_POST(self) -> None:
        """Score one submission."""
        length = int(self.headers.get("Content-Length") or 0)
        if self.path != "/submit" or not 0 < length <= LARGEST_BODY:
            self.answer(404, {"error": "POST /submit, at most 1 MiB"})
            return
        try:
            said = json.loads(self.rfile.read(length))
            shown = self.gate.submit(said["team"], said["predictions"])
        except (KeyError, TypeError, json.JSONDecodeError):
            self.answer(400, {"error": 'send {"team": …, "predictions": […]}'})
        except tuple(STATUS) as fault:
            status = next(code for kind, code in STATUS.items() if isinstance(fault, kind))
            self.answer(status, {"error": str(fault)})
        else:
            self.answer(200, {"score": shown.value, "changed": shown.changed, "left": shown.left})

    def answer(self, status: int, body: dict[str, Any]) -> None:
        """Reply with JSON."""
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        """Nothing is logged: a log of scores would be a second board."""


def serve(gate: ScoreGate, port: int = 8000) -> ThreadingHTTPServer:
    """A server for this gate, on this machine only."""
    handler = type("Board", (Handler,), {"gate": gate})
    return ThreadingHTTPServer(("127.0.0.1", port), handler)


_attacked: dict[bytes, ScoreGate] = {}


def score(labels: Any, predictions: Any) -> float:
    """The gate as a scorer for `plan run`: one attacker against the labels that the run hides."""
    key = np.asarray(labels).tobytes()
    if key not in _attacked:
        _attacked.clear()
        _attacked[key] = ScoreGate(labels, release=RELEASE, classes=2)
    return _attacked[key].submit("attacker", predictions).value


def main() -> int:
    """Serve labels that are drawn here; the journal stands beside."""
    labels = np.random.default_rng(2026).integers(0, 2, ROWS)
    gate = ScoreGate(labels, release=RELEASE, journal="board.sqlite", cap=CAP)
    print(gate.to_threat(), file=sys.stderr)
    with serve(gate) as server:
        print(f"http://127.0.0.1:{server.server_port}/submit", file=sys.stderr)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
