"""All prop models of the ROM, those of the map first, and the chosen one on the turntable."""

from __future__ import annotations

from collections import Counter
from typing import Final

from PyQt5.QtCore import QSize, pyqtSignal

from mapexplorer.catalogue.names import props
from mapexplorer.catalogue.uses import maps_with
from mapexplorer.games import Role
from mapexplorer.gui.docks.panel import Copied, LoadedPanel, Wanted, copied_rows
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.jobs.requests import SOON
from mapexplorer.gui.rendering.pictures import Pictures
from mapexplorer.gui.rendering.place_renderer import PlaceRenderer
from mapexplorer.gui.widgets.layout import button, column, line_edit, row
from mapexplorer.gui.widgets.listing import ThingsView, copy_row
from mapexplorer.gui.widgets.model_view import AnimationRow, ModelView, clips_of
from mapexplorer.inspector.facts import ListedGroup, ListedThing
from mapexplorer.values import count
from mapexplorer.world.sources.readable import readable_prop_list
from mapexplorer.world.subject import Subject, subject

_PICTURE: Final = QSize(64, 48)
_AT_ONCE: Final = 3
"""Pictures that are requested at once: they are drawn."""

Read = tuple[int, str, tuple[AnimationRow, ...]]
"""The header through whose place a model is seen, text about it, and its animations."""


def list_models(renderer: PlaceRenderer, header: int) -> tuple[ListedGroup, ...]:
    """The models that are placed on a map, the others of its area, and all others."""
    world = renderer.world
    place = world.place(header)
    placed = Counter(prop.model for cell in place.cells for prop in place.props(cell))
    prop_list = readable_prop_list(world, place.prop_set().value)
    area = placed.keys() | (set() if prop_list is None else set(prop_list.models.tolist()))
    every = area | set(range(len(world.members(Role.BUILD_MODEL))))
    names = {key[0]: name for name, key in props(world)}

    def group(title: str, numbers: set[int], *, collapsed: bool = False) -> ListedGroup:
        rows = [
            ListedThing(
                subject("prop", number),
                names.get(number, "damaged"),
                (f"{count(placed[number], 'time')} here",) if number in placed else (),
                str(number),
            )
            for number in sorted(numbers)
        ]
        return ListedGroup(title, tuple(rows), collapsed)

    here = set(placed)
    return (
        group("On this map", here),
        group("Others of its area", area - here, collapsed=bool(here)),
        group("All others", every - area, collapsed=bool(area)),
    )


def read_model(renderer: PlaceRenderer, header: int, number: int) -> Read:
    """A model, seen with the textures of a map that has it: that of the header, else another one."""
    world, place = renderer.world, renderer.world.place(header)
    if not any(prop.model == number for cell in place.cells for prop in place.props(cell)):
        header = renderer.prop_places.of("prop", number)
    text = "" if maps_with(world, "prop", number) else "On no map. "
    text += f"Textures of {world.headers[header].title}"
    lacking = renderer.lacking_textures(header, number)
    text += f", which has no {', '.join(lacking)}: magenta" if lacking else ""
    return header, text, clips_of(renderer, number)


class ModelsPanel(LoadedPanel):
    """A filter, the models with their pictures, and the chosen one on the turntable."""

    name, title = "models", "Models"
    priority = SOON
    export_wanted = pyqtSignal(int)

    def __init__(self, jobs: JobController) -> None:
        super().__init__(jobs)
        self.current: int | None = None
        """The chosen model."""
        pictures = Pictures(jobs, self, kinds=("prop",), at_once=_AT_ONCE)
        self.list = ThingsView(self.explorer, pictures, "model list", marked=self._marked, size=_PICTURE)
        self.list.chosen.connect(lambda chosen: self.show_model(chosen.key[0]))
        self.list.chosen.connect(self.chosen)
        self.first = self.filter = line_edit(
            "Filter by name or number",
            self.list.set_filter,
            name="model filter",
            rows=self.list,
            choose_first=self.list.choose_first,
        )
        self.view = ModelView(jobs)
        below = row((self.message, 1), button("Export …", self._export))
        parts = self.filter, (self.list, 1), (self.view, 1), below
        self.setLayout(column(*parts, margins=(8, 4, 4, 4), spacing=6))
        self.offer_copy(self.list, lambda point: copy_row(self.list, point))

    def clear(self) -> None:
        """Discard the models of the previous ROM, and pending pictures."""
        self.current = None
        self.view.forget()
        self.message.clear()
        self.list.show_groups(())

    def copied(self) -> Copied:
        """The list of models, as it is filtered."""
        return copied_rows(
            [
                {"number": thing.subject.key[0], "name": thing.title, "group": group.title}
                for group in self.list.groups
                for thing in group.rows
                if thing.subject is not None
            ]
        )

    def visibility_changed(self) -> None:
        """Read what was deferred while the panel was not visible; stop the animation when it is not visible."""
        self.load()
        self.view.visibility_changed()

    def wanted(self) -> Wanted | None:
        """The models, in the order for the present map."""
        if self.explorer.place is None:
            return None
        header = self.explorer.place.header.id
        return header, lambda renderer: list_models(renderer, header)

    def show_loading(self) -> None:
        """The message is about the model on the turntable, which stays."""

    def show_loaded(self, groups: tuple[ListedGroup, ...]) -> None:
        """Show the models; at first the first one is that on the turntable."""
        self.list.show_groups(groups)
        first = next((thing.subject for thing in self.list.shown), None)
        if self.current is None and first is not None:
            self.show_model(first.key[0])

    def _marked(self) -> Subject | None:
        return None if self.current is None else subject("prop", self.current)

    def show_model(self, number: int) -> None:
        """Show a model on the turntable."""
        place = self.explorer.place
        if place is None:
            return
        header = place.header.id
        self.current = number
        self.list.mark()
        self.message.setText("Reading …")

        def take(model: Read) -> None:
            seen_on, text, clips = model
            self.message.setText(text)
            self.view.show_model(seen_on, number, clips)

        self.view.forget()
        self.jobs.request(
            lambda renderer: read_model(renderer, header, number),
            take,
            key="model",
            title="This model cannot be read",
        )

    def _export(self) -> None:
        if self.current is not None:
            self.export_wanted.emit(self.current)
