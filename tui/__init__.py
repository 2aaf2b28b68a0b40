"""The explorer: a terminal interface that shows Reports and Runs, and owns no mathematics."""
