"""Who uses what, both ways."""

from __future__ import annotations

from collections.abc import Callable

from mapexplorer.rom import Rom
from mapexplorer.world import World
from mapexplorer.world.uses import Use


def test_references_of_twinleaf_town(real: World) -> None:
    uses = real.uses
    assert uses.notes == []
    assert uses.used_by("land", 0) == (Use("header", 411, "cell (3, 27)"),)
    assert Use("land", 0, "cell (3, 27)") in uses.uses("header", 411)
    assert {use.number for use in uses.used_by("header", 411)} == {412, 414, 416, 417}
    assert str(Use("land", 0, "cell (3, 27)")) == "land 0 (cell (3, 27))"
    assert 411 in uses.places("terrain set", 6)
    assert 411 in uses.places("light set", 0)


def test_both_directions_agree(real: World) -> None:
    uses = real.uses
    pairs = 0
    for header in real.headers:
        for use in uses.uses("header", header.id):
            assert Use("header", header.id, use.how) in uses.used_by(use.kind, use.number)
            pairs += 1
    assert pairs > 5000


def test_places_of_a_prop_are_those_that_place_it(real: World) -> None:
    uses = real.uses
    placed = [model for model in range(590) if any(use.kind == "land" for use in uses.used_by("prop", model))]
    assert len(placed) == 360
    for header in uses.places("prop", 23):
        place = real.place(header)
        assert any(prop.stored == 23 for cell in place.cells for prop in place.props(cell))
    for animation in (0, 50, 97):
        assert uses.used_by("prop animation", animation)
    assert uses.unused("prop animation", 98) == ()
    assert uses.unused("terrain animation", 52) == ()
    assert len(uses.used_by("terrain animation", 0)) == 23
    assert 289 - len(uses.unused("matrix", 289)) == 270


def test_a_damaged_file_is_left_out(tiny_rom: Callable[..., Rom]) -> None:
    from mapexplorer.games import Role
    from mapexplorer.games.platinum import PLATINUM
    from mapexplorer.rom import build_archive

    rom = tiny_rom({PLATINUM.path(Role.AREA_DATA): build_archive([bytes(8), b"short"])})
    uses = World(rom).uses
    assert len(uses.notes) == 1
    assert "area_data.narc[1]" in uses.notes[0]
    assert uses.places("land", 0) == (0, 2, 3, 4)
    assert uses.places("land", 1) == (0, 3, 4)
    assert uses.places("prop", 2) == (0, 2, 3, 4)
    assert uses.places("area", 1) == (2, 3)
