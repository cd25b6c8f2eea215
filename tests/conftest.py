"""What tests share: the real ROM and the ground-truth vectors, through environment variables; whether Qt works here.

MAPEXPLORER_TEST_ROM is an image; MAPEXPLORER_VECTORS and MAPEXPLORER_REFERENCES are folders. Where one is unset, or Qt
does not start, the tests that need it skip with a clear reason; with MAPEXPLORER_REQUIRE=1 they fail instead.
"""

from __future__ import annotations

import functools
import gc
import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hypothesis import settings

# The first call of a kernel compiles it, so no example has a deadline; the examples are the same in every run.
settings.register_profile("mapexplorer", deadline=None, derandomize=True)
settings.load_profile("mapexplorer")


try:
    from PyQt5 import QtTest, QtWidgets  # noqa: F401
except ImportError:
    pytest_plugins: list[str] = []
else:
    pytest_plugins = ["pytestqt.plugin"]

WINDOW_TESTS = Path(__file__).parent / "gui"
DISPLAY_TESTS = (WINDOW_TESTS, WINDOW_TESTS.with_name("opengl"))

Cases = Callable[[str], list[dict[str, Any]]]
"""Reads the lines of a file of vectors by its name."""


@functools.cache
def qt_problem() -> str:
    """Why Qt makes no application here, or an empty string. Tried in a child process, since Qt would abort this one."""
    program = "from PyQt5 import QtTest, QtWidgets; QtWidgets.QApplication([])"
    child = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    if child.returncode == 0:
        return ""
    lines = child.stderr.strip().splitlines() or [f"it ended with status {child.returncode}"]
    # A traceback ends with its reason; Qt begins with it.
    return "Qt does not start here: " + (lines[-1] if child.returncode == 1 else lines[0])


class ModuleWithoutQt(pytest.Module):
    """A module of the window's tests where Qt does not start."""

    def collect(self) -> NoReturn:
        if os.environ.get("MAPEXPLORER_REQUIRE") == "1":
            raise self.CollectError(qt_problem())
        pytest.skip(f"the tests of the window need Qt. {qt_problem()}", allow_module_level=True)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    if module_path.parent == WINDOW_TESTS and qt_problem():
        return ModuleWithoutQt.from_parent(parent, path=module_path)
    return None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts what needs a display last, because a command forks no processes beside the threads of a window; a slow test
    keeps its place."""

    def needs_display(item: pytest.Item) -> bool:
        return any(folder in item.path.parents for folder in DISPLAY_TESTS)

    items.sort(key=lambda item: needs_display(item) and item.get_closest_marker("slow") is None)


def pytest_collection_finish() -> None:
    """Has the garbage collector leave out what is there when the tests begin, and run seldom: it would take a sixth of
    the processor time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def missing(reason: str) -> NoReturn:
    """Skips a test, or fails it with MAPEXPLORER_REQUIRE=1."""
    if os.environ.get("MAPEXPLORER_REQUIRE") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A `tests.browser.Browser`."""
    from tests.browser import Browser

    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        missing("the tests of pages need chromium")
    started = Browser(program, tmp_path_factory.mktemp("chromium"))
    yield started
    started.close()


@pytest.fixture(scope="session", name="missing")
def missing_fixture() -> Callable[[str], NoReturn]:
    """Skips a test, or fails it with MAPEXPLORER_REQUIRE=1."""
    return missing


@pytest.fixture(scope="session")
def qt() -> None:
    """Skips where Qt does not start."""
    if qt_problem():
        missing(qt_problem())


def required_path(variable: str) -> Path:
    """The path in an environment variable; skips (or fails, see above) when it is unset or names nothing."""
    value = os.environ.get(variable, "")
    if value and Path(value).exists():
        return Path(value).resolve()
    reason = f"{variable} is not set" if not value else f"{variable} names nothing: {value}"
    missing(reason)


@pytest.fixture(scope="session")
def count_calls() -> Callable[[Callable[[], object]], int]:
    """Counts the calls of functions of Python and of C that a piece of work makes in this thread."""

    def count(work: Callable[[], object]) -> int:
        events: Counter[str] = Counter()

        def note(frame: object, event: str, argument: object) -> None:
            events[event] += 1

        sys.setprofile(note)
        try:
            work()
        finally:
            sys.setprofile(None)
        return events["call"] + events["c_call"]

    return count


@pytest.fixture(scope="session", autouse=True)
def kept_data_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Stores and other kept data of this run of the tests, shared by its processes and those that they start, and not
    those of the user. Mesa keeps its shaders where they are."""
    from mapexplorer.system import kept_data

    here = tmp_path_factory.getbasetemp()
    cache = (here.parent if "PYTEST_XDIST_WORKER" in os.environ else here) / "cache"
    users = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MESA_SHADER_CACHE_DIR", os.environ.get("MESA_SHADER_CACHE_DIR") or users)
        patch.setenv("XDG_CACHE_HOME", str(cache))
        patch.setattr(kept_data, "folder", lambda: cache / "mapexplorer" / "data")
        yield


@pytest.fixture(scope="session")
def rom_path() -> Path:
    """The real ROM image."""
    return required_path("MAPEXPLORER_TEST_ROM")


@pytest.fixture(scope="session")
def vectors() -> Path:
    """The folder of ground-truth vectors."""
    return required_path("MAPEXPLORER_VECTORS")


@pytest.fixture(scope="session")
def cases(vectors: Path) -> Cases:
    """Reads the lines of a file of the script vectors, which has as many as its `counts.json` says."""
    folder = vectors / "scripts"
    counts = json.loads((folder / "counts.json").read_text("utf-8"))

    def read(name: str) -> list[dict[str, Any]]:
        with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        assert len(rows) == counts[f"{name}.jsonl.gz"] > 0
        return rows

    return read


@pytest.fixture(scope="session")
def references() -> Path:
    """The folder of the peers' outputs and timings."""
    return required_path("MAPEXPLORER_REFERENCES")


@pytest.fixture(scope="session")
def validate_glb() -> Callable[[Iterable[Path]], int]:
    """Asserts that the Khronos validator finds no error and no warning in GLB files; returns how many it looked at.

    The validator is npm's gltf-validator in the folder gltf-validator of the virtual environment (`make test` puts it
    there). Where it or node is absent the test skips, or fails with MAPEXPLORER_REQUIRE=1.
    """
    modules = Path(sys.prefix) / "gltf-validator" / "node_modules"
    node = shutil.which("node")
    if node is None or not (modules / "gltf-validator").is_dir():
        missing(f"the glTF validator needs node and an npm install of gltf-validator into {modules.parent}")
    script = Path(__file__).with_name("validate_glb.cjs")

    def validate(files: Iterable[Path]) -> int:
        names = [str(file) for file in files]
        count = 0
        for start in range(0, len(names), 100):
            part = names[start : start + 100]
            output = subprocess.run([node, str(script), str(modules), *part], capture_output=True, check=True).stdout
            for name, report in json.loads(output).items():
                assert (report["errors"], report["warnings"]) == (0, 0), f"{name}: {report['messages']}"
                count += 1
        assert count == len(names)
        return count

    return validate


@pytest.fixture
def command() -> Callable[..., subprocess.Popen[bytes]]:
    """Starts `python -m mapexplorer ARGUMENTS` without a display; `env` adds to the environment."""

    def start(*arguments: object, env: dict[str, str] | None = None, **settings: Any) -> subprocess.Popen[bytes]:
        kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        words = [sys.executable, "-m", "mapexplorer", *map(str, arguments)]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | settings
        if os.name == "posix":
            # As from a terminal; a shell's jobs in the background, which tests may run in, ignore interrupts.
            pipes.setdefault("preexec_fn", partial(signal.signal, signal.SIGINT, signal.SIG_DFL))
        return subprocess.Popen(words, env=kept | (env or {}), **pipes)

    return start


@pytest.fixture(scope="session")
def all_compiled() -> None:
    """All kernels, so that no command tells that it compiles or waits for another process that does."""
    from mapexplorer import kernels

    kernels.prepare(kernels.EVERYTHING)


@pytest.fixture(scope="session")
def demo_image() -> bytes:
    """The demo world as an image."""
    return resources.files("mapexplorer.data").joinpath("demo.nds").read_bytes()
