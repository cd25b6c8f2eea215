"""Pokémon Platinum."""

from __future__ import annotations

from typing import Final

from mapexplorer.games.game import Game, GameFile, ProgramTables, Topic
from mapexplorer.games.name_bank import BankNumbers, NameBank
from mapexplorer.games.role import Role

_FILES: Final = {
    Role.MAP_NAMES: GameFile("fielddata/maptable/mapname.bin", "the internal map names", needed=True, kind="MapNames"),
    Role.MAP_MATRIX: GameFile(
        "fielddata/mapmatrix/map_matrix.narc", "the map matrices", needed=True, kind="MapMatrix", unpacked="matrices"
    ),
    Role.LAND_DATA: GameFile(
        "fielddata/land_data/land_data.narc", "the terrain", needed=True, kind="LandData", unpacked="maps"
    ),
    Role.AREA_DATA: GameFile(
        "fielddata/areadata/area_data.narc", "the areas", needed=True, kind="AreaData", unpacked="areaData"
    ),
    Role.AREA_BUILD: GameFile(
        "fielddata/areadata/area_build_model/area_build.narc",
        "the prop lists",
        needed=True,
        kind="AreaBuild",
        unpacked="buildingConfigFiles",
    ),
    Role.PROP_TEXTURES: GameFile(
        "fielddata/areadata/area_build_model/areabm_texset.narc",
        "the prop textures",
        needed=True,
        unpacked="buildingTextures",
    ),
    Role.TERRAIN_TEXTURES: GameFile(
        "fielddata/areadata/area_map_tex/map_tex_set.narc",
        "the terrain textures",
        needed=True,
        unpacked="mapTextures",
    ),
    Role.AREA_LIGHT: GameFile("data/arealight.narc", "the lights", needed=True, kind="AreaLight"),
    Role.BUILD_MODEL: GameFile(
        "fielddata/build_model/build_model.narc", "the prop models", needed=True, unpacked="exteriorBuildingModels"
    ),
    Role.MESSAGES: GameFile(
        "msgdata/pl_msg.narc", "location names and texts", kind="MessageBank", unpacked="textArchives"
    ),
    Role.ZONE_EVENT: GameFile(
        "fielddata/eventdata/zone_event.narc",
        "people, warps, signs and triggers",
        kind="ZoneEvents",
        unpacked="eventFiles",
    ),
    Role.PRELOAD_LISTS: GameFile(
        "fielddata/areadata/area_move_model/move_model_list.narc",
        "lists of preloaded object graphics",
        kind="MoveModelList",
    ),
    Role.MATSHP: GameFile(
        "fielddata/build_model/build_model_matshp.dat", "the draw lists of static props", kind="BuildModelMatshp"
    ),
    Role.PROP_ANIMATION_LIST: GameFile("arc/bm_anime_list.narc", "which props are animated", kind="PropAnimations"),
    Role.PROP_ANIMATIONS: GameFile("arc/bm_anime.narc", "prop animations"),
    Role.TERRAIN_ANIMATIONS: GameFile(
        "data/fldtanime.narc", "terrain texture animations", kind="FieldTextureAnimations"
    ),
    Role.SPRITES: GameFile("data/mmodel/mmodel.narc", "sprites of people", kind="FrameSequence", unpacked="OWSprites"),
    Role.EFFECTS: GameFile("data/mmodel/fldeff.narc", "shadows and signs"),
    Role.WEATHER_PICTURES: GameFile("data/weather_sys.narc", "weather pictures"),
    Role.ENCOUNTERS: GameFile(
        "fielddata/encountdata/pl_enc_data.narc", "wild encounters", kind="WildEncounters", unpacked="encounters"
    ),
    Role.ENCOUNTER_EXTRAS: GameFile(
        "arc/encdata_ex.narc",
        "encounters of Feebas, honey trees, the Trophy Garden and the Great Marsh",
        kind="SpeciesList",
        member_kinds={1: "FeebasTiles", 11: "LookoutTiles"},
    ),
    Role.TRAINERS: GameFile("poketool/trainer/trdata.narc", "trainers", kind="Trainer", unpacked="trainerProperties"),
    Role.TRAINER_PARTIES: GameFile(
        "poketool/trainer/trpoke.narc", "the Pokémon of trainers", kind="TrainerParty", unpacked="trainerParty"
    ),
    Role.TRAINER_MESSAGES: GameFile("poketool/trmsg/trtbl.narc", "what trainers say", kind="TrainerMessages"),
    Role.TRAINER_MESSAGE_OFFSETS: GameFile("poketool/trmsg/trtblofs.narc", kind="TrainerMessageOffsets"),
    Role.SPECIES: GameFile(
        "poketool/personal/pl_personal.narc", "species", kind="SpeciesData", unpacked="personalPokeData"
    ),
    Role.SPECIES_ICONS: GameFile("poketool/icongra/pl_poke_icon.narc", "pictures of species", unpacked="monIcons"),
    Role.ITEMS: GameFile("itemtool/itemdata/pl_item_data.narc", "items", kind="ItemData"),
    Role.ITEM_ICONS: GameFile("itemtool/itemdata/item_icon.narc", "pictures of items"),
    Role.TRADES: GameFile("fielddata/pokemon_trade/fld_trade.narc", "in-game trades", kind="InGameTrade"),
    Role.SCRIPTS: GameFile("fielddata/script/scr_seq.narc", "scripts", kind="ScriptMember", unpacked="scripts"),
    Role.PLACE_NAME_WINDOWS: GameFile("arc/area_win_gra.narc", "place-name windows"),
    Role.DISTORTION_FLOORS: GameFile(
        "fielddata/tornworld/tw_arc.narc",
        "the floors of the Distortion World",
        kind="DistortionFloor",
        member_kinds={0: "DistortionFloorList"},
    ),
    Role.DISTORTION_ATTRIBUTES: GameFile(
        "fielddata/tornworld/tw_arc_attr.narc",
        "the platforms of the Distortion World",
        kind="DistortionAttributes",
    ),
    Role.DISTORTION_SKY: GameFile("data/tw_arc_etc.narc", "the sky of the Distortion World"),
    Role.MUSIC: GameFile("data/sound/pl_sound_data.sdat", "music (only named)"),
    Role.DYNAMIC_HEADERS: GameFile("debug/cb_edit/d_test.narc", unpacked="dynamicHeaders"),
}

_NAME_BANKS: Final = {
    NameBank.SPECIES: BankNumbers(412, 408, 408),
    NameBank.SPECIES_WITH_ARTICLE: BankNumbers(413),
    NameBank.ITEMS: BankNumbers(392, 390, 390),
    NameBank.ITEMS_WITH_ARTICLE: BankNumbers(393),
    NameBank.ITEMS_PLURAL: BankNumbers(394),
    NameBank.ITEM_DESCRIPTIONS: BankNumbers(391, 389, 389),
    NameBank.MOVES: BankNumbers(647, 636, 637),
    NameBank.ABILITIES: BankNumbers(610, 604, 605),
    NameBank.NATURES: BankNumbers(202),
    NameBank.TYPES: BankNumbers(624),
    NameBank.TRAINERS: BankNumbers(618, 611, 612),
    NameBank.TRAINER_CLASSES: BankNumbers(619, 612, 613),
    NameBank.TRAINER_MESSAGES: BankNumbers(617),
    NameBank.PLACES: BankNumbers(433, 427, 428),
    NameBank.MENU_ENTRIES: BankNumbers(361),
    NameBank.POKETCH_APPS: BankNumbers(457),
    NameBank.ACCESSORIES: BankNumbers(386),
    NameBank.BACKDROPS: BankNumbers(388),
    NameBank.UNDERGROUND_GOODS: BankNumbers(626),
    NameBank.UNDERGROUND_TRAPS: BankNumbers(630),
    NameBank.UNDERGROUND_ITEMS: BankNumbers(628),
    NameBank.SPECIAL_PLACES: BankNumbers(435),
    NameBank.TRADES: BankNumbers(370),
}

PLATINUM: Final = Game(
    name="platinum",
    title="Pokémon Platinum",
    codes=("CPU",),
    cartridge_titles=("POKEMON PL",),
    files=_FILES,
    program=ProgramTables(
        overlay=5,
        cameras=17,
        camera_pointer=0x4E24,
        first_camera=(2731713, 0xD602),
        first_graphics=bytes.fromhex("000000005A000000010000000000000002000000010000000300000002000000"),
        first_weathers=bytes.fromhex("0200060505020006060502000606050300060605"),
        header_narc=0x94,
        header_routines={"CPUE": 0x3A024, "CPUJ": 0x39BE0, **dict.fromkeys(("CPUS", "CPUI", "CPUF", "CPUD"), 0x3A0C8)},
    ),
    name_banks=_NAME_BANKS,
    cycling_road="R206",
    town_type=1,
    outdoor_types=frozenset({1, 2}),
    indoor_types=frozenset({4, 5}),
    other_kinds={"msg.narc": "MessageBank"},
    retail_counts={
        Role.MAP_MATRIX: 289,
        Role.LAND_DATA: 666,
        Role.AREA_DATA: 75,
        Role.AREA_BUILD: 71,
        Role.PROP_TEXTURES: 71,
        Role.TERRAIN_TEXTURES: 74,
        Role.BUILD_MODEL: 590,
        Role.MESSAGES: 724,
        Role.ZONE_EVENT: 534,
        Role.SPRITES: 470,
        Role.ENCOUNTERS: 183,
        Role.TRAINERS: 928,
        Role.SPECIES: 508,
        Role.ITEMS: 446,
        Role.SCRIPTS: 1124,
    },
    not_known=frozenset({Topic.LEARNSETS}),
)
