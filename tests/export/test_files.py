"""Names of files that are made of names in a ROM, and files that cannot be written."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from mapexplorer.export import files
from mapexplorer.export.files import atomic_file, map_name, remove_parts, safe_name, unique_names, write_atomically

SAFE = re.compile(r"[A-Za-z0-9_-]([A-Za-z0-9._-]*[A-Za-z0-9_-])?")


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("tree04_2", "tree04_2"),
        ("a.b", "a.b"),
        ("", "_"),
        (".", "_"),
        ("..", "__"),
        ("...", "_._"),
        (".png", "_png"),
        ("end.", "end_"),
        ("../../etc/passwd", "_._.._etc_passwd"),
        ("a/b\\c:d*", "a_b_c_d_"),
        ("\x1b[2J\0", "__2J_"),
        ("CON", "_CON"),
        ("con.a", "_con.a"),
        ("Lpt9", "_Lpt9"),
        ("console", "console"),
        ("aux ", "aux_"),
        ("é", "_"),
    ],
)
def test_names_are_safe(name: str, safe: str) -> None:
    assert safe_name(name) == safe and SAFE.fullmatch(safe)


def test_long_names_are_cut() -> None:
    assert len(safe_name("x" * 5000)) == 200


def test_unique_names() -> None:
    assert unique_names(["a", "A", "a", "a_2", "", "/", "CON"]) == ["a", "A_2", "a_3", "a_2_2", "_", "__2", "_CON"]
    many = unique_names(["same"] * 5000)
    assert len(set(many)) == 5000


def test_maps() -> None:
    assert map_name(3, "T01") == "003_T01"
    assert map_name(3, "") == "003_" and map_name(3, "a.") == "003_a_"


def test_temporary_files_are_no_links_that_others_made(tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("precious")
    (tmp_path / f".o.nds.{os.getpid()}.part").symlink_to("victim")
    write_atomically(tmp_path / "o.nds", b"ROM")
    assert (tmp_path / "victim").read_text() == "precious" and not (tmp_path / "o.nds").is_symlink()


def test_a_file_that_another_process_takes_for_abandoned_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It looks for such files between the making of one and its lock."""

    def late(handle: int) -> bool:
        monkeypatch.setattr(files, "try_lock", try_lock)
        remove_parts(tmp_path)
        return try_lock(handle)

    try_lock = files.try_lock
    monkeypatch.setattr(files, "try_lock", late)
    assert write_atomically(tmp_path / "a.glb", b"GLB").read_bytes() == b"GLB"
    assert list(tmp_path.iterdir()) == [tmp_path / "a.glb"]


def test_what_processes_that_were_ended_left_is_removed(tmp_path: Path) -> None:
    """Those that still write have a lock on their file."""
    left = tmp_path / f".o.nds.{'0' * 16}.part"
    left.write_bytes(b"half")
    mine = tmp_path / ".o.nds.part"
    mine.write_bytes(b"another program's")
    with atomic_file(tmp_path / "a.nds") as file:
        assert not left.exists()
        remove_parts(tmp_path)
        file.write(b"ROM")
    assert (tmp_path / "a.nds").read_bytes() == b"ROM" and mine.exists()
