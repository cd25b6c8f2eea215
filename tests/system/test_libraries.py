"""Which libraries are missing, by `ldd` and what the loader says."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mapexplorer.gui.app import requirements
from mapexplorer.system import libraries
from mapexplorer.system.libraries import PACKAGES, Unloadable, failed_library, missing_libraries

_ABSENT = "cannot open shared object file: No such file or directory"


linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="ldd, as on Linux")


def elf(*needed: str, runpath: str = "") -> bytes:
    """A shared object for this machine that needs libraries and has nothing else."""
    strings, entries = b"\0", []
    for tag, text in [*((1, name) for name in needed), *([(29, runpath)] if runpath else [])]:
        entries.append((tag, len(strings)))
        strings += text.encode() + b"\0"
    table = 64 + 2 * 56
    end = table + 16 * (len(entries) + 4)
    symbols = end + len(strings)
    entries += [(5, end), (6, symbols), (10, len(strings)), (0, 0)]
    dynamic = b"".join(struct.pack("<QQ", *entry) for entry in entries)
    size = symbols + 24
    segments = struct.pack("<IIQQQQQQ", 1, 6, 0, 0, 0, size, size, 0x1000)
    segments += struct.pack("<IIQQQQQQ", 2, 6, table, table, table, len(dynamic), len(dynamic), 8)
    (machine,) = struct.unpack_from("<H", Path(sys.executable).read_bytes(), 18)
    header = b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 3, machine, 1, 0, 64, 0, 0, 64, 56, 2, 0, 0, 0)
    return header + segments + dynamic + strings + bytes(24)


@pytest.fixture
def listing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """A function that makes an `ldd` of the lines of a shell script."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")

    def make(script: str) -> None:
        (folder / "ldd").write_text(f"#!/bin/sh\n{script}\n")
        (folder / "ldd").chmod(0o755)

    return make


@linux
def test_every_missing_library_is_found(tmp_path: Path) -> None:
    """The loader names the first one only; libraries in folders of the file's own are followed."""
    (tmp_path / "lib").mkdir()
    top = tmp_path / "top.so"
    top.write_bytes(elf("libown.so.1", "libabsent-a.so.1", "libc.so.6", runpath="$ORIGIN/lib"))
    (tmp_path / "lib" / "libown.so.1").write_bytes(elf("libabsent-b.so.4", "libabsent-a.so.1"))
    assert [str(one) for one in missing_libraries([top, top])] == ["libabsent-a.so.1", "libabsent-b.so.4"]
    (tmp_path / "whole.so").write_bytes(elf("libc.so.6"))
    assert missing_libraries([tmp_path / "whole.so"]) == []


@linux
def test_missing_libraries_as_a_sentence(tmp_path: Path, listing: Callable[[str], None]) -> None:
    lines = ["libGL.so.1 => not found", "libm.so.6 => /lib/libm.so.6 (0x1)", "libxcb-icccm.so.4 => not found"]
    listing("printf '" + "".join(f"\\t{line}\\n" for line in lines) + "'")
    found = missing_libraries([tmp_path / "absent.so"])
    assert libraries.needs(found) == (
        "libGL.so.1 and libxcb-icccm.so.4 are missing "
        "(apt-get install libgl1 libxcb-icccm4, or what your system calls it)"
    )
    listing("echo 'Error loading shared library libz.so.1: No such file or directory (needed by /a)' >&2; exit 127")
    assert [str(one) for one in missing_libraries([tmp_path / "absent.so"])] == ["libz.so.1"]


@pytest.mark.parametrize("script", ["echo '\tnot a dynamic executable' >&2; exit 1", "exec sleep 60", ""])
@linux
def test_without_a_list_the_loader_is_believed(
    tmp_path: Path, listing: Callable[[str], None], monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    """Also where `ldd` does not end, or is not there."""
    monkeypatch.setattr(libraries, "_LONGEST", 0.2)
    listing(script) if script else monkeypatch.setenv("PATH", str(tmp_path))

    def load(name: str) -> None:
        raise OSError("/lib/libc.so.6: version `GLIBC_9.9' not found (required by top.so)")

    (found,) = missing_libraries([tmp_path / "top.so"], load)
    assert found.name == "libc.so.6" and "GLIBC_9.9" in str(found)


@linux
def test_half_a_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "libx.so"
    file.write_bytes(elf("libabsent-a.so.1")[:90])
    assert [one.name for one in missing_libraries([file])] == ["libx.so"]


@linux
def test_a_packed_program_has_libraries_in_its_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plugins").mkdir()
    top = tmp_path / "plugins" / "top.so"
    top.write_bytes(elf("libown.so.1", runpath="/nowhere"))
    (tmp_path / "libown.so.1").write_bytes(elf("libabsent-a.so.0", "libabsent-b.so.0"))

    def load(name: str) -> None:
        raise OSError("not found when the application was frozen") from OSError(f"libown.so.1: {_ABSENT}")

    assert [str(one) for one in missing_libraries([top], load)] == ["libown.so.1"]
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    assert [str(one) for one in missing_libraries([top], load)] == ["libabsent-a.so.0", "libabsent-b.so.0"]


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


@linux
def test_every_library_that_qt_needs_has_its_package() -> None:
    folder = requirements.qt_folder()
    if folder is None or not (folder / "Qt5").is_dir():
        pytest.skip("Qt's libraries come from the distribution")
    base = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "ld-linux-x86-64.so.2"}
    plugins = folder / "Qt5" / "plugins" / "platforms"
    files = [file for name in ("QtCore", "QtGui", "QtWidgets") for file in folder.glob(f"{name}.*so")]
    files += [plugins / "libqxcb.so", plugins / "libqwayland-generic.so"]
    needed = set()
    for file in files:  # and then Qt's own libraries that these need
        environment = os.environ | {"LD_DEBUG": "files"}
        ran = subprocess.run(["ldd", file], capture_output=True, text=True, check=True, env=environment)
        direct = re.findall(rf"file=(\S+) .*needed by {re.escape(str(file))} ", ran.stdout + ran.stderr)
        places = dict(re.findall(r"^\t(\S+) => (\S+) \(", ran.stdout, re.MULTILINE))
        own = {name: Path(os.path.normpath(places[name])) for name in direct if str(folder) in places.get(name, "")}
        needed |= set(direct) - own.keys()
        files += [place for place in own.values() if place not in files]
    assert len(needed) > 25 and {"libgthread-2.0.so.0", "libxcb-icccm.so.4"} <= needed
    assert needed - base <= set(PACKAGES)
