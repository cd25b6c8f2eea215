"""What is decided before Qt is imported: whether there is a display, and whether OpenGL 3.3 works.

`QApplication` aborts the process where there is no display, and a broken driver can take the process down with it;
so the display is looked for in the environment, and a context is tried once in a child process.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading

_TRY_CONTEXT = """
import sys
from PyQt5.QtGui import QGuiApplication, QOffscreenSurface, QOpenGLContext, QSurfaceFormat
form = QSurfaceFormat()
form.setVersion(3, 3)
form.setProfile(QSurfaceFormat.CoreProfile)
QSurfaceFormat.setDefaultFormat(form)
application = QGuiApplication(sys.argv)
surface = QOffscreenSurface()
surface.setFormat(form)
surface.create()
context = QOpenGLContext()
context.setFormat(form)
if not context.create() or not context.makeCurrent(surface):
    sys.exit("no OpenGL context could be made")
version = context.format().version()
if tuple(version) < (3, 3):
    sys.exit(f"the driver offers OpenGL {version[0]}.{version[1]}, 3.3 is needed")
"""


def qt_version() -> str:
    """The version of PyQt5. Raises ImportError."""
    from PyQt5.QtCore import PYQT_VERSION_STR

    return str(PYQT_VERSION_STR)


def display_problem() -> str:
    """Why no window can open, or an empty string. Imports no Qt."""
    import importlib.util

    if importlib.util.find_spec("PyQt5") is None:
        return "PyQt5 is not installed"
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        platform = os.environ.get("QT_QPA_PLATFORM", "")
        if platform.split(":")[0] not in ("offscreen", "minimal", "vnc", "linuxfb", "eglfs"):
            return "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)"
    return ""


def opengl_problem() -> str:
    """Why no OpenGL 3.3 core context opens, or an empty string. Tries one in a child process."""
    try:
        child = subprocess.run(
            [sys.executable, "-c", _TRY_CONTEXT], capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"a test context did not open: {error}"
    if child.returncode == 0:
        return ""
    lines = child.stderr.strip().splitlines()
    return lines[-1] if lines else f"a test context ended with status {child.returncode}"


def launch(rom: str) -> int:
    """Open the window on a ROM and wait until it is closed; the result is the exit status.

    Without a display one sentence offers the command line instead, with status 1.
    """
    problem = display_problem()
    if problem:
        print(
            f"The window cannot open: {problem}; the command line works without it, see `mapexplorer --help`.",
            file=sys.stderr,
        )
        return 1
    match_opengl_platform()
    trial = ContextTrial()
    from mapexplorer.gui.application import run

    return run(rom, trial)


class ContextTrial:
    """A test context that opens in a child process while the window starts, which needs it only for its OpenGL view."""

    def __init__(self) -> None:
        self._problem = ""
        self._thread = threading.Thread(target=self._try, name="context trial", daemon=True)
        self._thread.start()

    def _try(self) -> None:
        self._problem = opengl_problem()

    def problem(self) -> str:
        """Why no context opens, or an empty string; waits for the child process."""
        self._thread.join()
        return self._problem


def match_opengl_platform() -> None:
    """PyOpenGL must ask the library that Qt uses for its context: EGL on Wayland, else GLX."""
    if sys.platform.startswith("linux") and "PYOPENGL_PLATFORM" not in os.environ:
        platform = os.environ.get("QT_QPA_PLATFORM", "").split(":")[0]
        wayland = platform.startswith("wayland") or (
            not platform and bool(os.environ.get("WAYLAND_DISPLAY")) and not os.environ.get("DISPLAY")
        )
        os.environ["PYOPENGL_PLATFORM"] = "egl" if wayland else "glx"
