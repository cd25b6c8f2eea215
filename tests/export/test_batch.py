"""Many maps at once: manifest, failures, resuming, interruption, the same bytes for any number of processes."""

from __future__ import annotations

import gc
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mapexplorer.export import batch
from mapexplorer.export.batch import JOURNAL, MANIFEST, export_all, file_name
from mapexplorer.export.options import ExportOptions
from mapexplorer.games import Role
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.scene.scene import FieldScene
from mapexplorer.scene.view import View
from mapexplorer.system.collection import without_collection

SOME = [3, 68, 69, 255, 342, 411, 414, 0]


def hashes(folder: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir()) if path.is_file()
    }


def scenes_in_memory() -> int:
    return sum(isinstance(value, FieldScene) for value in gc.get_objects())


def test_manifest_tells_what_lies_in_the_folder(rom_path: Path, tmp_path: Path) -> None:
    steps: list[tuple[Any, ...]] = []
    report = export_all(rom_path, tmp_path, headers=SOME, jobs=1, progress=lambda *step: steps.append(step))
    manifest = json.loads((tmp_path / MANIFEST).read_text("utf-8"))
    files = hashes(tmp_path)
    del files[MANIFEST]
    assert {entry["file"]: entry["sha256"] for entry in manifest["maps"] if "file" in entry} == files
    assert [entry["header"] for entry in manifest["maps"]] == sorted(SOME)
    assert manifest["counts"] == {"files": len(files), "failed": 0, "without_cells": len(report.empty)}
    assert [done for done, _, _ in steps] == list(range(1, len(files) + 1))
    assert {total for _, total, _ in steps} == {len(files)}
    assert manifest["options"] == ExportOptions().to_json()
    by_header = {entry["header"]: entry for entry in manifest["maps"]}
    assert by_header[255]["dummies"] and by_header[68]["missing"] and not by_header[411]["missing"]
    assert str(tmp_path) not in (tmp_path / MANIFEST).read_text("utf-8")


def test_same_bytes_for_any_number_of_processes(rom_path: Path, tmp_path: Path) -> None:
    export_all(rom_path, tmp_path / "one", headers=SOME, jobs=1)
    export_all(rom_path, tmp_path / "two", headers=list(reversed(SOME)), jobs=2)
    assert hashes(tmp_path / "one") == hashes(tmp_path / "two")


def test_pictures_keep_one_scene_in_memory(tmp_path: Path) -> None:
    """A scene refers to itself, and is gone before the next one is drawn."""
    scenes: list[int] = []
    with without_collection():
        export_all("demo", tmp_path, View(), jobs=1, progress=lambda *_: scenes.append(scenes_in_memory()))
    assert len(scenes) > 2 and max(scenes) == min(scenes)


def test_resume_writes_only_what_is_not_current(rom_path: Path, tmp_path: Path) -> None:
    first = export_all(rom_path, tmp_path, headers=SOME, jobs=1)
    before = hashes(tmp_path)
    again = export_all(rom_path, tmp_path, headers=SOME, jobs=1, resume=True)
    assert not again.written and len(again.skipped) == len(first.written)
    assert hashes(tmp_path) == before
    victim, lost = tmp_path / file_name(411, "T01"), tmp_path / file_name(3, "C01")
    victim.write_bytes(victim.read_bytes()[:-1] + b"x")
    lost.unlink()
    third = export_all(rom_path, tmp_path, headers=SOME, jobs=1, resume=True)
    assert sorted(entry["header"] for entry in third.written) == [3, 411]
    assert hashes(tmp_path) == before
    other = export_all(rom_path, tmp_path, ExportOptions(second=0), headers=SOME, jobs=1, resume=True)
    assert len(other.written) == len(first.written) and not other.skipped
    assert hashes(tmp_path) != before


def test_interrupted_run_can_be_resumed(rom_path: Path, tmp_path: Path) -> None:
    def stop(done: int, *_: object) -> None:
        if done == 3:
            raise KeyboardInterrupt

    report = export_all(rom_path, tmp_path, headers=SOME, jobs=1, progress=stop)
    assert report.interrupted and len(report.written) == 3
    assert (tmp_path / JOURNAL).exists() and not (tmp_path / MANIFEST).exists()
    with open(tmp_path / JOURNAL, "a", encoding="utf-8") as journal:
        journal.write('{"header": 41')
    rest = export_all(rom_path, tmp_path, headers=SOME, jobs=1, resume=True)
    assert len(rest.skipped) == 3 and not rest.interrupted
    assert not (tmp_path / JOURNAL).exists()
    export_all(rom_path, tmp_path / "straight", headers=SOME, jobs=1)
    straight = hashes(tmp_path / "straight")
    assert hashes(tmp_path) == straight


def test_damaged_map_fails_alone(rom_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from formats.binary import FormatError
    from mapexplorer.world.world import FieldWorld

    matrix, room = FieldWorld.matrix, FieldWorld.open(rom_path).headers[414].matrix

    def damaged(self: FieldWorld, index: int) -> object:
        if index == room:
            raise FormatError(f"map_matrix.narc[{room}]", 0, "a matrix", "nothing")
        return matrix(self, index)

    monkeypatch.setattr(FieldWorld, "matrix", damaged)
    report = export_all(rom_path, tmp_path, headers=[411, 414], jobs=1)
    (failure,) = report.failed
    assert failure["header"] == 414 and f"map_matrix.narc[{room}]" in failure["error"]
    assert [entry["header"] for entry in report.written] == [411]
    manifest = json.loads((tmp_path / MANIFEST).read_text("utf-8"))
    assert manifest["counts"]["failed"] == 1
    assert not list(tmp_path.glob("414*"))


def test_a_damaged_land_is_named_in_the_manifest(
    rom_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from formats.binary import FormatError
    from mapexplorer.world.world import FieldWorld

    world = FieldWorld.open(rom_path)
    [land] = [cell.land for cell in world.place(414).cells]
    sections = FieldWorld.land_sections

    def damaged(self: FieldWorld, index: int) -> object:
        if index == land:
            raise FormatError(f"land_data.narc[{land}]", 0, "a land", "nothing")
        return sections(self, index)

    monkeypatch.setattr(FieldWorld, "land_sections", damaged)
    report = export_all(rom_path, tmp_path, headers=[414], jobs=1)
    assert not report.failed
    [entry] = json.loads((tmp_path / MANIFEST).read_text("utf-8"))["maps"]
    assert [sentence.split(" left out: ")[1] for sentence in entry["damaged"]] == [
        f"land_data.narc[{land}]: at byte 0x0: expected a land, found nothing"
    ] * 2


def test_file_names_are_plain() -> None:
    assert file_name(7, "T01") == "007_T01.glb"
    assert file_name(7, "é/:\\x y") == "007_____x_y.glb"


def test_input_digest_notices_a_change(rom_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rom = batch.open_rom(rom_path)
    before = batch.input_digest(rom)
    assert batch.input_digest(batch.open_rom(rom_path)) == before
    read = type(rom).file

    def changed(self: object, path: str) -> bytes:
        data = bytearray(read(self, path))  # type: ignore[arg-type]
        if path == PLATINUM.path(Role.AREA_LIGHT):
            data[-1] ^= 1
        return bytes(data)

    monkeypatch.setattr(type(rom), "file", changed)
    assert batch.input_digest(batch.open_rom(rom_path)) != before


def test_a_map_in_fifteen(rom_path: Path, tmp_path: Path, validate_glb: Callable[..., int]) -> None:
    """Those that `test_every_map` exports are too many for each run of the tests."""
    headers = list(range(0, 593, 15))
    report = export_all(rom_path, tmp_path, headers=headers, jobs=1)
    assert not report.failed
    empty = {entry["header"] for entry in report.empty}
    files = sorted(tmp_path.glob("*.glb"))
    assert validate_glb(files) == len(report.written) == len(headers) - len(empty) > 30
    assert {entry["header"] for entry in report.written} == set(headers) - empty


@pytest.mark.slow
def test_every_map(rom_path: Path, tmp_path: Path, validate_glb: Callable[..., int]) -> None:
    report = export_all(rom_path, tmp_path)
    assert (len(report.written), len(report.failed), len(report.empty)) == (576, 0, 17)
    assert sum(len(entry["dummies"]) for entry in report.written) == 5
    # Code adds: water in Pastoria, floors and platforms in Canalave, gears in Sunyshore, hands in Eterna, the tram, a
    # lift; and below seven floors of the Distortion World the cells of the next one.
    assert sum(entry["props"] for entry in report.written) == 5381 + 1 + 27 + 22 + 2 + 1 + 1
    assert sum(entry["terrains"] - entry["cells"] for entry in report.written) == 2 + 5 * 4 + 2
    assert validate_glb(sorted(tmp_path.glob("*.glb"))) == 576
