"""Forms for the options of dataclasses, and the additions of single pages of the export dialog."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from PyQt5.QtCore import Qt
from PyQt5.QtWidgets import QCompleter, QFormLayout, QLabel, QWidget

from mapexplorer.export.options import BY_MATERIAL, UNIT, ExportOptions
from mapexplorer.export.request import AllMapsRequest, KitRequest, MapRequest, MatrixRequest, ModelRequest
from mapexplorer.export.request import PictureRequest as Picture
from mapexplorer.gui.dialogs.fields import Field, field_of, side_by_side
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.widgets.controls import ComboBox
from mapexplorer.gui.widgets.layout import MUTED, label
from mapexplorer.option import Declared, Options

ENGINE_HINTS: Final = (
    "Textures are to be shown without smoothing: Blender, Godot 4, three.js and model-viewer take that from the file."
)

AS_SHOWN: Final = "shown"
"""The camera of the window, in the list of a picture's cameras."""

PRESETS: Final = {
    "Blender and viewers: light baked in": ExportOptions(),
    "Game engines: lit, by material": ExportOptions(lit=True, merge=BY_MATERIAL, bake_mirror=True),
    "Everything: collision and heights too": ExportOptions(collision=True, heights=True),
    "DSPRE and PDSMS scale (1 unit = 1/16)": ExportOptions(scale=UNIT, bake_mirror=True),
}


class Form(QWidget):
    """A row for every option of some dataclasses, those of one of them shown at a time.

    Options with the same name are one row. An option without an effect under the values of the others is disabled; its
    row is hidden unless it is a check box or list.
    """

    def __init__(self, *classes: type[Options], without: Sequence[str] = ()) -> None:
        super().__init__()
        self.rows = QFormLayout(self)
        self.rows.setContentsMargins(0, 4, 0, 0)
        self.rows.setFieldGrowthPolicy(QFormLayout.AllNonFixedFieldsGrow)
        self.classes = classes
        self.shown = classes[0]
        self.fields: dict[str, Field] = {}
        self._rows: list[tuple[QWidget, list[str]]] = []
        options: dict[str, Declared] = {}
        for option in (option for kind in classes for option in kind.declared() if option.name not in without):
            options.setdefault(option.name, option)
        rows: list[list[Field]] = []
        for field in map(field_of, options.values()):
            self.fields[field.declared.name] = field
            for signal in field.changed:
                signal.connect(lambda *_: self.update_rows())
            if field.declared.option.beside and rows:
                rows[-1].append(field)
            else:
                rows.append([field])
        for first, *others in rows:
            beside = [part for field in others for part in (QLabel(field.label), field.widget)]
            widget = side_by_side(first.widget, *beside) if beside else first.widget
            self.rows.addRow(first.label, widget)
            self._rows.append((widget, [field.declared.name for field in (first, *others)]))
        self.choose(self.shown)

    def __getitem__(self, name: str) -> Field:
        return self.fields[name]

    def choose(self, options: type[Options]) -> None:
        """Show the options of one of the dataclasses."""
        self.shown = options
        self.update_rows()

    def update_rows(self) -> None:
        """Enable and show the options that have an effect."""
        mine = {option.name for option in self.shown.declared()}
        for row, names in self._rows:
            for name in names:
                self.fields[name].widget.setEnabled(self.usable(name))
            shown = names[0] in mine and (self.fields[names[0]].stays or any(map(self.usable, names)))
            row.setVisible(shown)
            title = self.rows.labelForField(row)
            if title is not None:
                title.setVisible(shown)

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


def gltf_form() -> Form:
    """The form for maps and prop models as GLB."""
    form = Form(MapRequest, MatrixRequest, KitRequest, AllMapsRequest, ModelRequest)
    form["resume"].set(True)
    preset = ComboBox([(title, None) for title in PRESETS], name="export preset")
    preset.activated.connect(lambda at: form.take(list(PRESETS.values())[at].flat()))
    form.rows.insertRow(0, "Preset", preset)
    form.rows.addRow(label(ENGINE_HINTS, MUTED))
    return form


def picture_form() -> Form:
    """The form for a place as the DS or OpenGL draws it."""
    form = Form(Picture)
    form["camera"].widget.insertItem(0, "As the window shows it", AS_SHOWN)
    form["camera"].set(AS_SHOWN)
    return form


def show_explorer(form: Form, explorer: Explorer) -> None:
    """Set the options of a picture to the state of the window."""
    view = explorer.view
    layers = [*view.layers, *(layer for layer in form["layers"].value() if layer == "player")]
    form.take(
        {
            "second": view.second,
            "tick": view.tick,
            "weather": view.weather,
            "layers": layers,
            "state": explorer.state_text,
            "missing": explorer.layers.shown("missing_ds"),
            "sky": view.sky,
        }
    )


def picture_values(form: Form, explorer: Explorer) -> dict[str, Any]:
    """The options of a picture, with the window's camera if it is chosen. Raises ValueError."""
    values = form.values()
    shown = {"at": explorer.tile, **explorer.camera.view_fields}
    return values | shown if values["camera"] == AS_SHOWN else values


def offer_paths(form: Form, paths: Sequence[str]) -> None:
    """Complete the path of a file of the ROM while it is typed."""
    line = form["path"].widget
    completer = QCompleter(list(paths), line)
    completer.setFilterMode(Qt.MatchContains)
    completer.setCaseSensitivity(Qt.CaseInsensitive)
    line.setCompleter(completer)
