"""The prop models of the place on a turntable, with their animations, materials and export."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from PyQt5.QtCore import QPointF, Qt, QTimer, pyqtSignal
from PyQt5.QtGui import QMouseEvent, QPixmap, QWheelEvent
from PyQt5.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from formats.binary import FormatError
from mapexplorer.gui.images import image_of
from mapexplorer.gui.jobs.controller import SOON, JobController
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.search import matches, plain
from mapexplorer.gui.model_preview import ALL_CLIPS, Orbit
from mapexplorer.gui.place_renderer import PlaceRenderer
from mapexplorer.gui.widgets import ComboBox, is_seen, offer_copy, rows_as_text
from mapexplorer.inspector.subject import subject
from mapexplorer.world.animations import AUTOMATIC, prop_animations
from mapexplorer.world.readable import readable_prop_list

INTERVAL = 50
DEGREES = 0.8


class Turntable(QLabel):
    """The picture of a model, seen from `orbit`; drag to turn it, turn the wheel to come nearer."""

    turned = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("turntable")
        self.setAlignment(Qt.AlignCenter)
        self.setFixedHeight(200)
        self.setCursor(Qt.SizeHorCursor)
        self.setToolTip("Drag to turn, wheel to come nearer")
        self.orbit = Orbit()
        self._last: QPointF | None = None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to turn."""
        self._last = QPointF(event.localPos())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Turn."""
        if self._last is not None:
            moved = (event.localPos() - self._last) * DEGREES
            self._last = QPointF(event.localPos())
            self.orbit = self.orbit.turned(moved.x(), moved.y())
            self.turned.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Stop."""
        self._last = None

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Come nearer or go away."""
        self.orbit = self.orbit.nearer(event.angleDelta().y() / 120)
        self.turned.emit()
        event.accept()


@dataclass(frozen=True)
class AnimationRow:
    """An animation of a model: its slot in the model's list (or ALL_CLIPS), its name, and its playback in the game."""

    slot: int
    title: str
    when: str


@dataclass(frozen=True)
class Row:
    """A model of the list; `placed` is its number of placements on the map."""

    number: int
    name: str
    placed: int
    polygons: int
    clips: tuple[AnimationRow, ...]


def list_models(renderer: PlaceRenderer, header: int) -> list[Row]:
    """The models of the prop set of a place, those that are placed on it first."""
    world = renderer.world
    place = world.place(header)
    counts: dict[int, int] = {}
    for cell in place.cells:
        for prop in place.props(cell):
            counts[prop.model] = counts.get(prop.model, 0) + 1
    prop_list = readable_prop_list(world, place.prop_set().value)
    listed = dict.fromkeys([*sorted(counts), *(() if prop_list is None else prop_list.models.tolist())])
    found = []
    for number in listed:
        try:
            model = world.prop_model(number).models[0]
        except FormatError:
            found.append(Row(number, "damaged", counts.get(number, 0), 0, ()))
            continue
        found.append(Row(number, model.name, counts.get(number, 0), model.polygon_count, clips_of(renderer, number)))
    return found


def clips_of(renderer: PlaceRenderer, number: int) -> tuple[AnimationRow, ...]:
    """The clips of a model: all at once if the game starts them so, then each one; damaged ones are left out."""
    try:
        entry = renderer.world.prop_animations(number)
    except FormatError:
        return ()
    slots = list(entry.used) if entry is not None else []
    clips = [
        AnimationRow(slots.index(one.index), f"{one.name} ({one.kind}, {one.frames} frames)", one.when)
        for one in prop_animations(renderer.world, number)
    ]
    together = [AnimationRow(ALL_CLIPS, "All together", AUTOMATIC)] if len({clip.slot for clip in clips}) > 1 else []
    return (*(clip for clip in together if clips[0].when == AUTOMATIC), *clips)


class ModelsPanel(QWidget):
    """A filter, the models, and the chosen one on the turntable."""

    chosen = pyqtSignal(object)
    export_wanted = pyqtSignal(int)

    def __init__(self, explorer: Explorer, jobs: JobController) -> None:
        super().__init__()
        self.explorer, self.jobs = explorer, jobs
        self._header = -1
        self._models: list[Row] = []
        self._tick = 0
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
        self.table.turned.connect(self._draw)
        column.addWidget(self.table)
        row = QHBoxLayout()
        self.clips = ComboBox()
        self.clips.setObjectName("model clips")
        self.clips.view().setMinimumWidth(300)
        self.clips.currentIndexChanged.connect(self._play)
        row.addWidget(self.clips, 1)
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
        offer_copy(self, self.tree)
        self._show_clips()
        explorer.rom_changed.connect(self._rom_changed)
        explorer.place_changed.connect(self._place_changed)

    def _rom_changed(self) -> None:
        """Discard pending results of the previous ROM."""
        self._header, self._waiting = -1, False
        self._loaded([])
        self.table.clear()

    def as_text(self) -> str:
        """The list of models, as it is filtered."""
        rows = [(row.number, row.name, row.placed, row.polygons, *(clip.title for clip in row.clips))
                for row in self._filtered()]  # fmt: skip
        return rows_as_text(rows)

    def as_value(self) -> Any:
        """The same as plain values."""
        return [asdict(row) for row in self._filtered()]

    def look(self) -> None:
        """Load data that was deferred while the panel was not visible; stop the animation when it is not visible."""
        self._place_changed()
        self._play()

    def _place_changed(self) -> None:
        place = self.explorer.place
        if place is None or not is_seen(self) or self._header == place.header.id:
            return
        self._header = header = place.header.id
        self.jobs.ask(lambda renderer: list_models(renderer, header), self._loaded, key="models", priority=SOON)

    def _loaded(self, models: list[Row]) -> None:
        self._models = models
        self._fill()

    def _filtered(self) -> list[Row]:
        words = plain(self.filter.text()).split()
        return [row for row in self._models if matches(words, plain(f"{row.number} {row.name}"))]

    def _fill(self) -> None:
        self.tree.clear()
        for row in self._filtered():
            single = {clip.slot for clip in row.clips} - {ALL_CLIPS}
            numbers = (str(value) if value else "" for value in (row.placed, row.polygons, len(single)))
            item = QTreeWidgetItem([str(row.number), row.name, *numbers])
            for place in (0, 2, 3, 4):
                item.setTextAlignment(place, int(Qt.AlignRight | Qt.AlignVCenter))
            item.setData(0, Qt.UserRole, row)
            self.tree.addTopLevelItem(item)
        for place in range(5):
            self.tree.resizeColumnToContents(place)
        if self.tree.topLevelItemCount():
            self.tree.setCurrentItem(self.tree.topLevelItem(0))

    @property
    def current(self) -> int | None:
        """The chosen model."""
        item = self.tree.currentItem()
        row: Row | None = item.data(0, Qt.UserRole) if item is not None else None
        return row.number if row is not None else None

    @property
    def clip(self) -> int | None:
        """The slot of the clip that is played; None for a still model."""
        slot: int | None = self.clips.currentData()
        return slot

    def _restart(self) -> None:
        self._show_clips()
        self._play()

    def _show_clips(self) -> None:
        """List the clips of the chosen model; with another model the first clip is played if one was playing."""
        item = self.tree.currentItem()
        found = item.data(0, Qt.UserRole).clips if item is not None else ()
        playing = self.clip is not None
        self.clips.blockSignals(True)
        self.clips.clear()
        self.clips.addItem("Still" if found else "No animations", None)
        for clip in found:
            self.clips.addItem(f"{clip.title}, {clip.when}", clip.slot)
        self.clips.setCurrentIndex(1 if playing and found else 0)
        self.clips.setEnabled(bool(found))
        self.clips.setToolTip("Animation to play, and when the game plays it" if found else "This model has none")
        self.clips.blockSignals(False)

    def _play(self) -> None:
        self._tick = 0
        if self.clip is not None and is_seen(self):
            self._timer.start()
        else:
            self._timer.stop()
        self._draw()

    def _advance(self) -> None:
        self._tick += round(INTERVAL / 1000 * 29.9)
        self._draw()

    def _draw(self) -> None:
        number = self.current
        if number is None or self._waiting or not is_seen(self):
            return
        self._waiting = True
        header, orbit, tick, clip = self._header, self.table.orbit, self._tick, self.clip
        self.jobs.ask(
            lambda renderer: renderer.model_picture(header, number, orbit, tick, clip),
            lambda picture: self._take(picture, (number, orbit, tick, clip)), key="model",
            failed=lambda error: self._refused(str(error)), title="This model cannot be drawn",
        )  # fmt: skip

    def _take(self, picture: npt.NDArray[np.uint8], drawn: tuple[int, Orbit, int, int | None]) -> None:
        self._waiting = False
        self.table.setPixmap(QPixmap.fromImage(image_of(picture)))
        self.drawn = drawn[0]
        if drawn != (self.current, self.table.orbit, self._tick, self.clip):
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
