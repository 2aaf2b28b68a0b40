from __future__ import annotations

import numpy as np
import pytest

from benchmarks.paper import algorithms
from benchmarks.paper.__main__ import main
from benchmarks.paper.algorithm3 import fitting_m, submitted_share
from benchmarks.paper.experiment import Curve, Experiment, Finding
from benchmarks.paper.figure1 import noisy_share, single_query_share
from benchmarks.paper.multiclass import recovered
from benchmarks.paper.table2 import DATASETS, attack
from planner.numerics.primes import first_primes

ROW = {data.name: data for data in DATASETS}


@pytest.mark.parametrize(("name", "paper"), [("D2 Banknote", 0.4446), ("D3 Original", 0.3448), ("D4 Haberman", 0.2647)])
def test_one_query_accuracy_is_the_share_of_ones(name, paper):
    accuracy, _ = attack(ROW[name].labels(0), 1, integer=True)
    assert accuracy == pytest.approx(paper, abs=5e-5)


@pytest.mark.parametrize("name", ["D2 Banknote", "D3 Wisconsin", "D4 Haberman"])
def test_five_labels_a_query_are_exact(name):
    data = ROW[name]
    assert attack(data.labels(0), data.N // 5)[0] == 1.0
    assert attack(data.labels(0), max(1, data.N // 40))[0] < 1.0


def test_no_count_of_569_gives_the_printed_accuracy():
    assert not [k for k in range(570) if f"{k / 569:.4f}" == "0.3448"]


def test_integer_alpha_is_zero_from_32_primes():
    counts = [count for count in range(1, 60) if algorithms.alpha_integer(np.array(first_primes(count))) == 0]
    assert counts[0] == 32
    assert counts == list(range(32, 60))


@pytest.mark.parametrize(("decimals", "last"), [(0, 13), (5, 10)])
def test_largest_size_of_one_query(decimals, last):
    """All 2^N labelings, so nothing here is left to a seed."""
    rng = np.random.default_rng(0)
    shares = [single_query_share(N, 2**14, rng, decimals) for N in range(1, last + 2)]
    assert shares[:last] == [1.0] * last
    assert shares[last] < 1.0


@pytest.mark.parametrize(("tau", "last"), [(0.01, 12), (0.1, 9), (1.0, 6)])
def test_algorithm_2_ends_where_v_overflows(tau, last):
    rng = np.random.default_rng(0)
    assert np.isfinite(algorithms.robust_vector(last, last, tau)).all()
    assert not np.isfinite(algorithms.robust_vector(last + 1, last + 1, tau)).all()
    assert noisy_share(algorithms.robust_vector(last, last, tau), last, tau, 500, rng) == 1.0
    assert noisy_share(algorithms.robust_vector(last + 1, last + 1, tau), last + 1, tau, 500, rng) < 0.1


def test_nearest_decoder_is_the_argmin():
    rng = np.random.default_rng(2)
    losses, scores = rng.random(32) * 9, rng.random(200) * 3 - 1
    nearest = np.abs(losses[None, :] - 3 * scores[:, None]).argmin(axis=1)
    assert (algorithms.decode_nearest(losses, scores, 3) == nearest).all()


def test_algorithm_3_at_the_printed_m_fails_when_submitted():
    N, tau = 128, 1 / 128
    rng = np.random.default_rng(0)
    assert algorithms.printed_m(N, tau) == 6
    assert fitting_m(N, tau) == 5
    assert submitted_share(N, tau, 5, 300, rng) == 1.0
    assert submitted_share(N, tau, 6, 300, rng) == pytest.approx(0.5, abs=0.1)
    assert submitted_share(N, tau, 7, 300, rng) == pytest.approx(0.25, abs=0.1)


def test_multiclass_decodes_the_example_and_falls_with_K():
    primes = np.array(first_primes(4), dtype=float)
    rows = algorithms.prime_power_rows(3, primes)
    assert rows.sum(axis=1) == pytest.approx(np.ones(4))
    labels = np.array([2, 0, 1, 2])
    loss = -np.log(rows[np.arange(4), labels]).mean()
    assert algorithms.decode_prime_powers(loss, 3, primes).tolist() == labels.tolist()
    rng = np.random.default_rng(0)
    assert recovered(6, 3, 50, rng) == 1.0
    assert recovered(6, 10, 50, rng) < 0.5


def test_lines_put_the_paper_beside_what_was_measured():
    text = "\n".join(Experiment("T", [Finding("accuracy", ".5", ".7", "because " * 30)]).lines())
    assert "paper" in text.splitlines()[2]
    assert "accuracy  .5     .7" in text
    assert max(map(len, text.splitlines())) <= 102


def test_command(capsys):
    assert main(["algorithm2"]) == 0
    assert "labels at noise 0.01  12     12" in capsys.readouterr().out
    with pytest.raises(SystemExit) as stop:
        main(["table9"])
    assert stop.value.code == 2
    assert "no experiment 'table9'; there are table2" in capsys.readouterr().err


@pytest.mark.library("matplotlib")
def test_plots_are_drawn_and_reproducible(tmp_path):
    from benchmarks.paper.plots import draw

    curve = Curve("c", "t", "x", "y", {"a": [(1.0, 0.5), (2.0, 1.0)], "b": [(1.0, 0.1)]}, log_x=True)
    first = [path.read_bytes() for path in draw(curve, tmp_path)]
    again = [path.read_bytes() for path in draw(curve, tmp_path)]
    assert first == again
    assert first[0].startswith(b"\x89PNG")
    assert b"<svg" in first[1]
