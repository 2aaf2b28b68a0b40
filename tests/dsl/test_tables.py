"""What is made from one table, and what must not be loaded."""

import os
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

    others = {"name", "title", "file", "origins", "definition", "expand", "sweeps", "formulas", "expectations"}
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


def test_the_parser_is_saved_beside_the_bytecode_and_built_anew_where_it_is_damaged(tmp_path: Path) -> None:
    program = "import dsl; print(dsl.loads('scenario a { N = 7 }')[0].N)"
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def answer() -> tuple[str, str]:
        environment = {**kept, "PYTHONPYCACHEPREFIX": str(tmp_path)}
        ran = subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        )
        return ran.stdout, ran.stderr

    assert answer() == ("7\n", "")
    (saved,) = tmp_path.rglob("*.grammar")
    whole = saved.read_bytes()
    assert answer() == ("7\n", "")
    saved.write_bytes(whole[:1000])
    assert answer() == ("7\n", "")
    assert len(saved.read_bytes()) == len(whole)
