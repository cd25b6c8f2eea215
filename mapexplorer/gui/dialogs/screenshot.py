"""The dialog that saves a picture: the exact DS picture enlarged, or the OpenGL view at any size."""

from __future__ import annotations

from pathlib import Path

from PyQt5.QtCore import QRectF, Qt
from PyQt5.QtGui import QImage
from PyQt5.QtWidgets import QDialog, QFileDialog, QLabel, QWidget

from mapexplorer.gui.dialogs.fields import number
from mapexplorer.gui.rendering.images import image_of
from mapexplorer.gui.views.area import GL, Views
from mapexplorer.gui.views.overlay_painter import OverlayPainter
from mapexplorer.gui.widgets.controls import ComboBox
from mapexplorer.gui.widgets.layout import MUTED, button, check_box, column, form, label, row
from mapexplorer.gui.widgets.painting import painting

LARGEST = 8192


class ScreenshotDialog(QDialog):
    """A dialog for the view, the size, and whether overlays are included."""

    def __init__(self, parent: QWidget, views: Views, name: str) -> None:
        super().__init__(parent)
        self.setWindowTitle("Save picture")
        self.views, self._name = views, name
        sources = [("Exact DS picture", "ds"), *([("OpenGL view", "gl")] if views.gl is not None else [])]
        self.source = ComboBox(sources)
        self.source.setCurrentIndex(int(views.gl is not None and views.shown == GL))
        self.factor = number(1, 16, 4, suffix=" ×", name="Enlarge the DS picture")
        self.width_box = number(16, LARGEST, 1920, suffix=" px", name="Width of the OpenGL picture")
        self.height_box = number(16, LARGEST, 1080, suffix=" px", name="Height of the OpenGL picture")
        self.overlays = check_box("With the overlays that are shown", checked=True)
        self.size_label = label(role=MUTED)
        options = form(
            ("Picture", self.source),
            ("Enlarge the DS picture", self.factor),
            ("Size of the OpenGL picture", row((self.width_box, 1), QLabel("×"), (self.height_box, 1))),
            ("", self.overlays),
            ("", self.size_label),
        )
        buttons = row(None, button("Cancel", self.reject, default=False), button("Save …", self._save, default=True))
        self.setLayout(column(options, buttons))
        for signal in (self.factor.valueChanged, self.source.currentIndexChanged):
            signal.connect(self._show_size)
        self._show_size()

    def _show_size(self) -> None:
        ds = self.source.currentData() == "ds"
        self.factor.setEnabled(ds)
        self.width_box.setEnabled(not ds)
        self.height_box.setEnabled(not ds)
        factor = int(self.factor.value())
        text = f"{256 * factor} × {192 * factor} pixels"
        if self.views.gl is None:
            text += ". Once the OpenGL view was shown, it can be saved at any size."
        self.size_label.setText(text if ds else "")

    def image(self) -> QImage:
        """The picture as it would be saved; a null image when there is none."""
        if self.source.currentData() == "gl":
            view = self.views.gl
            if view is None:  # the driver has failed
                return QImage()
            return view.rendered(int(self.width_box.value()), int(self.height_box.value()), self.overlays.isChecked())
        return ds_image(self.views, int(self.factor.value()), self.overlays.isChecked())

    def _save(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "Save picture", f"{self._name}.png", "PNG (*.png)")
        if name and self.write(Path(name)):
            self.accept()

    def write(self, path: Path) -> bool:
        """Save the picture; returns whether it was written."""
        image = self.image()
        if image.isNull() or not image.save(str(path), "PNG"):
            self.size_label.setText(f"{path} cannot be written.")
            return False
        return True


def ds_image(views: Views, factor: int, overlays: bool) -> QImage:
    """The DS picture enlarged by a whole number."""
    view = views.ds
    if view.frame is None:
        return QImage()
    image = image_of(view.frame.picture)
    image = image.scaled(256 * factor, 192 * factor, Qt.IgnoreAspectRatio, Qt.FastTransformation)
    image = image.convertToFormat(QImage.Format_RGB32)
    if overlays and view.overlay is not None:
        with painting(image) as painter:
            OverlayPainter(painter, QRectF(image.rect()), view.frame.projection, view.explorer.layers).paint(
                view.overlay, None
            )
    return image
