"""What is decided before the window opens: whether there is a display, whether Qt loads, whether OpenGL 3.3 works.

Qt ends the process where it finds no display or a library is missing; so the display is looked for in the environment
and Qt's last words are made a sentence. A broken driver can take the process down too, so a context is tried once in a
child process.
"""

from __future__ import annotations

import os
import sys
import threading
from typing import NoReturn

from mapexplorer import kernels
from mapexplorer.gui import probe, requirements, trial
from mapexplorer.system import interrupt


def display_problem() -> str:
    """Why no window can open, or an empty string, as far as the environment tells. Imports no Qt."""
    if requirements.qt_folder() is None:
        return "PyQt5 is not installed"
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        platform = os.environ.get("QT_QPA_PLATFORM", "")
        if platform.split(":")[0] not in ("offscreen", "minimal", "vnc", "linuxfb", "eglfs"):
            return "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)"
    return ""


def _qt_problem() -> str:
    """Why Qt cannot be imported, or an empty string. Imports it."""
    try:
        from PyQt5 import QtCore, QtGui, QtWidgets  # noqa: F401
    except ImportError as error:
        return requirements.import_problem(error)
    return ""


def opengl_problem() -> str:
    """Why no OpenGL 3.3 core context opens, or an empty string. Tries one in a child process."""
    return trial.try_qt(probe.APPLICATION, probe.CONTEXT).problem


def launch(rom: str) -> int:
    """Open the window on a ROM and wait until it is closed; the result is the exit status.

    Where no window can open, one sentence says why and offers the command line instead, with status 1.
    """
    problem = display_problem()
    if problem:
        return _refuse(problem)
    match_opengl_platform()
    context_trial = ContextTrial()
    problem = _qt_problem()
    if problem:
        return _refuse(problem)
    kernels.prepare_ahead(kernels.DS_PICTURES, before=kernels.OPENGL)
    from mapexplorer.gui.application import run

    status = run(rom, context_trial)
    if status == interrupt.STATUS:
        interrupt.say()
    return status


def _refuse(problem: str) -> int:
    print(
        f"The window cannot open: {problem}; the command line works without it, see `mapexplorer --help`.",
        file=sys.stderr,
        flush=True,
    )
    return 1


def end_with(messages: list[str]) -> NoReturn:
    """End the process with one sentence about what Qt printed before it ends."""
    os._exit(_refuse(requirements.start_problem(messages)))


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
