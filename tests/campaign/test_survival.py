"""What a campaign survives: being killed, losing workers, full disks, bad folders, rivals. The end is always the same."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
from pathlib import Path

import pytest

from tests.campaign.commands import POINTS, children, kill, lines, run, sorted_lines, start, summary, until

JSON = ("small.threat", "--format", "json", "--trials", "1")


def same_end(whole: Path, folder: Path, done: subprocess.CompletedProcess[str]) -> None:
    """The journal and the summary are those of a campaign that nothing disturbed."""
    assert str(done.returncode) == (whole / "code").read_text(), done.stderr
    assert summary(done) == json.loads((whole / "summary.json").read_text())["campaign"]
    assert summary(done)["scenarios"] == POINTS
    assert sorted_lines(folder / "campaign.jsonl") == sorted_lines(whole / "campaign.jsonl")


def test_kill_and_resume(sweep, whole, thorough):
    journal, draw = sweep / "campaign.jsonl", random.Random(1)
    for _ in range(3 if thorough else 2):
        before = lines(journal)
        process = start(sweep, *JSON, "--jobs", "2")
        wanted = before + draw.randint(1, 6)
        until(lambda wanted=wanted: lines(journal) > wanted)
        kill(process)
        assert lines(journal) > before
    done = run(sweep, *JSON, "--jobs", "2")
    assert f"of {POINTS} scenarios are in campaign.jsonl" in done.stderr
    same_end(whole, sweep, done)


def test_killed_workers_are_replaced(sweep, whole):
    process = start(sweep, *JSON, "--jobs", "2")
    for least in (3, 10):
        until(lambda least=least: lines(sweep / "campaign.jsonl") > least)
        os.kill(until(lambda: children(process.pid))[0], signal.SIGKILL)
    out, err = process.communicate(timeout=120)
    assert "lost and replaced" in err
    same_end(whole, sweep, subprocess.CompletedProcess([], process.returncode, out, err))


def test_workers_end_with_their_campaign(sweep):
    process = start(sweep, *JSON, "--jobs", "2")
    workers = until(lambda: lines(sweep / "campaign.jsonl") > 2 and children(process.pid))
    kill(process)
    until(lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers), 20)


def test_interrupt_keeps_what_is_done(sweep, whole):
    process = start(sweep, *JSON, "--jobs", "2")
    until(lambda: lines(sweep / "campaign.jsonl") > 5)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 130
    same_end(whole, sweep, run(sweep, *JSON, "--jobs", "2"))


def test_a_torn_line_is_cut_off(sweep, whole):
    journal = sweep / "campaign.jsonl"
    held = (whole / "campaign.jsonl").read_bytes()
    journal.write_bytes(held[:-40])
    done = run(sweep, *JSON, "--jobs", "1")
    assert "cut off" in done.stderr
    same_end(whole, sweep, done)


@pytest.fixture
def disk(tmp_path):
    """A file system of a few pages, of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=20k", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("a disk of its own needs the right to mount one")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def remount(folder: Path, how: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{how}", str(folder)], check=True)


def test_full_disk(disk, sweep, whole):
    small = disk / "campaign.jsonl"
    arguments = (*JSON, "--jobs", "1", "--journal", str(small))
    done = run(sweep, *arguments)
    assert done.returncode == 3
    assert "No space left on device" in done.stderr
    assert "the same command resumes" in done.stderr
    kept = small.read_bytes().splitlines()
    assert 1 < len(kept) < POINTS
    assert set(kept) <= set((whole / "campaign.jsonl").read_bytes().splitlines())
    remount(disk, "size=10m")
    done = run(sweep, *arguments)
    (sweep / "campaign.jsonl").write_bytes(small.read_bytes())
    same_end(whole, sweep, done)


def limited() -> None:
    """In the child: no file may grow past a few pages; the write fails instead of the process being killed."""
    import resource

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))


def test_a_quota_is_a_full_disk(sweep, whole):
    done = run(sweep, *JSON, "--jobs", "1", preexec_fn=limited)
    assert done.returncode == 3
    assert "cannot write campaign.jsonl: File too large" in done.stderr
    assert (sweep / "campaign.jsonl").read_bytes().endswith(b"\n")
    same_end(whole, sweep, run(sweep, *JSON, "--jobs", "1"))


def test_read_only_folder(disk, sweep):
    remount(disk, "ro")
    done = run(sweep, "small.threat", "--jobs", "1", "--journal", str(disk / "campaign.jsonl"))
    assert done.returncode == 2
    assert "cannot open the journal" in done.stderr
    assert "Read-only file system" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_disk_that_turns_read_only(disk, sweep, whole):
    remount(disk, "size=10m")
    arguments = (*JSON, "--jobs", "1", "--journal", str(disk / "campaign.jsonl"))
    process = start(sweep, *arguments)
    until(lambda: lines(disk / "campaign.jsonl") > 5)
    kill(process)
    remount(disk, "ro")
    assert run(sweep, *arguments).returncode == 2
    remount(disk, "rw")
    done = run(sweep, *arguments)
    (sweep / "campaign.jsonl").write_bytes((disk / "campaign.jsonl").read_bytes())
    same_end(whole, sweep, done)


def test_two_campaigns_on_one_journal(sweep):
    first = start(sweep, *JSON, "--jobs", "1")
    until(lambda: lines(sweep / "campaign.jsonl") > 1)
    second = run(sweep, *JSON, "--jobs", "1")
    kill(first)
    assert second.returncode == 2
    assert "another campaign is writing campaign.jsonl" in second.stderr


def test_another_campaign_is_refused(whole):
    held = (whole / "campaign.jsonl").read_bytes()
    for arguments, told in (
        (("small.threat", "--trials", "5"), "other terms"),
        (("--random", "5"), "other scenarios"),
    ):
        done = run(whole, *arguments)
        assert done.returncode == 2
        assert told in done.stderr
    assert (whole / "campaign.jsonl").read_bytes() == held


def test_a_finished_campaign_only_tells(whole):
    done = run(whole, *JSON, "--jobs", "1")
    assert done.stdout == (whole / "summary.json").read_text()
    assert "a second" not in done.stderr
