"""The prop models of the place on a turntable, with their animations, materials and export."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from PyQt5.QtCore import Qt, pyqtSignal
from PyQt5.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from formats.binary import FormatError
from mapexplorer.gui.jobs.controller import SOON, JobController
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.search import matches, plain
from mapexplorer.gui.model_preview import ALL_CLIPS
from mapexplorer.gui.model_view import AnimationRow, ModelView, clips_of
from mapexplorer.gui.place_renderer import PlaceRenderer
from mapexplorer.gui.widgets import is_seen, offer_copy, rows_as_text
from mapexplorer.world.readable import readable_prop_list
from mapexplorer.world.subject import subject


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


class ModelsPanel(QWidget):
    """A filter, the models, and the chosen one on the turntable."""

    chosen = pyqtSignal(object)
    export_wanted = pyqtSignal(int)

    def __init__(self, explorer: Explorer, jobs: JobController) -> None:
        super().__init__()
        self.explorer, self.jobs = explorer, jobs
        self._header = -1
        self._models: list[Row] = []
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
        self.tree.currentItemChanged.connect(lambda *_: self._show_model())
        self.tree.itemDoubleClicked.connect(lambda *_: self._inspect())
        column.addWidget(self.tree, 1)
        self.view = ModelView(jobs)
        column.addWidget(self.view)
        row = QHBoxLayout()
        row.addStretch(1)
        inspect = QPushButton("Inspect")
        inspect.clicked.connect(self._inspect)
        export = QPushButton("Export …")
        export.clicked.connect(self._export)
        row.addWidget(inspect)
        row.addWidget(export)
        column.addLayout(row)
        offer_copy(self, self.tree)
        explorer.rom_changed.connect(self._rom_changed)
        explorer.place_changed.connect(self._place_changed)

    def _rom_changed(self) -> None:
        """Discard pending results of the previous ROM."""
        self._header = -1
        self.view.forget()
        self._loaded([])

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
        self.view.look()

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

    def _show_model(self) -> None:
        item = self.tree.currentItem()
        if item is not None:
            row: Row = item.data(0, Qt.UserRole)
            self.view.show_model(self._header, row.number, row.clips)
        else:
            self.view.show_model(self._header, None, ())

    def _inspect(self) -> None:
        if self.current is not None:
            self.chosen.emit(subject("prop", self.current))

    def _export(self) -> None:
        if self.current is not None:
            self.export_wanted.emit(self.current)
