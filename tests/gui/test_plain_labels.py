"""Names in a ROM that look like HTML are shown as they are."""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

from PyQt5.QtCore import QPoint, Qt
from PyQt5.QtWidgets import QApplication, QLabel, QToolTip

from mapexplorer import World

TAGS = "<b>T</b>&lt;"


def test_names_with_tags_are_plain_text(
    opened: Callable[[str], Any], settle: Callable[[Any], None], tmp_path: Path
) -> None:
    image = resources.files("mapexplorer.data").joinpath("demo.nds").read_bytes()
    names = World("demo").rom.file("fielddata/maptable/mapname.bin")
    number = World("demo").place("F01").header.id
    changed = bytearray(names)
    changed[16 * number : 16 * number + 16] = TAGS.encode().ljust(16, b"\0")
    path = tmp_path / "tags.nds"
    path.write_bytes(image.replace(names, bytes(changed)))
    window = opened(str(path))
    window.explorer.go(number)
    settle(window)
    window.notices.notify("error", TAGS, TAGS)
    labels = [label for label in window.findChildren(QLabel) if label.isVisible()]
    assert TAGS in {label.text() for label in labels}
    assert all(label.textFormat() != Qt.AutoText for label in labels)
    QToolTip.showText(QPoint(10, 10), TAGS, window)
    tips = [tip for tip in QApplication.topLevelWidgets() if isinstance(tip, QLabel) and tip.text() == TAGS]
    assert [tip.textFormat() for tip in tips] == [Qt.PlainText]
