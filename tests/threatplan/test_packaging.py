"""What surrounds the code: the manual page, the files for other tools, and the packages that are built from all of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import threatplan
from threatplan import reference, scoregate
from threatplan.commands import COMMANDS
from threatplan.manual import manual

ROOT = Path(__file__).parents[2]
MANUAL = ROOT / "docs" / "plan.1"
REFERENCE = ROOT / "docs" / "reference.md"


def test_the_manual_page_is_that_of_the_commands() -> None:
    if os.environ.get("UPDATE_GOLDEN"):
        MANUAL.write_text(manual(), encoding="utf-8")
    assert MANUAL.read_text(encoding="utf-8") == manual()
    assert all(f".SS {name}\n" in manual() for name in COMMANDS)


def test_the_reference_is_that_of_the_code() -> None:
    """`python -m threatplan.reference docs/reference.md` writes it anew."""
    if os.environ.get("UPDATE_GOLDEN"):
        REFERENCE.write_text(reference.page(), encoding="utf-8")
    assert REFERENCE.read_text(encoding="utf-8") == reference.page()
    public = [*threatplan.__all__, *scoregate.__all__]
    assert all(f"### {name}\n" in reference.page() for name in public if not name.startswith("__"))


def test_the_manual_page_is_well_formed() -> None:
    if shutil.which("mandoc") is None and shutil.which("groff") is None:
        pytest.skip("neither mandoc nor groff is installed")
    command = ["mandoc", "-T", "lint", "-W", "error"] if shutil.which("mandoc") else ["groff", "-man", "-ww", "-z"]
    done = subprocess.run([*command, str(MANUAL)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_files_for_other_tools() -> None:
    yaml = pytest.importorskip("yaml")
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert {hook["id"] for hook in hooks} == {"plan-fmt", "plan-check"}
    assert {hook["entry"].split()[1] for hook in hooks} <= set(COMMANDS)
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert action["runs"]["using"] == "composite"
    for step in action["runs"]["steps"]:
        assert "${{" not in step.get("run", ""), "an input that is pasted into a script is run"
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == threatplan.__version__
    assert citation["authors"] == [{"name": "threatplan contributors"}]


def test_the_wheel_and_the_sdist_are_built_installed_and_run(tmp_path: Path, thorough: bool) -> None:
    if not thorough:
        pytest.skip("takes a minute: --thorough")
    pytest.importorskip("hatchling")
    for target in ("wheel", "sdist"):
        command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(tmp_path)]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,), (sdist,) = tmp_path.glob("*.whl"), tmp_path.glob("*.tar.gz")
    held = zipfile.ZipFile(wheel).namelist()
    for needed in (
        "threatplan/schemas/plan.json",
        "threatplan/templates/kaggle.threat",
        "tui/explorer.tcss",
        "dsl/reading/grammar.lark",
    ):
        assert needed in held, needed
    assert any(name.endswith("share/man/man1/plan.1") for name in held)
    with tarfile.open(sdist) as archive:
        assert any(name.endswith("/tests/conftest.py") for name in archive.getnames())
    place = tmp_path / "site"
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "-q",
        "--no-deps",
        "--no-index",
        "--target",
        str(place),
        str(wheel),
    ]
    subprocess.run(command, check=True, capture_output=True)
    scenario = tmp_path / "small.threat"
    scenario.write_text("scenario small { N = 16; clip = 1e-15; decimals = 4; queries <= 4; expect feasible }")
    env = {**os.environ, "PYTHONPATH": str(place)}
    bowl = str(ROOT / "examples" / "bowl.threat")
    for arguments in (("check", str(scenario)), (bowl,), ("schema", "plan"), ("new", "kaggle")):
        done = subprocess.run(
            [sys.executable, "-P", "-m", "threatplan", *arguments],
            cwd=tmp_path,
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    where = [sys.executable, "-P", "-c", "import threatplan; print(threatplan.__file__)"]
    assert str(place) in subprocess.run(where, cwd=tmp_path, env=env, capture_output=True, text=True, check=True).stdout
