"""Pokémon HeartGold and SoulSilver: one description for both, whose field data differ in the encounters."""

from __future__ import annotations

from typing import Final

from mapexplorer.games.game import Game, GameFile, ProgramTables, Topic
from mapexplorer.games.name_bank import BankNumbers, NameBank
from mapexplorer.games.role import Role

_FILES: Final = {
    Role.MAP_NAMES: GameFile("fielddata/maptable/mapname.bin", "the internal map names", needed=True, kind="MapNames"),
    Role.MAP_MATRIX: GameFile("a/0/4/1", "the map matrices", needed=True, kind="MapMatrix", unpacked="matrices"),
    Role.LAND_DATA: GameFile("a/0/6/5", "the terrain", needed=True, kind="HeartGoldLandData", unpacked="maps"),
    Role.AREA_DATA: GameFile("a/0/4/2", "the areas", needed=True, kind="HeartGoldAreaData", unpacked="areaData"),
    Role.AREA_BUILD: GameFile(
        "a/0/4/3", "the prop lists", needed=True, kind="AreaBuild", unpacked="buildingConfigFiles"
    ),
    Role.PROP_TEXTURES: GameFile(
        "a/0/7/0", "the prop textures", needed=True, kind="EmptyTextureSet", unpacked="buildingTextures"
    ),
    Role.TERRAIN_TEXTURES: GameFile("a/0/4/4", "the terrain textures", needed=True, unpacked="mapTextures"),
    # In the order of the numbers that areas have: 0 indoors, 1 outdoors, 2 the cave with a light of its own.
    Role.AREA_LIGHT: GameFile(
        "data/area01light.txt",
        "the lights",
        needed=True,
        kind="AreaLight",
        parts=("data/area01light.txt", "data/area00light.txt", "data/dun20_01light.txt"),
    ),
    Role.BUILD_MODEL: GameFile(
        "a/0/4/0",
        "the prop models",
        needed=True,
        unpacked="exteriorBuildingModels",
        parts=("a/0/4/0", "a/1/4/8"),
    ),
    Role.MATSHP: GameFile(
        "fielddata/build_model/bm_field_matshp.dat",
        "the draw lists of static props",
        kind="BuildModelMatshp",
        parts=("fielddata/build_model/bm_field_matshp.dat", "fielddata/build_model/bm_room_matshp.dat"),
    ),
    Role.PROP_ANIMATION_LIST: GameFile(
        "a/1/0/7", "which props are animated", kind="HeartGoldPropAnimations", parts=("a/1/0/7", "a/1/0/8")
    ),
    Role.PROP_ANIMATIONS: GameFile("a/1/0/6", "prop animations"),
    Role.TERRAIN_ANIMATIONS: GameFile("a/1/3/9", "terrain texture animations", kind="FieldTextureAnimations"),
    Role.TERRAIN_SRT_ANIMATIONS: GameFile("a/1/4/0", "moving terrain"),
    Role.ZONE_EVENT: GameFile("a/0/3/2", "people, warps, signs and triggers", kind="ZoneEvents", unpacked="eventFiles"),
    Role.MESSAGES: GameFile("a/0/2/7", "location names and texts", kind="MessageBank", unpacked="textArchives"),
    Role.PRELOAD_LISTS: GameFile("a/0/9/2", "lists of preloaded object graphics", kind="MoveModelList"),
    Role.SPRITES: GameFile("a/0/8/1", "sprites of people", kind="FrameSequence", unpacked="OWSprites"),
    Role.EFFECTS: GameFile("a/1/0/3", "shadows and effects"),
    Role.WEATHER_PICTURES: GameFile("a/0/6/3", "weather pictures"),
    Role.DYNAMIC_HEADERS: GameFile("a/0/5/0", unpacked="dynamicHeaders"),
}

HEARTGOLD_SOULSILVER: Final = Game(
    name="heartgold_soulsilver",
    title="Pokémon HeartGold and SoulSilver",
    titles={"IPK": "Pokémon HeartGold", "IPG": "Pokémon SoulSilver"},
    codes=("IPK", "IPG"),
    cartridge_titles=("POKEMON HG", "POKEMON SS"),
    base="platinum",
    files=_FILES,
    program=ProgramTables(
        overlay=1,
        cameras=17,
        camera_pointer=0x532C,
        first_camera=(2731713, 56674),
        first_graphics=bytes.fromhex("010000000000020001000000030002000000040003000000"),
        first_weathers=b"",
        camera_record="OFFSET_CAMERA",
        graphics_record="SHORT_OBJECT_GRAPHICS",
        expansion=("a/0/2/8", 0),
        engine_overlay=129,
        header_narc=0x32,
        header_routines={
            **{title + region: 0x3B268 for title in ("IPK", "IPG") for region in "ESIFD"},
            "IPKS": 0x3B260,
            **dict.fromkeys(("IPKJ", "IPGJ"), 0x3AE20),
        },
    ),
    name_banks={NameBank.PLACES: BankNumbers(279, 272)},
    cycling_road="",
    town_type=1,
    outdoor_types=frozenset({1, 2}),
    indoor_types=frozenset({4, 5}),
    other_kinds={"area02light.txt": "AreaLight", "dun20_02light.txt": "AreaLight"},
    header_kind="HeartGoldMapHeader",
    light_sets={0: 0, 2: 2},
    copied_formats=frozenset({1, 2, 3, 4, 6}),
    first_count=1,
    still_lands=frozenset({208, 210, 211}),
    retail_counts={
        Role.MAP_MATRIX: 288,
        Role.LAND_DATA: 676,
        Role.AREA_DATA: 106,
        Role.AREA_BUILD: 104,
        Role.PROP_TEXTURES: 104,
        Role.TERRAIN_TEXTURES: 106,
        Role.BUILD_MODEL: 562,
        Role.MESSAGES: 829,
        Role.ZONE_EVENT: 491,
        Role.SPRITES: 863,
    },
    not_known=frozenset(Topic),
)
