"""`doctor` reports what it tried: libraries that are missing, no display, folders that cannot be written."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Start = Callable[..., subprocess.Popen[bytes]]

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="as it is on Linux")

NO_QT_DISPLAY = {"QT_QPA_PLATFORM": ""}


def package(folder: Path, name: str, text: str) -> dict[str, str]:
    """An environment in which a package is another one."""
    (folder / name).mkdir(parents=True)
    (folder / name / "__init__.py").write_text(text)
    return {"PYTHONPATH": str(folder)}


def report(command: Start, **env: str) -> tuple[int, dict[str, Any], dict[str, Any]]:
    """The status of `doctor --json`, what it printed, and its findings by subject."""
    process = command("doctor", "--json", env=NO_QT_DISPLAY | env)
    out, err = process.communicate(timeout=120)
    assert b"Traceback" not in err
    facts = json.loads(out)
    assert facts["format"] == 3
    return process.returncode, facts, {finding["subject"]: finding for finding in facts["findings"]}


@linux
def test_a_server_without_a_display_is_fine(command: Start) -> None:
    status, facts, findings = report(command)
    assert status == 0 and facts["failures"] == 0 and facts["warnings"] >= 1
    assert findings["display"]["level"] == "warning" and "DISPLAY" in findings["display"]["found"]
    assert findings["numpy"]["level"] == findings["demo world"]["level"] == "ok"
    process = command("doctor", env=NO_QT_DISPLAY)
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 0 and b"warning  display" in out and out.endswith(b", 0 failures.\n")


@linux
@pytest.mark.parametrize(
    ("message", "library", "debian"),
    [
        (
            "libgthread-2.0.so.0: cannot open shared object file: No such file or directory",
            "libgthread",
            "libglib2.0-0",
        ),
        ("libGL.so.1: cannot open shared object file: No such file or directory", "libGL.so.1", "libgl1"),
        ("Error loading shared library libGL.so.1: No such file or directory (needed by x)", "libGL.so.1", "libgl1"),
    ],
)
def test_a_qt_that_cannot_be_loaded_is_not_ok(
    command: Start, tmp_path: Path, message: str, library: str, debian: str
) -> None:
    status, facts, findings = report(command, **package(tmp_path, "PyQt5", f"raise ImportError({message!r})\n"))
    assert status == 0 and facts["failures"] == 0
    assert findings["PyQt5"]["level"] == "warning"
    assert library in findings["PyQt5"]["found"] and debian in findings["PyQt5"]["found"]


@pytest.mark.gl
def test_a_display_where_nobody_answers_is_not_ok(command: Start) -> None:
    if not sys.platform.startswith("linux"):
        pytest.skip("X displays")
    status, _, findings = report(command, DISPLAY=":4711")
    assert status == 0
    assert findings["display"]["level"] == "warning" and "':4711'" in findings["display"]["found"]
    assert "OpenGL" not in findings


@pytest.mark.gl
def test_the_offscreen_platform_is_tried(command: Start) -> None:
    _, _, findings = report(command, QT_QPA_PLATFORM="offscreen")
    assert findings["display"]["level"] == "ok" and "offscreen" in findings["display"]["found"]
    assert findings["OpenGL"]["level"] == "warning"


@pytest.mark.gl
@linux
def test_a_machine_without_fonts(command: Start, tmp_path: Path) -> None:
    (tmp_path / "fonts.conf").write_text('<?xml version="1.0"?><fontconfig></fontconfig>')
    _, _, findings = report(command, QT_QPA_PLATFORM="offscreen", FONTCONFIG_FILE=str(tmp_path / "fonts.conf"))
    assert findings["fonts"]["level"] == "warning" and "fonts-dejavu-core" in findings["fonts"]["advice"]


@pytest.mark.parametrize(("name", "module"), [("ndspy", "ndspy"), ("Pillow", "PIL"), ("rich", "rich")])
def test_a_package_of_the_command_line_that_is_damaged_is_a_failure(
    command: Start, tmp_path: Path, name: str, module: str
) -> None:
    status, facts, findings = report(command, **package(tmp_path, module, "raise ImportError('no good')\n"))
    assert status == 1 and facts["failures"] == 1
    assert findings[name]["level"] == "failure" and "no good" in findings[name]["found"]


@linux
def test_a_folder_that_cannot_be_written_is_a_warning(command: Start) -> None:
    status, _, findings = report(command, XDG_CONFIG_HOME="/proc/nowhere", XDG_CACHE_HOME="/proc/nowhere")
    assert status == 0
    assert findings["configuration folder"]["level"] == findings["cache folder"]["level"] == "warning"
    assert findings["temporary folder"]["level"] == "ok"


@linux
def test_an_egl_that_cannot_be_loaded(command: Start, tmp_path: Path) -> None:
    (tmp_path / "libEGL.so.1").touch()
    status, _, findings = report(command, LD_LIBRARY_PATH=str(tmp_path))
    found = findings["OpenGL without a window"]
    assert status == 0 and found["level"] == "warning"
    assert "libEGL.so.1" in found["found"] and "libegl1" in found["found"] and "--engine ds" in found["advice"]
