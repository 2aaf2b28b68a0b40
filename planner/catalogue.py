"""The catalogue: every attack, in the order in which it is shown. A new one is a new file and a line here."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from planner.attacks.amplitude.theorem import Amplitude
from planner.attacks.block.conway_guy import ConwayGuy
from planner.attacks.block.one_label import OneLabel
from planner.attacks.block.subset_sums import SubsetSumsBlocks, SubsetSumsOnce
from planner.attacks.block.theorem import Block
from planner.attacks.chunks.theorem import GrowingChunks
from planner.attacks.class_counting.theorem import ClassCounting
from planner.attacks.codes.theorem import CodedClasses
from planner.attacks.consistent.theorem import Consistent
from planner.attacks.counting.theorem import Counting
from planner.attacks.descent.theorem import FallingBoard
from planner.attacks.design.theorem import Batches, Designs
from planner.attacks.digits.theorem import Digits
from planner.attacks.dither.theorem import Dither
from planner.attacks.groups.theorem import LadderGroups
from planner.attacks.growing.theorem import GrowingBlock
from planner.attacks.guess.theorem import Guessing
from planner.attacks.hunting.theorem import ThresholdSplitting
from planner.attacks.line.theorem import FreeBlocks
from planner.attacks.one_row.theorem import SingleRows
from planner.attacks.ones.theorem import RowsOfOnes
from planner.attacks.parameters import KINDS, Parameters
from planner.attacks.passes.theorem import PrefixPasses
from planner.attacks.patterns.theorem import LadderPatterns
from planner.attacks.pivot.theorem import PivotRows
from planner.attacks.power_sums.theorem import PowerSumsOfRows
from planner.attacks.prefix.theorem import PrefixThreshold
from planner.attacks.primes.prime_powers import PrimePowersBlocks, PrimePowersOnce
from planner.attacks.primes.theorem import PrimesBlocks, PrimesOnce
from planner.attacks.ranks.theorem import Ranks
from planner.attacks.room.theorem import LadderRoom
from planner.attacks.scaled.theorem import ScaledThreshold
from planner.attacks.signs.theorem import RandomSigns
from planner.attacks.split_count.theorem import SplitCounts
from planner.attacks.split_design.theorem import SplitDesigns
from planner.attacks.split_labels.theorem import SplitLabelsOnce
from planner.attacks.split_mean.theorem import SplitMeans
from planner.attacks.split_members.theorem import SplitMembership
from planner.attacks.split_peel.theorem import SplitPeeling
from planner.attacks.split_threshold.theorem import SplitThreshold
from planner.attacks.splitting.theorem import SplittingCounts
from planner.attacks.spread.theorem import Hadamard, SpreadButterfly
from planner.attacks.squares.theorem import SquareBlocks
from planner.attacks.theorem import Theorem
from planner.attacks.threshold.theorem import Threshold
from planner.attacks.zero.theorem import Zero

CATALOGUE: tuple[Theorem[Any], ...] = (
    PrimesOnce(),
    PrimesBlocks(),
    PrimePowersOnce(),
    PrimePowersBlocks(),
    SubsetSumsOnce(),
    SubsetSumsBlocks(),
    OneLabel(),
    Block(),
    ConwayGuy(),
    GrowingBlock(),
    Digits(),
    RowsOfOnes(),
    Designs(),
    Batches(),
    Counting(),
    ClassCounting(),
    PivotRows(),
    GrowingChunks(),
    Ranks(),
    SingleRows(),
    FreeBlocks(),
    SquareBlocks(),
    Threshold(),
    ScaledThreshold(),
    PrefixThreshold(),
    Dither(),
    Amplitude(),
    Consistent(),
    PrefixPasses(),
    CodedClasses(),
    RandomSigns(),
    SpreadButterfly(),
    Hadamard(),
    Zero(),
    SplittingCounts(),
    PowerSumsOfRows(),
    ThresholdSplitting(),
    FallingBoard(),
    LadderPatterns(),
    LadderGroups(),
    LadderRoom(),
    Guessing(),
    SplitLabelsOnce(),
    SplitDesigns(),
    SplitPeeling(),
    SplitThreshold(),
    SplitCounts(),
    SplitMembership(),
    SplitMeans(),
)

BY_ID: dict[str, Theorem[Any]] = {theorem.id: theorem for theorem in CATALOGUE}


def kinds() -> dict[str, type[Parameters]]:
    """Every kind of parameters by the name that its records have: they stand beside the theorems that propose them.

    A theorem reads its parameters when it proposes. Most refuse, and a start is spared what they would load.
    """
    for theorem in CATALOGUE:
        import_module(f"{type(theorem).__module__.rpartition('.')[0]}.parameters")
    return KINDS
