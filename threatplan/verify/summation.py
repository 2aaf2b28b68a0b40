"""How many additions stand between one row and the sum of all."""

from __future__ import annotations


def pairwise_additions(count: int) -> int:
    """In numpy's sum: blocks of 128 in eight running sums, halved as often as there are blocks."""
    blocks = -(-count // 128)
    return min(count - 1, 26 + max(0, (blocks - 1).bit_length()))


def pairwise_depth(N: int) -> int:
    """Additions on the longest path of numpy's sum of at most N rows, but for the last block's remainder."""
    eights = N // 8
    if eights <= 16:
        return min(N - 1, max(6, eights + 2))
    halvings = (eights // 16).bit_length() - 1
    leaf = -(-eights >> halvings + 1)
    return max(halvings + 18, halvings + leaf + 3)
