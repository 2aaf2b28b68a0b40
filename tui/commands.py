"""The command palette's entries: title, what it does, the screen's action."""

from __future__ import annotations

COMMANDS: tuple[tuple[str, str, str], ...] = (
    ("Open", "Open another .threat file", "open"),
    ("Save", "Save the scenario's source", "save"),
    ("Save as", "Save the source under another name", "save_as"),
    ("Export", "The report as JSON or Markdown, or the screen as SVG", "export"),
    ("Run", "Simulate the selected attack, or cancel the run that is on", "run"),
    ("Undo", "Take back the last change", "undo"),
    ("Redo", "Make it again", "redo"),
    ("Copy attack", "Copy the selected attack's details", "copy"),
    ("Copy source", "Copy the scenario's source", "copy_source"),
    ("Format source", "Bring the source into its canonical form", "format"),
    ("Next scenario", "Look at the next scenario of the file", "next_scenario"),
    ("Fields", "Go to the scenario's fields", "fields"),
    ("Source", "Go to the scenario's source", "source"),
    ("Attacks", "Every attack, the paper's figures beside the certified ones", "view('attacks')"),
    ("Frontier", "Queries against a field: feasible, unknown, impossible", "view('frontier')"),
    ("Theory", "Problems, reductions and attacks as a graph", "view('theory')"),
    ("Run view", "The labels, hidden and recovered", "view('run')"),
    ("Harden", "What to change: settings at which recovery is impossible", "view('harden')"),
    ("Sidebar", "Hide the scenario, or show it again", "sidebar"),
    ("Help", "What is on the screen, and the keys", "help"),
)
