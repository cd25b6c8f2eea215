"""Verification: everything in the real ROM comes back, and each kind of damage is found."""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from formats.binary import FormatError
from formats.field import AreaBuild, AreaData, AreaLight, FieldTextureAnimations, MapMatrix, PropAnimations
from formats.field.fldtanime import Step, TerrainAnimation
from formats.nitro.nsbca import Nsbca
from formats.nitro.nsbmd import Nsbmd
from formats.nitro.nsbva import Nsbva
from mapexplorer.games import Role
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.rom import Rom, build_archive
from mapexplorer.world import FieldWorld
from mapexplorer.world.opening import open_rom
from mapexplorer.world.references.verification import HEADERS, TERRAIN_MODELS, verify

path_of = PLATINUM.path


def test_the_real_rom(rom_path: Path) -> None:
    steps: list[tuple[int, int]] = []
    with open_rom(rom_path) as rom:
        found = verify(rom, jobs=2, progress=lambda done, parts: steps.append((done, parts)))
    assert found.problems == []
    expected = {
        HEADERS: 593,
        "map matrices": 289,
        "land data": 666,
        "areas": 75,
        "prop lists": 71,
        "light sets": 4,
        "animation list entries": 590,
        "draw list files": 1,
        "event files": 534,
        "terrain animation lists": 1,
        "message banks": 724,
        "NSBTX": 715,
        "NCGR": 1096,
        "NCLR": 534,
        "NSCR": 152,
        "NCER": 87,
        "NANR": 87,
    }
    assert {kind: found.counts[kind] for kind in expected} == expected
    assert found.counts["NSBMD"] + found.counts[TERRAIN_MODELS] == 1695
    assert any("land_data.narc[506]" in note for note in found.notes)
    assert not any("is absent" in note for note in found.notes)
    assert [done for done, _ in steps] == list(range(1, len(steps) + 1))
    assert len(steps) > 40


def test_the_tiny_rom_has_no_problems(tiny_rom: Callable[..., Rom]) -> None:
    found = verify(tiny_rom(), jobs=1)
    assert found.problems == []
    absent = [note for note in found.notes if note.startswith("fielddata/encountdata/pl_enc_data.narc is absent")]
    assert len(absent) == 1
    assert found.counts["land data"] == 2
    assert found.counts["NSBMD"] == 3
    assert found.read > 450


def encounters(**numbers: int) -> bytes:
    """A file of encounters: 4-byte words by their place in the record; all others are 0."""
    words = [0] * 106
    for place, number in numbers.items():
        words[int(place.removeprefix("_"))] = number
    return struct.pack("<106I", *words)


SPECIES = path_of(Role.SPECIES)


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ({"_0": 30, "_4": 9999}, "grass 1"),  # after the rate: level, species, level, species
        ({"_0": 30, "_25": 9999}, "swarm 0"),
        ({"_0": 30, "_28": 9999}, "day 1"),
        ({"_0": 30, "_29": 9999}, "night 0"),
        ({"_0": 30, "_34": 3}, "radar 3"),
        ({"_0": 30, "_50": 9999}, "dual slot leafgreen 1"),
        ({"_51": 10, "_53": 9999}, "surf slots 0"),
        ({"_95": 10, "_105": 9999}, "super rod slots 4"),
    ],
)
def test_species_that_do_not_exist(tiny_rom: Callable[..., Rom], words: dict[str, int], part: str) -> None:
    files = {path_of(Role.ENCOUNTERS): build_archive([encounters(), encounters(**words)])}
    number = max(words.values()) if part != "radar 3" else 3
    found = verify(tiny_rom(files | {SPECIES: build_archive([bytes(44)] * 3)}), jobs=1)
    sentence = f"species {number} is not one of the 3 members of {SPECIES}"
    assert found.problems == [f"pl_enc_data[1], {part}: {sentence}"]


def test_slots_that_the_game_does_not_use(tiny_rom: Callable[..., Rom]) -> None:
    """Those of lists with a rate of 0, and species 0."""
    unused = encounters(_4=9999, _25=9999, _53=9999), encounters(_0=30, _51=10, _2=2)
    files = {path_of(Role.ENCOUNTERS): build_archive(unused), SPECIES: build_archive([bytes(44)] * 3)}
    assert verify(tiny_rom(files), jobs=1).problems == []


def test_species_are_counted_by_their_names_where_there_is_no_archive(tiny_rom: Callable[..., Rom]) -> None:
    """Bank 412 of the tiny world has two texts. A hack may have more species than names."""
    files = {path_of(Role.ENCOUNTERS): build_archive([encounters(_0=30, _2=1, _4=3, _6=4)])}
    found = verify(tiny_rom(files), jobs=1)
    assert found.problems == ["pl_enc_data[0], grass 2: there is no species 4"]
    assert "pl_enc_data[0], grass 1: there is no species 3" in found.notes
    without = verify(tiny_rom(files | {path_of(Role.MESSAGES): None}), jobs=1)
    assert without.problems == []


def test_a_party_and_its_trainer(tiny_rom: Callable[..., Rom]) -> None:
    """The form of the party and how many Pokémon the game reads are in the trainer's record."""
    trainer = struct.pack("<BBBB4HII", 3, 0, 0, 1, 0, 0, 77, 0, 0, 0)  # with moves and items, one Pokémon
    pokemon = struct.pack("<4H4HH", 0, 5, 2 | 3 << 10, 88, 1, 0, 0, 0, 0)
    files = {
        path_of(Role.TRAINERS): build_archive([trainer]),
        path_of(Role.TRAINER_PARTIES): build_archive([pokemon + pokemon.replace(b"\2\x0c", b"\xff\x0f")]),
        SPECIES: build_archive([bytes(44)] * 3),
    }
    assert verify(tiny_rom(files), jobs=1).problems == [
        "trdata[0], items 2: there is no item 77",
        "trpoke[0], pokemon 0: there is no item 88",
    ]


@pytest.mark.parametrize(("size", "pokemon"), [(1, 2), (2, 1), (2, 0)])
def test_a_party_of_another_size_than_its_trainer_says(tiny_rom: Callable[..., Rom], size: int, pokemon: int) -> None:
    trainers = [struct.pack("<BBBB4HII", 0, 0, 0, size, 0, 0, 0, 0, 0, 0)] * 2
    party = struct.pack("<4H", 0, 5, 2, 0) * pokemon
    files = {
        path_of(Role.TRAINERS): build_archive(trainers),
        path_of(Role.TRAINER_PARTIES): build_archive([party, party]),
        SPECIES: build_archive([bytes(44)] * 3),
    }
    sentence = f"{len(party)} bytes are not the party that trdata[1] says: {size} Pokémon of 8 bytes each"
    assert verify(tiny_rom(files), jobs=1).problems == [f"trpoke[1]: {sentence}"]


def test_a_script(tiny_rom: Callable[..., Rom]) -> None:
    """An item in an argument, and one that a variable carries to the common script that gives it. The texts of script
    file 0 are in bank 11, which has two."""
    code = struct.pack("<H3H", 123, 9, 1, 0x800C)  # AddItem
    code += struct.pack("<HHH", 40, 0x8000, 9999)  # SetVarFromValue
    code += struct.pack("<HHH", 41, 0x8004, 0x8000)  # SetVarFromVar
    code += struct.pack("<HHH", 40, 0x8005, 8888)
    code += struct.pack("<HH", 20, 2016)  # CallCommonScript
    code += struct.pack("<HB", 44, 2) + struct.pack("<HB", 44, 1)  # Message
    code += struct.pack("<HHHH", 123, 0x8001, 1, 0x800C) + struct.pack("<H", 2)
    file = struct.pack("<iH", 2, 0xFD13) + code
    found = verify(tiny_rom({path_of(Role.SCRIPTS): build_archive([file + bytes(-len(file) % 4)])}), jobs=1)
    assert found.problems == [
        "scr_seq[0], Message at byte 0x24: text 2 is not one of the 2 texts of pl_msg[11]",
        "scr_seq[0], entry 0 give: there is no item 9999",
        "scr_seq[0], AddItem at byte 0x6: there is no item 9",
    ]


def test_numbers_that_the_save_the_shops_and_the_common_scripts_do_not_have(tiny_rom: Callable[..., Rom]) -> None:
    """The save has 2,912 flags; all common scripts are in file 0 here, which has one entry."""
    code = struct.pack("<6H", 30, 2911, 30, 2912, 329, 99)  # SetFlag, SetFlag, PokeMartDecor
    code += struct.pack("<6H", 20, 2000, 20, 2001, 20, 1)  # CallCommonScript; 1 is a script of the map
    code += struct.pack("<H", 2)
    members = [struct.pack("<iH", 2, 0xFD13) + code + bytes(-len(code) % 4)] * 1117
    found = verify(tiny_rom({path_of(Role.SCRIPTS): build_archive(members)}), jobs=1)
    in_first = sorted(problem for problem in found.problems if problem.startswith("scr_seq[0],"))
    assert in_first == [
        "scr_seq[0], CallCommonScript at byte 0x16: there is no common script 2001",
        "scr_seq[0], PokeMartDecor at byte 0xE: there is no shop of decor 99",
        "scr_seq[0], SetFlag at byte 0xA: there is no flag 2912",
    ]


matrix = MapMatrix("s", np.array([[9]], np.uint16), None, np.array([[7]], np.uint16)).to_bytes()


@pytest.mark.parametrize(
    ("path", "members", "sentence"),
    [
        (path_of(Role.MAP_MATRIX), [matrix, matrix], "map_matrix[0]: land data 7 is not one of the 2 members"),
        (path_of(Role.MAP_MATRIX), [matrix, matrix], "map_matrix[0]: there is no header 9"),
        (
            path_of(Role.AREA_DATA),
            [AreaData(0, 5, 0, 0).to_bytes()] * 2,
            "area_data[0]: terrain set 5 is not one of the 2",
        ),
        (
            path_of(Role.AREA_BUILD),
            [AreaBuild(np.array([3], np.uint16)).to_bytes()] * 2,
            "area_build[0]: prop model 3 is not one of the 3",
        ),
        (path_of(Role.AREA_DATA), [bytes(8), bytes(5)], "area_data.narc[1]"),
        (path_of(Role.TERRAIN_TEXTURES), [b"BTX0" + bytes(40)] * 2, "map_tex_set.narc[0]"),
        (
            path_of(Role.AREA_DATA),
            [bytes(8), bytes(9)],
            "written back, it differs from byte 0x8 on (9 bytes, now 8)",
        ),
    ],
)
def test_damage_is_found(tiny_rom: Callable[..., Rom], path: str, members: list[bytes], sentence: str) -> None:
    found = verify(tiny_rom({path: build_archive(members)}), jobs=1)
    assert any(sentence in problem for problem in [*found.problems, *found.layout]), found
    assert bool(found.layout) == ("written back" in sentence)


def test_a_dummy_member_is_a_problem_where_something_uses_it(tiny_rom: Callable[..., Rom]) -> None:
    path = path_of(Role.MAP_MATRIX)
    members = [*FieldWorld(tiny_rom()).rom.archive(path), bytes(3)]
    found = verify(tiny_rom({path: build_archive(members)}), jobs=1)
    assert found.problems == [] and f"{path}[2] lacks contents (3 bytes of zeros); nothing uses it" in found.notes
    found = verify(tiny_rom({path: build_archive([members[0], bytes(3)])}), jobs=1)
    assert any(problem.startswith(f"{path}[1] lacks contents") for problem in found.problems)


def test_a_damaged_archive_is_one_problem(tiny_rom: Callable[..., Rom]) -> None:
    found = verify(tiny_rom({"data/extra.narc": b"NARC" + bytes(30)}), jobs=1)
    assert len(found.problems) == 1
    assert found.problems[0].startswith("data/extra.narc")


def test_warps_into_nowhere(tiny_rom: Callable[..., Rom]) -> None:
    world = FieldWorld(tiny_rom())
    events = world.events(3)
    assert events is not None
    warps = events.warps.copy()
    warps["header"][0], warps["warp"][2] = 77, 9
    changed = type(events)(events.background, events.objects, warps, events.triggers).to_bytes()
    empty = world.rom.archive(path_of(Role.ZONE_EVENT))[0]
    found = verify(tiny_rom({path_of(Role.ZONE_EVENT): build_archive([empty, changed])}), jobs=1)
    assert "events of header 3, warp 0: there is no header 77" in found.problems
    assert "events of header 3, warp 2: header 3 has no warp 9" in found.problems


def test_animations_outside_their_archive(tiny_rom: Callable[..., Rom]) -> None:
    entries = build_archive([PropAnimations(1, 0, 0, 0, (4, -1, -1, -1)).to_bytes()])
    found = verify(tiny_rom({path_of(Role.PROP_ANIMATION_LIST): entries, path_of(Role.PROP_ANIMATIONS): None}), jobs=1)
    assert found.problems == []
    for members in ([], [b"x"]):
        files: dict[str, bytes | None] = {path_of(Role.PROP_ANIMATION_LIST): entries}
        found = verify(tiny_rom(files | {path_of(Role.PROP_ANIMATIONS): build_archive(members)}), jobs=1)
        count = f"{len(members)} members of arc/bm_anime.narc"
        assert found.problems == [f"bm_anime_list[0]: animation 4 is not one of the {count}"]


no_model = Nsbmd(()).to_bytes()
animated = build_archive([PropAnimations(1, 0, 0, 0, (1, -1, -1, -1)).to_bytes()] * 3)


def members(world: FieldWorld, path: str, **replace: bytes) -> bytes:
    """An archive of the tiny world with some members (`_1=...`) replaced."""
    archive = world.rom.archive(path)
    return build_archive([replace.get(f"_{index}", data) for index, data in enumerate(archive)])


@pytest.mark.parametrize(
    ("path", "index", "data", "use", "sentence"),
    [
        (
            path_of(Role.AREA_LIGHT),
            0,
            AreaLight((), True).to_bytes(),
            lambda world: world.light_set(0),
            "lacks a light block; used by area_data[0]",
        ),
        (
            path_of(Role.BUILD_MODEL),
            1,
            no_model,
            lambda world: world.prop_model(1),
            "lacks a model; used by area_build[1] and land_data[0]",
        ),
        (
            path_of(Role.BUILD_MODEL),
            0,
            no_model,
            lambda world: world.prop_model(0),
            "lacks a model; used by every prop that its area does not list and area_build[0]",
        ),
        (
            path_of(Role.BUILD_MODEL),
            1,
            b"",
            lambda world: world.prop_model(1),
            "lacks a model; used by area_build[1] and land_data[0]",
        ),
        (
            path_of(Role.PROP_ANIMATIONS),
            1,
            Nsbca(()).to_bytes(),
            lambda world: world.animation(1),
            "lacks an animation; used by bm_anime_list[0], bm_anime_list[1] and bm_anime_list[2]",
        ),
        (
            path_of(Role.PROP_ANIMATIONS),
            1,
            no_model,
            lambda world: world.animation(1),
            "lacks an animation; used by bm_anime_list[0], bm_anime_list[1] and bm_anime_list[2]",
        ),
        (
            path_of(Role.TERRAIN_TEXTURES),
            1,
            no_model,
            lambda world: world.terrain_textures(1),
            "lacks a texture set; used by area_data[1]",
        ),
        (
            path_of(Role.AREA_DATA),
            0,
            b"",
            lambda world: world.area(0),
            "lacks an area; used by header 0 (EVERYWHERE), header 1 (NOTHING) and header 4 (T90)",
        ),
    ],
)
def test_a_used_file_that_holds_nothing_is_a_problem(
    tiny_rom: Callable[..., Rom], path: str, index: int, data: bytes, use: Callable[[FieldWorld], object], sentence: str
) -> None:
    visible = Nsbva(()).to_bytes()
    files = {
        path_of(Role.PROP_ANIMATION_LIST): animated,
        path_of(Role.PROP_ANIMATIONS): build_archive([b"", visible]),
    }
    world = FieldWorld(tiny_rom(files))
    changed = FieldWorld(tiny_rom(files | {path: members(world, path, **{f"_{index}": data})}))
    with pytest.raises(FormatError):
        use(changed)
    found = verify(changed.rom, jobs=1)
    assert f"{path}[{index}] {sentence}" in found.problems


def test_many_users_are_counted(tiny_rom: Callable[..., Rom]) -> None:
    rom = tiny_rom(
        {
            path_of(Role.PROP_ANIMATION_LIST): build_archive(
                [PropAnimations(1, 0, 0, 0, (0, 0, -1, -1)).to_bytes()] * 9
            ),
            path_of(Role.PROP_ANIMATIONS): build_archive([Nsbca(()).to_bytes()] * 2),
        }
    )
    found = verify(rom, jobs=1)
    archive = path_of(Role.PROP_ANIMATIONS)
    sentence = f"{archive}[0] lacks an animation; used by bm_anime_list[0], bm_anime_list[1] and 7 others"
    assert found.problems == [sentence]
    assert f"{archive}[1] lacks an animation; nothing uses it" in found.notes


def test_a_land_without_model(tiny_rom: Callable[..., Rom]) -> None:
    world = FieldWorld(tiny_rom())
    land = world.land(1)
    hollow = dataclasses.replace(land, model=Nsbmd(())).to_bytes()
    found = verify(tiny_rom({path_of(Role.LAND_DATA): members(world, path_of(Role.LAND_DATA), _1=hollow)}), jobs=1)
    assert found.problems == [f"{path_of(Role.LAND_DATA)}[1] lacks a model; used by map_matrix[0] and map_matrix[1]"]


def test_one_broken_reference_hides_no_other(tiny_rom: Callable[..., Rom]) -> None:
    animations = FieldTextureAnimations(
        (TerrainAnimation("grass", (Step(0, 1),)), TerrainAnimation("floor", (Step(0, 1),)))
    )
    world = FieldWorld(tiny_rom())
    set_of_textures = world.rom.archive(path_of(Role.TERRAIN_TEXTURES))[0]
    found = verify(
        tiny_rom({path_of(Role.TERRAIN_ANIMATIONS): build_archive([animations.to_bytes(), set_of_textures])}),
        jobs=1,
    )
    count = f"2 members of {path_of(Role.TERRAIN_ANIMATIONS)}"
    assert found.problems == [f"fldtanime, floor: picture file 2 is not one of the {count}"]
