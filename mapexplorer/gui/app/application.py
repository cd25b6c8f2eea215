"""Starts Qt, the theme and the window. Unexpected exceptions are shown as notices and do not end the program."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Sequence
from typing import Any

from PyQt5.QtCore import Qt, QTimer
from PyQt5.QtGui import QSurfaceFormat
from PyQt5.QtWidgets import QApplication

from mapexplorer.gui.app.interruption import interruption
from mapexplorer.gui.app.messages import fatal_messages
from mapexplorer.gui.app.refusal import end_with
from mapexplorer.gui.jobs import gc_control
from mapexplorer.gui.jobs.worker import EXPECTED
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.settings import Settings
from mapexplorer.gui.widgets import icons, theme
from mapexplorer.gui.widgets.notices import ERROR
from mapexplorer.gui.window import Window
from mapexplorer.system import interrupt

AFTER_START = 2500
"""Milliseconds after opening a ROM until OpenGL is loaded, when the window's own start is over."""
SWITCH_INTERVAL = 0.00002
"""Seconds after which a computing worker releases Python's interpreter lock for the window. Qt calls Python methods of
widgets some 250 times when the window is first painted, and each call waits for the lock, with two computing workers
several intervals."""


def application(scale: int = 100) -> QApplication:
    """The QApplication, created on the first call with a scale of the interface in percent."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    if scale != 100:
        os.environ.setdefault("QT_SCALE_FACTOR", f"{scale / 100:g}")
    for attribute in (Qt.AA_EnableHighDpiScaling, Qt.AA_UseHighDpiPixmaps, Qt.AA_ShareOpenGLContexts):
        QApplication.setAttribute(attribute)
    form = QSurfaceFormat()
    form.setVersion(3, 3)
    form.setProfile(QSurfaceFormat.CoreProfile)
    form.setDepthBufferSize(24)
    form.setStencilBufferSize(8)
    QSurfaceFormat.setDefaultFormat(form)
    with fatal_messages(end_with):
        made = QApplication(sys.argv[:1])
    made.setApplicationName("mapexplorer")
    made.setApplicationDisplayName("")
    made.setWindowIcon(icons.app_icon())
    gc_control.take_over()
    sys.setswitchinterval(SWITCH_INTERVAL)
    return made


def make_window(settings: Settings | None = None, opengl_problem: Callable[[], str] = lambda: "") -> Window:
    """A window with its model, not yet shown. The theme is applied.

    `opengl_problem` returns the reason why there is no OpenGL; it is called when the OpenGL view is first needed.
    """
    settings = settings or Settings()
    application(settings.scale)
    theme.apply(str(settings.get("theme", theme.SYSTEM)))
    return Window(Explorer(settings), opengl_problem)


def run(files: Sequence[str], opengl_problem: Callable[[], str]) -> int:
    """Show the window on a ROM or on loose files and wait until it is closed; the result is the exit status.
    `opengl_problem`: see `make_window`."""
    settings = Settings()
    made = application(settings.scale)
    window = make_window(settings, opengl_problem)
    before = sys.excepthook

    def notify_defect(kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, EXPECTED):
            QTimer.singleShot(0, lambda: window.jobs.notify("This cannot be read", error))
            return
        before(kind, error, trace)
        text = "".join(traceback.format_exception(kind, error, trace))
        QTimer.singleShot(
            0, lambda: window.notices.notify(ERROR, "Something went wrong in the program", str(error), text)
        )

    sys.excepthook = notify_defect
    window.jobs.opened.connect(lambda _: QTimer.singleShot(AFTER_START, window.views.load_opengl))
    window.show()
    QTimer.singleShot(0, lambda: window.start(files))  # in the event loop, which may end meanwhile
    with interruption(window) as interrupted:
        status = int(made.exec_())
    return interrupt.status() if interrupted() else status
