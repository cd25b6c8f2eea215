"""Where compiled kernels are kept: never in a folder that another user may have filled."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from formats import kernel


def test_the_temporary_cache_belongs_to_this_user_alone(tmp_path: Path) -> None:
    fresh = tmp_path / "fresh"
    assert kernel._private(fresh) == fresh and fresh.is_dir()
    if not hasattr(os, "getuid"):
        pytest.skip("files have no owners here")
    assert fresh.stat().st_mode & 0o077 == 0
    assert kernel._private(fresh) == fresh
    open_to_all = tmp_path / "open"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    assert kernel._private(open_to_all) is None
    link = tmp_path / "link"
    link.symlink_to(fresh)
    assert kernel._private(link) is None
    assert kernel._private(tmp_path / "absent" / "deep") is None


def test_a_cache_of_another_user_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not hasattr(os, "getuid"):
        pytest.skip("files have no owners here")
    folder = tmp_path / "theirs"
    folder.mkdir(mode=0o700)
    monkeypatch.setattr(kernel.os, "getuid", lambda: folder.stat().st_uid + 1)
    assert kernel._private(folder) is None
