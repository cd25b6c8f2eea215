"""The window on a ROM that another program writes while it is open."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from PyQt5.QtCore import QFileSystemWatcher

from mapexplorer import World, open_rom
from mapexplorer.catalogue import build
from mapexplorer.catalogue.database import Store
from mapexplorer.catalogue.store import open_store
from mapexplorer.decomp.tree import TreeRom, open_tree
from mapexplorer.errors import RomChangedError
from mapexplorer.games import Role
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.gui.modes.rom_watch import RomWatch
from mapexplorer.rom import Stamp
from mapexplorer.scene import conditions

LIGHT = "data/arealight.narc"


@pytest.fixture
def image(tmp_path: Path) -> Path:
    path = tmp_path / "game.nds"
    path.write_bytes(resources.files("mapexplorer.data").joinpath("demo.nds").read_bytes())
    return path


def darker(data: bytes, world: World) -> bytes:
    """The image with less red in its lights."""
    lights = world.rom.file(LIGHT)
    assert data.count(lights) == 1
    return data.replace(lights, lights.replace(b"\n1,2", b"\n1,0"))


def _written(path: Path, data: bytes, time: int) -> None:
    path.write_bytes(data)
    os.utime(path, ns=(time, time))


def test_a_written_rom_is_read_again_at_the_same_place(
    opened: Callable[[str], Any],
    settle: Callable[[Any], None],
    qtbot: Any,
    image: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its store is made of that before."""
    window = opened(str(image))
    store, make, earlier = open_store(window.explorer.world.rom), build.make, list[Store | None]()
    monkeypatch.setattr(build, "make", lambda *given: earlier.append(given[-1]) or make(*given))
    window.explorer.go(window.explorer.world.place("F01").header.id)
    window.explorer.look_at_tile(*(value + 2 for value in window.explorer.tile))
    settle(window)
    header, camera, before = window.explorer.place.header.id, window.explorer.camera, window.jobs.frame.picture
    world = window.explorer.world
    _written(image, darker(image.read_bytes(), World("demo")), 1)
    qtbot.waitUntil(lambda: window.explorer.world is not world, timeout=20_000)
    settle(window)
    assert (window.explorer.place.header.id, window.explorer.camera) == (header, camera)
    assert any("read again" in notice.title for notice in window.notices.shown)
    assert (window.jobs.frame.picture != before).any()
    x, z = window.explorer.tile
    things = "SELECT rowid, * FROM thing"
    assert open_store(window.explorer.world.rom).rows(things) == store.rows(things) and earlier == [store]
    truth = World(image).place(header).scene(second=43200, at=(x, z)).render()
    assert (window.jobs.frame.picture == truth).all()


@pytest.fixture
def folder(tmp_path: Path, image: Path) -> Path:
    """The demo world as ndstool unpacks it."""
    root, rom, data = tmp_path / "unpacked", open_rom(image), image.read_bytes()
    parts = {f"data/{path}": bytes(rom.file(path)) for path in rom.files}
    records = rom.overlay_records()
    parts |= {f"overlay/overlay_{one.number:04}.bin": rom.overlay(one.number).data for one in records}  # type: ignore[union-attr]
    table = int.from_bytes(data[0x50:0x54], "little")
    parts |= {"arm9.bin": rom.arm9(), "header.bin": data[:0x200], "y9.bin": data[table : table + 32 * len(records)]}
    for name, contents in parts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(contents)
    return root


def test_an_edited_file_of_a_folder_is_shown_and_named(
    opened: Callable[[str], Any], settle: Callable[[Any], None], qtbot: Any, folder: Path
) -> None:
    window = opened(str(folder))
    before, world = window.jobs.frame.picture, window.explorer.world
    lights = folder / "data" / LIGHT
    lights.write_bytes(lights.read_bytes().replace(b"\n1,2", b"\n1,0"))
    qtbot.waitUntil(lambda: window.explorer.world is not world, timeout=20_000)
    settle(window)
    assert (window.jobs.frame.picture != before).any()
    assert [one.sentence for one in window.notices.shown if "read again" in one.title] == [lights.name]
    world = window.explorer.world
    assert "new.bin" not in world.rom.files, "from now on it is known which files there are"
    (folder / "data" / "new.bin").write_bytes(b"new")
    qtbot.waitUntil(lambda: window.explorer.world is not world, timeout=20_000)
    assert "new.bin" in window.explorer.world.rom.files


@pytest.fixture
def watched(demo: Any, tmp_path: Path) -> Iterator[tuple[Path, list[TreeRom], RomWatch]]:
    """A file of a tree that is watched without checks of all files; the tree, each time that it was read; the watch."""
    file, events = tmp_path / "res/a.json", PLATINUM.path(Role.ZONE_EVENT)
    (tmp_path / "generated").mkdir()
    (tmp_path / "generated/map_headers.txt").write_text("MAP_HEADER_A\n")
    (tmp_path / "game.us").mkdir()
    (tmp_path / "game.us/filesys.csv").write_text(f"Source File,Target File\nres/a.json,/{events}\n")
    file.parent.mkdir()
    file.write_bytes(b"before")
    read = [open_tree(tmp_path, "tree")]
    assert read[0] is not None and read[0].has(events)
    read[0].tree.read("res/a.json")

    def read_again() -> None:
        read.append(open_tree(tmp_path, "tree", read[-1]))

    watch = RomWatch(demo.jobs, lambda: read[-1], read_again, demo)
    watch._timer.stop()
    watch.check()
    yield file, read, watch
    watch.deleteLater()


def _in_two_writes(file: Path) -> None:
    with file.open("wb") as stream:
        stream.write(b"af")
        stream.flush()
        time.sleep(0.005)
        stream.write(b"ter")


def _by_rename(file: Path) -> None:
    other = file.with_name("a.json~")
    other.write_bytes(b"after")
    os.replace(other, file)


SAVES = (lambda file: file.write_bytes(b"after"), _in_two_writes, _by_rename)


@pytest.mark.parametrize("save", SAVES)
def test_a_saved_text_is_read_again_at_once(
    qtbot: Any, watched: tuple[Path, list[Any], Any], save: Callable[[Path], Any]
) -> None:
    """Once for each save, the second time too: the system forgets a file that another one takes the place of."""
    file, read, _ = watched
    for number in (2, 3):
        file.with_name(".a.json.swp").touch()  # what an editor has beside it
        save(file)
        qtbot.waitUntil(lambda number=number: len(read) == number, timeout=20_000)
        assert read[-1].tree.changed == {"res/a.json"} and read[-1].tree.read("res/a.json") == b"after"
        qtbot.wait(60)
        assert len(read) == number


def test_many_files_that_change_at_once_are_read_once(qtbot: Any, watched: tuple[Path, list[Any], Any]) -> None:
    file, read, _ = watched
    for number in range(100):
        file.with_name(f"new_{number}.json").touch()
    file.unlink()
    qtbot.waitUntil(lambda: len(read) == 2, timeout=20_000)
    assert read[-1].tree.changed == {"res", "res/a.json"} and file not in read[-1].opened_stamps
    file.write_bytes(b"again")
    qtbot.waitUntil(lambda: len(read) == 3, timeout=20_000)
    assert read[-1].tree.read("res/a.json") == b"again"


def test_a_check_finds_what_the_system_does_not_tell(
    qtbot: Any, watched: tuple[Path, list[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, read, watch = watched
    monkeypatch.setattr(QFileSystemWatcher, "addPaths", lambda system, paths: paths)
    watch._forget()
    with qtbot.waitSignal(watch.limited, timeout=20_000):
        watch.check()
    file.write_bytes(b"after")
    watch.check()
    qtbot.waitUntil(lambda: len(read) == 2, timeout=20_000)


def test_a_damaged_rom_is_told_and_what_was_shown_stays(
    opened: Callable[[str], Any], settle: Callable[[Any], None], qtbot: Any, image: Path
) -> None:
    window = opened(str(image))
    good, picture, world = image.read_bytes(), window.jobs.frame.picture, window.explorer.world
    os.truncate(image, 0)
    for place in ("F01", "T01", "L01"):  # what needs the file meanwhile
        window.jobs.go(world.place(place).header.id)
        qtbot.wait(50)
    qtbot.waitUntil(lambda: any("cannot be opened" in one.title for one in window.notices.shown), timeout=20_000)
    assert window.explorer.world is world
    assert window.jobs.frame is not None and window.jobs.frame.picture.shape == picture.shape
    assert not any("defect" in one.sentence for one in window.notices.shown)
    _written(image, good, 2)
    qtbot.waitUntil(lambda: window.explorer.world is not world, timeout=20_000)
    settle(window)
    assert window.explorer.world.rom.file(LIGHT)


def test_the_window_survives_many_rewrites(opened: Callable[[str], Any], qtbot: Any, image: Path) -> None:
    window = opened(str(image))
    good = image.read_bytes()
    places = [window.explorer.world.place(name).header.id for name in ("F01", "T01")]
    for number in range(30):
        _written(image, (good, good[: 1000 * number], b"")[number % 3], number)
        window.rom_watch.check()
        window.jobs.go(places[number % 2])
        qtbot.wait(20)
    _written(image, good, 1000)

    def shows_the_last() -> bool:  # an opening of an earlier version may end first
        read = window.explorer.world.rom.opened_stamps
        return bool(read) and {path: Stamp.on_disk(path) for path in read} == read

    qtbot.waitUntil(shows_the_last, timeout=20_000)
    qtbot.waitUntil(lambda: window.jobs.settled and window.jobs.frame is not None, timeout=60_000)
    assert shows_the_last()


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_window_survives_a_hundred_rewrites(
    opened: Callable[[str], Any], settle: Callable[[Any], None], qtbot: Any, image: Path
) -> None:
    """Written in place, cut, replaced and removed while maps change; in the end the picture is that of the ROM."""
    window = opened(str(image))
    source, whole = random.Random(1), image.read_bytes()
    versions = (whole, darker(whole, World("demo")))
    headers = [window.explorer.world.place(name).header.id for name in ("T01", "F01", "H01")]
    for number in range(100):
        data = versions[number % 2]
        way = source.randrange(4)
        if way == 0:
            image.write_bytes(data[: source.randrange(len(data))])
        elif way == 1:
            image.unlink(missing_ok=True)
        elif way == 2:
            other = image.with_name("other.nds")
            other.write_bytes(data)
            os.replace(other, image)
        else:
            image.write_bytes(data)
        window.jobs.go(headers[number % len(headers)])
        qtbot.wait(source.choice((0, 20, 200, 1200)))
    world = window.explorer.world
    image.write_bytes(versions[1])
    qtbot.waitUntil(lambda: window.explorer.world is not world, timeout=60_000)
    window.explorer.go(headers[1])
    settle(window)
    x, z = window.explorer.tile
    truth = World(image).place(headers[1]).scene(second=43200, at=(x, z)).render()
    assert (window.jobs.frame.picture == truth).all()


def test_a_rom_that_is_written_again_while_it_is_read_again(
    demo: Any, qtbot: Any, settle: Callable[[Any], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What finds it changed is passed over, and the rest of the window is told."""
    told = []

    def read_again() -> None:
        before = demo.jobs.rom
        demo.jobs.reload()
        qtbot.waitUntil(lambda: demo.jobs.rom is not before, timeout=20_000)
        settle(demo)

    def find_changed() -> None:
        told.append("changed")
        raise RomChangedError("it was changed")

    demo.explorer.place_changed.connect(find_changed)
    demo.explorer.place_changed.connect(lambda: told.append("told"))
    read_again()
    assert told == ["changed", "told"]

    def reload(*arguments: Any) -> None:
        find_changed()

    with monkeypatch.context() as patch:
        patch.setattr(demo.explorer, "reload", reload)
        read_again()
    assert all("read again" in notice.title for notice in demo.notices.shown)
    read_again()
    assert demo.explorer.world is demo.jobs.rom.world


def test_a_map_is_entered_before_its_scripts_have_run_while_its_rom_is_changed(
    demo: Any, settle: Callable[[Any], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The window asks for the save at moments at which nobody waits for an error. Workers find nothing changed here, so
    that pictures are drawn."""
    explorer, enter = demo.explorer, conditions.entered_save

    def find_changed(*arguments: Any) -> Any:
        if threading.current_thread() is threading.main_thread():
            raise RomChangedError("it was changed")
        return enter(*arguments)

    after = explorer.save
    with monkeypatch.context() as patch:
        patch.setattr(conditions, "entered_save", find_changed)
        explorer.clock.set_second(explorer.clock.second - 3600)
        demo.action_set.update()
        assert explorer.save.weekday == after.weekday and explorer.save.second == explorer.clock.second
        explorer.go(explorer.world.place("F01").header.id)
        assert not explorer.save.changes
    explorer.go(explorer.world.place("T01").header.id)
    settle(demo)
    assert demo.jobs.frame.request.header == explorer.place.header.id and not demo.notices.shown
