"""The pictures of the manual: `python -m tools.pictures [NAME...]` writes docs/pictures/NAME.png.

All are made of the demo world. Those of the window need a display (`xvfb-run` is one) and OpenGL.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from PIL import Image

import mapexplorer

FOLDER: Final = Path(__file__).parents[1] / "docs" / "pictures"

Draw = Callable[[Path], None]
"""Writes a picture to a path."""

PATIENCE: Final = 120.0
"""Seconds for the window to show what was asked for."""

VIEWS: Final = (
    ("T01", 12, (12.5, 39.5), "game"),
    ("H01", 18, (11.5, 11.5), "game"),
    ("T01", 22, (14.5, 38.5), "game"),
    ("L01", 12, (46.5, 48.5), "game"),
    ("D01R0101", 12, (14.5, 17.5), "game"),
    ("D01R0201", 12, (15.5, 14.5), "game"),
)
"""Map, hour, tile and camera of the parts of the first picture."""
GAP: Final = 4
"""Pixels between its parts."""


def demo_world(path: Path) -> None:
    """Six places in the picture of the engine, twice enlarged."""
    world = mapexplorer.World("demo")
    parts = [
        world.place(name).scene(hour * 3600, at, camera=camera).render(40)[..., :3].repeat(2, 0).repeat(2, 1)
        for name, hour, at, camera in VIEWS
    ]
    height, width = parts[0].shape[:2]
    sheet = np.full((2 * height + GAP, 3 * width + 2 * GAP, 3), 24, np.uint8)
    for index, part in enumerate(parts):
        y, x = index // 3 * (height + GAP), index % 3 * (width + GAP)
        sheet[y : y + height, x : x + width] = part
    save(Image.fromarray(sheet), path)


def from_above(path: Path) -> None:
    """The first matrix from above."""
    mapexplorer.World("demo").place("T01").export_poster(path, whole_matrix=True, names=True)
    with Image.open(path) as image:
        save(image, path)


def cameras(path: Path) -> None:
    """The game's camera beside the one from above."""
    place = mapexplorer.World("demo").place("L01")
    parts = [place.scene(camera=camera, at=(46.5, 46.5)).render()[..., :3] for camera in ("game", "top")]
    save(Image.fromarray(np.hstack(parts).repeat(2, 0).repeat(2, 1)), path)


def save(image: Image.Image, path: Path) -> None:
    """Write a picture with at most 256 colours, which takes a third of the bytes."""
    image.convert("RGB").quantize(256, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(path, optimize=True)


# --- the window


CLOSED: Final[list[Any]] = []
"""Closed windows, kept until the end: Qt's signals while a window is deleted reach its deleted parts."""


@cache
def application() -> Any:
    """The application, which all windows share."""
    from PyQt5.QtGui import QCursor

    from mapexplorer.gui.app.application import application as make

    made = make()
    QCursor.setPos(0, 0)  # where it lies over nothing
    return made


@contextmanager
def window(dark: bool = False, width: int = 1280, height: int = 800) -> Iterator[Any]:
    """A window on the demo world with its default layout and no settings of the user."""
    from mapexplorer.gui.app.application import make_window
    from mapexplorer.gui.model.settings import Settings

    application()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(Path(folder) / "window.json")
        settings.set("theme", "dark" if dark else "light")
        made = make_window(settings)
        made.resize(width, height)
        made.show()
        made.open("demo")
        settle(made)
        go(made, "T01")
        yield made
        made.close()
        CLOSED.append(made)


def wait(seconds: float) -> None:
    """Let the window work."""
    from PyQt5.QtTest import QTest

    QTest.qWait(int(1000 * seconds))


def settle(made: Any) -> None:
    """Wait until the window has drawn and read what it was asked for. Raises TimeoutError."""
    end = time.monotonic() + PATIENCE
    while True:
        wait(0.4)
        jobs = made.jobs
        is_drawn = not jobs.frames_wanted or (jobs.frame is not None and jobs.frame.request == jobs.wanted())
        # While the clock runs, there is always another picture to draw.
        if made.explorer.place is not None and (made.explorer.clock.playing or (jobs.settled and is_drawn)):
            break
        if time.monotonic() > end:
            raise TimeoutError("the window did not finish its picture")
    wait(0.6)


def go(made: Any, name: str, tile: tuple[float, float] | None = None) -> None:
    """Enter a map of the demo world."""
    made.explorer.go(made.explorer.world.place(name).header.id, None, tile)
    settle(made)


def do(made: Any, *actions: str) -> None:
    """Trigger actions by their ids, and wait."""
    for name in actions:
        made.action(name).trigger()
        settle(made)


def grab(widget: Any, path: Path) -> None:
    """Write what a widget shows."""
    from PyQt5.QtGui import QImage

    image = widget.grab().toImage().convertToFormat(QImage.Format_RGB888)
    rows = np.frombuffer(image.constBits().asarray(image.byteCount()), np.uint8).reshape(image.height(), -1)
    save(Image.fromarray(rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3)), path)


def both_views(path: Path) -> None:
    """Both views side by side, with events."""
    with window() as made:
        do(made, "split_view", "layer_events")
        grab(made, path)


def at_night(path: Path) -> None:
    """The OpenGL view at night with the height plates, in the dark theme."""
    with window(dark=True) as made:
        do(made, "gl_view", "camera_orbit", "evening", "layer_plates", "show_heights")
        grab(made, path)


def as_map(path: Path) -> None:
    """The map of the whole matrix."""
    with window() as made:
        do(made, "map_view", "fit_region")
        grab(made, path)


def walking(path: Path) -> None:
    """A walk with the tiles that can be reached."""
    with window() as made:
        do(made, "walk", "reachable")
        grab(made, path)


def start_page(path: Path) -> None:
    """The start page."""
    with window() as made:
        made.dialogs.welcome.open()
        wait(1)
        grab(made, path)


def export_dialog(path: Path) -> None:
    """The export dialog."""
    with window() as made:
        made.dialogs.export.open()
        wait(1)
        grab(made.dialogs.export, path)


def palette(path: Path) -> None:
    """What "Find anything" offers for some letters."""
    with window() as made:
        made.dialogs.palette.open()
        wait(0.5)
        found = made.dialogs.palette
        found.field.setText("mill")
        wait(1.5)
        grab(found, path)


def matrix(path: Path) -> None:
    """The map with the numbers of its cells."""
    with window(height=720) as made:
        do(made, "show_matrix")
        grab(made.views, path)


def panel(name: str, *actions: str, place: str = "", height: int = 720) -> Draw:
    """A panel alone, on a map, after some actions."""

    def draw(path: Path) -> None:
        with window(height=height) as made:
            if place:
                go(made, place)
            do(made, *actions)
            made.docks.show(name)
            settle(made)
            grab(made.docks[name], path)

    return draw


def files(path: Path) -> None:
    """The files of the ROM, with two folders and an archive open."""
    from PyQt5.QtCore import Qt

    with window(height=720) as made:
        made.docks.show("files")
        settle(made)
        tree = made.files.tree
        for name in ("fielddata", "mapmatrix", "map_matrix.narc"):
            (row,) = tree.findItems(name, Qt.MatchExactly | Qt.MatchRecursive)
            row.setExpanded(True)
            settle(made)
        tree.scrollToItem(tree.findItems("fielddata", Qt.MatchExactly)[0], tree.PositionAtTop)
        settle(made)
        grab(made.docks["files"], path)


PICTURES: Final[dict[str, Draw]] = {
    "demo-world": demo_world,
    "from-above": from_above,
    "cameras": cameras,
    "window": both_views,
    "window-dark": at_night,
    "window-map": as_map,
    "window-walk": walking,
    "window-start": start_page,
    "export": export_dialog,
    "palette": palette,
    **{
        f"panel-{name}": panel(name)
        for name in (
            "maps",
            "events",
            "inspector",
            "heights",
            "textures",
            "models",
            "bytes",
        )
    },
    "panel-encounters": panel("encounters", place="F01"),
    "panel-files": files,
    "panel-matrix": matrix,
    # With layers whose colours have a legend, which fills the panel.
    "panel-layers": panel("layers", "layer_collision", "layer_encounters", "layer_events", place="F01", height=800),
    "panel-names": panel("names", "map_texts"),
    "panel-script": panel("script", "map_scripts"),
}
"""Name -> the function that draws it."""


def main() -> int:
    FOLDER.mkdir(exist_ok=True)
    os.environ["HOME"] = "/home/player"  # shown in the export dialog
    for name in sys.argv[1:] or PICTURES:
        PICTURES[name](FOLDER / f"{name}.png")
        sys.stdout.write(f"{FOLDER / name}.png\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
