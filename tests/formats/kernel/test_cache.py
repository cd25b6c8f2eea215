"""The cache of compiled units: damage, full disks and other users harm nothing."""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from formats.kernel import cache

UNIT = "formats.nds.display_list"
USE = """
from formats.nds.display_list import unpack
from formats.kernel import resolve
assert unpack(bytes(4)).size == 0
print(resolve.sources["formats.nds.display_list"])
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(cache.FOLDER_VARIABLE, str(tmp_path))
    cache.folder.cache_clear()
    yield tmp_path
    cache.folder.cache_clear()


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.kernel"))


def test_what_was_stored_is_loaded(folder: Path) -> None:
    assert cache.load(UNIT, "a" * 64) is None
    assert cache.store(UNIT, "a" * 64, b"code\nwith lines")
    assert cache.load(UNIT, "a" * 64) == b"code\nwith lines"
    assert cache.load(UNIT, "b" * 64) is None
    assert [path.suffix for path in folder.iterdir()] == [".kernel"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data[:40],
        lambda data: data[:-3] + bytes([data[-3] ^ 1]) + data[-2:],
        lambda data: bytes([data[0] ^ 1]) + data[1:],
        lambda data: bytes(len(data)),
    ],
)
def test_damaged_files_are_dropped(folder: Path, damage: Callable[[bytes], bytes]) -> None:
    cache.store(UNIT, "a" * 64, bytes(range(256)))
    (path,) = files(folder)
    path.write_bytes(damage(path.read_bytes()))
    assert cache.load(UNIT, "a" * 64) is None
    assert files(folder) == []
    assert cache.store(UNIT, "a" * 64, b"new") and cache.load(UNIT, "a" * 64) == b"new"


def test_damage_is_mended_by_the_next_run(run: Callable[..., str], tmp_path: Path) -> None:
    place = tmp_path / "cache"
    assert run(USE) == "compiled"
    assert run(USE) == "cache"
    (path,) = files(place)
    path.write_bytes(path.read_bytes()[:-100])
    assert run(USE) == "compiled"
    assert run(USE) == "cache"


def test_a_full_disk_leaves_nothing_and_stops_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "no space left")

    monkeypatch.setattr(os, "fsync", full)
    assert not cache.store(UNIT, "a" * 64, b"code")
    assert list(folder.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can mount a full disk")
def test_a_real_full_disk_means_compiling_in_memory(run: Callable[..., str], tmp_path: Path) -> None:
    place = tmp_path / "full"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k", "none", str(place)], capture_output=True)
    if mounted.returncode:
        pytest.skip("no file system can be mounted here")
    try:
        (place / "filler").write_bytes(bytes(4096))
        assert run(USE, cache=place) == "compiled"
        assert files(place) == []
    finally:
        subprocess.run(["umount", str(place)], check=True)


def test_no_folder_means_compiling_in_memory(run: Callable[..., str], tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    program = "import tempfile; tempfile.tempdir = '/proc/nothing'\n" + USE
    assert run(program, cache=blocked / "below") == "compiled"


def test_few_versions_of_a_unit_are_kept(folder: Path) -> None:
    for number in range(cache.KEPT + 3):
        cache.store(UNIT, f"{number:032}{0:032}", b"x")
        os.utime(cache._file(UNIT, f"{number:032}{0:032}"), (number, number))
    cache.store("another.unit", "a" * 64, b"y")
    assert len(files(folder)) == cache.KEPT + 1
    assert cache.load(UNIT, f"{cache.KEPT + 2:032}{0:032}") == b"x"


def test_the_temporary_folder_belongs_to_this_user_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = tmp_path / "fresh"
    assert cache.private(fresh) and fresh.is_dir()
    if not hasattr(os, "getuid"):
        pytest.skip("files have no owners here")
    assert fresh.stat().st_mode & 0o077 == 0
    open_to_all = tmp_path / "open"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    assert not cache.private(open_to_all)
    link = tmp_path / "link"
    link.symlink_to(fresh)
    assert not cache.private(link)
    assert not cache.private(tmp_path / "absent" / "deep")
    monkeypatch.setattr(cache.os, "getuid", lambda: fresh.stat().st_uid + 1)
    assert not cache.private(fresh)


def test_an_installed_package_keeps_nothing_beside_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """pip would leave it behind, and the folder would hide an editable installation."""
    monkeypatch.delenv(cache.FOLDER_VARIABLE, raising=False)
    checkout, installed = tmp_path / "checkout", tmp_path / "site-packages"
    for root in (checkout, installed):
        (root / "formats" / "kernel").mkdir(parents=True)
    (checkout / "setup.cfg").touch()
    monkeypatch.setattr(cache, "__file__", str(checkout / "formats" / "kernel" / "cache.py"))
    assert cache.candidates()[0] == checkout.resolve() / "formats" / "kernel" / "__pycache__"
    monkeypatch.setattr(cache, "__file__", str(installed / "formats" / "kernel" / "cache.py"))
    assert not any(installed.resolve() in folder.parents for folder in cache.candidates())
