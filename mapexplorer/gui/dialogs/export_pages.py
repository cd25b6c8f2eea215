"""The pages of the export dialog: what each kind of export can be asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PyQt5.QtCore import Qt
from PyQt5.QtWidgets import QCheckBox, QCompleter, QLabel, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from mapexplorer.export.options import ExportOptions
from mapexplorer.games import DEFAULT
from mapexplorer.gui.dialogs.options import (
    Form,
    ModelOptions,
    checks,
    choice,
    choose,
    number,
    second_of,
    side_by_side,
    ticked,
    time_box,
)
from mapexplorer.gui.model.camera import FLY, ORBIT, TOP, Camera
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.exports import ALL_MAPS, MODEL, PRESETS, THIS_MAP, WHOLE_MATRIX, parse_numbers

ENGINE_HINTS = (
    "Textures are to be shown without smoothing: Blender sets Closest by itself; in Godot choose Nearest in the import "
    "tab; three.js and model-viewer follow the file."
)
AS_SHOWN, GAME, FROM_ABOVE, FREE = "shown", "game", "top", "free"
LATEST = 10_000_000
"""Field updates in nearly four days, within which every animation has come round."""


def scrolled(form: QWidget) -> QScrollArea:
    """A page that scrolls where the dialog is too low for it."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QScrollArea.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarAlwaysOff)
    area.setWidget(form)
    return area


def own_number() -> Any:
    """A box for the number of a matrix or an area, or for that which the header names."""
    box = number(-1, 9999, -1)
    box.setSpecialValueText("as its header says")
    return box


def own_value(box: Any) -> int | None:
    """The number in such a box."""
    return box.value() if box.value() >= 0 else None


class GltfPage(QWidget):
    """Maps and prop models as GLB: which, and how."""

    def __init__(self) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 6, 0)
        self.form = ModelOptions(True)
        self.cell, self.maps = QLineEdit(), QLineEdit()
        self.cell.setPlaceholderText("all of them; or one, as X,Z")
        self.maps.setPlaceholderText("all of them; or some, as 3-18, 411, T01")
        self.resume = QCheckBox("Leave files alone that are up to date")
        self.resume.setChecked(True)
        self.matrix, self.area = own_number(), own_number()
        self.places = side_by_side(self.matrix, QLabel("Area"), self.area)
        self.preset = choice([(title, title) for title in PRESETS])
        self.preset.activated.connect(lambda: self.form.take(list(PRESETS.values())[self.preset.currentIndex()]))
        which = (
            ("Cells", self.cell), ("Maps", self.maps), ("", self.resume), ("Matrix", self.places),
            ("Preset", self.preset),
        )  # fmt: skip
        for row, (title, field) in enumerate(which):
            self.form.rows.insertRow(row, title, field)
        column.addWidget(self.form)
        note = QLabel(ENGINE_HINTS)
        note.setWordWrap(True)
        note.setProperty("role", "muted")
        column.addWidget(note)
        column.addStretch(1)

    def show_kind(self, kind: str) -> None:
        """Show what goes with a kind of export."""
        self.form.show_row(self.cell, kind == THIS_MAP)
        self.form.show_row(self.maps, kind == ALL_MAPS)
        self.form.show_row(self.resume, kind == ALL_MAPS)
        self.form.show_row(self.places, kind in (THIS_MAP, WHOLE_MATRIX))
        self.form.show_map_rows(kind != MODEL)

    def options(self) -> ExportOptions:
        """The options as they are set."""
        return self.form.options()

    def settings(self, kind: str) -> dict[str, Any]:
        """The fields of the job that say which maps. Raises ValueError."""
        if kind not in (THIS_MAP, WHOLE_MATRIX):
            return {"resume": self.resume.isChecked()}
        found: dict[str, Any] = {"matrix": own_value(self.matrix), "area": own_value(self.area)}
        if kind == THIS_MAP:
            found["cell"] = parse_numbers(self.cell.text(), "a cell as X,Z")
        return found


class PosterPage(Form):
    """A whole matrix from above."""

    def __init__(self) -> None:
        super().__init__()
        self.matrix = own_number()
        self.rows.addRow("Matrix", self.matrix)
        self.cell_pixels = number(32, 2048, 512, step=16, suffix=" pixels")
        self.rows.addRow("Side of a cell", self.cell_pixels)
        self.time, self.tick = time_box(43200), number(0, LATEST, 0)
        self.rows.addRow("Hour", side_by_side(self.time, QLabel("Field updates"), self.tick))
        row, self.layers = checks(("terrain", "props", "people", "player"), ("terrain", "props"))
        self.rows.addRow("Drawn", row)
        self.grid = QCheckBox("Lines between cells")
        self.names = QCheckBox("Names of places")
        self.collision = QCheckBox("Tiles that cannot be entered in red")
        for check in (self.grid, self.names, self.collision):
            self.rows.addRow("", check)

    def plan(self) -> dict[str, Any]:
        """The fields of a PosterPlan."""
        return {
            "cell_pixels": self.cell_pixels.value(),
            "second": second_of(self.time),
            "tick": self.tick.value(),
            "layers": ticked(self.layers),
            "grid": self.grid.isChecked(),
            "names": self.names.isChecked(),
            "collision": self.collision.isChecked(),
        }


class PicturePage(Form):
    """A place as the DS or OpenGL draws it."""

    def __init__(self) -> None:
        super().__init__()
        self.engine = choice([("The DS engine, exactly", "ds"), ("OpenGL", "gl")])
        self.scale = number(1, 16, 1, suffix=" ×", hint="In screens of 256 × 192 pixels")
        self.rows.addRow("Drawn by", side_by_side(self.engine, QLabel("Size"), self.scale))
        self.camera = choice([
            ("As the window shows it", AS_SHOWN), ("The game's", GAME), ("From above", FROM_ABOVE), ("Free", FREE),
        ])  # fmt: skip
        self.rows.addRow("Camera", self.camera)
        self.spot = QLineEdit()
        self.spot.setPlaceholderText("a spot that suits the place; or a tile, as X,Z")
        self.rows.addRow("Player at", self.spot)
        self.zoom = number(1 / 32, 256, 1, decimals=3, suffix=" pixels a unit")
        self.rows.addRow("Scale", self.zoom)
        self.eye = QLineEdit()
        self.eye.setPlaceholderText("south of the spot; or X,Y,Z in units")
        self.rows.addRow("Eye", self.eye)
        self.yaw, self.pitch = number(-360, 360, 0, decimals=1, suffix="°"), number(-89, 89, 35, decimals=1, suffix="°")
        self.fov = number(1, 150, 40, decimals=1, suffix="°")
        self.turn = side_by_side(
            self.yaw, QLabel("Down"), self.pitch, QLabel("Field of view"), self.fov
        )  # fmt: skip
        self.rows.addRow("East of north", self.turn)
        self.time, self.tick = time_box(43200), number(0, LATEST, 0)
        self.rows.addRow("Hour", side_by_side(self.time, QLabel("Field updates"), self.tick))
        weathers = [(weather.name, number) for number, weather in sorted(DEFAULT.tables.weathers.items())]
        self.weather = choice([("Own weather", True), ("No weather", False), *weathers])
        self.day = number(0, 365, 0, hint="Day of a leap year, for weather that goes by it")
        self.rows.addRow("Weather", side_by_side(self.weather, QLabel("Day"), self.day))
        row, self.layers = checks(("terrain", "props", "people", "player"), ("terrain", "props", "people"))
        self.rows.addRow("Drawn", row)
        self.all_cells = QCheckBox("Every cell of the matrix, not only the four that the game loads")
        self.particles = QCheckBox("Rain, snow and the like: an impression")
        self.rows.addRow("", self.all_cells)
        self.rows.addRow("", self.particles)
        self.wireframe = QCheckBox("The edges of all polygons instead of the polygons")
        self.missing = QCheckBox("What lacks its texture or palette in magenta")
        self.rows.addRow("", self.wireframe)
        self.rows.addRow("", self.missing)
        self.frames = number(1, 10_000, 1)
        self.step = number(1, 1800, 1, hint="Field updates between two frames")
        self.rows.addRow("Frames", side_by_side(self.frames, QLabel("Field updates apart"), self.step))
        self.day_cycle = QCheckBox("The frames go once around the clock")
        self.rows.addRow("", self.day_cycle)
        self.matrix, self.area = own_number(), own_number()
        self.rows.addRow("Matrix", side_by_side(self.matrix, QLabel("Area"), self.area))
        for signal in (
            self.camera.currentIndexChanged, self.engine.currentIndexChanged, self.frames.valueChanged,
        ):  # fmt: skip
            signal.connect(lambda *_: self._enable())
        self._enable()

    def _enable(self) -> None:
        camera = self.camera.currentData()
        self.show_row(self.spot, camera != AS_SHOWN)
        self.show_row(self.zoom, camera == FROM_ABOVE)
        self.show_row(self.eye, camera == FREE)
        self.show_row(self.turn, camera == FREE)
        self.particles.setEnabled(self.engine.currentData() == "ds")
        self.step.setEnabled(self.frames.value() > 1)
        self.day_cycle.setEnabled(self.frames.value() > 1)

    def take(self, explorer: Explorer) -> None:
        """Show what the window shows."""
        self.time.setTime(self.time.minimumTime().addSecs(explorer.clock.second))
        self.tick.setValue(explorer.clock.tick)
        choose(self.weather, explorer.weather)
        for name in ("terrain", "props", "people"):
            self.layers[name].setChecked(explorer.layers.shown(name))
        self.missing.setChecked(explorer.layers.shown("missing_ds"))

    def plan(self, explorer: Explorer) -> dict[str, Any]:
        """The fields of a RenderPlan. Raises ValueError."""
        frames = self.frames.value()
        return {
            **self._pose(explorer),
            "second": second_of(self.time),
            "tick": self.tick.value(),
            "weather": self.weather.currentData(),
            "particles": self.particles.isEnabled() and self.particles.isChecked(),
            "day": self.day.value(),
            "wireframe": self.wireframe.isChecked(),
            "missing": self.missing.isChecked(),
            "layers": ticked(self.layers),
            "all_cells": self.all_cells.isChecked(),
            "frames": frames if frames > 1 else None,
            "step": self.step.value(),
            "day_cycle": frames > 1 and self.day_cycle.isChecked(),
        }

    def _pose(self, explorer: Explorer) -> dict[str, Any]:
        camera = self.camera.currentData()
        if camera == AS_SHOWN:
            return shown_pose(explorer.camera, explorer.tile)
        pose: dict[str, Any] = {"camera": camera, "at": parse_numbers(self.spot.text(), "a tile as X,Z", float)}
        if camera == FROM_ABOVE:
            pose["zoom"] = self.zoom.value()
        elif camera == FREE:
            pose |= {"yaw": self.yaw.value(), "pitch": self.pitch.value(), "fov": self.fov.value()}
            pose["eye"] = parse_numbers(self.eye.text(), "a place as X,Y,Z", float)
        return pose


def shown_pose(camera: Camera, tile: tuple[float, float]) -> dict[str, Any]:
    """The camera of the window as fields of a RenderPlan."""
    pose: dict[str, Any] = {"at": tile, "camera": GAME, "target": camera.target}
    if camera.kind == TOP:
        pose |= {"camera": FROM_ABOVE, "zoom": camera.scale}
    elif camera.kind in (FLY, ORBIT):
        near, far = camera.depths
        pose |= {"camera": FREE, "eye": camera.eye, "yaw": camera.yaw, "pitch": camera.pitch, "fov": camera.fov}
        pose |= {"near": near, "far": far}
    return pose


class FilePage(Form):
    """A file of the ROM."""

    def __init__(self) -> None:
        super().__init__()
        self.path = QLineEdit()
        self.path.setPlaceholderText("a path; of an archive's member as PATH#INDEX")
        self.rows.addRow("File", self.path)

    def offer(self, paths: Sequence[str]) -> None:
        """Complete what is typed to the paths of a ROM."""
        completer = QCompleter(list(paths), self.path)
        completer.setFilterMode(Qt.MatchContains)
        completer.setCaseSensitivity(Qt.CaseInsensitive)
        self.path.setCompleter(completer)
