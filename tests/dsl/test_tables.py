"""What is made from one table, and what must not be loaded."""

import subprocess
import sys
from pathlib import Path

from dsl.checking.fields import FIELDS
from dsl.writing import reference

ROOT = Path(__file__).parents[2]


def test_the_reference_has_the_tables_of_the_code() -> None:
    document = reference.DOCUMENT.read_text(encoding="utf-8")
    assert reference.renewed(document) == document
    for field in FIELDS:
        assert f"| `{field}`" in document


def test_every_field_of_a_scenario_is_in_the_table() -> None:
    import dataclasses

    from dsl.scenario import Scenario

    others = {"name", "title", "file", "origins", "definition", "sweeps", "formulas", "expectations"}
    assert {field.slot for field in FIELDS.values()} == {f.name for f in dataclasses.fields(Scenario)} - others


def _loaded(code: str) -> set[str]:
    program = f"{code}\nimport sys; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(ran.stdout.split())


def test_importing_the_language_loads_nothing_of_it() -> None:
    assert not {each for each in _loaded("import dsl") if each.startswith("dsl.")}


def test_reading_a_file_loads_nothing_heavy() -> None:
    loaded = _loaded("import dsl; dsl.loads('scenario a { N = 100; queries <= log2(N); clip = exp(-5) }')")
    heavy = {"numpy", "gmpy2", "flint", "mpmath", "networkx", "textual", "difflib", "argparse", "pathlib"}
    assert not heavy & loaded
