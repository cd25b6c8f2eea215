"""What a saved game has left, and what happened between two."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from formats.field.charmap import text_of
from mapexplorer.gameplay.items import Items
from mapexplorer.gameplay.left import Left, LeftKind, left_name, left_on
from mapexplorer.inspector.saved import happened
from mapexplorer.walk.standable import standable
from mapexplorer.world import FieldWorld
from mapexplorer.world.opening import open_rom
from mapexplorer.world.save import Save, fresh_save
from mapexplorer.world.saved_game import read_saved_game
from tests.saves import write_save

TAKEN, BEATEN, EVERY = 730, 1360, frozenset(range(1, 2912))


@pytest.fixture(scope="module")
def real(rom_path: Path) -> FieldWorld:
    return FieldWorld(open_rom(rom_path))


@pytest.fixture(scope="module")
def every(real: FieldWorld) -> list[Left]:
    """What is left on all maps with a save without flags and variables."""
    items = Items(real)
    return [left for header in real.headers for left in left_on(real, header.id, Save(real.game), items)]


def of_bytes(world: FieldWorld, header: int) -> set[tuple[str, int, int, int]]:
    """The items, hidden items and trainers of a map with their flags, from the numbers of scripts in its events."""
    events, found = world.events(header), set()
    assert events is not None
    for script, flag, x, z in events.objects[["script", "hidden_flag", "x", "z"]].tolist():
        if 3000 <= script < 7000:
            found.add(("trainer", BEATEN + script - (3000 if script < 5000 else 5000) + 1, x, z))
        elif 7000 <= script < 7000 + 326 and flag:
            found.add(("item", flag, x, z))
    for script, kind, x, z in events.background[["script", "type", "x", "z"]].tolist():
        if kind == 2:
            found.add(("hidden item", TAKEN + script - 8000, x, z))
    return found


def test_what_is_left_is_what_no_flag_says_is_done(real: FieldWorld, every: list[Left]) -> None:
    """In 200 random states on a map each; where all flags are set nothing is left that a flag tells."""
    source, items = random.Random(1), Items(real)
    maps = [header.id for header in real.headers if real.events(header.id) is not None and of_bytes(real, header.id)]
    for header in source.choices(maps, k=200):
        known = of_bytes(real, header)
        flags = frozenset(flag for _, flag, _, _ in known if source.random() < 0.5)
        left = left_on(real, header, Save(real.game, flags), items)
        listed = [each for each in left if each.kind in (LeftKind.ITEM, LeftKind.HIDDEN_ITEM, LeftKind.TRAINER)]
        told = {(str(each.kind), *(each.memory or ()), *(each.tile or ())) for each in listed}
        assert told == {each for each in known if each[1] not in flags}, header
    for each in every:
        assert each.is_done(Save(real.game, EVERY)) or each.memory is None or not {*each.memory} <= EVERY


def test_gifts_have_the_flag_that_their_script_checks_and_sets(real: FieldWorld) -> None:
    [potion] = [left for left in left_on(real, 342, fresh_save(real.game)) if left.kind is LeftKind.GIFT]
    assert (potion.memory, left_name(real, potion), potion.tile) == ({108: 1}, "Potion", (140, 842))


def test_places_that_a_save_remembers_are_unseen_until_their_flag_is_set(real: FieldWorld, every: list[Left]) -> None:
    """Towns, whose flags code sets, and caves, buildings and islands, whose scripts set them."""
    unseen = [each for each in every if each.kind is LeftKind.PLACE and not each.is_done(fresh_save(real.game))]
    places = {flag: each.header for each in unseen for flag in each.memory or ()}
    assert {2480: 411, 2495: 165, 2498: 198, 2506: 244, 2546: 392, 2548: 175}.items() <= places.items()
    named = real.game.tables.save_names.flags
    absent = {named[flag] for flag in range(2480, 2549) if flag not in places}
    assert len(places) == 62 and all("unused" in name or "mystery" in name or "trophy" in name for name in absent)


def test_what_happened_since_an_older_save(real: FieldWorld, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("old", "new")]
    for folder in folders:
        folder.mkdir()
    old = read_saved_game(write_save(folders[0], (200,), {0x40E6: 1}, at=(411, 116, 886), money=3000, hours=1))
    new = read_saved_game(
        write_save(folders[1], (108, 1363), {0x40E6: 2}, at=(342, 140, 843), money=2500, hours=2, badges=1)
    )
    told = dict(happened(real, old, new))
    assert told["played"] == "1.00 hours more" and told["money"] == "-500, now 2,500" and told["badge"] == "Coal"
    assert told["went"] == "from Twinleaf Town [116, 886] to Route 201 [140, 843]"
    assert told["gift done"].startswith("Potion, Route 201") and told["trainer done"].startswith("Lass Natalie")
    assert told["flag cleared"].startswith("200 ") and told["variable"].endswith("1 before, 2 now")


def test_tiles_to_stand_on() -> None:
    world = FieldWorld.open("demo")
    place = world.place("T01R0101")
    tiles = {(x, z) for x, z, _ in standable(place, fresh_save(world.game))}
    assert tiles and place.events is not None
    for x, z in tiles:
        assert not place.terrain.collides(x, z)
    for taken in (*place.events.warps, *place.events.objects):
        assert (int(taken["x"]), int(taken["z"])) not in tiles


def test_names_end_at_their_mark() -> None:
    assert text_of([0x12B, 0x145, 0x188, 0xFFFF, 0x121]) == "Aaé" and text_of([0] * 8) == ""
