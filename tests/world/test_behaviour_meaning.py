"""Meanings, colours and arrows of tile behaviours."""

from __future__ import annotations

import itertools

from mapexplorer.games.platinum import PLATINUM
from mapexplorer.world.colors import BLOCKED, Rgb, height_color
from mapexplorer.world.terrain import behaviour_meaning as meanings
from mapexplorer.world.terrain.behaviour_meaning import Meaning, behaviour_arrow, behaviour_meaning

TABLES = PLATINUM.tables
KNOWN = [value for value in vars(meanings).values() if isinstance(value, Meaning)]


def named(name: str) -> int:
    """The behaviour with a name."""
    return next(number for number, known in TABLES.behaviours.items() if known.name == name)


def test_behaviours_have_the_meaning_of_their_rules() -> None:
    expected = {
        "water sea": meanings.WATER,
        "tall grass": meanings.GRASS,
        "cave floor": meanings.WILD,
        "ice": meanings.ICE,
        "jump south": meanings.LEDGE,
        "block northward": meanings.BORDER,
        "door": meanings.WARP,
        "bridge over water": meanings.BRIDGE,
        "waterfall": meanings.WATERFALL,
        "mud with grass": meanings.GRASS,
        "slide eastward": meanings.ICE,
        "bike ramp eastward": meanings.BICYCLE,
        "table": meanings.OTHER,
    }
    assert {name: behaviour_meaning(TABLES, named(name)) for name in expected} == expected
    assert behaviour_meaning(TABLES, 0) is None
    surfable = (number for number, known in TABLES.behaviours.items() if known.surf)
    assert {behaviour_meaning(TABLES, number) for number in surfable} == {
        meanings.WATER,
        meanings.WATERFALL,
        meanings.BRIDGE,
    }


def test_ledges_and_slides_have_arrows_in_their_direction() -> None:
    expected = {
        "jump south": (0, 1),
        "jump north twice": (0, -1),
        "jump west": (-1, 0),
        "slide eastward": (1, 0),
        "ice": None,
        "block northward": None,
    }
    assert {name: behaviour_arrow(TABLES, named(name)) for name in expected} == expected


def test_no_two_meanings_look_alike() -> None:
    """Also for eyes that lack one kind of cones (Viénot, Brettel and Mollon 1999, linear approximation)."""
    for a, b in itertools.combinations([*KNOWN, Meaning("blocked", BLOCKED)], 2):
        assert distance(a.color, b.color) > 40, (a.words, b.words)
        assert max(distance(red_blind(a.color), red_blind(b.color)), abs(light(a.color) - light(b.color))) > 12, (a, b)


def distance(a: Rgb, b: Rgb) -> float:
    return sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) ** 0.5


def light(color: Rgb) -> float:
    red, green, blue = color
    return 0.299 * red + 0.587 * green + 0.114 * blue


def red_blind(color: Rgb) -> Rgb:
    red, green, blue = color
    yellow = round(0.11 * red + 0.89 * green)
    return yellow, yellow, blue


def test_heights_have_colours_of_their_own() -> None:
    colors = [height_color(height) for height in range(-64, 257, 16)]
    assert len(set(colors)) == len(colors)
    assert height_color(-1000) == height_color(-64) and height_color(5000) == height_color(512)
