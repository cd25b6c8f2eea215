"""The child process that tests Qt and OpenGL. It runs while the window starts, so it imports little."""

from __future__ import annotations

import json
import os
from typing import Any

from mapexplorer.gui.app.messages import fatal_messages

OPENGL = (3, 3)

IMPORT, APPLICATION, FONTS, CONTEXT = "import", "application", "fonts", "context"
"""The steps, in their order; the first is always taken, with `import` for all of Qt that the window uses."""


def run(*steps: str) -> None:
    """Run the given steps; print the result of each on standard output."""
    try:
        from PyQt5.QtCore import PYQT_VERSION_STR, QT_VERSION_STR
        from PyQt5.QtGui import QFont, QGuiApplication, QRawFont, QSurfaceFormat

        if IMPORT in steps:
            from PyQt5 import QtWidgets  # noqa: F401
    except ImportError as error:
        _fail(_requirements().import_problem(error))
    _say(IMPORT, [PYQT_VERSION_STR, QT_VERSION_STR])
    if APPLICATION not in steps:
        return
    form = QSurfaceFormat()
    form.setVersion(*OPENGL)
    form.setProfile(QSurfaceFormat.CoreProfile)
    QSurfaceFormat.setDefaultFormat(form)
    with fatal_messages(lambda messages: _fail(_requirements().start_problem(messages))):
        application = QGuiApplication(["mapexplorer"])
    _say(APPLICATION, application.platformName())
    if FONTS in steps:
        _say(FONTS, QRawFont.fromFont(QFont()).familyName())  # the family is empty without fonts
    if CONTEXT in steps:
        _say(CONTEXT, _context(form))


def _context(form: Any) -> list[int]:
    from PyQt5.QtGui import QOffscreenSurface, QOpenGLContext

    surface = QOffscreenSurface()
    surface.setFormat(form)
    surface.create()
    context = QOpenGLContext()
    context.setFormat(form)
    if not context.create() or not context.makeCurrent(surface):
        _fail("no OpenGL context can be made")
    version: tuple[int, int] = context.format().version()
    if tuple(version) < OPENGL:
        _fail(f"the driver offers OpenGL {version[0]}.{version[1]}, 3.3 is needed")
    if not QOpenGLContext.supportsThreadedOpenGL():
        _fail("Qt does not trust the driver to draw in a thread of its own")
    return list(version)


def _say(name: str, value: Any) -> None:
    print(json.dumps({name: value}), flush=True)


def _fail(problem: str) -> None:
    _say("problem", problem)
    os._exit(1)  # Qt ends the process by an abort


def _requirements() -> Any:
    from mapexplorer.gui.app import requirements

    return requirements
