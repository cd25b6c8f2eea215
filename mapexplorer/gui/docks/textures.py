"""The textures of a set: images with the palettes that models of the place use, and the users of each."""

from __future__ import annotations

from contextlib import suppress

from PyQt5.QtCore import QSignalBlocker, QSize, Qt
from PyQt5.QtGui import QColor, QIcon, QImage, QPixmap
from PyQt5.QtWidgets import QLabel, QListWidget

from formats.binary import FormatError
from mapexplorer.errors import RomError
from mapexplorer.games import Role
from mapexplorer.gui.docks.panel import Copied, LoadedPanel, Wanted, copied_rows
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.jobs.requests import SOON
from mapexplorer.gui.model.search import filtered
from mapexplorer.gui.model.textures import ShownTexture, decode
from mapexplorer.gui.widgets.controls import ComboBox, copy_image
from mapexplorer.gui.widgets.layout import (
    button,
    check_box,
    chosen_value,
    column,
    line_edit,
    list_row,
    row,
)
from mapexplorer.gui.widgets.painting import painting
from mapexplorer.inspector.things.models import FORMATS, PROP, TERRAIN
from mapexplorer.values import count
from mapexplorer.world import FieldPlace
from mapexplorer.world.models.texture_sets import SetKey
from mapexplorer.world.subject import subject

TILE = 64
CELL = QSize(TILE + 17, TILE + 26)


class TexturesPanel(LoadedPanel):
    """A set to choose, a filter, the pictures, and below the chosen one with a palette to choose."""

    name, title = "textures", "Textures"
    problem = "This texture set cannot be read"
    priority = SOON

    def __init__(self, jobs: JobController) -> None:
        super().__init__(jobs)
        self._shown: list[ShownTexture] = []
        self._header = -1
        self._png: bytes | None = None
        self.sets = ComboBox(changed=lambda _: self.load(), name="texture set")
        hint = "Only those that models of this map use, if it uses any, and not all of the set"
        self.here = check_box("Used here", lambda _: self._fill(), checked=True, hint=hint)
        self.list = QListWidget()
        self.list.setObjectName("texture list")
        self.list.setViewMode(QListWidget.IconMode)
        self.list.setResizeMode(QListWidget.Adjust)
        self.list.setMovement(QListWidget.Static)
        self.list.setIconSize(QSize(TILE, TILE))
        self.list.setGridSize(CELL)
        self.list.setStyleSheet("QListWidget { padding-top: 5px; }")
        self.list.setTextElideMode(Qt.ElideMiddle)
        self.list.currentItemChanged.connect(lambda *_: self._show(self._current))
        for chosen in (self.list.itemClicked, self.list.itemActivated):
            chosen.connect(lambda _: self._inspect())
        self.picture = QLabel()
        self.picture.setAlignment(Qt.AlignCenter)
        self.picture.setMinimumHeight(132)
        self.palettes = ComboBox(hint="Palette of the picture above")
        self.palettes.activated.connect(self._palette_chosen)
        self.first = self.filter = line_edit("Filter", lambda _: self._fill(), rows=self.list)
        buttons = row(None, button("Copy", self._copy))
        parts = (
            self.filter,
            self.sets,
            self.here,
            (self.list, 3),
            (self.picture, 1),
            self.message,
            self.palettes,
            buttons,
        )
        self.setLayout(column(*parts, margins=(8, 4, 4, 4), spacing=6))
        self.offer_copy(self.list, lambda point: [("Copy picture", self._copy)])

    def clear(self) -> None:
        """Show no textures."""
        self._header = -1
        self.show_loaded(([], []))

    def copied(self) -> Copied:
        """The list of textures, as it is filtered."""
        key = self.sets.currentData()
        rows = [
            {
                "index": texture.index,
                "name": texture.name,
                "palette": texture.palette,
                "format": FORMATS[texture.format],
                "width": texture.width,
                "height": texture.height,
            }
            for texture in self._filtered()
        ]
        return copied_rows(rows)[0], {"set": key.title if key is not None else None, "textures": rows}

    def load(self) -> None:
        """List the sets of the place, and read the chosen one, if the panel is visible."""
        place = self.explorer.place
        if place is not None and self.isVisible() and self._header != place.header.id:
            self._list_sets(place)
        super().load()

    def _list_sets(self, place: FieldPlace) -> None:
        """List the sets of the place, and after them all others of the ROM."""
        self._header = place.header.id
        keys = [
            SetKey(terrain, (place.terrain_set if terrain else place.prop_set)(cell).value)
            for cell in place.cells[:64] or (None,)
            for terrain in (True, False)
        ]
        for terrain, role in ((True, Role.TERRAIN_TEXTURES), (False, Role.PROP_TEXTURES)):
            with suppress(FormatError, RomError):
                keys += [SetKey(terrain, number) for number in range(len(place.world.members(role)))]
        with QSignalBlocker(self.sets):
            self.sets.clear()
            for key in dict.fromkeys(keys):
                self.sets.addItem(key.title, key)

    def show_set(self, key: SetKey) -> None:
        """Show a set of the ROM."""
        self.load()
        self.here.setChecked(False)
        self.sets.choose(key)

    def wanted(self) -> Wanted | None:
        """The chosen set, with the palettes that the place's models use."""
        key, header = self.sets.currentData(), self._header
        if key is None or header < 0:
            return None
        self.problem = f"{key.title} cannot be read"
        return (header, key), lambda renderer: (
            decode(renderer.world, header, key),
            [palette.name for palette in key.read(renderer.world).palettes],
        )

    def show_loaded(self, answer: tuple[list[ShownTexture], list[str]]) -> None:
        """Show the textures of a set, and the names of its palettes."""
        self._shown, palettes = answer
        self.palettes.clear()
        self.palettes.addItems(palettes)
        self._fill()

    def _filtered(self) -> list[ShownTexture]:
        used = [shown for shown in self._shown if shown.used and self.here.isChecked()]
        return filtered(self.filter.text(), used or self._shown, lambda shown: f"{shown.name} {shown.palette}")

    def _fill(self) -> None:
        self.list.clear()
        for shown in self._filtered():
            item = list_row(self.list, shown.name, shown, f"{shown.name}, palette {shown.palette or 'none'}")
            item.setIcon(tile(shown.png))
            item.setSizeHint(CELL - QSize(4, 4))
        self.message.setText(count(self.list.count(), "picture"))
        if self.list.count():
            self.list.setCurrentRow(0)
        else:
            self.picture.clear()

    @property
    def _current(self) -> ShownTexture | None:
        return chosen_value(self.list, ShownTexture)

    def _show(self, shown: ShownTexture | None) -> None:
        if shown is None:
            return
        self._png = shown.png
        size = f"{shown.width} × {shown.height}"
        self.message.setText(f"{shown.name} · {FORMATS[shown.format]} · {size} · palette {shown.palette or 'none'}")
        if shown.palette:
            self.palettes.setCurrentText(shown.palette)
        image = QImage.fromData(shown.png) if shown.png is not None else QImage()
        if image.isNull():
            self.picture.setText("needs a palette")
            return
        factor = max(1, min(124 // image.height(), 250 // image.width()))
        self.picture.setPixmap(_on_checks(image.scaled(image.width() * factor, image.height() * factor)))

    def _palette_chosen(self) -> None:
        texture, key = self._current, self.sets.currentData()
        if texture is None or key is None:
            return
        name, only, header = self.palettes.currentText(), texture.index, self._header
        self.jobs.request(
            lambda renderer: decode(renderer.world, header, key, name, only),
            lambda textures: self._show(textures[0]),
            key="texture",
        )

    def _inspect(self) -> None:
        texture, key = self._current, self.sets.currentData()
        if texture is not None and key is not None:
            which = TERRAIN if key.terrain else PROP
            self.chosen.emit(subject("texture", which, key.number, texture.index))

    def _copy(self) -> None:
        if self._png is not None:
            copy_image(QImage.fromData(self._png))


def tile(png: bytes | None) -> QIcon:
    """A texture as an icon of one size, enlarged by a whole number."""
    pixmap = QPixmap(TILE, TILE)
    pixmap.fill(Qt.transparent)
    image = QImage.fromData(png) if png is not None else QImage()
    if not image.isNull():
        factor = max(1, min(TILE // image.width(), TILE // image.height()))
        large = image.width() > TILE or image.height() > TILE
        whole = QSize(TILE, TILE) if large else image.size() * factor
        scaled = image.scaled(whole, Qt.KeepAspectRatio, Qt.SmoothTransformation if large else Qt.FastTransformation)
        with painting(pixmap) as painter:
            painter.drawPixmap((TILE - scaled.width()) // 2, (TILE - scaled.height()) // 2, _on_checks(scaled))
    icon = QIcon(pixmap)
    icon.addPixmap(pixmap, QIcon.Selected)  # else the style tints it with the colour of the selection
    return icon


def _on_checks(image: QImage) -> QPixmap:
    """A picture over a checkerboard, which is visible through transparent pixels."""
    pixmap = QPixmap(image.size())
    pixmap.fill(QColor(190, 190, 190))
    with painting(pixmap) as painter:
        for y in range(0, image.height(), 8):
            for x in range(y // 8 % 2 * 8, image.width(), 16):
                painter.fillRect(x, y, 8, 8, QColor(150, 150, 150))
        painter.drawImage(0, 0, image)
    return pixmap
