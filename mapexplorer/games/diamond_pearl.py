"""Pokémon Diamond and Pearl: one description for both, whose field data differ in one matrix and in the encounters."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mapexplorer.games.game import Game, GameFile, ProgramTables, Topic
from mapexplorer.games.name_bank import BankNumbers, NameBank
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.games.role import Role

_AS_PLATINUM: Final = (
    Role.MAP_NAMES,
    Role.MAP_MATRIX,
    Role.AREA_DATA,
    Role.AREA_BUILD,
    Role.TERRAIN_TEXTURES,
    Role.BUILD_MODEL,
    Role.MATSHP,
    Role.PROP_ANIMATION_LIST,
    Role.PROP_ANIMATIONS,
    Role.SPRITES,
    Role.EFFECTS,
    Role.WEATHER_PICTURES,
)
"""The roles whose files have the paths and kinds of Platinum."""

_FILES: Final = {
    **{role: PLATINUM.files[role] for role in _AS_PLATINUM},
    Role.LAND_DATA: GameFile(
        "fielddata/land_data/land_data_release.narc",
        "the terrain",
        needed=True,
        kind="DiamondPearlLandData",
        unpacked="maps",
    ),
    # In the order of the numbers that areas have: 0 indoors, 1 outdoors.
    Role.AREA_LIGHT: GameFile(
        "data/area01light.txt",
        "the lights",
        needed=True,
        kind="AreaLight",
        parts=("data/area01light.txt", "data/area00light.txt"),
    ),
    Role.PROP_TEXTURES: replace(PLATINUM.files[Role.PROP_TEXTURES], kind="EmptyTextureSet"),
    Role.MESSAGES: GameFile(
        "msgdata/msg.narc", "location names and texts", kind="MessageBank", unpacked="textArchives"
    ),
    Role.ZONE_EVENT: GameFile(
        "fielddata/eventdata/zone_event_release.narc",
        "people, warps, signs and triggers",
        kind="ZoneEvents",
        unpacked="eventFiles",
    ),
    Role.PRELOAD_LISTS: GameFile(
        "fielddata/mm_list/move_model_list.narc",
        "lists of preloaded object graphics",
        kind="MoveModelList",
    ),
    Role.TERRAIN_ANIMATIONS: GameFile(
        "data/fld_anime0.bin",
        "terrain texture animations",
        kind="TerrainAnimationFile",
        parts=tuple(f"data/fld_anime{slot}.bin" for slot in range(11)),
    ),
}

DIAMOND_PEARL: Final = Game(
    name="diamond_pearl",
    title="Pokémon Diamond and Pearl",
    titles={"ADA": "Pokémon Diamond", "APA": "Pokémon Pearl"},
    codes=("ADA", "APA"),
    cartridge_titles=("POKEMON D", "POKEMON P"),
    base="platinum",
    files=_FILES,
    program=ProgramTables(
        overlay=5,
        cameras=16,
        camera_pointer=0x4908,
        first_camera=PLATINUM.program.first_camera,
        first_graphics=PLATINUM.program.first_graphics,
        first_weathers=PLATINUM.program.first_weathers,
    ),
    name_banks={NameBank.PLACES: BankNumbers(382)},
    cycling_road="R206",
    town_type=1,
    outdoor_types=frozenset({1, 2}),
    indoor_types=frozenset({4, 5}),
    other_kinds={"area02light.txt": "AreaLight"},
    header_kind="DiamondPearlMapHeader",
    other_matrices={"APA": {22: 23}},
    light_sets={0: 0},
    copied_formats=frozenset({1, 2, 3, 4}),
    terrain_slots=(
        "sea",
        "rhana",
        "asasea",
        "hamabe",
        "asahamabe",
        "t3_fl_b.1",
        "t3_fl_p.1",
        "t3_fl_r.1",
        "t3_fl_y.1",
        "dun_sea",
        "lakep.1",
    ),
    retail_counts={
        Role.MAP_MATRIX: 245,
        Role.LAND_DATA: 578,
        Role.AREA_DATA: 59,
        Role.AREA_BUILD: 55,
        Role.PROP_TEXTURES: 55,
        Role.TERRAIN_TEXTURES: 58,
        Role.BUILD_MODEL: 535,
        Role.MESSAGES: 624,
        Role.ZONE_EVENT: 512,
        Role.SPRITES: 414,
    },
    not_known=frozenset(Topic),
)
