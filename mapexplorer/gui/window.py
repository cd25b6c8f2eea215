"""The main window: what happens in it, from opening a ROM to closing."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PyQt5.QtCore import Qt, QTimer

from mapexplorer.export.request import ModelRequest
from mapexplorer.gui.actions import ACTIONS
from mapexplorer.gui.dialogs.export import ExportDialog
from mapexplorer.gui.dialogs.keys import KeysDialog
from mapexplorer.gui.dialogs.palette import Palette
from mapexplorer.gui.dialogs.screenshot import ScreenshotDialog
from mapexplorer.gui.dialogs.welcome import Welcome
from mapexplorer.gui.dialogs.workbench import Workbench
from mapexplorer.gui.frame import Frame
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.exports import HeightsRequest
from mapexplorer.gui.model.facts import Description
from mapexplorer.gui.model.subject import Subject, subject
from mapexplorer.gui.notices import ERROR, INFO
from mapexplorer.gui.picking import Picking
from mapexplorer.gui.studio import FrameRequest
from mapexplorer.gui.views.area import DS
from mapexplorer.gui.walk_mode import WalkMode

TITLE = "Map explorer"


class Window(Frame):
    """The explorer's window on one ROM."""

    def __init__(self, explorer: Explorer, opengl_problem: Callable[[], str] = lambda: "") -> None:
        super().__init__(explorer, opengl_problem)
        self.setWindowTitle(TITLE)
        self.setAcceptDrops(True)
        self._pixel: tuple[Subject, Description] | None = None
        self.walk_mode = WalkMode(self)
        self.picking = Picking(self)
        self.palette_frame = Palette(self)
        self.welcome = Welcome(self.views, self.commands)
        self.keys_dialog: KeysDialog | None = None
        self._export_dialog: ExportDialog | None = None
        self.screenshot_dialog: ScreenshotDialog | None = None
        self.workbench: Workbench | None = None
        self._connect()
        self.restore_layout()
        self._complete = True
        self.update_actions()

    def _connect(self) -> None:
        explorer, director = self.explorer, self.director
        director.frame_ready.connect(self._show_frame)
        director.overlay_ready.connect(self._show_overlay)
        director.failed.connect(lambda title, sentence, trace: self.tell(ERROR, title, sentence, trace))
        director.slow.connect(self._explain_slow)
        director.busy.connect(self.status_busy.setText)
        self.maps.chosen.connect(self._go)
        self.matrix.grid.cell_chosen.connect(self._cell_chosen)
        self.matrix.grid.described.connect(self.status_cursor.setText)
        self.inspector.followed.connect(explorer.select)
        for panel in (self.heights, self.textures, self.models):
            panel.chosen.connect(self._inspect)
        self.heights.export_wanted.connect(lambda: self.export_dialog().open(HeightsRequest))
        self.models.export_wanted.connect(lambda model: self.export_dialog().open(ModelRequest, model))
        self.views.shown_changed.connect(self._view_shown)
        self.views.gl_made.connect(self.picking.attach)
        self.views.refused.connect(lambda words: self.tell(INFO, "DS picture only", words))
        explorer.rom_changed.connect(self._rom_changed)
        explorer.place_changed.connect(self._place_changed)
        explorer.selection_changed.connect(self._describe)
        explorer.history_changed.connect(self.update_actions)
        explorer.camera_changed.connect(self.update_actions)
        explorer.layers.changed.connect(lambda _: self.update_actions())
        explorer.clock.state_changed.connect(self._clock_state)
        self._timer = QTimer(self)
        self._timer.setInterval(33)
        self._timer.setTimerType(Qt.PreciseTimer)
        self._timer.timeout.connect(self._advance)

    # --- opening

    def start(self, rom: str) -> None:
        """Open the first ROM; on the first run also greet."""
        if self.explorer.settings.first_run and rom == "demo":
            self.show_welcome()
        self.open(rom)
        if self.explorer.settings.get("view", DS) != DS:
            QTimer.singleShot(0, lambda: self.views.show_view(self.explorer.settings.get("view", DS)))

    def hovered(self, spot: Any) -> None:
        """The mouse is over a spot on the ground."""
        self.heights.ask(spot[0], spot[2], spot[1])

    def open(self, path: str) -> None:
        """Open a ROM in the background."""
        self.director.open(path)

    def open_loose(self, paths: list[str]) -> None:
        """Show loose files together on the workbench."""
        if self.workbench is None:
            self.workbench = Workbench(self, self.director)
        self.workbench.open([Path(path) for path in paths])

    def dragEnterEvent(self, event: Any) -> None:
        """Files may be dropped."""
        if event.mimeData().hasUrls() and any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: Any) -> None:
        """An image or a folder is opened; other files are shown together."""
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        event.acceptProposedAction()
        self.open_dropped(paths)

    def open_dropped(self, paths: list[str]) -> None:
        """Open what was dropped: a ROM image or an unpacked one alone, or loose files, also a folder of them."""
        if len(paths) == 1 and (_is_unpacked(Path(paths[0])) or Path(paths[0]).suffix.lower() in (".nds", ".srl")):
            self.open(paths[0])
        elif paths:
            self.open_loose(paths)

    # --- showing

    def _inspect(self, chosen: Subject) -> None:
        self.explorer.select(chosen)
        self.show_dock("inspector")

    def _go(self, header: int) -> None:
        if self.explorer.place is None or self.explorer.place.header.id != header:
            self.explorer.go(header)

    def _cell_chosen(self, x: int, z: int, tile_x: float, tile_z: float) -> None:
        place = self.explorer.place
        if place is None:
            return
        cell = place.matrix_cells[x, z]
        chosen = subject("cell", cell.matrix, x, z)
        if place.matrix.headers is not None and not cell.filler and cell.header != place.header.id:
            self.explorer.go(cell.header, chosen, (tile_x, tile_z))
        else:
            self.explorer.look_at_tile(tile_x, tile_z)
            self.explorer.select(chosen)

    def _rom_changed(self) -> None:
        if self.explorer.rom_path != "demo":
            self.welcome.hide()

    def _place_changed(self) -> None:
        place = self.explorer.place
        self.place_label.setText(place.header.title if place else "")
        self.setWindowTitle(f"{place.header.title} – {TITLE}" if place else TITLE)
        if place is not None and not place.cells and place.matrix_cells:
            self.tell(
                INFO,
                f"{place.header.title} owns no cell",
                f"No cell of matrix {place.matrix_id.value} names header {place.header.id}; so the matrix is shown.",
            )
        if place is not None and not place.matrix_cells:
            self.views.show_frame(None)
            self.views.ds.message = "This header has no land: no cell of its matrix names it."
        else:
            self.views.ds.message = ""
        self.update_actions()

    def _show_frame(self, frame: Any) -> None:
        self.views.show_frame(frame)
        self.status_busy.clear()
        if frame is None:
            return
        self.status_time.setText(f"{frame.seconds * 1000:.0f} ms")
        altered = f"  ·  not the console's picture: {frame.altered}" if frame.altered else ""
        self.status_cell.setText(f"tick {frame.request.tick}{altered}")

    def _show_overlay(self, overlay: Any) -> None:
        self.views.show_overlay(overlay)
        self.layers.show_overlay(overlay)
        cells = () if self.director.whole_matrix else overlay.cells
        self.matrix.grid.set_resident(frozenset((part.cell.x, part.cell.z) for part in cells))

    def _explain_slow(self) -> None:
        self.status_busy.setText("Drawing the DS picture …")

    def _view_shown(self) -> None:
        self.layers.set_views(self.views.shown)
        self.update_actions()

    def _describe(self) -> None:
        from mapexplorer.gui.model.describe import describe

        chosen = self.explorer.selection
        if chosen is None or self.explorer.place is None:
            return
        if chosen.kind == "pixel":
            self.inspector.show_description(self._pixel[1] if self._pixel else None)
            return
        header = self.explorer.place.header.id
        self.director.ask(
            lambda studio: describe(studio.world, header, chosen), self.show_description, key="describe",
            title=f"{chosen} cannot be read",
        )  # fmt: skip
        self.update_actions()

    def show_description(self, description: Any) -> None:
        """Show the facts about the selection; those about the pixel that chose it follow."""
        if self._pixel is not None and self._pixel[0] == description.subject:
            description = description.followed_by(self._pixel[1])
        self.inspector.show_description(description)
        self.bytes.show_raw(description.raw)

    def explain_pixel(self, request: FrameRequest, x: int, y: int) -> None:
        """Explain a pixel of the DS picture and select what it shows."""
        self.director.ask_picture(lambda studio: studio.why(request, x, y), self._pixel_explained, "pixel")

    def _pixel_explained(self, reason: Any) -> None:
        from mapexplorer.gui.model.describe.pixel import chosen_by, describe_pixel

        projection = self.views.ds.projection()
        x, y = (reason.x + 0.5) / 256, (reason.y + 0.5) / 192
        tile = self.picking.tile(projection, x, y) if projection is not None else None
        chosen = chosen_by(reason) or tile or subject("pixel", reason.x, reason.y)
        self._explain(chosen, describe_pixel(reason))

    def show_pick(self, chosen: Subject, pick: Any) -> None:
        """Select what was picked in the OpenGL view, and explain its surface."""
        from mapexplorer.gui.model.describe.pixel import describe_pick

        self._explain(chosen, describe_pick(chosen, pick))

    def _explain(self, chosen: Subject, description: Description) -> None:
        """Select a thing; what the pixel that chose it has to say follows the facts about it."""
        self._pixel = (chosen, description)
        self.show_dock("inspector")
        if chosen == self.explorer.selection:
            self._describe()
        else:
            self.explorer.select(chosen)

    def look_at_selection(self) -> None:
        """Move the camera to what is selected."""
        from mapexplorer.gui.picking import place_of

        chosen = self.explorer.selection
        spot = place_of(self.director.overlay, chosen) if chosen is not None else None
        if spot is not None:
            self.explorer.look(self.explorer.camera.looking_at(spot))

    # --- time

    def _clock_state(self) -> None:
        self.show_clock_state()
        if self.explorer.clock.playing:
            self._last_tick = time.perf_counter()
            self._timer.start()
        else:
            self._timer.stop()
        self.update_actions()

    def _advance(self) -> None:
        now = time.perf_counter()
        elapsed, self._last_tick = now - self._last_tick, now
        self.explorer.clock.advance(min(0.5, elapsed))

    # --- dialogs

    def show_palette(self) -> None:
        """The command palette."""
        world = self.explorer.world
        maps = [
            (f"{header.title}", f"#{header.id}  {header.kind}", lambda header=header.id: self.explorer.go(header))
            for header in (world.headers if world is not None else ())
        ]
        actions = [
            (entry.title.rstrip(" …"), self._actions[entry.id].shortcut().toString(), self._actions[entry.id].trigger)
            for entry in ACTIONS
            if entry.id != "palette" and self._actions[entry.id].isEnabled()
        ]
        self.palette_frame.open([*maps, *actions])

    def show_keys(self) -> None:
        """The keyboard sheet."""
        if self.keys_dialog is None:
            self.keys_dialog = KeysDialog(self)
        self.keys_dialog.show()
        self.keys_dialog.raise_()

    def show_welcome(self) -> None:
        """The welcome page."""
        self.welcome.open()

    def export_dialog(self) -> ExportDialog:
        """The export dialog, made when it is first wanted."""
        if self._export_dialog is None:
            self._export_dialog = ExportDialog(self, self.explorer, self.director)
        return self._export_dialog

    def show_export(self) -> None:
        """The export dialog."""
        self.export_dialog().open()

    def show_screenshot(self) -> None:
        """The screenshot dialog."""
        place = self.explorer.place
        name = place.header.internal_name if place is not None else "picture"
        self.screenshot_dialog = ScreenshotDialog(self, self.views, name)
        self.screenshot_dialog.open()

    # --- beginning and end

    def closeEvent(self, event: Any) -> None:
        """Keep the settings and end the threads."""
        self.keep_layout()
        self.explorer.clock.play(False)
        self.director.stop()
        super().closeEvent(event)

    def is_shown(self, selection: Subject) -> bool:
        """Whether the inspector shows a subject."""
        description = self.inspector.description
        return description is not None and description.subject == selection


def _is_unpacked(folder: Path) -> bool:
    """Whether a folder has anything of an unpacked ROM, be it damaged; else its files are loose ones."""
    parts = ("arm9.bin", "arm9", "data", "files", "header.bin", "config.yaml")
    return folder.is_dir() and (
        folder.name in ("data", "files")
        or any((folder / part).exists() for part in parts)
        or any(folder.glob("*_DSPRE_contents"))
    )
