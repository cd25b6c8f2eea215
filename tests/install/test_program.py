"""What the packed program holds is what the packages need. It is built and tried by `make check-program`."""

from __future__ import annotations

import importlib.util
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import formats
from formats import field, nitro
from mapexplorer import _HOMES, gpu, kernels
from mapexplorer.cli import VERBS

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tools" / "program"
COMPILING = {"formats.kernel.child", "formats.kernel.compiler", "formats.kernel.machine_code"}
"""Modules that only a checkout uses, where kernels are compiled."""


@pytest.fixture(scope="module")
def contents() -> Iterator[ModuleType]:
    path = sys.path.copy()
    spec = importlib.util.spec_from_file_location("contents", FOLDER / "contents.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    sys.path[:] = path


def test_what_is_imported_by_name_goes_in(contents: ModuleType) -> None:
    modules = contents.modules()
    assert len(modules) == len(set(modules))
    named = {
        "mapexplorer.__main__",
        *(f"mapexplorer.cli.{module}" for module, _ in VERBS.values()),
        *_HOMES.values(),
        *(f"mapexplorer.gpu.{module}" for module in gpu._HOMES.values()),
        *kernels.EVERYTHING,
        *(f"formats.{package}" for package in formats._PACKAGES),
        "formats.sm64ds",
        *(f"formats.nitro.{name.lower()}" for name in nitro.KINDS.values()),
        *(f"formats.field.{module}" for module in field._MODULES.values()),
    }
    assert named <= set(modules)


def test_every_module_goes_in(contents: ModuleType) -> None:
    files = [file for top in ("formats", "mapexplorer") for file in (ROOT / top).rglob("*.py")]
    found = {".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for file in files}
    assert set(contents.modules()) == found and "mapexplorer.gui.views.gl_view" in found


IMPORT = """
import json, sys
from importlib import import_module

class Absent:
    def find_spec(self, name, path=None, target=None):
        if any(name == out or name.startswith(out + ".") for out in excluded):
            raise ModuleNotFoundError(name, name=name)

modules, excluded = json.load(sys.stdin)
sys.meta_path.insert(0, Absent())
failed = {}
for module in modules:
    try:
        import_module(module)
    except ModuleNotFoundError as error:
        failed[module] = error.name
    except ImportError:
        pass  # a library of the system
print(json.dumps(failed))
"""


def test_nothing_needs_what_stays_out(contents: ModuleType) -> None:
    given = json.dumps([[*contents.modules(), "rich.progress"], contents.EXCLUDED])
    ran = subprocess.run([sys.executable, "-c", IMPORT], input=given, capture_output=True, check=True, text=True)
    failed = json.loads(ran.stdout)
    missing = {module: name for module, name in failed.items() if name != "PyQt5" and module not in COMPILING}
    assert missing == {}
    assert {name.partition(".")[0] for module, name in failed.items() if module in COMPILING} <= {"numba", "llvmlite"}


@pytest.fixture
def compiled(contents: ModuleType, tmp_path: Path) -> Path:
    """A folder as tools/kernel_library.py makes it, whose library is a word."""
    units = {}
    for unit in kernels.EVERYTHING:
        importlib.import_module(unit)
        units[unit] = contents.stamp(unit)
    description = {"target": contents.this_system(), "libraries": {"generic": "kernels.so"}, "units": units}
    (tmp_path / "kernels.json").write_text(json.dumps(description))
    (tmp_path / "kernels.so").write_text("library")
    return tmp_path


def test_data_and_compiled_kernels_go_in(contents: ModuleType, compiled: Path) -> None:
    places = {Path(folder, Path(file).name).as_posix() for file, folder in contents.files(compiled)}
    found = [file for file in (ROOT / "data").rglob("*") if file.suffix in (".json", ".py")]
    data = {f"mapexplorer/data/{file.relative_to(ROOT / 'data').as_posix()}" for file in found}
    assert data | {"mapexplorer/data/demo.nds"} <= places
    assert {"mapexplorer/data/__init__.py", "mapexplorer/data/platinum/weather.json"} <= data
    assert {"formats/kernel/compiled/kernels.json", "formats/kernel/compiled/kernels.so"} <= places


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"target": "x86_64-beos"}, "are for x86_64-beos, not"),
        ({"units": {kernels.EVERYTHING[0]: "0"}}, f"the kernels of {kernels.EVERYTHING[0]} in .* from other sources"),
        (None, "there are no compiled kernels in"),
    ],
)
def test_kernels_that_do_not_fit_are_refused(
    contents: ModuleType, compiled: Path, changes: dict[str, Any] | None, words: str
) -> None:
    file = compiled / "kernels.json"
    if changes is None:
        file.unlink()
    else:
        file.write_text(json.dumps(json.loads(file.read_text()) | changes))
    with pytest.raises(SystemExit, match=f"{words}.*; tools/kernel_library.py makes them"):
        contents.files(compiled)


def test_the_kernels_are_those_of_this_system(contents: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for system, machine in [("win32", "AMD64"), ("darwin", "arm64"), ("darwin", "x86_64"), ("linux", "aarch64")]:
        monkeypatch.setattr(sys, "platform", system)
        monkeypatch.setattr(platform, "machine", lambda machine=machine: machine)
        found.append(contents.this_system())
    assert found == ["x86_64-windows-gnu", "aarch64-macos.11.0", "x86_64-macos.11.0", "aarch64-linux-gnu.2.17"]


LIBRARIES = {
    "PyQt5/QtGui.so": ["libQt5Gui.so.5", "libGL.so.1"],
    "PyQt5/Qt5/lib/libQt5Gui.so.5": ["libstdc++.so.6"],
    "PyQt5/Qt5/lib/libQt5Svg.so.5": ["libQt5Gui.so.5"],
    "PyQt5/Qt5/plugins/platforms/libqxcb.so": ["libdbus-1.so.3", "libxcb-icccm.so.4"],
    "PyQt5/Qt5/plugins/imageformats/libqsvg.so": ["libQt5Svg.so.5"],
    "_hashlib.so": ["libcrypto.so.3", "libz.so.1"],
    "libcrypto.so.3": [],
    "libdbus-1.so.3": ["libsystemd.so.0"],
    "libsystemd.so.0": ["libcrypto.so.3", "liblz4.so.1"],
    "liblz4.so.1": [],
    "libpython3.11.so.1.0": [],
    "libstdc++.so.6": [],
    "libxcb-icccm.so.4": [],
    "libz.so.1": [],
}


def test_libraries_of_the_system_and_unused_plugins_stay_out_with_what_only_they_need(contents: ModuleType) -> None:
    entries = [(name, f"/lib/{name}", "BINARY") for name in LIBRARIES]
    entries += [("libQt5Svg.so.5", "PyQt5/Qt5/lib/libQt5Svg.so.5", "SYMLINK")]
    kept = contents.wanted_libraries(entries, lambda source: LIBRARIES[source.removeprefix("/lib/")])
    assert [name for name, _, _ in kept] == [
        "PyQt5/QtGui.so",
        "PyQt5/Qt5/lib/libQt5Gui.so.5",
        "PyQt5/Qt5/plugins/platforms/libqxcb.so",
        "_hashlib.so",
        "libcrypto.so.3",
        "libpython3.11.so.1.0",
        "libxcb-icccm.so.4",
    ]


@pytest.mark.parametrize(
    ("place", "kind", "wanted"),
    [
        ("mapexplorer/data/demo.nds", "DATA", True),
        ("ndspy-4.0.dist-info/METADATA", "DATA", True),
        ("ndspy-4.0.dist-info/RECORD", "DATA", False),
        ("PyQt5/Qt5/translations/qt_de.qm", "DATA", False),
        ("libQt5Gui.so.5", "SYMLINK", True),
        ("libQt5Svg.so.5", "SYMLINK", False),
    ],
)
def test_data_that_only_takes_room_stays_out(contents: ModuleType, place: str, kind: str, wanted: bool) -> None:
    assert contents.is_wanted((place, "", kind), ["libQt5Gui.so.5"]) is wanted


def test_required_packages_are_named_as_they_are_installed(contents: ModuleType) -> None:
    required = contents.requirements()
    assert {"ndspy", "numpy", "Pillow", "PyOpenGL", "click", "rich", "platformdirs"} <= set(required)
    assert "numba" not in required


def start(*arguments: str, **variables: str) -> str:
    words = [sys.executable, str(FOLDER / "start.py"), *arguments]
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | variables
    return subprocess.run(words, env=environment, capture_output=True, check=True, text=True).stdout


def test_the_program_runs_code_for_its_child_processes() -> None:
    assert start("-c", "import sys; print(__name__, sys.argv)", "a", "b") == "__main__ ['-c', 'a', 'b']\n"
    assert start("--version").startswith("mapexplorer, version")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the variables are those of Linux")
@pytest.mark.parametrize("before", [None, "/opt/lib"])
def test_programs_that_it_opens_load_their_own_libraries(before: str | None) -> None:
    variables = {"LD_LIBRARY_PATH": "/program", "QT_PLUGIN_PATH": "/program/plugins"}
    if before is not None:
        variables["LD_LIBRARY_PATH_ORIG"] = before
    code = (
        "import os; print([os.environ.get(n) for n in ('LD_LIBRARY_PATH', 'LD_LIBRARY_PATH_ORIG', 'QT_PLUGIN_PATH')])"
    )
    assert start("-c", code, **variables) == f"{[before, None, None]}\n"
