"""Runnable attacks: encoders that yield submissions one at a time, decoders that verify what they return."""
