from pathlib import Path

import pytest

import dsl
from tests.dsl import gallery


@pytest.mark.parametrize("path", gallery.wrong(), ids=lambda path: path.stem)
def test_a_wrong_file_shows_what_stands_beside_it(path: Path) -> None:
    shown = gallery.rendering(path)
    assert shown
    assert shown == path.with_suffix(".expected").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", gallery.right(), ids=lambda path: path.stem)
def test_a_right_file_means_what_stands_beside_it(path: Path) -> None:
    assert gallery.meaning(path) == path.with_suffix(".expected").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", gallery.right(), ids=lambda path: path.stem)
def test_a_right_file_survives_formatting_and_writing(path: Path) -> None:
    data = path.read_bytes()
    scenarios = dsl.loads(data)
    text = dsl.format_text(data)
    assert dsl.format_text(text) == text
    assert dsl.loads(text) == scenarios
    for scenario in scenarios:
        assert dsl.loads(dsl.source(scenario)) == [scenario]


def test_the_gallery_is_large_enough() -> None:
    faulty = [path for path in gallery.wrong() if gallery.rendering(path).startswith("error")]
    assert len(faulty) >= 60
    assert len(gallery.right()) >= 40


def test_spellings_do_not_matter() -> None:
    right = gallery.GALLERY / "right"
    unicode, ascii_ = ((right / f"{name}_spellings.threat").read_bytes() for name in ("unicode", "ascii"))
    assert dsl.loads(unicode) == dsl.loads(ascii_)
