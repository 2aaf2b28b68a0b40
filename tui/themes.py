"""The explorer's own two themes; Textual's can be chosen in the palette."""

from __future__ import annotations

from textual.theme import Theme

DARK = Theme(
    name="threatplan-dark",
    primary="#7aa2f7",
    secondary="#9d7cd8",
    accent="#7dcfff",
    foreground="#c8d3f5",
    background="#16181f",
    surface="#1c1f29",
    panel="#262a37",
    success="#73c991",
    warning="#e0af68",
    error="#f7768e",
    dark=True,
    variables={"border": "#3b4261", "footer-key-foreground": "#7aa2f7", "block-cursor-text-style": "none"},
)
LIGHT = Theme(
    name="threatplan-light",
    primary="#2e5aac",
    secondary="#7847bd",
    accent="#006f9a",
    foreground="#2b3044",
    background="#f5f6fa",
    surface="#ffffff",
    panel="#e4e7f0",
    success="#2f7d4f",
    warning="#9a6700",
    error="#c22d4b",
    dark=False,
    variables={"border": "#b4bacd", "footer-key-foreground": "#2e5aac", "block-cursor-text-style": "none"},
)
