"""From a Scenario to a Report: channel, theorems, certification, impossibility and ranking."""
