"""The exact picture of the DS, enlarged; needs no OpenGL."""

from __future__ import annotations

from PyQt5.QtCore import QEvent, QObject, QRectF, QSize, Qt
from PyQt5.QtGui import QColor, QImage, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PyQt5.QtWidgets import QSizePolicy, QWidget

from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.model.comparison import ComparedRom
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.projection import Projection
from mapexplorer.gui.rendering.images import enlarged_image
from mapexplorer.gui.rendering.place_renderer import RenderedFrame
from mapexplorer.gui.views.canvas import Canvas, Explained
from mapexplorer.gui.views.compared_picture import ComparedPicture
from mapexplorer.gui.widgets import theme
from mapexplorer.gui.widgets.painting import painting
from mapexplorer.world.subject import Subject

WIDTH, HEIGHT = 256, 192


class DsView(Canvas, QWidget):
    """Shows the last frame, as large as it fits, with the overlay layers over it."""

    def __init__(self, explorer: Explorer, jobs: JobController) -> None:
        super().__init__()
        self.jobs = jobs
        self.setObjectName("ds view")
        self.frame: RenderedFrame | None = None
        self.compared = ComparedPicture()
        self._slides = False
        self.sharp = False
        self.message = ""
        self._enlarged = QImage()
        self.prepare(explorer)
        self.installEventFilter(self)
        self.setSizePolicy(QSizePolicy.Expanding, QSizePolicy.Expanding)
        self.setAccessibleName("Picture of the map as the DS draws it")

    def show_frame(self, frame: RenderedFrame | None) -> None:
        """Take another picture; None clears the view."""
        self.frame = frame
        if frame is not None:
            self._enlarged = frame.image or QImage()
            self.message = ""
        self.update()

    def picture(self) -> QRectF:
        """Where the picture is in the widget."""
        ratio = self.devicePixelRatioF()
        wide, high = self.width() * ratio, self.height() * ratio
        scale = min(wide / WIDTH, high / HEIGHT)
        if self.sharp and scale >= 1:
            scale = int(scale)
        width, height = WIDTH * scale / ratio, HEIGHT * scale / ratio
        x, y = (self.width() - width) / 2, (self.height() - height) / 2
        return QRectF(round(x * ratio) / ratio, round(y * ratio) / ratio, width, height)

    def _announce_size(self) -> tuple[int, int]:
        """The pixels of the picture, in which the worker enlarges the next frames."""
        area, ratio = self.picture(), self.devicePixelRatioF()
        self.jobs.picture_size = round(area.width() * ratio), round(area.height() * ratio)
        return self.jobs.picture_size

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Frames are enlarged for the new size before they are painted."""
        super().resizeEvent(event)
        self._announce_size()

    @property
    def has_picture(self) -> bool:
        """Whether a frame is shown."""
        return self.frame is not None

    def projection(self) -> Projection | None:
        """The camera of the picture that is shown."""
        return self.frame.projection if self.frame is not None else None

    def pick(self, x: float, y: float, tile: Subject | None, answer: Explained) -> None:
        """Have the pixel at a fraction of the picture explained."""
        if self.frame is not None:
            pixel = self.frame.request, min(WIDTH - 1, int(x * WIDTH)), min(HEIGHT - 1, int(y * HEIGHT))
            self.jobs.explain(*pixel, tile, lambda explanation: answer(explanation, pixel))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Picture, overlay, message."""
        with painting(self) as painter:
            painter.fillRect(self.rect(), QColor(theme.colors().view))
            if self.frame is not None:
                self._paint_picture(painter, self.frame)
                if self.overlay is not None and self.overlay.header == self.frame.request.header:
                    self.paint_overlay(painter, self.frame.projection)
                self.compared.paint_labels(painter, self.frame, self.picture())
            if self.message:
                painter.setPen(QColor(theme.ON_VIEW))
                painter.drawText(self.rect().adjusted(24, 24, -24, -24), Qt.AlignCenter | Qt.TextWordWrap, self.message)

    def _paint_picture(self, painter: QPainter, frame: RenderedFrame) -> None:
        area, ratio, (width, height) = self.picture(), self.devicePixelRatioF(), self._announce_size()
        if self._enlarged.size() != QSize(width, height):
            self._enlarged = enlarged_image(frame.picture, width, height)
        self._enlarged.setDevicePixelRatio(ratio)
        painter.drawImage(area.topLeft(), self._enlarged)
        self.compared.paint(painter, frame, area, ratio)

    # --- two ROMs

    def compare(self, compared: ComparedRom) -> None:
        """Show what a comparison says."""
        self.compared.state = compared
        compared.changed.connect(self.update)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The line of the slider is taken, moved and left, before the navigation gets the mouse."""
        if not isinstance(event, QMouseEvent):
            return False
        area, slides = self.picture(), self._slides
        on_line = self.has_picture and self.compared.is_on_line(area, event.localPos())
        if event.type() == QEvent.MouseButtonPress:
            slides = self._slides = on_line and event.button() == Qt.LeftButton
        elif event.type() == QEvent.MouseButtonRelease:
            self._slides = False
        elif slides:
            self.compared.state.slide((event.localPos().x() - area.left()) / area.width())
        elif self.compared.state.active:
            self.setCursor(Qt.SplitHCursor if on_line else Qt.ArrowCursor)
        return slides
