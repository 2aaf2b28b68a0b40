from itertools import product

import numpy as np
import pytest

from planner.designs.base import DesignError
from planner.designs.digits import FOUND, MOST_SUMS, DigitSet, Split, cores, has_distinct_sums, options
from planner.designs.popcounts import characters, popcount_histogram, popcount_sum, popcounts
from planner.designs.sets import BitSet, conway_guy, largest_set, powers_of_two, set_size

MAXIMA = (1, 2, 4, 7, 13, 24, 44, 84, 161, 309, 594, 1164)


def subset_sums(values):
    sums = np.zeros(1, dtype=np.int64)
    for options_of_one in values:
        sums = (sums[:, None] + np.array((0, *options_of_one))).ravel()
    return sums


def test_conway_guy_maxima():
    assert tuple(conway_guy(n)[-1] for n in range(1, 13)) == MAXIMA


@pytest.mark.parametrize("size", range(1, 19))
def test_conway_guy_sums_are_distinct(size):
    sums = subset_sums([(v,) for v in conway_guy(size)])
    assert len(np.unique(sums)) == 2**size


@pytest.mark.parametrize(
    ("limit", "size"), [(0, 0), (1, 1), (3, 2), (7, 4), (12, 4), (13, 5), (24, 6), (48, 7), (320, 10)]
)
def test_largest_set_known_answers(limit, size):
    assert set_size(limit) == size
    assert largest_set(limit).maximum <= limit


@pytest.mark.parametrize("limit", [*range(1, 200), 5_000, 2**40, 2**40 * 3])
def test_largest_set_keeps_its_limit_and_never_loses_to_powers_of_two(limit):
    held = largest_set(limit)
    assert held.maximum <= limit
    assert held.size >= powers_of_two(limit).size == limit.bit_length()


@pytest.mark.parametrize("held", [BitSet(1), BitSet(0, 3), BitSet(5), BitSet(4, 3), BitSet(7, 2)])
def test_bit_sets_read_every_subset_and_refuse_every_other_sum(held):
    chosen = np.array(list(product((0, 1), repeat=held.size)))
    sums = chosen @ np.array(held.weights)
    assert np.array_equal(held.digits(sums), chosen)
    for wrong in sorted(set(range(-3, sum(held.weights) + 4)) - set(sums.tolist())):
        with pytest.raises(DesignError):
            held.digits(np.array([wrong]))


def test_bit_sets_read_sums_beyond_64_bits():
    held = BitSet(6, 80)
    chosen = np.ones((1, held.size), dtype=np.uint8)
    assert np.array_equal(held.digits(np.array([sum(held.weights)], dtype=object)), chosen)


@pytest.mark.parametrize("core", [core for radix in FOUND for core, _ in cores(radix)])
def test_cores_have_distinct_sums(core):
    sums = subset_sums(core)
    assert len(np.unique(sums)) == len(sums) == np.prod([len(values) + 1 for values in core])


@pytest.mark.parametrize("radix", sorted(FOUND))
def test_found_cores_beat_mixed_radix(radix):
    for core in FOUND[radix]:
        assert max(map(max, core)) < (radix - 1) * radix ** (len(core) - 1)


def every_choice(held):
    values = [(0, *digit) for digit in held.digits_values]
    eyes = [np.eye(len(v), dtype=np.uint8)[:, 1:] for v in values]
    picks = list(product(*(range(len(v)) for v in values)))
    sums = np.array([sum(v[i] for v, i in zip(values, pick, strict=True)) for pick in picks])
    columns = np.array([np.concatenate([e[i] for e, i in zip(eyes, pick, strict=True)]) for pick in picks])
    return sums, columns


@pytest.mark.parametrize(("limit", "radix"), [(58, 3), (116, 3), (100, 5), (24, 4), (90, 7), (64, 10), (31, 2)])
@pytest.mark.parametrize("bits_on_top", [False, True])
def test_options_keep_their_limit_and_read_every_choice(limit, radix, bits_on_top):
    found = options(limit, radix, bits_on_top)
    assert found
    for option in found:
        radices = [len(values) + 1 for values in option.held.digits_values]
        if radix != 2:
            assert radices.count(radix) == option.main
        assert radices.count(2) == option.bits
        assert max(option.held.weights) <= limit
        sums, columns = every_choice(option.held)
        assert np.array_equal(option.held.digits(sums), columns)


def test_digit_sets_refuse_sums_out_of_range_and_between():
    held = DigitSet((2,), FOUND[3][0])
    for wrong in (-1, 2 * (12 + 14 + 15) + 2, 2 * 1):
        with pytest.raises(DesignError):
            held.digits(np.array([wrong]))


def test_split_levels_read_each_component_by_its_own_set():
    first, second = DigitSet((3,), ((1,),)), DigitSet((2, 2), ((1, 2),))
    split = Split(first, second, 2)
    columns = split.digits(np.array([5, 3, 11]), np.array([0, 1, 2]))
    expected = np.zeros((3, split.size), dtype=np.uint8)
    expected[0, [1, 2]] = 1  # 5 = 2 + 3
    expected[1, [2]] = 1  # 3 = 3
    expected[2, [3, 4, 6]] = 1  # 11 = 1 + 2 + 2 * 4
    assert np.array_equal(columns, expected)


def test_which_sets_of_digits_have_distinct_sums():
    good, same, idle = DigitSet((3,), ((1,), (2,))), DigitSet((3,), ((1,), (1,))), DigitSet((1,), ((1,),))
    assert [one.distinct() for one in (good, same, idle)] == [True, False, False]
    low = [DigitSet(radices, ((1,),)).distinct() for radices in ((2,), (2, 2), (1, 3), (3, 1))]
    assert low == [True, True, False, False]
    splits = (Split(good, good, 0), Split(good, good, -1), Split(same, good, 1), Split(good, same, 1))
    assert [one.distinct() for one in splits] == [True, False, False, False]


@pytest.mark.parametrize(
    ("core", "distinct"),
    [
        ((), True),
        (((),), False),
        (((-1, 2),), False),
        (((0, 1),), False),
        (((MOST_SUMS,),), True),
        (((MOST_SUMS + 1,),), False),
        (((1, MOST_SUMS + 1),), False),
        (tuple((1 << k,) for k in range(MOST_SUMS.bit_length() - 1)), True),
        (tuple((1 << k,) for k in range(MOST_SUMS.bit_length())), False),
        (((1, 2), (2,)), False),
        (((1, 2), (4,)), True),
    ],
)
def test_sums_are_looked_through_as_far_as_that_is_cheap(core, distinct):
    assert has_distinct_sums(core) is distinct


def test_of_the_largest_sets_the_one_with_the_smallest_core():
    for limit in range(1, 590):
        fits = [(core, limit // conway_guy(core)[-1]) for core in range(1, 11) if conway_guy(core)[-1] <= limit]
        sizes = {core: core + times.bit_length() - 1 for core, times in fits}
        found = largest_set(limit)
        assert found.size == set_size(limit) == max(sizes.values())
        assert found.core == min(core for core, size in sizes.items() if size == found.size)


@pytest.mark.parametrize("M", [1, 2, 3, 7, 8, 100, 1023])
def test_popcount_tables(M):
    counts = [j.bit_count() for j in range(M)]
    assert popcounts(M).tolist() == counts
    assert popcount_sum(M) == sum(counts)
    assert sum(popcount_histogram(M)) == M
    assert all(popcount_histogram(M)[p] == counts.count(p) for p in range(M.bit_length() + 1))
    assert characters(5, M).tolist() == [(-1) ** (5 & j).bit_count() for j in range(M)]
