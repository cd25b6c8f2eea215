"""`export`: what it prints as JSON is what it wrote, and what failed is in it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mapexplorer import World

Cli = Callable[..., Any]


def document(path: Path) -> dict[str, Any]:
    data = path.read_bytes()
    value: dict[str, Any] = json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])
    return value


def test_one_map(cli: Cli, tmp_path: Path) -> None:
    ran = cli("export", "demo", "2", "--lit", "--json", "-o", tmp_path / "map.glb")
    assert ran.status == 0
    facts = json.loads(ran.out)
    (entry,) = facts["written"]
    file = Path(entry["file"])
    assert file == tmp_path / "map.glb" and entry["size"] == file.stat().st_size
    written = document(file)
    assert (entry["materials"], entry["images"]) == (len(written["materials"]), len(written["images"]))
    assert entry["animations"] == len(written.get("animations", ()))
    assert facts["failed"] == [] and facts["options"]["lit"] is True
    assert ran.err.strip().endswith("1 map written, 0 failed.")


def test_a_map_that_fails_is_in_it(cli: Cli, rom_path: Path, tmp_path: Path) -> None:
    from mapexplorer.world.world import FieldWorld

    world = FieldWorld.open(rom_path)
    bare = next(header.id for header in world.headers if not world.place(header.id).cells)
    ran = cli("export", rom_path, bare, 411, "--static", "--json", "-o", tmp_path / "maps")
    assert ran.status == 1
    facts = json.loads(ran.out)
    assert [entry["header"] for entry in facts["written"]] == [411]
    assert [entry["header"] for entry in facts["failed"]] == [bare]
    assert "no cells of its own" in facts["failed"][0]["error"]
    assert ran.err.strip().endswith("1 map written, 1 failed.")


@pytest.mark.parametrize("arguments", [("export", "demo", "T01"), ("extract", "demo", "prop:5", "--as", "glb")])
def test_standard_output_takes_one_file(
    command: Callable[..., Any], tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    ran = command(*arguments, "-o", "-", cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = ran.communicate(timeout=120)
    assert ran.returncode == 0 and err and list(tmp_path.iterdir()) == []
    assert out[:4] == b"glTF" and int.from_bytes(out[8:12], "little") == len(out)


def test_a_cell_is_named_after_the_place_that_owns_it(cli: Cli, rom_path: Path, tmp_path: Path) -> None:
    ran = cli("export", rom_path, "T02", "--cell", "3,27", "--static", "-o", tmp_path / "maps")
    assert ran.status == 0 and "Twinleaf" in ran.out
    (file,) = (tmp_path / "maps").iterdir()
    assert file.name == "411_T01.glb"
    written = document(file)
    root = written["nodes"][written["scenes"][0]["nodes"][0]]
    assert (root["name"], root["extras"]["header"]) == ("411_T01", 411)
    ran = cli("export", rom_path, "T01", "--cell", "99,99", "-o", tmp_path / "none.glb")
    assert ran.status == 1 and not (tmp_path / "none.glb").exists()


def test_every_map(cli: Cli, tmp_path: Path) -> None:
    first = cli("export", "demo", "--all", "--jobs", "1", "--json", "-o", tmp_path / "maps")
    assert first.status == 0
    facts = json.loads(first.out)
    manifest = json.loads((tmp_path / "maps" / "manifest.json").read_text("utf-8"))
    assert facts["written"] and not facts["failed"] and not facts["interrupted"]
    maps = [entry for entry in manifest["maps"] if "sha256" in entry]
    assert sorted(facts["written"], key=lambda entry: entry["header"]) == maps
    assert facts["options"] == manifest["options"]
    again = json.loads(cli("export", "demo", "--all", "--resume", "--json", "-o", tmp_path / "maps").out)
    assert len(again["skipped"]) == len(facts["written"]) and again["written"] == []


def test_models(cli: Cli, tmp_path: Path, validate_glb: Callable[..., int]) -> None:
    """The same files with one process and with two, a prop as `extract` writes it, and terrain with its water."""
    given = ("export", "demo", "--models", "both", "--json")
    first, second = (cli(*given, "-j", jobs, "-o", tmp_path / str(jobs)) for jobs in (1, 2))
    facts = json.loads(first.out)
    assert first.status == second.status == 0 and not facts["failed"]
    assert json.loads(second.out)["written"] == facts["written"]
    files = [entry["file"] for entry in facts["written"]]
    for jobs in ("1", "2"):
        written = [path.relative_to(tmp_path / jobs).as_posix() for path in (tmp_path / jobs).glob("*/*")]
        assert sorted(written) == sorted(files)
    bytes_of = {file: (tmp_path / "1" / file).read_bytes() for file in files}
    assert bytes_of == {file: (tmp_path / "2" / file).read_bytes() for file in files}
    assert validate_glb([tmp_path / "1" / file for file in files]) == len(files) > 30
    (moving,) = [entry for entry in facts["written"] if (entry["kind"], entry["model"]) == ("prop", 10)]
    assert moving["clips"] and cli("extract", "demo", "prop:10", "-o", tmp_path / "10.glb").status == 0
    assert (tmp_path / "10.glb").read_bytes() == bytes_of[moving["file"]]
    assert any(entry["clips"] for entry in facts["written"] if entry["kind"] == "land")
    some = cli("export", "demo", "--models", "prop:3-4,land:0", "--json", "-j", 1, "-o", tmp_path / "some")
    written = json.loads(some.out)["written"]
    assert [(entry["kind"], entry["model"]) for entry in written] == [("prop", 3), ("prop", 4), ("land", 0)]


def test_models_that_cannot_be_read_fail_alone(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from formats.binary import FormatError
    from mapexplorer.export import models
    from mapexplorer.export.request import ModelsRequest
    from mapexplorer.export.run import run
    from mapexplorer.system.progress import Progress
    from mapexplorer.world.world import FieldWorld

    def damaged(world: FieldWorld, key: object, number: int) -> object:
        if number == 4:
            raise FormatError("build_model.narc[4]", 0, "a model", "nothing")
        return read(world, key, number)  # type: ignore[arg-type]

    read = models.read_model
    monkeypatch.setattr(models, "read_model", damaged)
    ran = cli("export", "demo", "--models", "prop:3-5", "-j", 1, "-o", tmp_path / "some")
    assert ran.status == 1 and "2 models written" in ran.out and "prop 4: build_model.narc[4]" in ran.err
    assert [path.name[:3] for path in sorted((tmp_path / "some" / "props").iterdir())] == ["003", "005"]

    class Stopping(Progress):
        """Interrupts after the first part."""

        def report(self, done: int, total: int, text: str) -> None:
            """Stop."""
            if done:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(ModelsRequest(output=tmp_path / "cut", jobs=1), FieldWorld.open("demo"), Stopping())
    left = [path for path in (tmp_path / "cut").rglob("*") if path.is_file()]
    assert left and all(int.from_bytes(path.read_bytes()[8:12], "little") == path.stat().st_size for path in left)


@pytest.mark.parametrize("files", [0, 1])
def test_convert(cli: Cli, tmp_path: Path, files: int) -> None:
    from mapexplorer.games import Role
    from mapexplorer.games.platinum import PLATINUM
    from mapexplorer.world.world import FieldWorld

    rom = FieldWorld.open("demo").rom
    names = ["set.nsbtx", "model.nsbmd"][: files + 1]
    for name, path in zip(names, (PLATINUM.path(Role.PROP_TEXTURES), PLATINUM.path(Role.BUILD_MODEL)), strict=False):
        (tmp_path / name).write_bytes(bytes(rom.archive(path)[files]))
    ran = cli("convert", *(tmp_path / name for name in names), "--json", "-o", tmp_path / "out")
    assert ran.status == 0
    facts = json.loads(ran.out)
    entries = facts["models" if files else "pictures"]
    assert entries and all(Path(entry["file"]).is_file() for entry in entries)
    assert sorted(Path(entry["file"]).name for entry in entries) == sorted(
        path.name for path in (tmp_path / "out").iterdir()
    )
    if files:
        assert entries[0]["materials"] == len(document(Path(entries[0]["file"]))["materials"])


def test_poster(cli: Cli, tmp_path: Path) -> None:
    from PIL import Image

    ran = cli("poster", "demo", "T01", "--cell-pixels", 64, "--json", "-o", tmp_path / "poster.png")
    assert ran.status == 0
    facts = json.loads(ran.out)
    with Image.open(facts["file"]) as picture:
        assert picture.size == (facts["width"], facts["height"])
    assert facts["damaged"] == [] and ran.err.strip().endswith("0 failed.")


def test_a_poster_of_each_map_of_a_location(cli: Cli, tmp_path: Path) -> None:
    names = [header.internal_name for header in World("demo").headers if header.location_name == "Millbrook"]
    given = ("poster", "demo", "location:Millbrook", "--cell-pixels", 64, "-j", 1)
    ran = cli(*given, "-o", tmp_path / "town.png")
    assert ran.status == 2 and f"means {len(names)} maps" in ran.err and not list(tmp_path.iterdir())
    ran = cli(*given, "-o", tmp_path)
    assert ran.status == 0 and len(names) > 1
    assert sorted(file.name.partition("_")[2] for file in tmp_path.iterdir()) == sorted(f"{one}.png" for one in names)


def test_an_interrupted_poster_leaves_nothing(tmp_path: Path) -> None:
    from mapexplorer.export.request import PosterRequest
    from mapexplorer.export.run import run
    from mapexplorer.system.progress import Progress
    from mapexplorer.world.world import FieldWorld

    for jobs in (1, 2):
        seen: list[tuple[int, int]] = []

        class Stopping(Progress):
            """Interrupts after the first band."""

            def __init__(self, seen: list[tuple[int, int]]) -> None:
                self.seen = seen

            def report(self, done: int, total: int, text: str) -> None:
                """Note it, and stop."""
                self.seen.append((done, total))
                if done:
                    raise KeyboardInterrupt

        request = PosterRequest(place=4, matrix=0, cell_pixels=1024, output=tmp_path / "poster.png", jobs=jobs)
        with pytest.raises(KeyboardInterrupt):
            run(request, FieldWorld.open("demo"), Stopping(seen))
        assert seen[-1][0] < seen[-1][1] and seen[-1][1] > 3
        assert list(tmp_path.iterdir()) == []
