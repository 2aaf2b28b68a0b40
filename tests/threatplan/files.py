"""Scenario files that the commands are tried on."""

from __future__ import annotations

SMALL = """scenario small "Sixty-four labels" {
    N        = 64
    clip     = 1e-15
    decimals = 5
    queries <= 20

    expect feasible
    expect queries <= 6
}
"""
SHUT = SMALL.replace("queries <= 20", "queries <= 2").replace("    expect queries <= 6\n", "")
BROKEN = "scenario broken {\n    N = 12\n    quries <= 3\n}\n"
EMPTY = "scenario silent {\n    N = 12\n}\n"
SWEPT = SMALL.replace("    expect", "    sweep decimals = 3..5\n    expect", 1).replace("queries <= 6", "queries <= 4")
