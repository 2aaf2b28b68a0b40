"""Rounding made uniform by the attacker's coins, and averaged."""
