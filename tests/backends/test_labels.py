from __future__ import annotations

import numpy as np
import pytest

from backends.labels import KINDS, LabelsError, make_labels


def rng(seed=0):
    return np.random.default_rng(seed)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("N", "K"), [(1, 2), (50, 2), (51, 10)])
def test_kinds_fit(kind, N, K):
    labels = make_labels(kind, N, K, rng())
    assert labels.shape == (N,)
    assert labels.min() >= 0
    assert labels.max() < K
    assert (labels == make_labels(kind, N, K, rng())).all()


def test_kinds_are_what_they_say():
    assert sorted(np.bincount(make_labels("balanced", 100, 3, rng()))) == [33, 33, 34]
    assert make_labels("ones", 5, 2, rng()).tolist() == [1] * 5
    assert make_labels("zeros", 5, 2, rng()).tolist() == [0] * 5
    assert make_labels("alternating", 4, 2, rng()).tolist() == [0, 1, 0, 1]
    assert make_labels("skewed", 10_000, 2, rng()).mean() == pytest.approx(0.02, abs=0.006)
    assert np.bincount(make_labels("counts(225, 81)", 306, 2, rng())).tolist() == [225, 81]
    assert (make_labels("random", 99, 2, rng(1)) != make_labels("random", 99, 2, rng(2))).any()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0\n1\n1\n", [0, 1, 1]),
        ("label\n0\n1\n1\n", [0, 1, 1]),
        ("id,label,name\n7,0,a\n8,1,b\n9,1,c\n", [0, 1, 1]),
        ("# mine\n4,0\n5,1\n6,1", [0, 1, 1]),
        ("\ufeff0\r\n1\r\n\r\n1\r\n", [0, 1, 1]),
    ],
)
def test_files(tmp_path, text, expected):
    path = tmp_path / "labels.csv"
    path.write_text(text, encoding="utf-8")
    assert make_labels(str(path), 3, 2, rng()).tolist() == expected


def test_npy(tmp_path):
    np.save(tmp_path / "labels.npy", np.array([True, False, True]))
    assert make_labels(str(tmp_path / "labels.npy"), 3, 2, rng()).tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("counts(1, 2)", "add up to 3, but N = 5"),
        ("counts(1, 1, 3)", "names 3 classes, but K = 2"),
        ("counts()", "integers separated by commas"),
        ("blanced", "besides a file, labels may be random, balanced"),
    ],
)
def test_bad_kinds(kind, words):
    with pytest.raises(LabelsError, match=words.replace("(", r"\(")):
        make_labels(kind, 5, 2, rng())


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"0\n1\n", "holds 2 labels, but N = 3"),
        (b"0\n1\n2\n", "must lie in 0..1; found 0..2"),
        (b"0\nyes\n1\n", "row 2 holds no integer label: 'yes'"),
        (b"0\n1.5\n1\n", "row 2 holds no integer label"),
        (b"\xff\xfe\x00", "holds no labels"),
        (b"", "holds 0 labels"),
    ],
)
def test_bad_files(tmp_path, content, words):
    path = tmp_path / "labels.txt"
    path.write_bytes(content)
    with pytest.raises(LabelsError, match=words):
        make_labels(str(path), 3, 2, rng())


@pytest.mark.parametrize(
    ("array", "words"),
    [(np.zeros((3, 2), dtype=int), "one-dimensional"), (np.array([0.0, 1.0, 1.0]), "must be integers")],
)
def test_bad_arrays(tmp_path, array, words):
    np.save(tmp_path / "labels.npy", array)
    with pytest.raises(LabelsError, match=words):
        make_labels(str(tmp_path / "labels.npy"), 3, 2, rng())


def test_pickles_are_not_opened(tmp_path):
    np.save(tmp_path / "labels.npy", np.array([{}, {}, {}]), allow_pickle=True)
    with pytest.raises(LabelsError, match="holds no labels"):
        make_labels(str(tmp_path / "labels.npy"), 3, 2, rng())
