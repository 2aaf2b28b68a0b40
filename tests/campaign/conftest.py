from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign import commands


@pytest.fixture
def sweep(tmp_path: Path) -> Path:
    """A folder with a file whose sweeps have POINTS points."""
    (tmp_path / "small.threat").write_text(commands.SWEEP)
    return tmp_path


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same folder with the campaign run through without a disturbance."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "small.threat").write_text(commands.SWEEP)
    done = commands.run(folder, "small.threat", "--jobs", "2", "--format", "json", "--trials", "1")
    assert done.returncode in (0, 3), done.stderr  # what the planner gets wrong is not what is tried here
    (folder / "code").write_text(str(done.returncode))
    (folder / "summary.json").write_text(done.stdout)
    return folder
