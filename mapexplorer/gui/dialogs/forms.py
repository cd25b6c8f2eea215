"""Forms for the options of dataclasses, and the additions of single pages of the export dialog."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from PyQt5.QtCore import Qt, pyqtSignal
from PyQt5.QtWidgets import QCompleter, QFormLayout, QLabel, QPushButton, QWidget

from mapexplorer.export.options import BY_MATERIAL, MAPS_ONLY, PROFILE_TITLES, UNIT, ExportOptions
from mapexplorer.export.request import (
    AllMapsRequest,
    AllPicturesRequest,
    KitRequest,
    MapRequest,
    MatrixRequest,
    ModelRequest,
    ModelsRequest,
)
from mapexplorer.export.request import PictureRequest as Picture
from mapexplorer.gui.dialogs.fields import Field, field_of, side_by_side
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.widgets.controls import ComboBox
from mapexplorer.gui.widgets.icons import icon
from mapexplorer.gui.widgets.layout import MUTED, button, label
from mapexplorer.option import SECTIONS, Declared, Options
from mapexplorer.scene.view import MapState

GLTF: Final = (MapRequest, MatrixRequest, KitRequest, AllMapsRequest, ModelRequest, ModelsRequest)
"""The kinds of export that have a form in common."""

ENGINE_HINTS: Final = (
    "Textures are to be shown without smoothing: Blender, Godot 4, three.js and model-viewer take that from the file."
)

AS_SHOWN: Final = "shown"
"""The camera of the window, in the list of a picture's cameras."""

PRESETS: Final = {
    title: {name: value for name, value in options.resolved().flat().items() if not hasattr(MapState, name)}
    for title, options in {
        **{title: ExportOptions(profile=profile) for profile, title in PROFILE_TITLES.items()},
        "Game engines: lit, by material": ExportOptions(lit=True, merge=BY_MATERIAL, bake_mirror=True),
        "Everything: collision and heights too": ExportOptions(collision=True, heights=True),
        "DSPRE and PDSMS scale (1 unit = 1/16)": ExportOptions(scale=UNIT, bake_mirror=True),
    }.items()
}
"""What a map is exported for -> the options that are set for it: all but those of the moment that is shown."""


class Form(QWidget):
    """A row for every option of some dataclasses, those of one of them shown at a time.

    Options with the same name are one row. An option without an effect under the values of the others is disabled; its
    row is hidden unless it is a check box or list. With `opened`, which several forms may share, the options of a
    section are seen while `opened` contains it; its header opens and closes it. `presets`: titles of a list at the top,
    and the values that each sets; the list shows the one whose values are there.
    """

    changed = pyqtSignal()

    def __init__(
        self,
        *classes: type[Options],
        without: Sequence[str] = (),
        opened: set[str] | None = None,
        presets: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
    ) -> None:
        super().__init__()
        self.opened = {""} if opened is None else opened
        self.headers: dict[str, QPushButton] = {}
        self.rows = QFormLayout(self)
        self.rows.setContentsMargins(0, 0, 0, 0)
        self.rows.setVerticalSpacing(0)  # a hidden row would have it, too
        self.rows.setFieldGrowthPolicy(QFormLayout.AllNonFixedFieldsGrow)
        self.presets = list(presets.values())
        self.preset = ComboBox([(title, None) for title in presets], name="export preset")
        self.preset.setPlaceholderText("Other options")
        self.preset.activated.connect(lambda at: self.take(self.presets[at]))
        if presets:
            self.rows.addRow("For", self.preset)
        self.classes = classes
        self.shown = classes[0]
        self.fields: dict[str, Field] = {}
        self._rows: list[tuple[tuple[QLabel, QWidget], list[str], str]] = []
        options: dict[str, Declared] = {}
        for option in (option for kind in classes for option in kind.declared() if option.name not in without):
            options.setdefault(option.name, option)
        sections: dict[str, list[list[Field]]] = {section: [] for section in ("", *SECTIONS)}
        for field in map(field_of, options.values()):
            self.fields[field.declared.name] = field
            for signal in field.changed:
                signal.connect(lambda *_: self.update_rows())
            rows = sections["" if opened is None else field.declared.option.section]
            if field.declared.option.beside and rows:
                rows[-1].append(field)
            else:
                rows.append([field])
        for section, rows in sections.items():
            if section and rows:
                self.headers[section] = button(section, partial(self._turn, section))
                self.headers[section].setProperty("role", "section")
                self.rows.addRow(self.headers[section])
            for first, *others in rows:
                beside = [part for field in others for part in (QLabel(field.label), field.widget)]
                row = QLabel(first.label), side_by_side(first.widget, *beside, below=6)
                self.rows.addRow(*row)
                self._rows.append((row, [field.declared.name for field in (first, *others)], section))
        self.choose(self.shown)

    def __getitem__(self, name: str) -> Field:
        return self.fields[name]

    def choose(self, options: type[Options]) -> None:
        """Show the options of one of the dataclasses."""
        self.shown = options
        self.update_rows()

    def _turn(self, section: str) -> None:
        """Open or close a section."""
        self.opened ^= {section}
        self.update_rows()

    def update_rows(self) -> None:
        """Enable and show the options that have an effect."""
        mine = {option.name: option.option.section for option in self.shown.declared()}
        for row, names, section in self._rows:
            for name in names:
                self.fields[name].widget.setEnabled(self.usable(name))
            applies = names[0] in mine and (self.fields[names[0]].stays or any(map(self.usable, names)))
            for part in row:
                part.setVisible(applies and section in self.opened)
        for section, header in self.headers.items():
            header.setVisible(section in mine.values())
            header.setIcon(icon("opened" if section in self.opened else "closed"))
        self.preset.setCurrentIndex(next((at for at, values in enumerate(self.presets) if self.holds(values)), -1))
        self.changed.emit()

    def holds(self, values: Mapping[str, Any]) -> bool:
        """Whether options have these values."""
        return all(self.fields[name].value() == value for name, value in values.items())

    def usable(self, name: str) -> bool:
        """Whether an option has an effect under the values of the others."""
        needs = self.fields[name].declared.option.needs
        return needs is None or needs[0] not in self.fields or needs[1](self.fields[needs[0]].value())

    def values(self) -> dict[str, Any]:
        """The values by option name; options without an effect have their defaults. Raises ValueError."""
        mine = {option.name for option in self.shown.declared()}
        return {
            name: field.value() if self.usable(name) else field.declared.default
            for name, field in self.fields.items()
            if name in mine
        }

    def take(self, values: Mapping[str, Any]) -> None:
        """Show values by the names of options."""
        for name, value in values.items():
            if name in self.fields:
                self.fields[name].set(value)

    def offer(self, words: Mapping[str, Sequence[str]]) -> None:
        """Complete lines while they are typed: what they can be by the names of options."""
        for name in words.keys() & self.fields.keys():
            line = self.fields[name].widget
            completer = QCompleter(list(words[name]), line)
            completer.setFilterMode(Qt.MatchContains)
            completer.setCaseSensitivity(Qt.CaseInsensitive)
            line.setCompleter(completer)


def form_of(kind: type[Options], opened: set[str]) -> Form:
    """The form for a kind of export; there is one for all maps and models as GLB."""
    if kind in GLTF:
        form = Form(*GLTF, opened=opened, presets=PRESETS)
        form.rows.addRow(label(ENGINE_HINTS, MUTED))
    else:
        form = Form(kind, opened=opened, without=MAPS_ONLY if kind is ExportOptions else ())
    if kind is Picture:
        form["camera"].widget.insertItem(0, "As the window shows it", AS_SHOWN)
        form["camera"].set(AS_SHOWN)
    form.take({"resume": True})
    return form


def show_explorer(form: Form, explorer: Explorer) -> None:
    """Set the options of a form to the state of the window: all of a picture, of maps and models the hour, and of a map
    what code adds."""
    view = explorer.view
    if form.shown is Picture:
        form.take(
            {
                "second": view.second,
                "tick": view.tick,
                "weather": view.weather,
                "layers": [*view.layers, *(layer for layer in form["layers"].value() if layer == "player")],
                "state": explorer.state_text,
                "missing": explorer.layers.shown("missing_ds"),
                "sky": view.sky,
            }
        )
    elif form.shown in (*GLTF, AllPicturesRequest):
        form.take({"second": view.second, "state": explorer.state_text if form.shown is MapRequest else None})


def picture_values(form: Form, explorer: Explorer) -> dict[str, Any]:
    """The options of a picture, with the window's camera if it is chosen. Raises ValueError."""
    values = form.values()
    shown = {"at": explorer.tile, **explorer.camera.view_fields}
    return values | shown if values["camera"] == AS_SHOWN else values
