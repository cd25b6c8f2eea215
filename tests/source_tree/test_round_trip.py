"""A ROM comes back byte for byte, and an edit of the text is found again in the ROM, alone."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import pytest

from formats.json_codec import to_json
from formats.kernel import checked_file
from mapexplorer.compare.comparison import compare
from mapexplorer.export.dump import read_member
from mapexplorer.source_tree.members import StoredForm
from mapexplorer.system import kept_data
from mapexplorer.world.opening import open_rom
from mapexplorer.world.references.verification import verify
from mapexplorer.world.world import FieldWorld
from tests.source_tree.conftest import Tree, packed, unpacked
from tests.source_tree.text_edits import EDITS, kinds, make


@pytest.fixture(scope="session")
def demo() -> FieldWorld:
    return FieldWorld.open("demo")


def _demo_image() -> bytes:
    return resources.files("mapexplorer.data").joinpath("demo.nds").read_bytes()


def test_the_demo_world_comes_back(tree: Tree, tmp_path: Path) -> None:
    image = tmp_path / "demo.nds"
    again = packed(tree.folder, image)
    assert image.read_bytes() == _demo_image()
    assert again.encoded == 0 and again.kept > 1900 and again.unused == ()


def test_the_demo_world_comes_back_without_what_was_kept(tree: Tree, cache: Path, tmp_path: Path) -> None:
    image = tmp_path / "demo.nds"
    _kept(cache).write_bytes(b"something else")
    again = packed(tree.folder, image, jobs=2)
    assert image.read_bytes() == _demo_image() and again.kept == 0 and again.encoded > 1900


def _kept(cache: Path) -> Path:
    """The file with what was packed before."""
    (kept,) = cache.glob("packed-*")
    return kept


@pytest.mark.parametrize("text", [b"", b"xx", b"5", b"\xff" * 40, b"[" * 200_000], ids=range(5))
def test_what_is_kept_is_nothing_of_ours(tree: Tree, cache: Path, tmp_path: Path, text: bytes) -> None:
    checked_file.write(_kept(cache), text)
    make(EDITS["tile"], tree, FieldWorld.open("demo"), random.Random(1))
    packed(tree.folder, tmp_path / "demo.nds")
    assert packed(tree.folder, tmp_path / "demo.nds").encoded == 0


def test_a_folder_from_elsewhere_packs_what_its_text_says(tree: Tree, cache: Path, tmp_path: Path) -> None:
    """Whatever others put where older versions kept what was packed before, nothing there is read or written."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "members").write_text("precious")
    folder = tmp_path / "folder"
    shutil.copytree(tree.folder, folder)
    (folder / ".cache").symlink_to(outside)
    packed(folder, tmp_path / "demo.nds")
    assert (tmp_path / "demo.nds").read_bytes() == _demo_image()
    assert [path.read_text() for path in outside.iterdir()] == ["precious"]


def test_a_folder_that_cannot_be_written_and_nowhere_to_keep_anything(tree: Tree, cache: Path, tmp_path: Path) -> None:
    shutil.rmtree(cache)
    cache.write_text("a file")
    image = tmp_path / "demo.nds"
    before = {path: path.stat().st_mtime_ns for path in tree.folder.rglob("*")}
    assert packed(tree.folder, image).kept == 0
    assert image.read_bytes() == _demo_image()
    assert before == {path: path.stat().st_mtime_ns for path in tree.folder.rglob("*")}


def test_what_is_kept_is_not_changed_by_hand(tree: Tree, cache: Path, tmp_path: Path) -> None:
    kept = _kept(cache)
    data = bytearray(kept.read_bytes())
    data[-1] ^= 1
    kept.write_bytes(data)
    assert packed(tree.folder, tmp_path / "demo.nds").kept == 0
    assert (tmp_path / "demo.nds").read_bytes() == _demo_image()


@pytest.mark.parametrize("kind", EDITS)
def test_an_edit_of_the_demo_world(tree: Tree, demo: FieldWorld, repack: Callable[[], Path], kind: str) -> None:
    chance = random.Random(f"demo {kind}")
    for _ in range(2):
        check = make(EDITS[kind], tree, demo, chance)
        found = compare(demo, FieldWorld.open(repack())).changes
        assert check(found), found
        tree.undo()


def test_only_the_changed_member_is_encoded(tree: Tree, demo: FieldWorld, tmp_path: Path) -> None:
    make(EDITS["tile"], tree, demo, random.Random(1))
    assert packed(tree.folder, tmp_path / "demo.nds").encoded == 1
    assert packed(tree.folder, tmp_path / "demo.nds").encoded == 0


def test_an_edited_demo_world_passes_verification(tree: Tree, demo: FieldWorld, repack: Callable[[], Path]) -> None:
    chance = random.Random(4)
    for kind in EDITS:
        make(EDITS[kind], tree, demo, chance)
    edited = FieldWorld.open(repack())
    assert verify(edited.rom, jobs=1).problems == []
    assert {one.kind for one in compare(demo, edited).changes} >= {"prop", "tile", "warp", "text", "texture", "script"}


def test_unpacking_an_edited_rom_again_gives_the_edited_text(
    tree: Tree, demo: FieldWorld, repack: Callable[[], Path], tmp_path: Path
) -> None:
    chance = random.Random(5)
    for kind in ("prop", "tile", "plate", "warp", "text", "encounter"):
        make(EDITS[kind], tree, demo, chance)
    again = tmp_path / "again"
    unpacked(repack(), again)
    for path in tree.before:
        assert (again / path.relative_to(tree.folder)).read_bytes() == path.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["platinum", "diamond"])
def test_a_real_rom_comes_back(rom_path: Path, tmp_path: Path, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    image = rom_path if game == "platinum" else rom_path.with_name("diamond-field.nds")
    done = unpacked(image, tmp_path / "folder", jobs=2)
    assert done.forms[StoredForm.TEXT] > 4000 and done.inexact == []
    packed(tmp_path / "folder", tmp_path / "again.nds")
    assert (tmp_path / "again.nds").read_bytes() == image.read_bytes()
    monkeypatch.setattr(kept_data, "folder", lambda: tmp_path / "nothing is kept")
    assert packed(tmp_path / "folder", tmp_path / "again.nds", jobs=2).kept == 0
    assert (tmp_path / "again.nds").read_bytes() == image.read_bytes()


@pytest.mark.slow
def test_fifty_edits_of_the_real_rom(rom_path: Path, tmp_path: Path) -> None:
    unpacked(rom_path, tmp_path / "folder", jobs=2)
    tree, before = Tree(tmp_path / "folder"), FieldWorld.open(rom_path)
    chance = random.Random(24)
    image = tmp_path / "edited.nds"
    for kind in kinds(50):
        check = make(EDITS[kind], tree, before, chance)
        assert packed(tree.folder, image).encoded <= 2  # the one of before came back
        found = compare(before, FieldWorld.open(image)).changes
        assert check(found), (kind, found)
        tree.undo()
    for kind in kinds(8):
        make(EDITS[kind], tree, before, chance)
    packed(tree.folder, image)
    assert verify(FieldWorld.open(image).rom, jobs=2).problems == []


def test_a_party_is_shown_in_the_form_that_its_trainer_says(tree: Tree, tmp_path: Path) -> None:
    """The level 0 is not possible; in another form these bytes would be possible Pokémon."""
    party = "data/poketool/trainer/trpoke.narc/0001.json"
    tree.write(party, tree.text(party).replace('"level": 6', '"level": 0').replace('"species": 1,', '"species": 0,'))
    packed(tree.folder, tmp_path / "edited.nds")
    unpacked(tmp_path / "edited.nds", tmp_path / "again")
    assert (tmp_path / "again" / party).read_text() == tree.text(party)


def test_dump_shows_a_party_in_the_form_that_its_trainer_says(tree: Tree, tmp_path: Path) -> None:
    party = "data/poketool/trainer/trpoke.narc/0001.json"
    tree.write(party, tree.text(party).replace('"level": 6', '"level": 0').replace('"species": 1,', '"species": 0,'))
    packed(tree.folder, tmp_path / "edited.nds")
    value = read_member(open_rom(tmp_path / "edited.nds"), "poketool/trainer/trpoke.narc#1", [])
    assert to_json(value) == tree.text(party)
