"""The prop models of the place on a turntable, with their animations, materials and export."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from PyQt5.QtCore import pyqtSignal

from formats.binary import FormatError
from mapexplorer.gui.docks.panel import Copied, LoadedPanel, Wanted
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.jobs.requests import SOON
from mapexplorer.gui.model.search import filtered
from mapexplorer.gui.rendering.model_preview import ALL_CLIPS
from mapexplorer.gui.rendering.place_renderer import PlaceRenderer
from mapexplorer.gui.widgets.controls import rows_as_text
from mapexplorer.gui.widgets.layout import (
    button,
    check_box,
    chosen_value,
    column,
    lead_down,
    line_edit,
    row,
    table,
    table_row,
)
from mapexplorer.gui.widgets.model_view import AnimationRow, ModelView, clips_of
from mapexplorer.world.sources.readable import readable_prop_list
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
    rows = []
    for number in listed:
        try:
            model = world.prop_model(number).models[0]
        except FormatError:
            rows.append(Row(number, "damaged", counts.get(number, 0), 0, ()))
            continue
        rows.append(Row(number, model.name, counts.get(number, 0), model.polygon_count, clips_of(renderer, number)))
    return rows


class ModelsPanel(LoadedPanel):
    """A filter, the models, and the chosen one on the turntable."""

    name, title = "models", "Models"
    priority = SOON
    export_wanted = pyqtSignal(int)

    def __init__(self, jobs: JobController) -> None:
        super().__init__(jobs)
        self._header = -1
        self._models: list[Row] = []
        self.first = self.filter = line_edit("Filter by name or number", lambda _: self._fill())
        hint = "Only those that are placed on this map, if any are, and not all of its area"
        self.here = check_box("Used here", lambda _: self._fill(), checked=True, hint=hint)
        self.tree = table("model list", "Model", "Name", "Here", "Polygons", "Anim.")
        self.tree.currentItemChanged.connect(lambda *_: self._show_model())
        for chosen in (self.tree.itemClicked, self.tree.itemActivated):
            chosen.connect(lambda *_: self._inspect())
        lead_down(self.filter, self.tree, lambda: self.tree.setCurrentItem(self.tree.topLevelItem(0)))
        self.view = ModelView(jobs)
        buttons = row(self.here, None, button("Export …", self._export))
        parts = self.filter, (self.tree, 1), self.view, buttons
        self.setLayout(column(*parts, margins=(8, 4, 4, 4), spacing=6))
        self.offer_copy(self.tree)

    def clear(self) -> None:
        """Discard the models of the previous ROM, and pending pictures."""
        self.view.forget()
        self.show_loaded((-1, []))

    def copied(self) -> Copied:
        """The list of models, as it is filtered."""
        models = self._filtered()
        rows = [
            (model.number, model.name, model.placed, model.polygons, *(clip.title for clip in model.clips))
            for model in models
        ]
        return rows_as_text(rows), [asdict(model) for model in models]

    def visibility_changed(self) -> None:
        """Read what was deferred while the panel was not visible; stop the animation when it is not visible."""
        self.load()
        self.view.visibility_changed()

    def wanted(self) -> Wanted | None:
        """The models of the present map."""
        if self.explorer.place is None:
            return None
        header = self.explorer.place.header.id
        return header, lambda renderer: (header, list_models(renderer, header))

    def show_loaded(self, answer: tuple[int, list[Row]]) -> None:
        """Show the models of the map of a header."""
        self._header, self._models = answer
        self._fill()

    def _filtered(self) -> list[Row]:
        placed = [model for model in self._models if model.placed and self.here.isChecked()]
        return filtered(self.filter.text(), placed or self._models, lambda model: f"{model.number} {model.name}")

    def _fill(self) -> None:
        self.tree.clear()
        for model in self._filtered():
            single = {clip.slot for clip in model.clips} - {ALL_CLIPS}
            numbers = (str(value) if value else "" for value in (model.placed, model.polygons, len(single)))
            table_row(self.tree, (str(model.number), model.name, *numbers), model, right=(0, 2, 3, 4))
        for place in range(5):
            self.tree.resizeColumnToContents(place)
        self.tree.setCurrentItem(self.tree.topLevelItem(0))

    @property
    def _row(self) -> Row | None:
        row: Row | None = chosen_value(self.tree)
        return row

    @property
    def current(self) -> int | None:
        """The chosen model."""
        return self._row.number if self._row is not None else None

    def _show_model(self) -> None:
        self.view.show_model(self._header, self.current, self._row.clips if self._row is not None else ())

    def _inspect(self) -> None:
        if self.current is not None:
            self.chosen.emit(subject("prop", self.current))

    def _export(self) -> None:
        if self.current is not None:
            self.export_wanted.emit(self.current)
