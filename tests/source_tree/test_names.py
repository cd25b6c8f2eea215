"""Names of files in a ROM that a file system could not have come back."""

from __future__ import annotations

from pathlib import Path

import pytest

from mapexplorer.errors import RomError
from mapexplorer.rom import build_image
from mapexplorer.rom.image import ImageRom
from mapexplorer.source_tree.folder import is_safe, spelled
from mapexplorer.world.opening import open_rom
from tests.source_tree.conftest import packed, unpacked

NAMES = {
    ".hidden": "%2Ehidden",
    ".folder/..x/...": "%2Efolder/%2E.x/%2E.%2E",
    "CON.x": "%43ON.x",
    "com1": "%63om1",
    "console": "console",
    "lpt": "lpt",
    "point.": "point%2E",
    "space ": "space%20",
    "a\nb": "a%0Ab",
    "\x1b[2J": "%1B[2J",
    'q?*:"<>|': "q%3F%2A%3A%22%3C%3E%7C",
    "50%": "50%25",
    "a%41": "a%2541",
    "a.json": "a%2Ejson",
    "b.script": "b%2Escript",
    "\x85\xe9": "%85\xe9",
}


def test_names_are_spelled() -> None:
    assert {name: spelled(name) for name in NAMES} == NAMES


@pytest.mark.parametrize(
    "name", ["/", "//a", "/a/", "", "../x", "image/x", "a.b", "/a\\b", "/\u0100", "/\ud800", "arm 9"]
)
def test_names_that_no_part_has(name: str) -> None:
    assert not is_safe(name)


def test_odd_names_come_back(tmp_path: Path) -> None:
    demo = open_rom("demo")
    more = {f"odd/{name}": name.encode("utf-8") for name in NAMES} | {
        "case/Name": b"1",
        "case/nAME": b"2",
        "Case/name": b"3",
    }
    files = {path: demo.file(path) for path in demo.files} | more
    image = build_image(files, arm9=demo.arm9(), code=demo.code)
    (tmp_path / "odd.nds").write_bytes(image)
    unpacked(tmp_path / "odd.nds", tmp_path / "folder")
    below = [path.relative_to(tmp_path).as_posix() for path in (tmp_path / "folder").rglob("*") if path.is_file()]
    assert len({path.lower() for path in below}) == len(below)
    assert not any(part.startswith(".") or not part.isprintable() for path in below for part in path.split("/"))
    assert packed(tmp_path / "folder", tmp_path / "again.nds").unused == ()
    assert (tmp_path / "again.nds").read_bytes() == image


def test_a_name_that_leads_out_is_a_name(tmp_path: Path) -> None:
    """The name of a file can be two points; it is spelled in another way and stays in the folder."""
    demo = open_rom("demo")
    assert isinstance(demo, ImageRom)
    files = {path: demo.file(path) for path in demo.files} | {"odd/zz": b"1"}
    image = build_image(files, arm9=demo.arm9(), code=demo.code).replace(b"\x02zz", b"\x02..")
    (tmp_path / "odd.nds").write_bytes(image)
    unpacked(tmp_path / "odd.nds", tmp_path / "folder")
    packed(tmp_path / "folder", tmp_path / "again.nds")
    assert (tmp_path / "again.nds").read_bytes() == image
    (tmp_path / "odd.nds").write_bytes(image.replace(b"\x02..", b"\x02a\\"))
    with pytest.raises(RomError, match="whose name no folder can have"):
        unpacked(tmp_path / "odd.nds", tmp_path / "other")
