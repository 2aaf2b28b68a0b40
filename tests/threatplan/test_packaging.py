"""What surrounds the code: the manual page, the files for other tools, and the packages that are built from all of it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import threatplan
from tests.threatplan.shell import Shell
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
    for package in (wheel, sdist):
        _installs_and_runs(package, tmp_path / f"from{package.suffix}")


def _installs_and_runs(package: Path, place: Path) -> None:
    """From the package alone: what it needs is here, and so is what builds it."""
    options = ("--no-deps", "--no-index", "--no-build-isolation", "--target", str(place))
    install = [sys.executable, "-m", "pip", "install", "-q", *options, str(package)]
    subprocess.run(install, check=True, capture_output=True)
    scenario = place / "small.threat"
    scenario.write_text("scenario small { N = 16; clip = 1e-15; decimals = 4; queries <= 4; expect feasible }")
    bowl = str(ROOT / "examples" / "bowl.threat")
    for arguments in (("check", str(scenario)), (bowl,), ("schema", "plan"), ("new", "kaggle")):
        _python(place, "-m", "threatplan", *arguments)
    assert str(place) in _python(place, "-c", "import threatplan; print(threatplan.__file__)")
    script = subprocess.run(
        [place / "bin" / "plan", "--version"], env=_env(place), capture_output=True, text=True, check=True
    )
    assert threatplan.__version__ in script.stdout


def _python(place: Path, *arguments: str) -> str:
    command = [sys.executable, "-P", *arguments]
    done = subprocess.run(command, cwd=place.parent, env=_env(place), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _env(place: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(place)}


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (
            "scenario a {\n    N        = 16\n    clip     = 1e-15\n    queries <= 16\n\n    expect feasible\n}\n",
            [0, 0],
        ),
        ("scenario a { N = 16; clip = 1e-15; queries <= 16; expect impossible }\n", [1, 1]),
    ],
)
def test_the_hooks_do_what_they_are_for(text: str, codes: list[int], shell: Shell) -> None:
    yaml = pytest.importorskip("yaml")
    Path("board.threat").write_text(text)
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert [shell(*hook["entry"].split()[1:], "board.threat").code for hook in hooks] == codes


def test_the_action_checks_the_files_it_is_given(tmp_path: Path) -> None:
    """Its last step, as a runner would take it, with a file whose name would do something if it were pasted."""
    yaml = pytest.importorskip("yaml")
    step = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"][-1]
    plan = tmp_path / "bin" / "plan"
    plan.parent.mkdir()
    plan.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m threatplan "$@"\n')
    plan.chmod(0o755)
    for name, expected in (("good.threat", "feasible"), ("bad.threat", "impossible")):
        (tmp_path / name).write_text(f"scenario a {{ N = 16; clip = 1e-15; queries <= 16; expect {expected} }}\n")
    env = {**os.environ, "PATH": f"{plan.parent}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    for files, format, output, code in (
        ("good.threat", "github", "", 0),
        ("good.threat bad.threat", "sarif", "plan.sarif", 1),
        ("good.threat;touch${IFS}pasted", "github", "", 2),
    ):
        given = {"FILES": files, "FORMAT": format, "OUTPUT": output}
        done = subprocess.run(
            ["bash", "-e", "-c", step["run"]], cwd=tmp_path, env={**env, **given}, capture_output=True, check=False
        )
        assert done.returncode == code, done.stderr
    assert json.loads((tmp_path / "plan.sarif").read_text())["version"] == "2.1.0"
    assert not (tmp_path / "pasted").exists()


def test_the_site_is_built_without_a_network(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="the extra `docs`")
    lines = (
        "import socket",
        "def connect(*_): raise OSError('a network was asked for')",
        "socket.socket.connect = socket.create_connection = socket.getaddrinfo = connect",
        "from mkdocs.__main__ import cli",
        f"cli(['build', '--strict', '--quiet', '--site-dir', {str(tmp_path / 'site')!r}])",
    )
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    command = [sys.executable, "-c", "\n".join(lines)]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    pages = list((tmp_path / "site").rglob("*.html"))
    assert len(pages) > 20
    foreign = r'(src|href)="(https?:)?//[^"]*"'
    loaded = re.compile(rf'<(script|img|iframe)\b[^>]* {foreign}|<link\b(?![^>]*rel="canonical")[^>]* {foreign}')
    assert [page.name for page in pages if loaded.search(page.read_text(encoding="utf-8"))] == []
