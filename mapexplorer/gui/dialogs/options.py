"""Forms for the options of exports, which the dialogs put together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PyQt5.QtCore import QTime
from PyQt5.QtWidgets import (
    QCheckBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QSpinBox,
    QTimeEdit,
    QWidget,
)

from mapexplorer.export.options import ATLAS, BY_MATERIAL, BY_SHAPE, NODES, UNIT, ExportOptions
from mapexplorer.gui.widgets import ComboBox


class Form(QWidget):
    """Labelled rows, some of which can be hidden with their labels."""

    def __init__(self) -> None:
        super().__init__()
        self.rows = QFormLayout(self)
        self.rows.setContentsMargins(0, 4, 0, 0)
        self.rows.setFieldGrowthPolicy(QFormLayout.AllNonFixedFieldsGrow)

    def show_row(self, field: QWidget, shown: bool) -> None:
        """Show or hide a row."""
        field.setVisible(shown)
        label = self.rows.labelForField(field)
        if label is not None:
            label.setVisible(shown)


def choice(entries: Sequence[tuple[str, Any]]) -> ComboBox:
    """A list of titles with values."""
    box = ComboBox()
    for title, value in entries:
        box.addItem(title, value)
    return box


def choose(box: ComboBox, value: Any) -> None:
    """Let a list show a value."""
    box.setCurrentIndex(max(0, box.findData(value)))


def number(
    low: float, high: float, value: float, *, decimals: int = 0, step: float = 1.0, suffix: str = "", hint: str = ""
) -> Any:
    """A box for a number: whole, or with decimals."""
    box: Any = QDoubleSpinBox() if decimals else QSpinBox()
    if decimals:
        box.setDecimals(decimals)
    box.setRange(low, high)
    box.setSingleStep(step if decimals else int(step))
    box.setValue(value)
    box.setSuffix(suffix)
    box.setToolTip(hint)
    return box


def side_by_side(*widgets: QWidget) -> QWidget:
    """Widgets in one row of a form."""
    box = QWidget()
    row = QHBoxLayout(box)
    row.setContentsMargins(0, 0, 0, 0)
    wide = [isinstance(widget, ComboBox) for widget in widgets]
    for widget, stretch in zip(widgets, wide, strict=True):
        row.addWidget(widget, int(stretch))
    if not any(wide):
        row.addStretch(1)
    return box


def checks(names: Sequence[str], chosen: Sequence[str]) -> tuple[QWidget, dict[str, QCheckBox]]:
    """Boxes to tick, in one row."""
    boxes = {name: QCheckBox(name.capitalize()) for name in names}
    for name, box in boxes.items():
        box.setChecked(name in chosen)
    return side_by_side(*boxes.values()), boxes


def ticked(boxes: dict[str, QCheckBox]) -> tuple[str, ...]:
    """The names of those that are ticked."""
    return tuple(name for name, box in boxes.items() if box.isChecked())


def time_box(second: int) -> QTimeEdit:
    """A box for a time of the day."""
    box = QTimeEdit()
    box.setDisplayFormat("HH:mm:ss")
    box.setTime(QTime(0, 0).addSecs(second))
    return box


def second_of(box: QTimeEdit) -> int:
    """The second of the day that a box shows."""
    return QTime(0, 0).secsTo(box.time())


class ModelOptions(Form):
    """Options of NITRO models, and with `field` those of whole maps."""

    def __init__(self, field: bool) -> None:
        super().__init__()
        self.light = choice([("Baked into vertex colours, unlit", False), ("Normals and lit materials", True)])
        self.rows.addRow("Light", self.light)
        self.time = time_box(ExportOptions().second)
        self.rows.addRow("Hour of the light", self.time)
        self.merge = choice([("One node for each shape", BY_SHAPE), ("Merged by material", BY_MATERIAL)])
        self.rows.addRow("Meshes", self.merge)
        self.animations = choice([("As clips", False), ("Left out", True)])
        self.rows.addRow("Animations", self.animations)
        self.pattern = choice([("Nodes that appear and disappear", NODES), ("An atlas, where possible", ATLAS)])
        self.pattern.setToolTip("An atlas needs KHR_animation_pointer, which few viewers play; nodes work everywhere.")
        self.rows.addRow("Changing pictures", self.pattern)
        self.animations.currentIndexChanged.connect(lambda: self.pattern.setEnabled(not self.animations.currentData()))
        self.scale = number(
            0.000001, 1_000_000, UNIT, decimals=6, step=UNIT, suffix=" m a unit",
            hint="1/16 = 0.0625: a tile of 16 units is a metre",
        )  # fmt: skip
        self.rows.addRow("Scale", self.scale)
        self.mirror = QCheckBox("Bake mirrored repeat into the textures")
        self.mirror.setToolTip("For tools that do not know mirrored repeat")
        self.collision = QCheckBox("Collision and behaviours as a scene of their own")
        self.heights = QCheckBox("Height plates as a scene of their own")
        self.dummies = QCheckBox("Dummy boxes that the game would show")
        for check in (self.mirror, self.collision, self.heights, self.dummies):
            self.rows.addRow("", check)
        self.of_maps = (self.time, self.collision, self.heights, self.dummies)
        self.show_map_rows(field)

    def show_map_rows(self, shown: bool) -> None:
        """Show or hide what only whole maps have."""
        for field in self.of_maps:
            self.show_row(field, shown)

    def take(self, options: ExportOptions) -> None:
        """Show options."""
        choose(self.light, options.lit)
        self.time.setTime(QTime(0, 0).addSecs(options.second))
        choose(self.merge, options.merge)
        choose(self.animations, options.static)
        choose(self.pattern, options.pattern)
        self.scale.setValue(options.scale)
        self.mirror.setChecked(options.bake_mirror)
        self.collision.setChecked(options.collision)
        self.heights.setChecked(options.heights)
        self.dummies.setChecked(options.dummies)

    def options(self) -> ExportOptions:
        """The options as they are set."""
        return ExportOptions(
            second=second_of(self.time),
            lit=self.light.currentData(),
            scale=self.scale.value(),
            merge=self.merge.currentData(),
            bake_mirror=self.mirror.isChecked(),
            collision=self.collision.isChecked(),
            heights=self.heights.isChecked(),
            dummies=self.dummies.isChecked(),
            static=self.animations.currentData(),
            pattern=self.pattern.currentData(),
        )


class J3dOptionsForm(Form):
    """Options of GameCube models."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = number(0.000001, 1_000_000, 1.0, decimals=6, step=0.1, suffix=" m a unit")
        self.rows.addRow("Scale", self.scale)


class MshOptionsForm(Form):
    """Options of MSH models."""

    def __init__(self) -> None:
        super().__init__()
        self.rate = number(0.001, 1000, 25, decimals=3, suffix=" frames a second")
        self.rows.addRow("Speed of the clip", self.rate)
        self.order = choice([("Found out by itself", "auto"), ("x y z w", "xyzw"), ("w x y z", "wxyz")])
        self.rows.addRow("Order of a quaternion", self.order)
        self.slot = number(0, 2, 0), number(0, 4, 0)
        self.rows.addRow("Geometry: row, column", side_by_side(*self.slot))
        self.flags = {
            "conjugate": QCheckBox("Rotate as the engine does"),
            "keep_root_translation": QCheckBox("Keep the place of root nodes"),
            "mirror_x": QCheckBox("Mirror the whole model"),
            "hidden": QCheckBox("Collision hulls and cockpits too"),
            "bake": QCheckBox("One key per frame"),
            "extras": QCheckBox("Keep the node fields of the file"),
        }
        self.flags["conjugate"].setChecked(True)
        self.flags["keep_root_translation"].setChecked(True)
        for flag in self.flags.values():
            self.rows.addRow("", flag)

    def options(self) -> dict[str, Any]:
        """The fields of `MshOptions`."""
        flags = {name: box.isChecked() for name, box in self.flags.items()}
        row, column = self.slot
        slot = row.value(), column.value()
        return {"rate": self.rate.value(), "order": self.order.currentData(), "slot": slot, **flags}
