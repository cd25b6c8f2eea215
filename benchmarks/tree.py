"""From a save in an editor to the picture and to the lists, of a source tree that is open in the window. Run: python
benchmarks/tree.py TREE, on a display.

A copy of the tree is opened at a town, with the panel of searches beside the picture. Files of several kinds are saved
in turn: in place, in two writes (the file is cut, and filled a moment later), and by another file that takes their
name. Printed are, for each kind, the seconds from the end of the save until the DS view has painted the picture that
was drawn of the file, until the panel has the store that was made of it, and the longest turn of the event loop
between. The exit status is 1 when the median or the worst of all is above its limit; the limits are for two cores that
have nothing else to do.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import window_keys

TOWN = "T01"
PICTURE_LIMITS = 0.35, 0.5
"""Seconds until the picture: the median, and the worst."""
STORE_LIMIT = 1.8
"""Seconds until the lists, the worst."""
PAUSE = 0.8
"""Seconds from the lists to the next save."""
BEAT = 5
MAKING = 300
"""Seconds in which the first lists are made."""

Change = Callable[[bytes], bytes]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--edits", type=int, default=4, help="the number of saves of each kind")
    parser.add_argument("--only", help="the kind of files that is saved, by default all of them")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(arguments.tree, tree, symlinks=True)
        times = measure(tree, Path(folder) / "window.json", arguments.edits, arguments.only)
    for name, edits in times.items():
        pictures, lists, turns = ([f"{edit[at]:.2f}" for edit in edits] for at in range(3))
        print(f"{name:10} picture {' '.join(pictures)}  lists {' '.join(lists)}  longest turn {' '.join(turns)}")
    every = [edit for edits in times.values() for edit in edits]
    middle, worst = median(edit[0] for edit in every), max(edit[0] for edit in every)
    lists = max(edit[1] for edit in every)
    print(
        f"{len(every)} edits: picture after {middle:.2f} s (at most {PICTURE_LIMITS[0]}), the worst {worst:.2f} s "
        f"(at most {PICTURE_LIMITS[1]}); "
        f"lists after {median(edit[1] for edit in every):.2f} s, the worst {lists:.2f} s (at most {STORE_LIMIT})"
    )
    return int(middle > PICTURE_LIMITS[0] or worst > PICTURE_LIMITS[1] or lists > STORE_LIMIT)


def measure(tree: Path, settings: Path, count: int, only: str | None) -> dict[str, list[tuple[float, ...]]]:
    """The kind of files -> the seconds of each save: until the picture, until the lists, the longest turn."""
    from mapexplorer import kernels
    from mapexplorer.gui.app.launcher import match_opengl_platform
    from mapexplorer.gui.app.trial import try_context

    match_opengl_platform()
    problem = try_context()
    kernels.prepare((*kernels.OPENGL, *kernels.DS_PICTURES))
    from PyQt5.QtCore import QTimer
    from PyQt5.QtWidgets import QApplication

    from mapexplorer.gui.app.application import application, make_window
    from mapexplorer.gui.model.settings import Settings

    made = application()
    window = make_window(Settings(settings), problem.result)
    window.show()
    window.open(str(tree))
    QApplication.setActiveWindow(window)
    window_keys.wait(lambda: window.jobs.frame is not None and window.jobs.settled)
    window.jobs.go(window.explorer.world.place(TOWN).header.id)
    window_keys.wait(
        lambda: window.jobs.settled and window.jobs.frame.request.header == window.explorer.place.header.id
    )
    window.docks.show(window.names.name)
    window.names.show_kind("text")
    window_keys.wait(lambda: window.names._store is not None, MAKING)
    beats, timer = Beats(), QTimer()
    timer.timeout.connect(beats.beat)
    timer.start(BEAT)
    times: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    kinds = [(name, *edit) for name, edit in edits().items() if only in (None, name)]
    for number in range(count):
        for name, path, change in kinds:
            window_keys.wait(lambda: window.jobs.settled and window.jobs.read.idle)
            window_keys.wait_for(PAUSE)
            place = tree / path
            before = place.read_bytes()
            after = change(before) if number % 2 == 0 else originals.pop(name)
            assert after != before, path
            originals[name] = before
            save = WAYS[(number + len(times)) % len(WAYS)]
            times[name].append(followed(window, place, after, save, beats))
            picture, lists, turn = times[name][-1]
            print(f"{name}, {save.__name__}: picture {picture:.2f} s, lists {lists:.2f} s, longest turn {turn:.3f} s")
    window.close()
    made.processEvents()
    return times


originals: dict[str, bytes] = {}
"""The kind of files -> what was in the file before the last change."""


def edits() -> dict[str, tuple[str, Change]]:
    """The kind of files -> one of the town, or of a list, and what is changed in it."""
    return {
        "map file": ("res/field/maps/data/map_data_000.bin", lambda data: with_byte(data, 0x12, 0x80)),
        "matrix": (
            "res/field/matrices/map_matrix_000.json",
            lambda data: data.replace(b'["MAP_NONE"', b'["MAP_173"', 1),
        ),
        "textures": (
            "res/field/maps/texture_sets/map_texture_set_006.nsbtx",
            lambda data: with_byte(data, len(data) - 2, 0x1F),
        ),
        "events": ("res/field/events/events_twinleaf_town.json", lambda data: data.replace(b'"x": 105', b'"x": 106')),
        "text": ("res/text/twinleaf_town.json", lambda data: data.replace(b"Twinleaf Town", b"Oakleaf Town", 1)),
        "script": (
            "res/field/scripts/scripts_twinleaf_town.s",
            lambda data: data.replace(b"    End\n", b"    End\n    End\n", 1),
        ),
        "encounters": (
            "res/field/encounters/encounters_route_201.json",
            lambda data: data.replace(b"SPECIES_STARLY", b"SPECIES_PIKACHU", 1),
        ),
        "trainer": ("res/trainers/data/youngster_tristan.json", lambda data: data.replace(b"Tristan", b"Tester", 1)),
    }


def with_byte(data: bytes, at: int, bits: int) -> bytes:
    """The bytes with some bits of one changed."""
    return data[:at] + bytes([data[at] ^ bits]) + data[at + 1 :]


def in_place(file: Path, data: bytes) -> None:
    """Write a file."""
    file.write_bytes(data)


def in_two_writes(file: Path, data: bytes) -> None:
    """Cut a file, and write it a moment later."""
    with file.open("wb") as stream:
        stream.write(data[: len(data) // 2])
        stream.flush()
        time.sleep(0.005)
        stream.write(data[len(data) // 2 :])


def by_rename(file: Path, data: bytes) -> None:
    """Write another file, and give it the name."""
    other = file.with_name(f".{file.name}.swp")
    other.write_bytes(data)
    os.replace(other, file)


WAYS = (in_place, in_two_writes, by_rename)


class Beats:
    """The longest time between two beats of the event loop."""

    longest = 0.0
    _last = 0.0

    def start(self) -> None:
        """Forget what was measured."""
        self.longest, self._last = 0.0, time.perf_counter()

    def beat(self) -> None:
        """Note the time."""
        now = time.perf_counter()
        self.longest, self._last = max(self.longest, now - self._last), now


def followed(
    window: Any, file: Path, data: bytes, save: Callable[[Path, bytes], None], beats: Beats
) -> tuple[float, ...]:
    """Save a file; the seconds until the picture and until the lists, and the longest turn of the event loop. Raises
    TimeoutError."""
    view, world, store = window.views.ds, window.explorer.world, window.names._store
    shown = view.frame
    save(file, data)
    start = time.perf_counter()
    beats.start()
    end = window_keys.painted(
        view, lambda: window.explorer.world is not world and view.frame not in (None, shown), window_keys.PATIENCE
    )
    if end is None:
        raise TimeoutError(f"the picture did not follow {file.name}")
    window_keys.wait(lambda: window.names._store not in (None, store))
    return end[0] - start, time.perf_counter() - start, beats.longest


if __name__ == "__main__":
    sys.exit(main())
