"""Which game a ROM is, and what the program knows of it."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from formats import field as field_formats
from mapexplorer.errors import RomError
from mapexplorer.games import GAMES, UNPACKED_FOLDERS, NameBank, Role, Topic, identify, kind_of
from mapexplorer.games.game import Game
from mapexplorer.games.platinum import PLATINUM


@dataclass
class Files:
    """A cartridge with the needed files of Platinum and no others."""

    code: str
    name: str = "TITLE"
    revision: int = 2
    path: str = "x.nds"
    layout: str = "image"
    lacking: set[str] = field(default_factory=set)

    @property
    def laid_over(self) -> None:
        """No names of its own."""

    def has(self, path: str) -> bool:
        return path in PLATINUM.needed and path not in self.lacking


@pytest.mark.parametrize(
    ("code", "release"),
    [
        ("CPUE", "Pokémon Platinum, English (CPUE), revision 2"),
        ("CPUK", "Pokémon Platinum, Korean (CPUK), revision 2"),
        ("CPUX", "Pokémon Platinum, unknown language (CPUX), revision 2"),
        ("HACK", "TITLE (HACK), recognised by its files"),
        ("", "TITLE (no game code), recognised by its files"),
    ],
)
def test_a_game_is_known_by_its_code_or_its_files(code: str, release: str) -> None:
    rom = Files(code)
    assert identify(rom) is PLATINUM
    assert PLATINUM.release(rom) == release
    assert PLATINUM.missing(rom) == PLATINUM.optional


def test_other_games_and_missing_files_are_refused() -> None:
    with pytest.raises(RomError, match=r"^x.nds is Pokémon White \(IRAE\), which this program does not read; it reads"):
        identify(Files("IRAE"))
    files = list(PLATINUM.needed)
    with pytest.raises(RomError, match=r"^x.nds is another game: TITLE \(HACK\); only Pokémon Platinum"):
        identify(Files("HACK", lacking=set(files[:5])))
    for code, lacking in (("CPUE", files[:5]), ("HACK", files[:4])):
        with pytest.raises(
            RomError, match=rf"lacks .*mapname.bin \(the internal map names\) and {len(lacking) - 1} more"
        ):
            identify(Files(code, lacking=set(lacking)))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("/fielddata/land_data/land_data.narc[12]", "LandData"),
        ("land_data.narc#3", "LandData"),
        ("fielddata\\mapmatrix\\map_matrix.narc\\0003.bin", "MapMatrix"),
        ("msgdata/PL_MSG.NARC[433]", "MessageBank"),
        ("msgdata/msg.narc", "MessageBank"),
        ("fielddata/maptable/mapname.bin", "MapNames"),
        ("fielddata/mm_list/move_model_list.narc[0]", "MoveModelList"),
        ("arc/encdata_ex.narc[1]", "FeebasTiles"),
        ("encdata_ex.narc#10", "SpeciesList"),
        ("encdata_ex.narc/0011.bin", "LookoutTiles"),
        ("fielddata/tornworld/tw_arc.narc[0]", "DistortionFloorList"),
        ("tw_arc.narc#00", "DistortionFloorList"),
        ("fielddata\\tornworld\\tw_arc.narc\\0000.bin", "DistortionFloorList"),
        ("tw_arc.narc#10", "DistortionFloor"),
        ("tw_arc.narc", "DistortionFloor"),
        ("fielddata/build_model/build_model.narc[0]", None),
        ("land_data", None),
        ("", None),
    ],
)
def test_the_kind_of_a_field_file_is_told_by_its_name(name: str, kind: str | None) -> None:
    assert PLATINUM.kind(name) == kind_of(name) == kind


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_game_is_complete(game: Game) -> None:
    assert {game.role(game.path(role)) for role in game.files} == set(game.files)
    assert all(
        hasattr(field_formats, kind)
        for file in game.files.values()
        for kind in (file.kind, *file.member_kinds.values())
        if kind
    )
    assert all(file.purpose for file in game.files.values() if file.needed)
    for name in (
        "cameras",
        "encounters",
        "engine",
        "headers",
        "icons",
        "items",
        "movement",
        "music",
        "props",
        "sprites",
        "terrain",
        "time",
        "trainers",
        "weather",
    ):
        assert game.tables.raw(name)["about"]


def test_platinum_lacks_nothing() -> None:
    assert set(PLATINUM.files) == set(Role) - {Role.TERRAIN_SRT_ANIMATIONS}
    assert set(PLATINUM.name_banks) == set(NameBank)
    assert PLATINUM.not_known == {Topic.LEARNSETS}


def test_folders_of_editors_are_those_of_all_games() -> None:
    assert UNPACKED_FOLDERS[PLATINUM.path(Role.MAP_MATRIX)] == "matrices"
    assert UNPACKED_FOLDERS["debug/cb_edit/d_test.narc"] == "dynamicHeaders"
