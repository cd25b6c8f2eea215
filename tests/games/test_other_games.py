"""Diamond and HeartGold through the whole program: pictures, walks, exports, verification."""

from __future__ import annotations

import sqlite3
from collections import Counter
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from mapexplorer.catalogue import edges
from mapexplorer.catalogue.database import Store
from mapexplorer.catalogue.source import Source
from mapexplorer.errors import RomError
from mapexplorer.export.request import PictureRequest
from mapexplorer.export.run import run
from mapexplorer.features import by_header, unknown_parts
from mapexplorer.gameplay.flags import flag_meaning, flag_name
from mapexplorer.gameplay.icons import item_icon
from mapexplorer.gameplay.items import Items, script_effects
from mapexplorer.gameplay.static_pokemon import static_pokemon
from mapexplorer.gameplay.trainers import find_trainer
from mapexplorer.games import Role, Topic
from mapexplorer.inspector.places.map_events import find_events
from mapexplorer.inspector.places.place import find_place, place_facts, place_json
from mapexplorer.inspector.script.script_listing import ask
from mapexplorer.inspector.things.uses import find_where_used
from mapexplorer.map_objects.setting import object_settings
from mapexplorer.rom import MemorySource
from mapexplorer.rom.image import ImageRom
from mapexplorer.scene.conditions import Conditions
from mapexplorer.scene.field_objects import FieldObjects
from mapexplorer.scene.scene import FieldScene
from mapexplorer.scene.view import View
from mapexplorer.system.progress import Progress
from mapexplorer.walk import Walker
from mapexplorer.world import FieldWorld
from mapexplorer.world.direction import SOUTH
from mapexplorer.world.models.animations import terrain_animation
from mapexplorer.world.references.verification import verify
from mapexplorer.world.save import fresh_save

_WITH_AND_WITHOUT = ("terrain", "props", "people"), ("terrain", "props")


@pytest.fixture(scope="module")
def world(rom_path: Path) -> FieldWorld:
    """Platinum."""
    return FieldWorld.open(rom_path)


@pytest.mark.parametrize("map_name", ["T01", "C01", "T01R0101", "D05R0101"])
def test_places_of_diamond_are_drawn(diamond: FieldWorld, map_name: str) -> None:
    scene = FieldScene(diamond.place(map_name), View())
    picture = scene.render()
    assert not scene.damaged
    assert len(np.unique(picture.reshape(-1, picture.shape[-1]), axis=0)) > 20


def test_pearl_has_another_matrix_for_spear_pillar(rom_path: Path) -> None:
    image = bytearray(rom_path.with_name("diamond-field.nds").read_bytes())
    before = FieldWorld(ImageRom("diamond.nds", MemorySource(bytes(image))))
    image[0x0C:0x0F] = b"APA"
    after = FieldWorld(ImageRom("pearl.nds", MemorySource(bytes(image))))
    assert "Pokémon Pearl" in after.game.release(after.rom)
    changed = {
        one.id: other.matrix
        for one, other in zip(before.headers, after.headers, strict=True)
        if one.matrix != other.matrix
    }
    assert changed and set(changed.values()) == {23}
    assert all(before.headers[header].matrix == 22 for header in changed)
    assert all(after.headers[header].record.matrix == 22 for header in changed)


def test_a_walk_in_diamond(diamond: FieldWorld) -> None:
    walker = Walker(diamond, 411, 104, 882)
    for _ in range(2):
        for _ in walker.press(SOUTH):
            pass
    assert (walker.x, walker.z) == (104, 884)


def test_diamond_has_the_lifts_gears_and_water_of_platinum(diamond: FieldWorld, world: FieldWorld) -> None:
    """Its rooms have the same tiles, its props the same models under the same numbers."""
    names = {other: by_header(other.game.tables) for other in (diamond, world)}
    kinds = {"pastoria gym", "canalave gym", "sunyshore gym", "platform lift", "great marsh"}
    assert set(names[diamond].values()) == kinds
    for header, name in names[diamond].items():
        features = [FieldScene(other.place(header), View()).conditions.feature for other in (diamond, world)]
        assert names[world][header] == name and features[0] == features[1] and features[0] is not None
        for number in {prop.model for prop in features[0].props()} | {
            each.model for each in features[0].placed_props()
        }:
            assert diamond.prop_model(number).models[0].name == world.prop_model(number).models[0].name
        if name != "great marsh":
            lands = [
                [other.place(header).terrain.attributes(cell) for cell in other.place(header).cells] for other in names
            ]
            different = sum((one != other).sum() for one, other in zip(*lands, strict=True))
            assert different <= 2, header


def test_berry_patches_of_diamond_have_fruit(diamond: FieldWorld, world: FieldWorld) -> None:
    """118 patches, on the maps of those of Platinum."""
    patches: list[dict[int, str]] = []
    for other in (diamond, world):
        save = fresh_save(other.game)
        patches.append({})
        for header in other.headers:
            events = other.events(header.id)
            for each in object_settings(events, header.id, save):
                if each.grows:
                    patches[-1][each.parameters[0]] = header.internal_name
                    assert each.graphics.draws == "berry tree" and (each.graphics.id - 4096) % 3 == 0
    assert patches[0] == patches[1] and sorted(patches[0]) == list(range(118))
    shown = [FieldScene(diamond.place("D03"), View(at=(231, 556), layers=layers)) for layers in _WITH_AND_WITHOUT]
    changed = (shown[0].render() != shown[1].render()).any(-1)[40:75, 100:170]
    assert changed.sum() > 4 * 16 * 16, "four plants are taller than their tiles"


def test_gyms_of_which_the_code_is_not_known_are_named(
    diamond: FieldWorld, heartgold: FieldWorld, world: FieldWorld, tmp_path: Path
) -> None:
    assert not any(unknown_parts(world.place(header.id)) for header in world.headers)
    for other in (diamond, heartgold):
        known = by_header(other.game.tables)
        for header in other.headers:
            gym = "GYM" in header.internal_name and header.id not in known
            assert ("what code adds to this gym" in unknown_parts(other.place(header.id))) == gym
    sentence = "Not known: what code adds to this gym, such as doors and lifts."
    for header, said in ((133, True), (35, False), (202, False)):
        outcome = run(PictureRequest(place=header, output=tmp_path / "a.png"), diamond)
        assert (sentence in outcome.notices) == said
    facts = find_place(diamond.place(133))
    words = place_json(facts)["not_known"]
    assert words and words in [fact.value for fact in place_facts(facts) if fact.name == "Not known"]


def test_people_who_cannot_all_be_there_are_named(diamond: FieldWorld, heartgold: FieldWorld) -> None:
    """Nothing is known about the flags of a new game: all are drawn, also several on a tile."""
    for other, several in ((diamond, 14), (heartgold, 10)):
        found = 0
        for header in other.headers:
            view = View()
            conditions = Conditions.of_view(other.place(header.id), view)
            seen = [each for each in FieldObjects.of_view(conditions, view).of(header.id).objects if each.visible]
            tiles = Counter((each.x, each.z) for each in seen if each.setting.hidden_flag)
            words = unknown_parts(other.place(header.id))
            assert all(str(tile) in words for tile, number in tiles.items() if number > 1), header
            found += max(tiles.values(), default=0) > 1
        assert found >= several


def test_what_is_not_known_is_said(diamond: FieldWorld, heartgold: FieldWorld) -> None:
    for world in (diamond, heartgold):
        assert world.game.not_known == frozenset(Topic)
        with pytest.raises(RomError, match=r"^Nothing is known about scripts in Pokémon"):
            ask(world, "T20" if world is heartgold else "T01")
        (found,) = find_where_used(world, "item:4")
        assert not found.uses and found.not_known == (Topic.SCRIPTS, Topic.TRAINERS, Topic.ITEMS)


def test_what_happens_in_another_game_is_empty_or_refused(diamond: FieldWorld, heartgold: FieldWorld) -> None:
    """No table of Platinum answers for a game about which nothing is known."""
    for world in (diamond, heartgold):
        names, items = world.game.tables.save_names, Items(world)
        questions = (
            ("items", items.data),
            ("items", partial(item_icon, world)),
            ("trainers", partial(find_trainer, world)),
        )
        for topic, ask_for in questions:
            with pytest.raises(RomError, match=rf"^Nothing is known about {topic} in Pokémon"):
                ask_for(17)
        assert not [*static_pokemon(world, script_effects(world))] and not items.by_item(script_effects(world))
        assert not names.unused_flags and flag_meaning(names, 1606)[0] == "event"
        assert not flag_name(names, 1606) and not flag_name(names, 931)
        source = Source(world, Progress(), Store(sqlite3.connect(":memory:"), whole=False))
        found = [*edges.events(source), *edges.event_scripts(source), *edges.scripts(source)]
        assert {edge.how for edge in found if edge.used.kind == "flag"} == {edges.HIDES}
        town = find_events(world, world.place("T20" if world is heartgold else "T01").header.id)
        hiding = [event.hidden_by for event in town.events if event.hidden_by is not None]
        assert hiding and not any(one.known for one in hiding)


def test_props_of_rooms_are_numbered_on(heartgold: FieldWorld) -> None:
    first = heartgold.prop_numbers.first_room_model
    assert first == len(heartgold.rom.archive(heartgold.game.path(Role.BUILD_MODEL)))
    room = heartgold.place("T20R0201")
    assert all(prop.model >= first for cell in room.cells for prop in room.props(cell))
    town = heartgold.place("T20")
    props = [prop for cell in town.cells for prop in town.props(cell)]
    assert props and all(prop.model < first for prop in props)


def test_terrain_moves_by_the_number_of_a_material(heartgold: FieldWorld) -> None:
    area = next(area for area in map(heartgold.area, range(106)) if area.terrain_srt_animation == 0)  # type: ignore[attr-defined]
    model = heartgold.land(0).model.models[0]
    found = terrain_animation(heartgold, area, 0, model)
    assert found is not None
    tracks = found.animations[0].tracks
    assert [track.material for track in tracks] == [material.name for material in model.materials[: len(tracks)]]
    assert terrain_animation(heartgold, area, 208, model) is None


@pytest.mark.slow
@pytest.mark.parametrize("game", ["diamond", "heartgold"])
def test_every_place_is_composed(game: str, request: pytest.FixtureRequest) -> None:
    world: FieldWorld = request.getfixturevalue(game)
    for header in world.headers:
        place = world.place(header.id)
        if place.matrix_cells:
            scene = FieldScene(place, View())
            scene.render()
            assert not scene.damaged, header


@pytest.mark.slow
@pytest.mark.parametrize("game", ["diamond", "heartgold"])
def test_everything_is_written_back(game: str, request: pytest.FixtureRequest) -> None:
    world: FieldWorld = request.getfixturevalue(game)
    found = verify(world.rom, jobs=1)
    assert not found.problems and found.read > 4000
