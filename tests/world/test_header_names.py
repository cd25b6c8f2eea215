"""The names of maps: which map each of them means, and what rooms are called."""

from __future__ import annotations

import struct
from collections import defaultdict
from pathlib import Path

import pytest

from mapexplorer import World
from mapexplorer.errors import PlaceError
from mapexplorer.world import FieldWorld, Header, find_header
from mapexplorer.world.headers.header import find_headers, find_maps

TABLE = 0xE601C
"""Where the header table is in the program of the US release: 24 bytes each, byte 18 the location, the low 7 bits of
the half word at 22 the map type."""

SYMBOLIC = {
    "C01": "JUBILIFE_CITY",
    "C09GYM0101": "SNOWPOINT_CITY_GYM",
    "D03R0101": "ETERNA_FOREST",
    "R205A": "ROUTE_205_SOUTH",
}


def codes(world: FieldWorld) -> list[str]:
    """The internal names as the ROM holds them, 16 bytes each."""
    data = world.rom.file("fielddata/maptable/mapname.bin")
    return [bytes(data[at : at + 16]).split(b"\0")[0].decode() for at in range(0, len(data), 16)]


def located(world: FieldWorld) -> dict[str, list[int]]:
    """Location -> its headers, read from the program."""
    found = defaultdict(list)
    for number in range(len(codes(world))):
        found[world.location_names[world.rom.arm9()[TABLE + 24 * number + 18]]].append(number)
    return found


def outdoors(world: FieldWorld, number: int) -> bool:
    (word,) = struct.unpack_from("<H", world.rom.arm9(), TABLE + 24 * number + 22)
    return word & 0x7F in (1, 2)


def test_every_internal_and_symbolic_name_and_title_means_its_map(real: FieldWorld) -> None:
    headers = real.headers
    titles = {header.title for header in headers}
    assert len(titles) == 593
    for number, code in enumerate(codes(real)):
        header = headers[number]
        known = (
            code,
            code.lower(),
            f"#{number}",
            header.symbolic_name,
            f"MAP_HEADER_{header.symbolic_name}",
            header.title,
        )
        assert {find_header(headers, name).id for name in known} == {number}, code
        assert find_headers(headers, header.title.split()) == [header], "unquoted"
    for code, symbolic in SYMBOLIC.items():
        assert find_header(headers, symbolic).internal_name == code


def test_every_location_means_its_only_map_or_the_only_one_outdoors(real: FieldWorld) -> None:
    counted = {"one": 0, "outdoors": 0, "ambiguous": 0}
    for location, numbers in located(real).items():
        outside = [number for number in numbers if outdoors(real, number)]
        meant = numbers if len(numbers) == 1 else outside if len(outside) == 1 else []
        counted["one" if len(numbers) == 1 else "outdoors" if meant else "ambiguous"] += 1
        assert sorted(one.id for one in find_maps(real.headers, f"location:{location}")) == numbers
        assert sorted(one.id for one in find_maps(real.headers, location)) == (meant or numbers)
        assert [one.id for one in find_headers(real.headers, location.split(), whole=True)] == [
            one.id for one in find_maps(real.headers, location)
        ]
        if meant:
            assert find_header(real.headers, location.upper()).id == meant[0]
            assert real.headers[meant[0]].title == location
        else:
            with pytest.raises(PlaceError, match=f"any of {len(numbers)} maps") as caught:
                find_headers(real.headers, location.split())
            candidates = caught.value.candidates
            assert all(isinstance(one, Header) for one in candidates)
            assert sorted(one.id for one in candidates) == numbers  # type: ignore[attr-defined]
    assert counted == {"one": 45, "outdoors": 43, "ambiguous": 37}


@pytest.mark.parametrize(
    ("number", "title"),
    [
        (3, "Jubilife City"),
        (4, "Jubilife City, Mart"),
        (6, "Jubilife City, Pokémon Center 1F"),
        (5, "Jubilife City, House 1 (unused)"),
        (8, "Pokétch Co., 1F"),
        (59, "Mining Museum"),
        (72, "T.G. Eterna Bldg, 1F"),
        (68, "Eterna City, DP Gym"),
        (109, "Route 208, Gate to Hearthome City"),
        (186, "Pokémon League, Hallway to Hall of Fame"),
        (202, "Eterna Forest"),
        (203, "Eterna Forest (D03R0101)"),
        (206, "Mystery Zone (D05)"),
        (207, "Mt. Coronet, 1F South"),
        (212, "Mt. Coronet, 4F Rooms 1 and 2"),
        (312, "Lake Verity (D27R0102)"),
        (332, "Mystery Zone, Communication Club Colosseum 2P"),
        (347, "Route 205, South"),
        (369, "Pokémon Mansion, Maid’s Room"),
        (504, "Great Marsh 1"),
        (515, "Solaceon Ruins, Room 5 Southeast Dead End"),
        (561, "Battle Tower (D32R0201)"),
        (586, "Jubilife City, Wifi Plaza Entrance"),
    ],
)
def test_titles(real: FieldWorld, number: int, title: str) -> None:
    assert real.headers[number].title == title


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Snowpoint Gym", "C09GYM0101"),
        ("gym snowpoint", "C09GYM0101"),
        ("jubilife mart", "C01FS0101"),
        ("ETERNA_FOREST", "D03R0101"),
        ("Eterna Forest", "D03"),
        ("route 205 south", "R205A"),
        ("twinleaf", "T01"),
        ("Twinleaf Town player 2f", "T01R0202"),
        ("pokemon center jubilife 1f", "C01PC0101"),
        ("rotoms room", "C04R0205"),
        ("Lost Tower 3F", "R209R0103"),
    ],
)
def test_words_mean_the_same_quoted_or_not(real: FieldWorld, text: str, code: str) -> None:
    assert find_header(real.headers, text).internal_name == code
    assert [one.internal_name for one in find_headers(real.headers, text.split())] == [code]


@pytest.mark.parametrize(
    "text",
    [
        "Route 23",
        "header",
        "go",
        "flag",
        "Jubilfeee Ctiy",
        "mar",
        "Snowpoint Gy",
        "Twinleaf Towns",
        "a\udcffb",
        "",
        "#",
        "?!",
        "3,4",
        "T0",
        "map:",
        "location:",
        "location:Route",
    ],
)
def test_other_texts_mean_no_map(real: FieldWorld, text: str) -> None:
    with pytest.raises(PlaceError, match=r"^There is no place called"):
        find_header(real.headers, text)
    with pytest.raises(PlaceError, match=r"^There is no place called"):
        find_headers(real.headers, text.split(" "))


@pytest.mark.parametrize("text", ["-1", "map:-1", "#-1", "593", "header:#593"])
def test_a_number_that_no_map_has(real: FieldWorld, text: str) -> None:
    with pytest.raises(
        PlaceError, match=r"^There is no map header (-1|593); this ROM has 593, from 0 to 592\.$"
    ) as caught:
        find_header(real.headers, text)
    assert caught.value.candidates == ()


@pytest.mark.parametrize(
    ("words", "codes"),
    [
        ("Route 218 Jubilife City", ["R218", "C01"]),  # not its gate to that town, which has all these words
        ("3 4 Snowpoint Gym", ["C01", "C01FS0101", "C09GYM0101"]),
        ("T01 Mt. Coronet 5F Spear Pillar Dialga", ["T01", "D05R0108", "D05R0118"]),
        ("Union Room T02", ["UNION", "T02"]),
        ("location:Lake Verity T01", ["D27R0102", "D27R0101", "T01"]),
    ],
)
def test_several_maps(real: FieldWorld, words: str, codes: list[str]) -> None:
    assert [one.internal_name for one in find_headers(real.headers, words.split())] == codes


def test_candidates_and_suggestions_are_maps_in_one_order(real: FieldWorld) -> None:
    """Towns, outdoors, first rooms, other rooms, unused ones."""
    with pytest.raises(PlaceError) as caught:
        find_header(real.headers, "Jubilfeee Ctiy")
    near = [one.id for one in caught.value.candidates if isinstance(one, Header)]
    assert near[0] == 3 and len(near) == len(caught.value.candidates) > 1
    with pytest.raises(PlaceError) as caught:
        find_header(real.headers, "gate fight")
    assert [str(one) for one in caught.value.candidates] == [
        "193 C11R0201 Route 225, Gate to Fight Area (indoors)",
        "560 D32R0101 Battle Frontier, Gate to Fight Area (indoors)",
        "192 C11R0101 Battle Park, Gate to Fight Area (unused) (indoors)",
    ]
    with pytest.raises(PlaceError) as caught:
        World(real.rom).place("Great Marsh")
    assert [one.id for one in caught.value.candidates] == [504, 505, 506, 507, 508, 509]  # type: ignore[attr-defined]


def test_a_renamed_map_and_other_games_keep_their_codes(real: FieldWorld, tmp_path: Path) -> None:
    image = Path(real.rom.path).read_bytes()
    was, now = (name.ljust(16, b"\0") for name in (b"T01R0101", b"MYHOUSE"))
    assert image.count(was) == 1
    (tmp_path / "hack.nds").write_bytes(image.replace(was, now))
    headers = FieldWorld.open(tmp_path / "hack.nds").headers
    assert headers[412].title == "Twinleaf Town (MYHOUSE)" and headers[413].title == "Twinleaf Town, Rival House 2F"
    assert find_header(headers, "myhouse").id == 412
    demo = FieldWorld.open("demo").headers
    assert [one.title for one in demo] == [
        "Nowhere (ANYWHERE)",
        "Nowhere (NOWHERE)",
        "Windmill Hill",
        "Fernwood Edge",
        "Millbrook",
        "Mirror Lake",
        "Millbrook (T01R0101)",
        "Millbrook (T01R0201)",
        "Hollow Rock",
        "Frost Chamber",
    ]
    for header in demo:
        assert find_header(demo, header.title) is find_header(demo, header.internal_name) is header
    assert [one.id for one in find_maps(demo, "location:millbrook")] == [4, 6, 7]
