"""From a Report to a Run: arithmetic, scorers, noise and the simulation loop."""
