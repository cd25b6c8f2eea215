"""The middle of the window: the DS picture, the OpenGL view, both side by side, or the map."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from PyQt5.QtCore import QRect, Qt, QTimer, pyqtSignal
from PyQt5.QtGui import QImage, QResizeEvent
from PyQt5.QtWidgets import QAbstractSpinBox, QApplication, QLineEdit, QSplitter, QWidget

from mapexplorer.gui.app.compilation_bar import compilation_cover
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.jobs.worker import Task
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.overlay import MapOverlay
from mapexplorer.gui.rendering.place_renderer import RenderedFrame
from mapexplorer.gui.views.ds_view import DsView
from mapexplorer.gui.views.map_tiles import MapTiles
from mapexplorer.gui.views.map_view import MapView
from mapexplorer.gui.widgets.layout import column

if TYPE_CHECKING:
    from mapexplorer.gui.views.gl_view import GlView

DS, GL, BOTH, MAP = "ds", "gl", "both", "map"
NEEDED = ("mapexplorer.gui.views.gl_view", "mapexplorer.gui.views.gl_contents", "mapexplorer.gui.views.gl_painter")
"""What the OpenGL view loads."""
HELD = 50
"""Milliseconds after which a mouse button or key that was held is looked at again."""


class Views(QWidget):
    """Holds the views; the OpenGL view is made when it is first shown.

    `wanted` is what the user chose, at first by the setting, which is the DS view by default; `shown` is what is there.
    They differ while OpenGL is loaded, and in one more case: the first DS picture waits for kernels that are being
    compiled. The OpenGL view needs fewer of them and is then shown in place of the DS view. When the DS picture is
    there the DS view is shown after all, through the same camera, as soon as no button or key is held over the picture.
    A view that the user chooses meanwhile, be it the one that is shown, stays. Where OpenGL does not work the DS view
    stays, without a notice: the user did not ask for OpenGL.

    While kernels are compiled, a cover with the progress is above the views that are shown and have no picture yet.
    """

    shown_changed = pyqtSignal()
    covered = pyqtSignal()
    """The cover was shown, moved or hidden, or shows other progress."""
    refused = pyqtSignal(str)
    gl_made = pyqtSignal(object)

    def __init__(self, explorer: Explorer, jobs: JobController, opengl_problem: Callable[[], str]) -> None:
        super().__init__()
        self.explorer, self.jobs = explorer, jobs
        self._try_opengl = opengl_problem
        self._problem: str | None = None
        self._loaded = self._loading = False
        self.shown = self.wanted = DS
        self._chosen = self._in_place_of_ds = False
        self.ds = DsView(explorer, jobs)
        self.ds.sharp = bool(explorer.settings.get("whole pixels", False))
        self.gl: GlView | None = None
        self.tiles = MapTiles(explorer, jobs)
        self.map = MapView(explorer, jobs, self.tiles)
        self.map.hide()
        self._before_map = DS
        self.splitter = QSplitter(Qt.Horizontal)
        self.splitter.addWidget(self.ds)
        self.splitter.addWidget(self.map)
        self.setLayout(column((self.splitter, 1), margins=(0, 0, 0, 0), spacing=0))
        self.cover = compilation_cover(self)
        self.splitter.splitterMoved.connect(lambda *_: self._place_cover())
        jobs.compilation.changed.connect(self._place_cover)
        jobs.frame_waits.connect(self._ds_waits)
        for signal in (explorer.selection_changed, explorer.marks_changed, explorer.layers.changed):
            signal.connect(lambda *_: self.refresh())

    @property
    def opengl_problem(self) -> str:
        """Why the OpenGL view cannot be used, or an empty string. The answer of the trial is waited for once."""
        if self._problem is None:
            self._problem = self._try_opengl()
        return self._problem

    def opengl_text(self) -> str:
        """What works and what does not, in a sentence."""
        if self.opengl_problem:
            return f"The OpenGL view cannot be used: {self.opengl_problem}. The DS picture needs no OpenGL."
        return "An OpenGL 3.3 core context opens; both views can be used."

    def load_opengl(self) -> None:
        """Have a worker wait for the trial and load what the OpenGL view needs; it would block the
        window."""
        if self._loaded or self._loading:
            return
        self._loading = True

        def load(task: Task) -> str:
            problem = self._problem if self._problem is not None else self._try_opengl()
            for name in () if problem else NEEDED:
                importlib.import_module(name)
            return problem

        def failed(error: BaseException, trace: str) -> None:
            self.jobs.notify("OpenGL cannot be loaded", error, trace)
            self._take_opengl(str(error))

        self.jobs.work.submit(load, self._take_opengl, failed)

    def _take_opengl(self, problem: str) -> None:
        self._problem, self._loaded, self._loading = problem, True, False
        if self._aim != self.shown:
            self._show_aim()

    def show_view(self, which: str) -> None:
        """The user chose DS, GL, BOTH or MAP: show it as soon as OpenGL is loaded, if it needs that; without OpenGL the
        reason is shown instead."""
        if which == MAP and self.wanted != MAP:
            self._before_map = self.wanted
        self.wanted = which
        self._chosen, self._in_place_of_ds = True, False
        self._show_aim()

    def toggle_map(self) -> None:
        """Show the map, or the view that was shown before it."""
        self.show_view(MAP if self.wanted != MAP else self._before_map)

    @property
    def _aim(self) -> str:
        """What is to be shown."""
        return GL if self._in_place_of_ds else self.wanted

    def _show_aim(self) -> None:
        if self._aim in (GL, BOTH) and self.gl is None:
            if not self._loaded:
                self.load_opengl()
                return
            if self.opengl_problem:
                if not self._in_place_of_ds:
                    self.refused.emit(self.opengl_text())
                self.wanted, self._in_place_of_ds = DS, False
            else:
                self._make_gl()
        which = self.shown = self._aim
        # Asked first, because hiding a view gives its focus to the next widget.
        typing = isinstance(QApplication.focusWidget(), QLineEdit | QAbstractSpinBox)
        self.jobs.want_frames(self.wanted in (DS, BOTH))
        self.ds.setVisible(which in (DS, BOTH))
        if self.gl is not None:
            self.gl.setVisible(which in (GL, BOTH))
        self.map.setVisible(which == MAP)
        parts = [self.splitter.widget(number) for number in range(self.splitter.count())]
        self.splitter.setSizes([0 if part.isHidden() else self.width() // (1 + (which == BOTH)) for part in parts])
        if not typing:
            self.active.setFocus(Qt.OtherFocusReason)
        self._place_cover()
        self.shown_changed.emit()

    # --- while kernels are compiled

    def _ds_waits(self) -> None:
        """The DS picture waits for kernels."""
        if not (self._chosen or self._in_place_of_ds or self._problem or self.ds.has_picture):
            self._in_place_of_ds = True
            self._show_aim()

    def _ds_arrived(self) -> None:
        """The DS picture is there."""
        if not self._in_place_of_ds:
            return
        if self.gl is not None and self.shown == GL and (self.gl.navigation.holding or self.jobs.walking.holding):
            QTimer.singleShot(HELD, self._ds_arrived)
            return
        self._in_place_of_ds = False
        if self.shown != DS:
            self._show_aim()

    def _place_cover(self) -> None:
        """Lay the progress over the views that have no picture."""
        progress = self.jobs.compilation.progress
        area = QRect()
        for view in (self.ds, self.gl) if progress is not None else ():
            if view is not None and not view.isHidden() and not view.has_picture:
                area = area.united(view.geometry())
        if progress is not None:
            self.cover.show_progress(progress)
        self.cover.setGeometry(area)
        self.cover.setVisible(not area.isEmpty())
        self.covered.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The cover follows."""
        super().resizeEvent(event)
        self._place_cover()

    def _make_gl(self) -> None:
        from mapexplorer.gui.views.gl_view import GlView

        self.gl = GlView(self.explorer, self.jobs)
        self.gl.failed.connect(self._gl_failed)
        self.gl.first_picture.connect(self._place_cover)
        self.gl.show_overlay(self.ds.overlay)
        self.gl.hide()
        self.splitter.addWidget(self.gl)
        self.gl_made.emit(self.gl)

    def _gl_failed(self, problem: str) -> None:
        self._problem = problem
        if self.gl is not None:
            self.gl.leave()
            self.gl.hide()
            self.gl.deleteLater()
            self.gl = None
        asked, self.wanted, self._in_place_of_ds = not self._in_place_of_ds, DS, False
        self._show_aim()
        if asked:
            self.refused.emit(self.opengl_text())

    @property
    def active(self) -> DsView | GlView | MapView:
        """The view that shows the picture for which pixels are asked."""
        if self.shown == MAP:
            return self.map
        return self.gl if self.gl is not None and self.shown == GL else self.ds

    def take_focus(self) -> None:
        """Give the keys to the picture."""
        self.active.setFocus(Qt.OtherFocusReason)

    def show_frame(self, frame: RenderedFrame | None) -> None:
        """Take another picture."""
        self.ds.show_frame(frame)
        if frame is not None:
            self._ds_arrived()
        self._place_cover()

    def show_overlay(self, overlay: MapOverlay | None) -> None:
        """Take other things to draw over the picture."""
        self.ds.show_overlay(overlay)
        if self.gl is not None:
            self.gl.show_overlay(overlay)

    def refresh(self) -> None:
        """A layer or the selection changed."""
        self.ds.refresh()
        self.map.refresh()
        if self.gl is not None:
            self.gl.refresh()

    def set_sharp(self, sharp: bool) -> None:
        """Enlarge the DS picture by whole numbers only."""
        self.ds.sharp = sharp
        self.explorer.settings.set("whole pixels", sharp)
        self.ds.refresh()

    def image(self) -> QImage:
        """The view as it is on the screen."""
        return self.splitter.grab().toImage()
