"""The journal, byte by byte: whatever a crash leaves is cut, whatever it did not make is left alone."""

from __future__ import annotations

import errno
import os

import pytest

from threatplan.campaign.journal import Journal, decode, encode
from threatplan.faults import CommandError

HEADER = {"journal": "threatplan campaign", "schema": 1, "spec": {"random": 9}, "terms": {}, "code": "c"}
RECORDS = [{"index": index, "text": "φ\n" * index} for index in range(4)]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "campaign.jsonl"


def opened(path, header=HEADER):
    """The journal at `path`, and the records that it held."""
    held = []
    return Journal(str(path), header, held.append), held


@pytest.fixture
def written(path):
    with opened(path)[0] as journal:
        for record in RECORDS:
            journal.append(record)
    return path


def test_every_line_is_json_and_comes_back(written):
    journal, held = opened(written)
    with journal:
        assert held == RECORDS
        assert journal.done == {0, 1, 2, 3}
    assert [decode(encode(record)) for record in RECORDS] == RECORDS


def test_any_changed_byte_is_seen():
    line = encode(RECORDS[3])
    for place in range(len(line)):
        changed = bytearray(line)
        changed[place] ^= 0x04
        assert decode(bytes(changed)) is None, place


def test_a_line_torn_anywhere_is_cut(written):
    whole = written.read_bytes()
    start = whole.rindex(b"\n", 0, -1) + 1
    for end in range(start, len(whole)):
        written.write_bytes(whole[:end])
        journal, held = opened(written)
        with journal:
            assert held == RECORDS[:3]
            assert journal.cut == end - start
            journal.append(RECORDS[3])
        assert written.read_bytes() == whole


def test_a_header_torn_anywhere_is_written_again(path):
    line = encode(HEADER)
    for end in range(len(line)):
        path.write_bytes(line[:end])
        with opened(path)[0]:
            pass
        assert path.read_bytes() == line


def test_blocks_that_never_arrived_are_cut(written):
    whole = written.read_bytes()
    written.write_bytes(whole + b"\0" * 512 + b"\n\0\0\n")
    with opened(written)[0] as journal:
        assert journal.cut == 516
    assert written.read_bytes() == whole


@pytest.mark.parametrize("content", [b"my notes\n", b"{}\n", b"\0\0", b'{"check": "00000000", "index": 1}\n'])
def test_what_is_no_journal_is_left_alone(path, content):
    path.write_bytes(content)
    with pytest.raises(CommandError, match="is no campaign journal"):
        opened(path)
    assert path.read_bytes() == content


def test_damage_in_the_middle_is_refused_and_left_alone(written):
    lines = written.read_bytes().splitlines(keepends=True)
    damaged = b"".join([*lines[:2], lines[2].replace(b'"index": 1', b'"index": 7'), *lines[3:]])
    written.write_bytes(damaged)
    with pytest.raises(CommandError, match="damaged after 1 scenarios"):
        opened(written)
    assert written.read_bytes() == damaged


@pytest.mark.parametrize(
    ("part", "told"), [("spec", "other scenarios"), ("terms", "other terms"), ("code", "another version")]
)
def test_another_campaign_is_refused(written, part, told):
    with pytest.raises(CommandError, match=told):
        opened(written, HEADER | {part: "other"})


def test_one_at_a_time(written):
    with opened(written)[0], pytest.raises(CommandError, match="another campaign is writing"):
        opened(written)
    opened(written)[0].__exit__(None, None, None)


def test_a_record_is_kept_once(written):
    with opened(written)[0] as journal:
        journal.append(RECORDS[2])
    assert written.read_bytes().count(b"\n") == 5


def test_a_disk_that_fills_in_the_middle_of_a_line(written, monkeypatch):
    whole, real = written.read_bytes(), os.write

    def full(handle, data):
        if len(data) <= 10:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(handle, data[:10])

    with opened(written)[0] as journal:
        monkeypatch.setattr(os, "write", full)
        with pytest.raises(CommandError, match="No space left") as caught:
            journal.append({"index": 9, "text": "x" * 90})
        monkeypatch.undo()
    assert caught.value.code == 3
    assert written.read_bytes() == whole


def test_a_disk_that_fails_to_keep_is_told(written, monkeypatch):
    def failing(handle):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    journal = opened(written)[0]
    monkeypatch.setattr(os, "fsync", failing)
    with pytest.raises(CommandError, match="Input/output error"):
        journal.__exit__(None, None, None)
