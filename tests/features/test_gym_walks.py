"""Recorded walks through the gyms of the real ROM, from the door to the leader, by the keys of a window.

Trainers who see the player walk up and count as beaten.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from mapexplorer.features import FeatureChange
from mapexplorer.walk import Direction, Event, Tick, Walker, parse_path, play
from mapexplorer.world import FieldWorld
from mapexplorer.world.direction import BY_LETTER
from mapexplorer.world.save import fresh_save

Tile = tuple[int, int]


class Gym(NamedTuple):
    """A walk: the header and tile of its start, the keys, header and tile of the leader, how often the feature of the
    map changes, the objects who see the player, each with its header."""

    header: int
    door: Tile
    keys: str
    leader: tuple[int, Tile]
    changes: int
    seen_by: list[tuple[int, int]]


GYMS = {
    "Pastoria": Gym(
        122,
        (13, 42),
        "16N8W8SWWN4E5N9E6N3W13N4ESS3W3SESE5S11W4S4E3W10S8EN5E7NE13NW3SEE15SEE24N16W9SWW7NW3NW3S10E4N A",
        (122, (13, 4)),
        6,
        [(122, 3), (122, 2), (122, 4), (122, 5)],
    ),
    "Canalave": Gym(
        35,
        (16, 27),
        "8N8W3N10ENNEEN4ESS5E11S3WN4W3N6WN7W5S3ENN3W9NEE8N13ESSEE12S3E14N3WS3W4SEE9W5N A",
        (35, (16, 3)),
        13,
        [(35, 5), (35, 6), (35, 7), (35, 0), (35, 8)],
    ),
    "Sunyshore": Gym(
        154,
        (8, 14),
        "6N5E3S5W3N5W5E5NN 5N3W3NWENS5E7S8W4NW12N3ESE3S5E5S3ESE11N6WN"
        " 7N5E3S5W3N5W6S3W3NW16N4E4SN5S5E5N5E5S8N3E5SE14SWW3NWW3N4SESSEE3NE16N4W3S5W4N A",
        (156, (11, 3)),
        13,
        [(154, 1), (155, 0), (155, 1), (156, 1), (156, 2), (156, 4)],
    ),
    "Eterna": Gym(67, (11, 27), "4N3EnA WNNWW7N8E3SEsA 3N16W6NwA 6S8E8NnA", (67, (11, 3)), 4, []),
    "Veilstone": Gym(
        133,
        (12, 30),
        "3NEENES6E7NENNWWN6W6E3NWWNWWS4WS4WNWW3N4W3NEE6SWSE6SEES4E4NWNNEESWN6W4SWSSESSE11NWNE4S8ESS9E6NWNNEENN3WS8W4S"
        "WS3W7NWNESE7SEENEE9N A",
        (133, (12, 4)),
        12,
        [(133, 3), (133, 5), (133, 4)],
    ),
    "Snowpoint": Gym(167, (11, 27), "NWWNNESEWSEESWWSWWS3WNEWSE7N A", (167, (11, 3)), 8, []),
}


def ticks_by_updates(walker: Walker, letters: str) -> Iterator[Tick]:
    """Hold the key of each letter for as many field updates as `play` takes for it, as a window does."""
    twin = Walker(walker.world, walker.header, walker.x, walker.z, near=walker.y, save=walker.save)
    for letter in letters:
        count = sum(1 for _ in play(twin, letter))
        held = BY_LETTER.get(letter.upper())
        if letter.islower() and count:
            walker.update()  # the key before is released
        for number in range(count):
            yield walker.update(held, interact=letter == "A" and number == 0)


def events_of(walker: Walker, keys: str) -> list[Event]:
    """The events of a walk. What is noted after its last update belongs to it, too."""
    ticks = [*ticks_by_updates(walker, parse_path(keys)), walker.update()]
    return [event for tick in ticks for event in tick.events]


class WithoutChanges(Walker):
    """A walker on maps whose features never change."""

    def carry_out(self, change: FeatureChange) -> Iterator[Tick]:
        yield self.tick()

    def keep(self, feature: Any) -> None:
        pass


@pytest.mark.parametrize("name", GYMS)
def test_from_the_door_to_the_leader(name: str, real: FieldWorld) -> None:
    """No key is refused, the trainers in sight are met, the feature changes, and the leader is spoken to. Without the
    changes the way is barred."""
    header, door, keys, (leader_header, leader), changes, seen_by = GYMS[name]
    walker = Walker(real, header, *door, near=0)
    events = events_of(walker, keys)
    assert not [event.sentence for event in events if event.kind == "blocked"]
    assert sum(event.kind == "feature" for event in events) == changes
    spoken = [event for event in events if event.kind == "interact"][-1]
    person = real.events(leader_header).objects[spoken.values["object"]]
    assert walker.header == leader_header and (int(person["x"]), int(person["z"])) == leader == walker.ahead()
    seen = [event.values["object"] for event in events if event.kind == "trainer"]
    assert seen == [number for _, number in seen_by]
    flags = {
        real.game.tables.save_names.trainers.start + trainer[0]
        for zone, number in seen_by
        if (trainer := real.game.tables.script_numbers.trainer(int(real.events(zone).objects[number]["script"])))
    }
    assert len(flags) == len(seen_by) and flags <= walker.save.flags

    idle = WithoutChanges(real, header, *door, near=0)
    refused = [event for tick in play(idle, parse_path(keys)) for event in tick.events if event.kind == "blocked"]
    assert refused and (idle.header, idle.ahead()) != (leader_header, leader)


HEARTHOME = "5N"
"""From the door of the entrance room into the first dark room."""
FIRST_DOORS = ("N3W3NW4N", "NN3ENNWNNWNWN", "NN3ENNE4N")
SECOND_DOORS = (
    "NWNNWW3NENNWWNNWWNNWWNNENN3W4N",
    "NWNNWW3NENNWWNNWWNNWWNNE3NEE3N",
    "NWNNWW3NENNWWNNWWNNWWNNENN6E3NEN",
    "NENN3ENENNEENNWWNNENNEENNWNNWW4N",
    "NENN3ENENNEENNWWNNENNEENNWNNENEE3N",
)


@pytest.mark.parametrize("second", range(len(SECOND_DOORS)))
@pytest.mark.parametrize("first", range(len(FIRST_DOORS)))
def test_hearthome_with_each_choice_of_doors(first: int, second: int, real: FieldWorld) -> None:
    """The right doors lead to the leader, each other door back to the first room."""
    save = dataclasses.replace(fresh_save(real.game), features={"hearthome gym": {"doors": [first, second]}})

    def walk(keys: str) -> tuple[Walker, list[Event]]:
        walker = Walker(real, 88, 4, 7, near=0, save=save)
        events = events_of(walker, keys)
        assert not [event.sentence for event in events if event.kind == "blocked"]
        return walker, events

    for door, keys in enumerate(FIRST_DOORS):
        walker, _ = walk(HEARTHOME + keys)
        assert walker.header == (90 if door == first else 88)
    there = HEARTHOME + FIRST_DOORS[first]
    for door, keys in enumerate(SECOND_DOORS):
        walker, events = walk(there + keys)
        assert walker.header == (91 if door == second else 88)
        assert any(event.kind == "battle" for event in events)
    walker, events = walk(there + SECOND_DOORS[second] + "NNA")
    assert walker.ahead() == (4, 10) and events[-1].kind == "interact" and events[-1].values["object"] == 0
    assert walker.facing is Direction.NORTH


def test_a_warp_clears_the_state_of_a_gym(real: FieldWorld) -> None:
    """The room behind a door is as on entry, not in the state that was chosen for the one before, and so is that one
    when the player comes back. The clock of Eterna's gym is kept in the save."""
    chosen = dataclasses.replace(fresh_save(real.game), features={"sunyshore gym": 3, "eterna gym": 2})
    walker = Walker(real, 154, 8, 3, save=chosen, people=False)
    states = []
    for letters in ("N", "S"):
        assert walker.feature is not None
        states.append((walker.header, walker.feature.state))
        list(play(walker, letters))
    assert walker.feature is not None
    assert [*states, (walker.header, walker.feature.state)] == [(154, 3), (155, 0), (154, 2)]
    assert walker.save.features == {"eterna gym": 2}
