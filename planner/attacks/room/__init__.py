"""A Ladder from infinity whose step is too large for a descent: a bad first score buys room for some labels."""
