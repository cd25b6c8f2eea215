"""Checks before the window opens: whether there is a display, whether Qt loads, whether OpenGL 3.3 works.

Qt ends the process where it finds no display or a library is missing; so the environment is searched for a display
first. A broken driver can end the process too, so an OpenGL context is tried once in a child process.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from mapexplorer import kernels
from mapexplorer.gui.app import requirements
from mapexplorer.gui.app.refusal import refuse
from mapexplorer.gui.app.trial import try_context
from mapexplorer.system import interrupt


def display_problem() -> str:
    """Why no window can open, judged by the environment variables, or an empty string. Does not import Qt."""
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


def launch(files: Sequence[str] = ()) -> int:
    """Open the window on a ROM, on loose files over the demo world, or without any on the demo world, and wait until
    it is closed; the result is the exit status.

    If no window can open, one sentence gives the reason and suggests the command line; the status is 1.
    """
    problem = display_problem()
    if problem:
        return refuse(problem)
    match_opengl_platform()
    opengl_problem = try_context()
    problem = _qt_problem()
    if problem:
        return refuse(problem)
    kernels.prepare_ahead(kernels.DS_PICTURES, before=kernels.OPENGL)
    from mapexplorer.gui.app.application import run

    status = run(files, opengl_problem.result)
    if status == interrupt.status():
        interrupt.say()
    return status


def match_opengl_platform() -> None:
    """Set PyOpenGL's platform to the library that Qt uses for contexts: EGL on Wayland, else GLX."""
    if sys.platform.startswith("linux") and "PYOPENGL_PLATFORM" not in os.environ:
        platform = os.environ.get("QT_QPA_PLATFORM", "").split(":")[0]
        wayland = platform.startswith("wayland") or (
            not platform and bool(os.environ.get("WAYLAND_DISPLAY")) and not os.environ.get("DISPLAY")
        )
        os.environ["PYOPENGL_PLATFORM"] = "egl" if wayland else "glx"
