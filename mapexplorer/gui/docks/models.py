"""The prop models of the place on a turntable, with their animations, materials and export."""

from __future__ import annotations

from typing import Any

from PyQt5.QtCore import QPointF, Qt, QTimer, pyqtSignal
from PyQt5.QtGui import QImage, QPixmap
from PyQt5.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from mapexplorer.gui.director import SOON, Director
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.search import matches, plain
from mapexplorer.gui.model.subject import subject
from mapexplorer.gui.studio import Studio

INTERVAL = 50
DEGREES = 0.8


class Turntable(QLabel):
    """The picture of a model; drag to turn it."""

    turned = pyqtSignal(float)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("turntable")
        self.setAlignment(Qt.AlignCenter)
        self.setFixedHeight(200)
        self.setCursor(Qt.SizeHorCursor)
        self.setToolTip("Drag to turn")
        self._last: QPointF | None = None

    def mousePressEvent(self, event: Any) -> None:
        """Begin to turn."""
        self._last = QPointF(event.localPos())

    def mouseMoveEvent(self, event: Any) -> None:
        """Turn."""
        if self._last is not None:
            self.turned.emit((event.localPos().x() - self._last.x()) * DEGREES)
            self._last = QPointF(event.localPos())

    def mouseReleaseEvent(self, event: Any) -> None:
        """Stop."""
        self._last = None


def list_models(studio: Studio, header: int) -> list[tuple[int, str, int, int, int]]:
    """(model, name, placements on the map, polygons, animations) of the prop set of a place."""
    world = studio.world
    place = world.place(header)
    counts: dict[int, int] = {}
    for cell in place.cells:
        for prop in place.props(cell):
            counts[prop.model] = counts.get(prop.model, 0) + 1
    listed = dict.fromkeys([*sorted(counts), *world.prop_list(place.prop_set().value).models.tolist()])
    found = []
    for number in listed:
        model = world.prop_model(number).models[0]
        entry = world.prop_animations(number)
        found.append((number, model.name, counts.get(number, 0), model.polygon_count, len(entry.used) if entry else 0))
    return found


class ModelsPanel(QWidget):
    """A filter, the models, and the chosen one on the turntable."""

    chosen = pyqtSignal(object)
    export_wanted = pyqtSignal(int)

    def __init__(self, explorer: Explorer, director: Director) -> None:
        super().__init__()
        self.explorer, self.director = explorer, director
        self._header = -1
        self._models: list[tuple[int, str, int, int, int]] = []
        self._yaw, self._tick = 30.0, 0
        self._waiting = False
        self.drawn = -1
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 8, 4)
        column.setSpacing(6)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter by name or number")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._fill)
        column.addWidget(self.filter)
        self.tree = QTreeWidget()
        self.tree.setObjectName("model list")
        self.tree.setHeaderLabels(["Model", "Name", "Here", "Polygons", "Anim."])
        self.tree.setRootIsDecorated(False)
        self.tree.setUniformRowHeights(True)
        self.tree.currentItemChanged.connect(lambda *_: self._restart())
        self.tree.itemDoubleClicked.connect(lambda *_: self._inspect())
        column.addWidget(self.tree, 1)
        self.table = Turntable()
        self.table.turned.connect(self._turn)
        column.addWidget(self.table)
        row = QHBoxLayout()
        self.play = QCheckBox("Animations")
        self.play.setToolTip("Play the model's animations, also those that the game plays on demand (doors)")
        self.play.toggled.connect(self._play)
        row.addWidget(self.play, 1)
        inspect = QPushButton("Inspect")
        inspect.clicked.connect(self._inspect)
        export = QPushButton("Export …")
        export.clicked.connect(self._export)
        row.addWidget(inspect)
        row.addWidget(export)
        column.addLayout(row)
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL)
        self._timer.timeout.connect(self._advance)
        explorer.place_changed.connect(self._place_changed)

    def showEvent(self, event: Any) -> None:
        """Load what was put off while hidden."""
        super().showEvent(event)
        self._place_changed()
        if self.play.isChecked():
            self._timer.start()

    def hideEvent(self, event: Any) -> None:
        """Nothing moves while hidden."""
        super().hideEvent(event)
        self._timer.stop()

    def _place_changed(self) -> None:
        place = self.explorer.place
        if place is None or not self.isVisible() or self._header == place.header.id:
            return
        self._header = header = place.header.id
        self.director.ask(lambda studio: list_models(studio, header), self._loaded, key="models", priority=SOON)

    def _loaded(self, models: list[tuple[int, str, int, int, int]]) -> None:
        self._models = models
        self._fill()

    def _fill(self) -> None:
        words = plain(self.filter.text()).split()
        self.tree.clear()
        for row in self._models:
            if matches(words, plain(f"{row[0]} {row[1]}")):
                item = QTreeWidgetItem([str(row[0]), row[1], *(str(value) if value else "" for value in row[2:])])
                for place in (0, 2, 3, 4):
                    item.setTextAlignment(place, Qt.AlignRight | Qt.AlignVCenter)
                item.setData(0, Qt.UserRole, row[0])
                self.tree.addTopLevelItem(item)
        for place in range(5):
            self.tree.resizeColumnToContents(place)
        if self.tree.topLevelItemCount():
            self.tree.setCurrentItem(self.tree.topLevelItem(0))

    @property
    def current(self) -> int | None:
        """The chosen model."""
        item = self.tree.currentItem()
        return int(item.data(0, Qt.UserRole)) if item is not None else None

    def _restart(self) -> None:
        self._tick = 0
        self._draw()

    def _turn(self, degrees: float) -> None:
        self._yaw = (self._yaw + degrees) % 360
        self._draw()

    def _play(self, playing: bool) -> None:
        self._tick = 0
        if playing:
            self._timer.start()
        else:
            self._timer.stop()
        self._draw()

    def _advance(self) -> None:
        self._tick += round(INTERVAL / 1000 * 29.9)
        self._draw()

    def _draw(self) -> None:
        number = self.current
        if number is None or self._waiting:
            return
        self._waiting = True
        header, yaw, tick, playing = self._header, self._yaw, self._tick, self.play.isChecked()
        self.director.ask(
            lambda studio: studio.model_picture(header, number, yaw, tick, playing),
            lambda picture: self._take(picture, (number, yaw, tick, playing)), key="model",
            failed=lambda error: self._refused(str(error)), title="This model cannot be drawn",
        )  # fmt: skip

    def _take(self, picture: Any, drawn: tuple[int, float, int, bool]) -> None:
        self._waiting = False
        height, width = picture.shape[:2]
        image = QImage(picture.data, width, height, width * 4, QImage.Format_RGBA8888)
        self.table.setPixmap(QPixmap.fromImage(image.copy()))
        self.drawn = drawn[0]
        if drawn != (self.current, self._yaw, self._tick, self.play.isChecked()):
            self._draw()

    def _refused(self, sentence: str) -> None:
        self._waiting = False
        self.table.setText(sentence)

    def _inspect(self) -> None:
        if self.current is not None:
            self.chosen.emit(subject("prop", self.current))

    def _export(self) -> None:
        if self.current is not None:
            self.export_wanted.emit(self.current)
