"""The design with the fewest queries for a number of labels and an amplitude."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache

from planner.designs.base import Design, DesignError
from planner.designs.butterfly import Butterfly
from planner.designs.glue import FLOAT_LIMIT, LATTICES, Lattice, PairStage
from planner.designs.lindstrom import Lindstrom
from planner.designs.popcounts import fewest_queries
from planner.designs.seeds import Scalar, Seed, Skew
from planner.designs.sets import LARGEST_TABLE, largest_set, powers_of_two

COARSEST_LATTICE = 12
"""Multiples of a lattice beyond this gain nothing over skew pairs with integer entries."""

MANY_LABELS = 400_000
"""From here on only small cores are used: large ones save a hundredth of the queries, and decode in seconds."""

SMALL_CORE = 12

Family = Callable[[int, Fraction, int], Design]


def designs(n: int, amplitude: Fraction) -> Iterator[Design]:
    """The smallest design of every kind for n bits within the amplitude; fast decoders first."""
    base = largest_set(int(amplitude))
    yield Butterfly(fewest_queries(n, lambda M: Butterfly(M, base).capacity()), base)
    for seed in _seeds(n, amplitude, LARGEST_TABLE if n < MANY_LABELS else SMALL_CORE):
        yield _smallest(n, seed)


def best_design(n: int, amplitude: Fraction, K: int = 2) -> Design:
    """The design for n labels of K classes with entries up to `amplitude` gaps that asks least."""
    if n < 1 or K < 2:
        raise DesignError(f"no design for {n} labels of {K} classes")
    if amplitude < 1:
        raise DesignError(f"amplitude {float(amplitude):.6g} is below one gap: no label can be told")
    if K > 2:
        from planner.designs.mixtures import best_kary  # five files that no other design needs

        return best_kary(n, int(amplitude), K)
    return min(designs(n, amplitude), key=lambda design: design.M)


def light_butterfly(n: int, amplitude: Fraction, classes: int = 2) -> Design:
    """Powers of two: the least total weight for its amplitude, so the least rounding error of a float scorer."""
    base = powers_of_two(int(amplitude))
    if amplitude < 1:
        raise DesignError("amplitude below one gap")
    return Butterfly(fewest_queries(n, lambda M: Butterfly(M, base).capacity()), base)


FAMILIES: tuple[Family, ...] = (light_butterfly, best_design)


def design_for(family: Family, n: int, amplitude: Fraction, classes: int = 2) -> Design | None:
    """The family's smallest design, if there is one."""
    try:
        return family(n, amplitude, classes)
    except DesignError:
        return None


@lru_cache(maxsize=1024)
def _smallest(n: int, seed: Seed) -> Lindstrom:
    """Cached: callers that settle an amplitude ask for the same seed again and again."""
    return Lindstrom(fewest_queries(n, lambda blocks: Lindstrom(blocks, seed).capacity()), seed)


def _seeds(n: int, amplitude: Fraction, largest_core: int) -> Iterator[Seed]:
    A = int(amplitude)
    yield Scalar(A, largest_core)
    yield Skew(A, largest_core)
    if 2 * n * amplitude > FLOAT_LIMIT:  # measurements that real seeds could not settle
        return
    if 2 * amplitude >= 3:
        yield PairStage(int(amplitude * 2 / 3))
    for lattice in LATTICES:
        if 1 <= amplitude / lattice.c < COARSEST_LATTICE:
            yield Lattice(lattice.c, lattice.kappa, lattice.glue, int(amplitude / lattice.c))
