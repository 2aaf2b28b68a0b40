"""Text to syntax tree: what is written, and every statement of it that cannot be read."""
