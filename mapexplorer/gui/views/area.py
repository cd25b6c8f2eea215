"""The middle of the window: the DS picture, the OpenGL view, or both side by side."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from PyQt5.QtCore import Qt, QTimer, pyqtSignal
from PyQt5.QtGui import QImage, QPainter
from PyQt5.QtWidgets import QSplitter, QVBoxLayout, QWidget

from mapexplorer.gui.director import Director
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.overlay import Overlay
from mapexplorer.gui.studio import Frame
from mapexplorer.gui.views.ds_view import DsView
from mapexplorer.gui.workers import Task

DS, GL, BOTH = "ds", "gl", "both"
NEEDED = ("mapexplorer.gui.views.gl_view", "mapexplorer.gui.views.gl_contents", "mapexplorer.opengl.renderer")
"""What the OpenGL view loads."""
STEP = 5
"""Milliseconds between making the OpenGL view and showing it."""


class Views(QWidget):
    """Holds the views; the OpenGL view is made when it is first shown."""

    shown_changed = pyqtSignal()
    refused = pyqtSignal(str)
    gl_made = pyqtSignal(object)

    def __init__(self, explorer: Explorer, director: Director, opengl_problem: Callable[[], str]) -> None:
        super().__init__()
        self.explorer, self.director = explorer, director
        self._ask_opengl = opengl_problem
        self._problem: str | None = None
        self._loaded = self._loading = False
        self.shown = self.wanted = DS
        self.ds = DsView(explorer)
        self.ds.sharp = bool(explorer.settings.get("whole pixels", False))
        self.gl: Any = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.splitter = QSplitter(Qt.Horizontal)
        self.splitter.addWidget(self.ds)
        column.addWidget(self.splitter, 1)
        for signal in (explorer.selection_changed, explorer.layers.changed):
            signal.connect(lambda *_: self.refresh())

    @property
    def opengl_problem(self) -> str:
        """Why the OpenGL view cannot be used, or an empty string. The answer of the trial is waited for once."""
        if self._problem is None:
            self._problem = self._ask_opengl()
        return self._problem

    def opengl_words(self) -> str:
        """What works and what does not, in a sentence."""
        if self.opengl_problem:
            return f"The OpenGL view cannot be used: {self.opengl_problem}. The DS picture needs no OpenGL."
        return "An OpenGL 3.3 core context opens; both views can be used."

    def load_opengl(self) -> None:
        """Have a worker wait for the trial and load what the OpenGL view needs; the window would stand still
        meanwhile."""
        if self._loaded or self._loading:
            return
        self._loading = True

        def load(task: Task) -> str:
            problem = self._problem if self._problem is not None else self._ask_opengl()
            for name in () if problem else NEEDED:
                importlib.import_module(name)
            return problem

        def failed(error: BaseException, trace: str) -> None:
            self.director.tell("OpenGL cannot be loaded", error, trace)
            self._take_opengl(str(error))

        self.director.work.submit(load, self._take_opengl, failed)

    def _take_opengl(self, problem: str) -> None:
        self._problem, self._loaded, self._loading = problem, True, False
        if self.wanted != self.shown:
            self.show_view(self.wanted)

    def show_view(self, which: str) -> None:
        """DS, GL or BOTH, as soon as OpenGL is loaded; without OpenGL the reason is told instead."""
        self.wanted = which
        if which != DS and self.gl is None:
            if not self._loaded:
                self.load_opengl()
                return
            if self.opengl_problem:
                self.refused.emit(self.opengl_words())
                self.wanted = which = DS
            else:
                self._make_gl()
                # The window gets its turn: showing the first view of OpenGL takes the driver a moment.
                QTimer.singleShot(STEP, lambda: self.show_view(self.wanted))
                return
        self.shown = which
        self.director.want_frames(which != GL)
        self.ds.setVisible(which in (DS, BOTH))
        if self.gl is not None:
            self.gl.setVisible(which in (GL, BOTH))
        if which == BOTH:
            self.splitter.setSizes([self.width() // 2, self.width() // 2])
        self.shown_changed.emit()

    def _make_gl(self) -> None:
        from mapexplorer.gui.views.gl_view import GlView

        self.gl = GlView(self.explorer, self.director)
        self.gl.failed.connect(self._gl_failed)
        self.gl.failed_picture.connect(self.refused)
        self.gl.show_overlay(self.ds.overlay)
        self.gl.hide()
        self.splitter.addWidget(self.gl)
        self.gl_made.emit(self.gl)

    def _gl_failed(self, problem: str) -> None:
        self._problem = problem
        self.gl.hide()
        self.gl.deleteLater()
        self.gl = None
        self.show_view(DS)
        self.refused.emit(self.opengl_words())

    @property
    def active(self) -> Any:
        """The view that shows the picture for which pixels are asked."""
        return self.gl if self.shown == GL else self.ds

    def show_frame(self, frame: Frame | None) -> None:
        """Take another picture."""
        self.ds.show_frame(frame)

    def show_overlay(self, overlay: Overlay | None) -> None:
        """Take other things to draw over the picture."""
        self.ds.show_overlay(overlay)
        if self.gl is not None:
            self.gl.show_overlay(overlay)

    def refresh(self) -> None:
        """A layer or the selection changed."""
        self.ds.refresh()
        if self.gl is not None:
            self.gl.refresh()

    def set_sharp(self, sharp: bool) -> None:
        """Enlarge the DS picture by whole numbers only."""
        self.ds.sharp = sharp
        self.explorer.settings.set("whole pixels", sharp)
        self.ds.refresh()

    def image(self) -> QImage:
        """The view as it is on the screen."""
        # A widget's grab leaves out what is painted over OpenGL; the framebuffer has it.
        images = [self.ds.grab().toImage()] if self.shown in (DS, BOTH) else []
        if self.gl is not None and self.shown in (GL, BOTH):
            images.append(self.gl.grabFramebuffer())
        if len(images) == 1:
            return images[0]
        whole = QImage(
            sum(image.width() for image in images), max(image.height() for image in images), QImage.Format_RGB32
        )
        whole.fill(0)
        painter = QPainter(whole)
        x = 0
        for image in images:
            image.setDevicePixelRatio(1)
            painter.drawImage(x, 0, image)
            x += image.width()
        painter.end()
        return whole
