"""What a person types is found first: names in small letters, parts of names, with slips of the finger.

What is expected is named by the internal names of the map headers, by class and name of the trainers, and by the names
of object graphics, as the decompilation has them; none of it comes from the search.
"""

from __future__ import annotations

from typing import Final

from formats.field.trainer import Trainer
from mapexplorer.catalogue.database import Store
from mapexplorer.catalogue.search import best
from mapexplorer.gameplay.names import name
from mapexplorer.games import NameBank, Role
from mapexplorer.world import FieldWorld
from mapexplorer.world.subject import Subject

TOWNS: Final = {
    "twinleaf": "T01",
    "sandgem": "T02",
    "jubilife": "C01",
    "oreburgh": "C03",
    "floaroma": "T03",
    "eterna": "C04",
    "hearthome": "C05",
    "solaceon": "T04",
    "veilstone": "C07",
    "pastoria": "C06",
    "celestic": "T05",
    "canalave": "C02",
    "snowp": "C09",
    "sunyshore": "C08",
}
ROUTES: Final = {
    "route 201": "R201",
    "202": "R202",
    "route203": "R203",
    "route 204 north": "R204B",
    "route 205 south": "R205A",
    "206": "R206",
    "rt 207": "R207",
    "route 208": "R208",
    "rout 209": "R209",
    "210 south": "R210A",
    "route 211 east": "R211B",
    "212 north": "R212A",
    "route 213": "R213",
    "214": "R214",
    "rote 215": "R215",
    "route 216": "R216",
    "217": "R217",
    "route 218": "R218",
    "route 221": "R221",
    "route 230": "W230",
}
ROOMS: Final = {
    "jubilife mart": "C01FS0101",
    "jubilife pokecenter": "C01PC0101",
    "oreburgh pokemon center": "C03PC0101",
    "coronet 1f": "D05R0101",
    "snopoint gim": "C09GYM0101",
    "canalave gym": "C02GYM0101",
    "pastoria gym": "C06GYM0101",
    "jubilife tv": "C01R0201",
    "trainers school": "C01R0701",
    "global terminal": "C01R0601",
    "canalave library": "C02R0101",
    "mining museum": "C03R0401",
    "galactic eterna building": "C04R0201",
    "cycle shop": "C04R0101",
    "poffin house": "C05R1001",
    "contest hall": "C05R1101",
    "hearthome fan club": "C05R0201",
    "game corner": "C07R0101",
    "veilstone department store": "C07R0201",
    "sunyshore market": "C08R0101",
    "flower shop": "T03R0101",
    "solaceon day care": "T04R0101",
    "sandgem lab": "T02R0101",
    "rival's house": "T01R0101",
    "lost tower 3f": "R209R0103",
    "old chateau": "D25R0101",
    "old chateau dining": "D25R0102",
    "pokemon mansion": "R212AR0101",
    "oreburgh mine": "D01R0101",
    "victory road": "D09R0101",
}
PEOPLE: Final[dict[str, str | tuple[str, str]]] = {
    "roark": ("Leader", "Roark"),
    "gardenia": ("Leader", "Gardenia"),
    "maylene": ("Leader", "Maylene"),
    "fantina": ("Leader", "Fantina"),
    "byron": ("Leader", "Byron"),
    "candice": ("Leader", "Candice"),
    "gym leader volkner": ("Leader", "Volkner"),
    "aaron": ("Elite Four", "Aaron"),
    "elite four bertha": ("Elite Four", "Bertha"),
    "cynthia": ("Champion", "Cynthia"),
    "mars": ("Commander", "Mars"),
    "commander jupiter": ("Commander", "Jupiter"),
    "lass kaitlin": ("Lass", "Kaitlin"),
    "youngster tristan": ("Youngster", "Tristan"),
    "galactic grunt": ("Galactic", "Grunt"),
    "hikr daniel": ("Hiker", "Daniel"),
    "palmer": ("Tower Tycoon", "Palmer"),
    "looker": "looker",
    "professor rowan": "prof rowan",
    "nurse": "pokecenter nurse",
}


def first(store: Store, typed: str) -> Subject | None:
    return next((thing.subject for thing in best(store, typed, 6)), None)


def test_what_a_person_types_is_found_first(real: FieldWorld, store: Store) -> None:
    ids = {header.internal_name: header.id for header in real.headers}
    graphics = {value.name: number for number, value in real.game.tables.map_object_graphics.items()}

    def is_right(typed: str, expected: str | tuple[str, str]) -> bool:
        found = first(store, typed)
        if found is None:
            return False
        if isinstance(expected, str):
            return found == Subject("object graphics", (graphics[expected],))
        if found.kind != "trainer":
            return False
        record = real.member(Role.TRAINERS, found.key[0], Trainer.from_bytes)
        return (
            name(real, NameBank.TRAINER_CLASSES, record.trainer_class),
            name(real, NameBank.TRAINERS, found.key[0]),
        ) == expected

    maps = {**TOWNS, **ROUTES, **ROOMS}
    assert (len(TOWNS), len(ROUTES), len(ROOMS), len(PEOPLE)) == (14, 20, 30, 20)
    wrong = [typed for typed, internal in maps.items() if first(store, typed) != Subject("header", (ids[internal],))]
    wrong += [typed for typed, expected in PEOPLE.items() if not is_right(typed, expected)]
    assert not wrong


MISTYPED: Final = {
    "lkae verity": "D27R0102",
    "jubiife maart": "C01FS0101",
    "mount coronet 2f": "D05R0102",
    "galatic hq": "D26R0101",
    "pokemon centre canalave": "C02PC0101",
    "veilstone departmnt store": "C07R0201",
    "player's house": "T01R0201",
    "cafe cabin": "R210AR0101",
}


CALLED: Final[dict[str, str | Subject]] = {
    "rowan's lab": "T02R0101",
    "rowans lab": "T02R0101",
    "professor rowan's lab": "T02R0101",
    "poketch company": "C01R0101",
    "my house": "T01R0201",
    "player's room": "T01R0202",
    "barry's house": "T01R0101",
    "mother": Subject("object graphics", (140,)),
    "rival": Subject("object graphics", (148,)),
    "champion": Subject("object graphics", (138,)),
    "nurse joy": Subject("object graphics", (26,)),
    "officer jenny": Subject("object graphics", (34,)),
    "dialga": Subject("species", (483,)),
    "giratina": Subject("species", (487,)),
    "team galactic hq": "D26R0101",
    "galactic headquarters": "D26R0101",
    "lake": "D27R0102",
    "lake valor": "D28R0102",
    "safari zone": "D06R0201",
    "bike shop": "C04R0101",
    "haunted house": "D25R0101",
    "daycare": "T04R0101",
    "solaceon daycare": "T04R0101",
    "trainer school": "C01R0701",
    "windmill": "D02",
    "casino": "C07R0101",
    "department store": "C07R0201",
    "tv station": "C01R0201",
    "pokemart": "C01FS0101",
    "pokemart jubilife": "C01FS0101",
    "hospital": "C01PC0101",
    "fishing rod": Subject("item", (445,)),
    "forest": "D03",
    "hall of fame": "C10R0113",
    "underground": "UG",
    "name rater": "C04R0301",
    "move deleter": "C02R0301",
    "day care": "T04R0101",
    "lighthouse": "C08R0801",
    "flower": "D18",
    "library": "C02R0101",
    "school": "C01R0701",
    "seven stars restaurant": "L02R0101",
    "newspaper": "T04R0301",
    "fan club": "C05R0201",
    "berry master": "R208R0101",
    "cycling road": "R206",
    "dr footstep": "R213R0201",
    "cynthia's grandmother": "T05R0101",
    "cynthias grandmother": "T05R0101",
    "ski lodge": "R216R0101",
    "hm cut": Subject("item", (420,)),
    "berries": Subject("item", (157,)),
    "gyms": "C02GYM0101",
}
"""What people call places and people that have other names, and words that several names have."""


def test_what_people_call_things_is_found(real: FieldWorld, store: Store) -> None:
    ids = {header.internal_name: Subject("header", (header.id,)) for header in real.headers}
    expected = {typed: ids[thing] if isinstance(thing, str) else thing for typed, thing in CALLED.items()}
    assert not {typed: first(store, typed) for typed, thing in expected.items() if first(store, typed) != thing}


def test_slips_short_forms_and_words_too_many(real: FieldWorld, store: Store) -> None:
    ids = {header.internal_name: header.id for header in real.headers}
    wrong = {
        typed for typed, internal in MISTYPED.items() if first(store, typed) != Subject("header", (ids[internal],))
    }
    assert not wrong
    sentence = best(store, "wow what was that", 6)
    assert {thing.subject.kind for thing in sentence} == {"text"}
    assert first(store, "#411") == Subject("header", (411,))
