"""The public Python names on the demo world: values with names and units, clear errors, a described type for each
answer."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import mapexplorer
from formats.nds.colors import to_rgb8
from mapexplorer import api, api_facts
from mapexplorer.games import Role
from mapexplorer.world.subject import subject

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def demo() -> api.World:
    return mapexplorer.World("demo")


# --- things


def test_a_thing_is_the_same_however_it_is_found(demo: api.World) -> None:
    (found,) = demo.find("loaf bread", kind="item")
    assert (found.address, found.name, found.subject) == ("item:17", "Loaf of Bread", subject("item", 17))
    for what in ("item:17", "item:Loaf of Bread", "Loaf of Bread", "ITEM_POTION", subject("item", 17)):
        assert demo.thing(what) == found, what
    assert repr(found) == "<Thing item:17 Loaf of Bread>"
    assert demo.thing("trainer:1").about == "Forester" == demo.find("holm", kind="trainer")[0].about
    assert demo.find("FLAG_HAS_POKEDEX")[0] == demo.thing("FLAG_HAS_POKEDEX")
    assert demo.find(" ") == [] == demo.find("nothing has these words")


def test_all_things_of_a_kind_are_those_that_the_rom_names(demo: api.World) -> None:
    names = demo.underlying.messages(1)
    assert names is not None
    texts = [one for one in demo.things("text") if one.subject.key[0] == 1]
    assert [one.subject.key[1] for one in texts] == [number for number, text in enumerate(names.messages) if text]
    assert [one.name for one in demo.things("species")][-1] == demo.thing("species:8").name == "Frosthare"
    assert [one.subject.key[0] for one in demo.things("map")] == [header.id for header in demo.headers]
    assert len(demo.things("prop")) == len(demo.rom.archive("fielddata/build_model/build_model.narc"))


def test_uses_of_a_thing_say_where_was_looked(demo: api.World) -> None:
    bread = demo.uses("item:Loaf of Bread")
    assert bread.known and bread.not_known == () and "scripts" in bread.asked
    assert {(use.user.kind, use.how, use.map) for use in bread.uses if use.map} == {("scripts", "given by", "T01R0101")}
    assert [use.how for use in demo.uses(subject("item", 17)).uses] == [use.how for use in bread.uses]
    assert [use.how for use in demo.thing("item:17").uses.uses] == [use.how for use in bread.uses]
    none = demo.uses("item:Mill Key")
    assert none.known and none.uses == () == none.places and "scripts" in none.asked


def test_trainers_are_read_when_they_are_asked_for(demo: api.World, monkeypatch: pytest.MonkeyPatch) -> None:
    trainers = demo.trainers
    read: list[tuple[str, int]] = []
    members = type(demo.underlying).member

    def member(world: object, role: str, index: int, reader: Callable[..., object]) -> object:
        read.append((role, index))
        return members(world, role, index, reader)

    monkeypatch.setattr(type(demo.underlying), "member", member)
    assert len(trainers) == 3 and read == []
    holm = trainers[1]
    assert (holm.number, holm.name, holm.class_name) == (1, "Holm", "Forester")
    assert {index for role, index in read if role in (Role.TRAINERS, Role.TRAINER_PARTIES)} == {1}
    assert [(one.stored.species, one.stored.level, one.stored.moves) for one in holm.party] == [
        (1, 6, (1, 0, 0, 0)), (2, 8, (1, 2, 0, 0)),
    ]  # fmt: skip
    assert [one.name for one in trainers][1:] == ["Holm", "Tamsin"] and trainers[-1].name == "Tamsin"
    with pytest.raises(IndexError):
        trainers[3]


def test_textures_are_pictures_by_name(demo: api.World) -> None:
    for kind, read in (("terrain", demo.underlying.terrain_textures), ("prop", demo.underlying.prop_textures)):
        pictures, stored = demo.textures(kind, 0), read(0).textures
        assert list(pictures) == [one.name for one in stored.textures]
        for one in stored.textures:
            assert pictures[one.name].shape == (one.height, one.width, 4) and pictures[one.name].dtype == np.uint8
    grass = next(one for one in demo.underlying.terrain_textures(0).textures.textures if one.name == "grass")
    assert grass.format == 3  # 16 colours, four bits each, the lower ones first
    texels = np.frombuffer(grass.texels, np.uint8)
    numbers = np.stack([texels & 15, texels >> 4], axis=-1).reshape(grass.height, grass.width)
    palette = demo.underlying.terrain_textures(0).textures.palette("grass_pl")
    assert palette is not None
    assert demo.textures("terrain-set", 0).keys() == demo.textures("terrain set", 0).keys()
    assert np.array_equal(demo.textures("terrain", 0)["grass"][..., :3], to_rgb8(palette.colors)[numbers])


# --- maps


def test_positions_of_props_are_in_units(demo: api.World) -> None:
    count = 0
    for header in demo.headers:
        place = demo.place(header.id)
        for cell in place.cells:
            for prop in place.props(cell):
                stored = demo.underlying.land_parts(cell.land).props[prop.index]
                for axis, centre in ((0, 512 * cell.x + 256), (1, 0), (2, 512 * cell.z + 256)):
                    assert prop.position[axis] == centre + stored["position"][axis] / 4096
                    assert isinstance(prop.position[axis], float) and prop.scale[axis] == stored["scale"][axis] / 4096
                assert prop.underlying.position == tuple(round(4096 * one) for one in prop.position)
                assert prop.model == prop.underlying.model
                count += 1
    assert count > 20


def test_weather_of_days(demo: api.World) -> None:
    chamber = demo.place("D01R0201")
    assert (chamber.header.weather, chamber.weather(0).id, chamber.weather(365).name) == (11, 11, "hailing")
    assert {one.id: days for one, days in chamber.weather().items()} == {11: 366}
    for day in (-1, 366, "noon"):
        with pytest.raises(ValueError, match="day"):
            chamber.weather(day)


def test_people_and_other_events(demo: api.World) -> None:
    lake = demo.place("L01")
    events = lake.events
    assert events is not None
    people = lake.people()
    assert [one.tile for one in people] == [(one["x"], one["z"]) for one in events.objects]
    assert [one.script for one in people] == events.objects["script"].tolist()
    assert people[0].texts == ("There is a chamber below the lake where it is always winter.",)
    hidden = people[1].hidden_by
    assert hidden is not None and hidden.flag == events.objects["hidden_flag"][1] == 90 and not people[1].absent
    assert {use.how for use in hidden.users} == {"set by", "cleared by", "checked by"}
    every = lake.map_events()
    assert every.damaged == ()
    assert [one.kind for one in every.events] == [
        *["object"] * len(events.objects),
        *["sign"] * len(events.background),
        *["warp"] * len(events.warps),
        *["trigger"] * len(events.triggers),
    ]
    assert lake.people(save="entered") == people


def test_encounters_items_and_scripts_of_a_map(demo: api.World) -> None:
    hill = demo.place("H01")
    member = demo.underlying.game.path("pl_enc_data")
    rate, *first = np.frombuffer(demo.rom.archive(member)[0], "<i4")[:3]
    met = hill.encounters()
    assert rate == 30 and first[1] in {one.species for one in met if (one.how, one.when) == ("grass", "always")}
    morning = [one.percent for one in met if one.when in ("always", "morning") and one.how == "grass"]
    assert sum(filter(None, morning)) == 100
    events = hill.events
    assert events is not None
    ball, hidden = hill.items()
    assert (ball.item, ball.x, ball.z) == (3, *events.objects[["x", "z"]][2].tolist())
    assert (hidden.item, hidden.how.value, hidden.x, hidden.z) == (7, "hidden", 24, 20)
    (bread,) = demo.place("T01R0101").items()
    assert (bread.item, bread.how.value, bread.count) == (17, "script", 1)
    scripts = hill.scripts()
    assert scripts.member == hill.header.scripts and scripts.effects[0].numbers("text") == (0,)
    assert scripts.texts[0, 0].startswith("The mill has turned")


# --- errors


WRONG: dict[str, tuple[type[Exception], Callable[[api.World, Path], object]]] = {
    "there is no place called": (mapexplorer.PlaceError, lambda world, _: world.place("go")),
    "is no kind of thing": (mapexplorer.PlaceError, lambda world, _: world.find("mill", kind="windmill")),
    "'area' is not possible": (mapexplorer.PlaceError, lambda world, _: world.things("area")),
    "is not a text": (TypeError, lambda world, _: world.find(3)),
    "there is no item called": (mapexplorer.PlaceError, lambda world, _: world.thing("item:Spaceship")),
    "there is no item 18": (mapexplorer.PlaceError, lambda world, _: world.uses(subject("item", 18))),
    "'windmill' is no kind": (mapexplorer.PlaceError, lambda world, _: world.thing(subject("windmill", 1))),
    "an item has 1 number": (mapexplorer.PlaceError, lambda world, _: world.thing(subject("item", 1, 2))),
    "there is no terrain set 99": (mapexplorer.PlaceError, lambda world, _: world.textures("terrain", 99)),
    "'wall set' is no kind": (mapexplorer.PlaceError, lambda world, _: world.textures("wall", 0)),
    "is not a world": (TypeError, lambda world, _: world.compare("demo")),
    "99 is no weather": (ValueError, lambda world, _: world.place("T01").scene(weather=99)),
    "outside matrix": (mapexplorer.PlaceError, lambda world, _: world.place("T01").scene(at=(-1, 5))),
    "is outside matrix": (mapexplorer.PlaceError, lambda world, _: world.place("T01").height(1e9, 5)),
    "not in '.foo'": (ValueError, lambda world, folder: world.place("T01").export_gltf(folder / "x.foo")),
    "not in '.jpg'": (ValueError, lambda world, folder: world.place("T01").export_poster(folder / "x.jpg")),
    "not a cell of the place": (TypeError, lambda world, _: world.place("T01").props((0, 0))),
    "the screen has pixels": (ValueError, lambda world, _: world.place("T01").scene().why(256, 0)),
}


@pytest.mark.parametrize("sentence", WRONG)
def test_a_wrong_argument_raises_and_writes_nothing(demo: api.World, tmp_path: Path, sentence: str) -> None:
    kind, call = WRONG[sentence]
    with pytest.raises(kind, match=re.compile(re.escape(sentence), re.IGNORECASE)):
        call(demo, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_candidates_of_a_map_are_headers(demo: api.World) -> None:
    with pytest.raises(mapexplorer.PlaceError) as raised:
        demo.place("Milbrook")
    assert raised.value.candidates[0] is demo.headers[4]
    with pytest.raises(mapexplorer.PlaceError) as raised:
        demo.thing("item:Brea")
    assert "Loaf of Bread" in "".join(map(str, raised.value.candidates))


# --- the reference


def test_the_reference_describes_every_type_that_is_returned() -> None:
    """Each class of this project in the type of a public property or method is on the page of the reference."""
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    described = re.findall(r"^::: ([\w.]+)", page, re.MULTILINE)
    missing, count = set(), 0
    for module in (api, api_facts):
        homes = {
            name.asname or name.name: f"{node.module}.{name.name}"
            for node in ast.walk(ast.parse(inspect.getsource(module)))
            if isinstance(node, ast.ImportFrom)
            for name in node.names
        } | {name: f"mapexplorer.{name}" for name in mapexplorer.__all__}
        for owner in (api.World, api.Place, api.Scene, api_facts.GameFacts, api_facts.MapFacts):
            for name, one in vars(owner).items():
                function = one.fget if isinstance(one, property) else one
                if owner.__module__ != module.__name__ or name.startswith("_") or not inspect.isfunction(function):
                    continue
                for word in re.findall(r"\w+", function.__annotations__["return"]):
                    home = homes.get(word, "")
                    if word[:1].isupper() and home.startswith(("mapexplorer.", "formats.")):
                        count += 1
                        parts = (home, home.rpartition(".")[0], f"mapexplorer.{word}")
                        missing |= {home} if not set(parts) & set(described) else set()
    assert missing == set() and count > 30
