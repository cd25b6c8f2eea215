"""Any value of any real file may be edited: it is read back with that change and no other, or refused in words.

The edits go through plain data, as `dump` writes it: numbers, texts, flags, records of lists added and removed. And
every real file of the NITRO formats is rebuilt from plain data to the same bytes.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import formats
from formats.field import MapHeaderTable
from formats.field.land_data import LandSections
from formats.json_codec import from_plain, to_plain
from mapexplorer.rom import Rom

NITRO = {
    b"BMD0": "Nsbmd",
    b"BTX0": "Nsbtx",
    b"BCA0": "Nsbca",
    b"BTP0": "Nsbtp",
    b"BTA0": "Nsbta",
    b"BMA0": "Nsbma",
    b"BVA0": "Nsbva",
    b"RGCN": "Ncgr",
    b"RLCN": "Nclr",
    b"RCSN": "Nscr",
    b"RECN": "Ncer",
    b"RNAN": "Nanr",
}
LAND_DATA = "fielddata/land_data/land_data.narc"
FIELD = {
    "fielddata/mapmatrix/map_matrix.narc": "MapMatrix",
    LAND_DATA: "LandData",
    "fielddata/areadata/area_data.narc": "AreaData",
    "fielddata/areadata/area_build_model/area_build.narc": "AreaBuild",
    "data/arealight.narc": "AreaLight",
    "arc/bm_anime_list.narc": "PropAnimations",
    "fielddata/build_model/build_model_matshp.dat": "BuildModelMatshp",
    "fielddata/eventdata/zone_event.narc": "ZoneEvents",
    "fielddata/areadata/area_move_model/move_model_list.narc": "MoveModelList",
    "data/fldtanime.narc": "FieldTextureAnimations",
    "fielddata/maptable/mapname.bin": "MapNames",
    "msgdata/pl_msg.narc": "MessageBank",
    "fielddata/encountdata/pl_enc_data.narc": "WildEncounters",
    "poketool/trainer/trdata.narc": "Trainer",
    "poketool/trainer/trpoke.narc": "TrainerParty",
    "poketool/trmsg/trtbl.narc": "TrainerMessages",
    "poketool/personal/pl_personal.narc": "SpeciesData",
    "itemtool/itemdata/pl_item_data.narc": "ItemData",
    "fielddata/pokemon_trade/fld_trade.narc": "InGameTrade",
}
TYPES = [*FIELD.values(), "Bdhc", "MapHeaderTable", *NITRO.values()]


@pytest.fixture(scope="module")
def nitro_files(rom: Rom) -> dict[str, list[bytes]]:
    """Type name -> every real file of that type: in archives, alone, and the models of map cells."""
    found: dict[str, list[bytes]] = {name: [] for name in NITRO.values()}
    for path in rom.files:
        view = rom.file(path)
        for data in rom.archive(path) if bytes(view[:4]) == b"NARC" else [bytes(view)]:
            if path == LAND_DATA:
                data = bytes(LandSections.from_bytes(data).model.data)
            if data[:4] in NITRO:
                found[NITRO[data[:4]]].append(data)
    return found


@pytest.fixture
def values(rom: Rom, nitro_files: dict[str, list[bytes]], header_table: bytes) -> Callable[[str], list[Any]]:
    """Some small real values of a type, the same in every run."""

    def choose(name: str) -> list[Any]:
        if name == "MapHeaderTable":
            return [MapHeaderTable.from_bytes(header_table[:240])]
        if name in nitro_files:
            return [formats.nitro.read(data) for data in spread(nitro_files[name])]
        if name == "Bdhc":
            return [value.bdhc for value in choose("LandData")]
        path = next(path for path, kind in FIELD.items() if kind == name)
        if not path.endswith(".narc"):
            return [formats.read(rom.file(path), path, name)]
        members = [rom.archive(path)[0]] if name == "FieldTextureAnimations" else spread(rom.archive(path))
        return [formats.read(data, f"{path}[0]", name) for data in members]

    return choose


def spread(files: Any) -> list[bytes]:
    """Four files from the smaller third, those with something in them first."""
    ordered = sorted(files, key=len)
    ordered = [data for data in ordered if len(data) > 2 * len(ordered[0])] or ordered
    part = ordered[: max(1, len(ordered) // 3)]
    return [part[len(part) * place // 4] for place in range(min(4, len(part)))]


Place = tuple[Any, ...]


def leaves(plain: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """(place, value) of every scalar and every list, the rows of arrays included."""
    if isinstance(plain, dict):
        for key, item in plain.items():
            if key not in ("dtype", "shape"):
                yield from leaves(item, (*place, key))
    elif isinstance(plain, list):
        if plain:
            yield place, plain
        for index, item in enumerate(plain):
            yield from leaves(item, (*place, index))
    else:
        yield place, plain


def edited(plain: Any, place: Place, chance: random.Random) -> tuple[Any, str] | None:
    """A copy with the value at `place` changed, and the kind of change; None for what has no other value."""
    result = copy.deepcopy(plain)
    holder = result
    for step in place[:-1]:
        holder = holder[step]
    old = holder[place[-1]]
    if isinstance(old, bool):
        holder[place[-1]], kind = not old, "flag"
    elif isinstance(old, int):
        holder[place[-1]], kind = chance.choice([old ^ 1, old + 1, abs(old - 1)]), "number"
    elif isinstance(old, str):
        texts = [old + "x", old[:-1], "a" + old[1:]]
        holder[place[-1]], kind = chance.choice([text for text in texts if text != old]), "text"
    elif isinstance(old, list):
        count = 8 if place[-2:] == ("colors", "values") else 1  # palettes come in eights, else they are filled up
        index = chance.randrange(max(1, len(old) - count + 1))
        if chance.random() < 0.5:
            old[index:index] = copy.deepcopy(old[index : index + count])
            kind = "one more"
        else:
            del old[index : index + count]
            kind = "one less"
        if isinstance(holder, dict) and "shape" in holder:
            holder["shape"][0] = len(old)
    else:
        return None
    return (result, kind) if result != plain else None


@pytest.mark.parametrize("name", TYPES)
def test_an_edit_is_read_back_and_nothing_else_changes(values: Callable[[str], list[Any]], name: str) -> None:
    chance = random.Random(name)
    kinds: Counter[str] = Counter()
    refused = 0
    for value in values(name):
        kind = type(value)
        plain = to_plain(value)
        places = list(leaves(plain))
        lists = [place for place, item in places if isinstance(item, list)]
        scalars = [place for place, item in places if not isinstance(item, list)]
        for place in [*chance.sample(scalars, min(30, len(scalars))), *chance.sample(lists, min(12, len(lists)))]:
            change = edited(plain, place, chance)
            if change is None:
                continue
            wanted, what = change
            try:
                data = from_plain(kind, wanted).to_bytes()
            except ValueError:
                refused += 1
                continue
            again = kind.from_bytes(data)
            assert to_plain(again) == wanted, (place, what)
            assert again.to_bytes() == data
            kinds[what] += 1
    assert sum(kinds.values()) >= 15, (kinds, refused)


COUNTS = {
    "Nsbmd": 1695,
    "Nsbtx": 715,
    "Nsbca": 180,
    "Nsbtp": 72,
    "Nsbta": 96,
    "Nsbma": 23,
    "Nsbva": 3,
    "Ncgr": 1096,
    "Nclr": 534,
    "Nscr": 152,
    "Ncer": 87,
    "Nanr": 87,
}


def rebuild(files: list[bytes]) -> int:
    for data in files:
        value = formats.nitro.read(data)
        assert from_plain(type(value), to_plain(value)).to_bytes() == data
    return len(files)


@pytest.mark.parametrize("name", COUNTS)
def test_a_tenth_of_the_nitro_files_is_rebuilt_from_plain_data(nitro_files: dict[str, list[bytes]], name: str) -> None:
    assert rebuild(nitro_files[name][::10]) == -(-COUNTS[name] // 10)


@pytest.mark.slow
@pytest.mark.parametrize("name", COUNTS)
def test_every_nitro_file_is_rebuilt_from_plain_data(nitro_files: dict[str, list[bytes]], name: str) -> None:
    assert rebuild(nitro_files[name]) == COUNTS[name]
