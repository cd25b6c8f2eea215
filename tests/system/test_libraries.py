"""Which libraries are missing, from ELF files and what the loader says."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import pytest

from mapexplorer.gui import requirements
from mapexplorer.system import libraries
from mapexplorer.system.elf import read_dynamic
from mapexplorer.system.libraries import PACKAGES, Unloadable, failed_library, missing_libraries

_ABSENT = "cannot open shared object file: No such file or directory"


def elf(needed: list[str], runpath: str = "", rpath: str = "", *, wide: bool = True, order: str = "<") -> bytes:
    """A shared object that has a dynamic section and nothing else, loaded at an address that is not its offset."""
    base = 0x1000
    strings = b"\0"
    entries = []
    for tag, text in [*((1, name) for name in needed), (29, runpath), (15, rpath)]:
        if text:
            entries.append((tag, len(strings)))
            strings += text.encode() + b"\0"
    word, head, entry = ("Q", 64, 56) if wide else ("I", 52, 32)
    start = head + 2 * entry
    table = start + 2 * struct.calcsize(word) * (len(entries) + 2)
    entries += [(5, base + table), (0, 0)]
    dynamic = b"".join(struct.pack(order + 2 * word, *values) for values in entries)
    size = table + len(strings)
    ident = b"\x7fELF" + bytes([2 if wide else 1, 1 if order == "<" else 2, 1]) + bytes(9)
    header = ident + struct.pack(
        order + "HHI" + 3 * word + "IHHHHHH", 3, 62, 1, 0, head, 0, 0, head, entry, 2, 0, 0, 0
    )  # fmt: skip

    def segment(kind: int, offset: int, length: int) -> bytes:
        address = base + offset
        if wide:
            return struct.pack(order + "IIQQQQQQ", kind, 4, offset, address, address, length, length, 8)
        return struct.pack(order + "IIIIIIII", kind, offset, address, address, length, length, 4, 4)

    return header + segment(1, 0, size) + segment(2, start, len(dynamic)) + dynamic + strings


@pytest.mark.parametrize("wide", [True, False])
@pytest.mark.parametrize("order", ["<", ">"])
def test_the_dynamic_section_is_read(tmp_path: Path, wide: bool, order: str) -> None:
    file = tmp_path / "libx.so"
    file.write_bytes(elf(["liba.so.1", "libb.so"], "$ORIGIN/../lib:/opt", "${ORIGIN}", wide=wide, order=order))
    dynamic = read_dynamic(file)
    assert dynamic.needed == ("liba.so.1", "libb.so")
    assert dynamic.runpath == (tmp_path / "../lib", Path("/opt")) and dynamic.rpath == (tmp_path,)


@pytest.mark.parametrize("length", [0, 3, 16, 40, 70, 180, 200, 228])
def test_half_a_file_is_an_error(tmp_path: Path, length: int) -> None:
    file = tmp_path / "libx.so"
    file.write_bytes(elf(["liba.so.1"])[:length])
    with pytest.raises(ValueError):
        read_dynamic(file)
    assert [str(one.name) for one in missing_libraries([file])] == ["libx.so"]


def test_every_missing_library_is_found(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "top.so").write_bytes(elf(["libown.so.1", "libGL.so.1", "libthere.so.1"], rpath="$ORIGIN/lib"))
    (tmp_path / "lib" / "libown.so.1").write_bytes(elf(["libdeep.so.1", "libxcb-icccm.so.4", "libGL.so.1"]))
    (tmp_path / "lib" / "libdeep.so.1").write_bytes(elf(["libX11.so.6"], runpath="/nowhere"))
    asked = []

    def load(name: str) -> None:
        asked.append(name)
        if name == "libX11.so.6":
            raise OSError(f"libxcb.so.1: {_ABSENT}")  # what it needs itself
        if name != "libthere.so.1":
            raise OSError(f"{name}: {_ABSENT}")

    found = missing_libraries([tmp_path / "top.so"], load)
    assert [one.name for one in found] == ["libGL.so.1", "libxcb-icccm.so.4", "libxcb.so.1"]
    assert sorted(asked) == ["libGL.so.1", "libX11.so.6", "libthere.so.1", "libxcb-icccm.so.4"]
    words = libraries.needs(found)
    assert words.startswith("libGL.so.1, libxcb-icccm.so.4 and libxcb.so.1 are missing (apt-get install libgl1 ")
    assert "libxcb-icccm4" in words and "libxcb1" in words


def test_what_loads_alone_is_loaded_whole(tmp_path: Path) -> None:
    (tmp_path / "top.so").write_bytes(elf(["liba.so.1"]))

    def load(name: str) -> None:
        if name.endswith("top.so"):
            raise OSError("/lib/libc.so.6: version `GLIBC_9.9' not found (required by top.so)")

    (found,) = missing_libraries([tmp_path / "top.so"], load)
    assert found.name == "libc.so.6" and "GLIBC_9.9" in str(found)


def test_a_packed_program_has_libraries_in_its_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "top.so").write_bytes(elf(["libown.so.1"], runpath="/nowhere"))
    (tmp_path / "libown.so.1").write_bytes(elf(["libxcb-shm.so.0", "libxcb-render.so.0"]))

    def load(name: str) -> None:
        lacking = "libxcb-shm.so.0" if "libown" in name else name
        raise OSError("not found when the application was frozen") from OSError(f"{lacking}: {_ABSENT}")

    found = missing_libraries([tmp_path / "plugins" / "top.so"], load)
    assert [str(one) for one in found] == ["libxcb-shm.so.0"]
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    found = missing_libraries([tmp_path / "plugins" / "top.so"], load)
    assert [str(one) for one in found] == ["libxcb-shm.so.0", "libxcb-render.so.0"]


@pytest.mark.parametrize(
    ("message", "blame"),
    [
        (f"libGL.so.1: {_ABSENT}", Unloadable("libGL.so.1")),
        (f"/opt/x/libGL.so.1: {_ABSENT}", Unloadable("libGL.so.1")),
        ("Error loading shared library libz.so.1: No such file or directory (needed by /a)", Unloadable("libz.so.1")),
        ("/opt/libGL.so.1: file too short", Unloadable("libGL.so.1", "file too short")),
        ("DLL load failed", None),
    ],
)
def test_messages_of_loaders(message: str, blame: Unloadable | None) -> None:
    assert failed_library(message) == blame


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Qt as built for Linux")
def test_every_library_that_qt_needs_has_its_package() -> None:
    folder = requirements.qt_folder()
    if folder is None or not (folder / "Qt5").is_dir():
        pytest.skip("Qt's libraries come from the distribution")
    base = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "ld-linux-x86-64.so.2"}
    needed = set()

    def load(name: str) -> None:
        if not name.startswith("/"):
            needed.add(name)

    modules = [file for name in ("QtCore", "QtGui", "QtWidgets") for file in folder.glob(f"{name}.*so")]
    plugins = folder / "Qt5" / "plugins" / "platforms"
    missing_libraries([*modules, plugins / "libqxcb.so", plugins / "libqwayland-generic.so"], load)
    assert len(needed) > 25 and {"libgthread-2.0.so.0", "libxcb-icccm.so.4"} <= needed
    assert needed - base <= set(PACKAGES)
