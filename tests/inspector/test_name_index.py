"""The index of names: what it finds, where it says that things are used, and how it is kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mapexplorer.inspector import name_sources
from mapexplorer.inspector.kept_names import name_index
from mapexplorer.inspector.name_index import Entry, NameIndex, Use, entry_text, grouped
from mapexplorer.inspector.name_sources import entries
from mapexplorer.system import kept_data
from mapexplorer.world import FieldWorld
from mapexplorer.world.opening import open_rom


@pytest.fixture(scope="module")
def real(rom_path: Path) -> NameIndex:
    """The index of the real ROM."""
    return NameIndex.of(entries(FieldWorld(open_rom(rom_path))))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that data is kept in."""
    monkeypatch.setattr(kept_data, "folder", lambda: tmp_path / "data")
    return tmp_path / "data"


def test_best_names_come_first() -> None:
    names = ("Moon Ball", "Big Moon", "Moon", "Moonstone", "Honeymoon", "Moon Stone", "Stone")
    index = NameIndex.of(Entry("item", (number,), name) for number, name in enumerate(names))
    found = [entry.name for entry in index.find(["moon"])]
    assert found == ["Moon", "Moon Ball", "Moonstone", "Moon Stone", "Big Moon", "Honeymoon"]
    assert [entry.name for entry in index.find(["stone", "MOON"])] == ["Moon Stone", "Moonstone"]
    assert [entry.name for entry in index.find(["item:6"])] == ["Stone"]
    assert index.find(["moon"], "map") == index.find([" "]) == []


def test_case_and_accents_do_not_matter() -> None:
    index = NameIndex.of([Entry("item", (4,), "Poké Ball", "", (Use("floor", "T01@3,4", "Café"),))])
    assert [entry_text(entry) for entry in index.find(["POKE"])] == ["4 Poké Ball: floor T01@3,4 (Café)"]
    assert index.find(["poké", "ball"]) == index.find(["poke"])


def test_a_kept_index_is_the_same() -> None:
    index = NameIndex.of(
        [Entry("text", (1, 2), "a\u2028b \ud800", "", (Use("said by", "T01#1"),)), Entry("file", (), "x")]
    )
    again = NameIndex.from_bytes(index.to_bytes())
    assert again.find(["a"]) == index.find(["a"]) != []
    assert [entry.address for entry in again.find(["x"])] == ["file:x"]
    with pytest.raises(ValueError, match="lines"):
        NameIndex.from_bytes(b"3\na")


def test_the_demo_world_has_names() -> None:
    index = NameIndex.of(entries(FieldWorld.open("demo")))
    (first, *_) = index.find(["T01"], "map")
    assert first.number == (4,)
    said = [entry for entry in index.find(["e"], "text") if any(use.how == "said by" for use in entry.uses)]
    assert any(use.at.startswith("T01#") for entry in said for use in entry.uses)


def test_an_index_is_kept_and_a_damaged_one_built_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rom = open_rom("demo")
    built = []

    def counted(world: FieldWorld) -> Iterator[Entry]:
        built.append(world)
        return entries(world)

    monkeypatch.setattr(name_sources, "entries", counted)
    first = name_index(rom)
    (file,) = folder.iterdir()
    assert name_index(rom).to_bytes() == first.to_bytes()
    assert len(built) == 1
    damaged = bytearray(file.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    file.write_bytes(damaged)
    assert name_index(rom).to_bytes() == first.to_bytes()
    assert len(built) == 2
    name_index(rom)
    assert len(built) == 2


def test_without_a_folder_the_index_is_built_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(kept_data, "folder", lambda: tmp_path / "file" / "data")
    assert name_index(open_rom("demo")).find(["T01"])


def test_roms_with_other_contents_have_other_indexes(folder: Path, rom_path: Path) -> None:
    name_index(open_rom("demo"))
    name_index(open_rom(rom_path))
    assert len(list(folder.iterdir())) == 2


def test_where_a_species_lives(real: NameIndex) -> None:
    found = real.find(["pikachu"])[0]
    assert (found.kind, found.number) == ("species", (25,))
    wild = {use.location for use in found.uses if use.how != "in the party of"}
    assert wild == {"Trophy Garden"}


def test_where_an_item_comes_from(real: NameIndex) -> None:
    found = real.find(["moon", "stone"])[0]
    assert (found.kind, found.name) == ("item", "Moon Stone")
    assert {(use.how, use.location) for use in found.uses} >= {("hidden", "Mt. Coronet")}


def test_which_flag_hides_a_person_and_who_sets_it(real: NameIndex) -> None:
    flag, *_ = real.find(["hide_twinleaf_town_rival"], "flag")
    assert Use("hides object 2 of", "T01", "Twinleaf Town") in flag.uses
    assert Use("cleared by", "T01#2", "Twinleaf Town") in flag.uses
    assert real.get("flag", flag.number[0]) == flag
    assert real.get("flag", 99999) is None


def test_who_says_a_text(real: NameIndex) -> None:
    (pikachu, *_) = [entry for entry in real.find(["pikachu: pikaah!"], "text") if entry.uses]
    assert pikachu.uses[0].at == "R222R0101#3"


def test_trainers_maps_music_and_files(real: NameIndex) -> None:
    volkner = real.find(["volkner"], "trainer")[0]
    assert volkner.about == "Leader"
    assert volkner.uses == (Use("trainer", "C08GYM0103#4", "Sunyshore City"),)
    assert real.find(["twinleaf", "town"], "map")[0].name == "Twinleaf Town (T01)"
    assert any(use.at == "T01" for use in real.find(["seq_town01_d"], "music")[0].uses)
    assert [entry.about for entry in real.find(["pl_msg.narc"], "file")] == ["pl_msg: location names and texts"]
    assert next(iter(grouped(real.find(["pikachu"])))) == "species"


def test_models_and_textures_have_names() -> None:
    world = FieldWorld.open("demo")
    index = NameIndex.of(entries(world))
    for number in (1, 5):
        model = world.prop_model(number).models[0].name
        entry = index.get("prop", number)
        assert entry is not None and entry.name == model and index.find([f"prop:{number}"]) == [entry]
    textures = world.terrain_textures(1).textures.textures
    found = [index.get("texture", 1, 1, at) for at in range(len(textures))]
    assert [entry.name for entry in found if entry is not None] == [one.name for one in textures]


def test_the_scripts_that_set_and_read_a_variable(real: NameIndex) -> None:
    entry = real.get("variable", 0x4077)
    assert entry is not None and {use.how for use in entry.uses} >= {"set by", "read by", "trigger"}
    assert ("set by", "C01#2") in {(use.how, use.at) for use in entry.uses}
