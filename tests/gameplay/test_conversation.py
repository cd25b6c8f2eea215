"""What the player hears and reads: scripts are followed with answers, and their texts are those that listings have."""

from __future__ import annotations

from pathlib import Path

import pytest

from formats.field.charmap import CODES
from mapexplorer.errors import PlaceError
from mapexplorer.gameplay.conversation import Conversation, pages_of
from mapexplorer.inspector.places.map_events import find_events
from mapexplorer.world.save import fresh_save, saved_game
from mapexplorer.world.world import FieldWorld
from tests.saves import small_block


def test_pages() -> None:
    assert pages_of("One\nTwo\rThree\nFour\fFive") == ["One\nTwo", "Three\nFour", "Four\nFive"]
    assert pages_of("{command FF00 1}Blue{command FF00 0}\r") == ["Blue"]
    assert pages_of("") == []


def test_everybody_of_the_demo_world_says_what_the_listing_has() -> None:
    world = FieldWorld.open("demo")
    save, spoken = fresh_save(world.game), 0
    for header in world.headers:
        for event in find_events(world, header.id, save).events:
            if event.kind in ("object", "sign") and event.texts:
                conversation = Conversation(world, header.id, event.script, save)
                assert conversation.complete and not conversation.choices and conversation.pages
                pages = [page for text in event.texts for page in pages_of(text)]
                assert [page for page in conversation.pages if page in pages] == pages, "others are of common scripts"
                spoken += 1
    assert spoken > 20


def test_a_script_that_is_not_there() -> None:
    world = FieldWorld.open("demo")
    with pytest.raises(PlaceError, match="no entry"):
        Conversation(world, 4, 1999, fresh_save(world.game))


@pytest.fixture(scope="module")
def center(rom_path: Path) -> tuple[FieldWorld, int]:
    """A Pokémon Center."""
    world = FieldWorld.open(str(rom_path))
    return world, world.place("C01PC0101").header.id


def test_the_nurse_asks_and_goes_on_with_the_answer(center: tuple[FieldWorld, int]) -> None:
    world, header = center
    save = fresh_save(world.game)
    asked = Conversation(world, header, 1, save)
    assert [title for title, _ in asked.choices] == ["Yes", "No"] and not asked.complete
    yes, no = (Conversation(world, header, 1, save, (value,)) for _, value in asked.choices)
    for answered in (yes, no):
        assert answered.pages[: len(asked.pages)] == asked.pages and answered.complete and not answered.choices
    assert len(yes.pages) > len(no.pages) > len(asked.pages)
    assert "ShowYesNoMenu" not in asked.unknown


def test_clerks_open_shops_and_lists_offer_their_entries(center: tuple[FieldWorld, int]) -> None:
    world, _ = center
    save = fresh_save(world.game)
    mart, town = (world.place(name).header.id for name in ("C01FS0101", "C01"))
    clerk = Conversation(world, mart, 1, save)
    assert clerk.pages[-1] == "[A shop opens.]" and len(clerk.pages) > 1
    types = Conversation(world, town, 6, save)
    assert [value for _, value in types.choices] == [0, 1, 2] and all(title for title, _ in types.choices)
    found = Conversation(world, town, 7257, save)
    assert found.complete and len(found.pages) >= 2, "the bag of a new game has room"


def test_names_are_those_of_the_save(center: tuple[FieldWorld, int]) -> None:
    """Else those that the game has for who is not named; an item with its article where the script says it so."""
    world, _ = center
    school, town = (world.place(name).header.id for name in ("C01R0701", "C01"))
    small = small_block(gender=1)
    small["player"]["name"][:4] = [CODES["A"], CODES["n"], CODES["n"], 0xFFFF]
    small["misc"]["rival_name"][:3] = [CODES["J"], CODES["o"], 0xFFFF]
    saves = {("Lucas", "Barry"): fresh_save(world.game), ("Ann", "Jo"): saved_game(world.game, small)}
    events = find_events(world, world.place("T01").header.id, fresh_save(world.game)).events
    [keystone] = [event.script for event in events if event.kind == "sign" and event.script > 8000]
    barry = next(
        event for event in find_events(world, school, next(iter(saves.values()))).events if "Barry" in event.name
    )
    for (player, rival), save in saves.items():
        assert Conversation(world, town, 7257, save).pages[0] == f"{player} found\na Potion!"
        assert Conversation(world, town, keystone, save).pages[0] == f"{player} found\nan Odd Keystone!"
        assert Conversation(world, school, barry.script, save).pages[0].startswith(f"{rival}: Hey, {player}!")


@pytest.mark.slow
def test_every_conversation_of_the_rom(center: tuple[FieldWorld, int]) -> None:
    world, _ = center
    save, told = fresh_save(world.game), {"all": 0, "silent": 0, "given up": 0, "missing": 0}
    for header in world.headers:
        for event in find_events(world, header.id, save).events:
            if event.kind not in ("object", "sign") or not event.script:
                continue
            told["all"] += 1
            try:
                conversation = Conversation(world, header.id, event.script, save)
            except PlaceError:
                told["missing"] += 1
                continue
            told["silent"] += not conversation.pages
            told["given up"] += not (conversation.complete or conversation.choices)
    assert told["all"] > 3000 and told["missing"] <= 2 and told["given up"] < 40 and told["silent"] < 200, told
