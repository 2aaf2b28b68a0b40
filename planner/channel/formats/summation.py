"""The order in which a scorer adds its rows: how many additions stand between a charge and the sum."""

from __future__ import annotations

from dsl.scenario import Summation

PAIRWISE_BASE = 26  # additions on the longest path through one block of numpy's sum, and one for uneven halves
BLOCK = 128  # rows that numpy adds in eight running sums; more are halved
REMAINDER = 7  # rows at most that do not fill the eight running sums: the last block adds them one by one


def additions(N: int, summation: Summation) -> int:
    """Additions on the longest path, for any row."""
    if summation is not Summation.PAIRWISE:  # the bound of a running sum covers every order
        return N - 1
    return min(N - 1, PAIRWISE_BASE + max(0, (-(-N // BLOCK) - 1).bit_length()))


def pairwise_depth(N: int) -> int:
    """Additions on the longest path of numpy's sum of N rows or fewer, the last block's `REMAINDER` not counted.

    All blocks but the last hold a multiple of eight rows, so halving q eights gives floor(q/2) and ceil(q/2). A
    block of q eights adds q - 1 times in each running sum and joins the eight sums in 3 steps; 16 eights, not
    halved, cost more than somewhat more eights, halved, so the bound takes the worst number up to N.
    """
    eights = N // 8
    if eights <= 16:
        return min(N - 1, max(REMAINDER - 1, eights + 2))
    halvings = (eights // 16).bit_length() - 1
    leaf = -(-eights >> halvings + 1)
    return max(halvings + 18, halvings + 1 + leaf + 2)
