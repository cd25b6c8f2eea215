"""Files of a cache that others made, or that are dated in the future."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from formats.kernel import checked_file

YEAR = 365 * 86400


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
@pytest.mark.parametrize(
    "make",
    [
        os.mkfifo,
        lambda path: path.symlink_to("/dev/zero"),
        lambda path: path.symlink_to(path.with_name("other")),
        lambda path: path.mkdir(),
    ],
)
def test_only_files_are_read(tmp_path: Path, make: Callable[[Path], object]) -> None:
    checked_file.write(tmp_path / "other", b"another's")
    make(tmp_path / "kept")
    assert checked_file.read(tmp_path / "kept") is None
    assert checked_file.write(tmp_path / "kept", b"data") is not (tmp_path / "kept").is_dir()
    if not (tmp_path / "kept").is_dir():
        assert checked_file.read(tmp_path / "kept") == b"data" and checked_file.read(tmp_path / "other") == b"another's"


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owner")
def test_files_of_another_user_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked_file.write(tmp_path / "kept", b"data")
    if os.getuid() == 0:
        os.chown(tmp_path / "kept", 4321, -1)
    else:
        owner = os.getuid() + 1
        monkeypatch.setattr(os, "getuid", lambda: owner)
    assert checked_file.read(tmp_path / "kept") is None


def test_a_new_file_stays_where_others_are_of_the_future(tmp_path: Path) -> None:
    now = time.time()
    for number, at in enumerate([now - 9, now + YEAR, now - 5, now + 2 * YEAR, now]):
        checked_file.write(tmp_path / f"kept-{number}", b"data")
        os.utime(tmp_path / f"kept-{number}", (at, at))
    checked_file.keep_newest(tmp_path, "kept-*", 2)
    assert {path.name for path in tmp_path.iterdir()} == {"kept-2", "kept-4"}
