"""What is remembered of a folder changes with what a run has asked of it, and with nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from synclint.files.listings import listed_at, listing_of, path_changes_of

ADDING = "import sys\nsys.path.append('lib')\n"


@pytest.mark.parametrize(
    ("edit", "names", "paths"),
    [
        (lambda folder: (folder / "new.py").write_text("x = 1\n"), True, False),
        (lambda folder: (folder / "new.py").write_text(ADDING), True, True),
        (lambda folder: (folder / "new.txt").write_text(ADDING), False, False),
        (lambda folder: (folder / "other.py").write_text("y = 2\n"), False, False),
        (lambda folder: (folder / "adding.py").write_text(f"{ADDING}y = 2\n"), False, True),
        (lambda folder: (folder / "adding.py").unlink(), True, True),
        (lambda folder: (folder / "adding.py").rename(folder / "renamed.py"), True, True),
    ],
)
def test_edits_change_what_they_can_change(
    tmp_path: Path, edit: Callable[[Path], object], names: bool, paths: bool
) -> None:
    (tmp_path / "adding.py").write_text(ADDING)
    (tmp_path / "other.py").write_text("x = 1\n")
    places = listing_of(tmp_path), path_changes_of(tmp_path)
    before = [listed_at(place) for place in places]
    edit(tmp_path)
    after = [listed_at(place) for place in places]
    assert [one != other for one, other in zip(before, after, strict=True)] == [names, paths]


def test_a_file_is_no_listing(tmp_path: Path) -> None:
    (tmp_path / "a.py").touch()
    assert listed_at(str(tmp_path / "a.py")) is None


def test_a_folder_that_is_gone_has_neither(tmp_path: Path) -> None:
    for place in (listing_of(tmp_path / "gone"), path_changes_of(tmp_path / "gone")):
        with pytest.raises(OSError, match="gone"):
            listed_at(place)
