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
from mapexplorer.gui.layout import MUTED, label
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.widgets import ComboBox
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
        found: dict[str, Declared] = {}
        for one in (one for options in classes for one in options.declared()):
            if one.name not in without:
                found.setdefault(one.name, one)
        for one in found.values():
            self._add(field_of(one))
        for row, names in self._rows:
            if len(names) > 1:
                self._share(row, names)
        self.choose(self.shown)

    def _add(self, field: Field) -> None:
        name, option = field.declared.name, field.declared.option
        self.fields[name] = field
        for signal in field.changed:
            signal.connect(lambda *_: self.update_rows())
        if option.beside and self._rows:
            self._rows[-1][1].append(name)
        else:
            self.rows.addRow(field.label, field.widget)
            self._rows.append((field.widget, [name]))

    def _share(self, row: QWidget, names: list[str]) -> None:
        """Add a row with the fields of some options."""
        at, _ = self.rows.getWidgetPosition(row)
        self.rows.removeWidget(row)
        parts = [row]
        for name in names[1:]:
            parts += [QLabel(self.fields[name].label), self.fields[name].widget]
        shared = side_by_side(*parts)
        self.rows.setWidget(at, QFormLayout.FieldRole, shared)
        self._rows[self._rows.index((row, names))] = (shared, names)

    def __getitem__(self, name: str) -> Field:
        return self.fields[name]

    def choose(self, options: type[Options]) -> None:
        """Show the options of one of the dataclasses."""
        self.shown = options
        self.update_rows()

    def update_rows(self) -> None:
        """Enable and show the options that have an effect."""
        mine = {one.name for one in self.shown.declared()}
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
        mine = {one.name for one in self.shown.declared()}
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


class GltfForm(Form):
    """Maps and prop models as GLB."""

    def __init__(self) -> None:
        super().__init__(MapRequest, MatrixRequest, KitRequest, AllMapsRequest, ModelRequest)
        self["resume"].set(True)
        self.preset = ComboBox([(title, None) for title in PRESETS])
        self.preset.activated.connect(lambda at: self.take(list(PRESETS.values())[at].flat()))
        self.rows.insertRow(0, "Preset", self.preset)
        self.rows.addRow(label(ENGINE_HINTS, MUTED))


class PictureForm(Form):
    """A place as the DS or OpenGL draws it."""

    def __init__(self) -> None:
        super().__init__(Picture)
        self["camera"].widget.insertItem(0, "As the window shows it", AS_SHOWN)
        self["camera"].set(AS_SHOWN)

    def show_explorer(self, explorer: Explorer) -> None:
        """Set the options to the state of the window."""
        view = explorer.view
        layers = [*view.layers, *(name for name in self["layers"].value() if name == "player")]
        self.take({"second": view.second, "tick": view.tick, "weather": view.weather, "layers": layers,
                   "state": explorer.state_text, "missing": explorer.layers.shown("missing_ds")})  # fmt: skip

    def view(self, explorer: Explorer) -> dict[str, Any]:
        """The values, with the window's camera if it is chosen. Raises ValueError."""
        values = self.values()
        shown = {"at": explorer.tile, **explorer.camera.view_fields}
        return values | shown if values["camera"] == AS_SHOWN else values


def offer_paths(form: Form, paths: Sequence[str]) -> None:
    """Complete the path of a file of the ROM while it is typed."""
    line = form["path"].widget
    completer = QCompleter(list(paths), line)
    completer.setFilterMode(Qt.MatchContains)
    completer.setCaseSensitivity(Qt.CaseInsensitive)
    line.setCompleter(completer)
