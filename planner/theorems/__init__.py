"""The catalogue: every attack, in the order in which it is shown. A new one is a new file and a line here."""

from __future__ import annotations

from planner.attack import Attack
from planner.model import Candidate
from planner.reals import working
from planner.theorem import Theorem
from planner.theorems.block import Block
from planner.theorems.conway_guy import ConwayGuy
from planner.theorems.designs import Batches, Designs
from planner.theorems.digits import Digits
from planner.theorems.dither import Dither
from planner.theorems.growing import GrowingBlock
from planner.theorems.one_label import OneLabel
from planner.theorems.prime_powers import PrimePowersBlocks, PrimePowersOnce
from planner.theorems.primes import PrimesBlocks, PrimesOnce
from planner.theorems.spread import Hadamard, SpreadButterfly
from planner.theorems.subset_sums import SubsetSumsBlocks, SubsetSumsOnce
from planner.theorems.threshold import Threshold
from planner.theorems.zero import Zero

CATALOGUE: tuple[Theorem, ...] = (
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
    Designs(),
    Batches(),
    Threshold(),
    Dither(),
    SpreadButterfly(),
    Hadamard(),
    Zero(),
)

BY_ID: dict[str, Theorem] = {theorem.id: theorem for theorem in CATALOGUE}


def build(candidate: Candidate) -> Attack:
    """The runnable form of a certified candidate."""
    if candidate.certified is None or candidate.channel is None:
        raise ValueError(f"{candidate.attack} is not certified for this scenario, so there is nothing to run")
    with working(candidate.channel.working_bits):
        return BY_ID[candidate.attack].build(candidate.channel, candidate.certified.certificate.parameters)
