"""The roles of a game's files, independent of their paths."""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    """The role of a file; the value is its short name in messages (`map_matrix[3]`)."""

    MAP_NAMES = "mapname"
    MAP_MATRIX = "map_matrix"
    LAND_DATA = "land_data"
    AREA_DATA = "area_data"
    AREA_BUILD = "area_build"
    PROP_TEXTURES = "areabm_texset"
    TERRAIN_TEXTURES = "map_tex_set"
    AREA_LIGHT = "arealight"
    BUILD_MODEL = "build_model"
    MATSHP = "build_model_matshp"
    PROP_ANIMATION_LIST = "bm_anime_list"
    PROP_ANIMATIONS = "bm_anime"
    TERRAIN_ANIMATIONS = "fldtanime"
    ZONE_EVENT = "zone_event"
    PRELOAD_LISTS = "move_model_list"
    MESSAGES = "pl_msg"
    SCRIPTS = "scr_seq"
    ENCOUNTERS = "pl_enc_data"
    SPRITES = "mmodel"
    EFFECTS = "fldeff"
    WEATHER_PICTURES = "weather_sys"
    PLACE_NAME_WINDOWS = "area_win_gra"
    DISTORTION_FLOORS = "tw_arc"
    DISTORTION_ATTRIBUTES = "tw_arc_attr"
    DISTORTION_SKY = "tw_arc_etc"
    MUSIC = "pl_sound_data"
    DYNAMIC_HEADERS = "d_test"
