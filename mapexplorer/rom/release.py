"""Which game and which release: from the game code of the cartridge header, else from the files that are there."""

from __future__ import annotations

from dataclasses import dataclass

LANGUAGES = {
    "E": "English",
    "S": "Spanish",
    "I": "Italian",
    "F": "French",
    "D": "German",
    "J": "Japanese",
    "K": "Korean",
}

OTHER_GAMES = {
    "ADA": "Pokémon Diamond",
    "APA": "Pokémon Pearl",
    "IPK": "Pokémon HeartGold",
    "IPG": "Pokémon SoulSilver",
    "IRB": "Pokémon Black",
    "IRA": "Pokémon White",
    "IRE": "Pokémon Black 2",
    "IRD": "Pokémon White 2",
}

NEEDED_FILES = {
    "fielddata/maptable/mapname.bin": "the internal map names",
    "fielddata/mapmatrix/map_matrix.narc": "the map matrices",
    "fielddata/land_data/land_data.narc": "the terrain",
    "fielddata/areadata/area_data.narc": "the areas",
    "fielddata/areadata/area_build_model/area_build.narc": "the prop lists",
    "fielddata/areadata/area_build_model/areabm_texset.narc": "the prop textures",
    "fielddata/areadata/area_map_tex/map_tex_set.narc": "the terrain textures",
    "data/arealight.narc": "the lights",
    "fielddata/build_model/build_model.narc": "the prop models",
}
"""What no map can be shown without. Everything else may be absent."""

OPTIONAL_FILES = {
    "msgdata/pl_msg.narc": "location names and texts",
    "fielddata/eventdata/zone_event.narc": "people, warps, signs and triggers",
    "fielddata/areadata/area_move_model/move_model_list.narc": "lists of preloaded object graphics",
    "fielddata/build_model/build_model_matshp.dat": "the draw lists of static props",
    "arc/bm_anime_list.narc": "which props are animated",
    "arc/bm_anime.narc": "prop animations",
    "data/fldtanime.narc": "terrain texture animations",
    "data/mmodel/mmodel.narc": "sprites of people",
    "data/mmodel/fldeff.narc": "shadows and signs",
    "data/weather_sys.narc": "weather pictures",
    "fielddata/encountdata/pl_enc_data.narc": "wild encounters (only counted)",
    "fielddata/script/scr_seq.narc": "scripts (only counted)",
    "arc/area_win_gra.narc": "place-name windows",
    "fielddata/tornworld/tw_arc.narc": "the Distortion World's placement",
    "data/sound/pl_sound_data.sdat": "music (only named)",
}
"""What may be absent, and what is then missing."""


@dataclass(frozen=True)
class Release:
    """One release of the game: its code (`CPUE`), language and software version; `platinum` is False for a look-alike
    that was recognised by its files only (a hack with its own code, or the demo world)."""

    code: str
    title: str
    maker: str
    revision: int
    language: str
    platinum: bool

    def __str__(self) -> str:
        if not self.platinum:
            return f"{self.title or 'untitled'} ({self.code or 'no game code'}), recognised by its files"
        return f"Pokémon Platinum, {self.language} ({self.code}), revision {self.revision}"


def identify(code: str, title: str, maker: str, revision: int) -> Release:
    """The release that a header names."""
    platinum = code[:3] == "CPU"
    language = LANGUAGES.get(code[3:4], "unknown language") if platinum else "unknown language"
    return Release(code, title, maker, revision, language, platinum)
