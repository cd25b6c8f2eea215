"""Links: the text of a view and back, and one sentence for every other text."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mapexplorer.errors import PlaceError
from mapexplorer.games import DEFAULT, GAMES, Cartridge
from mapexplorer.scene.link import KEYS, LONGEST, Link
from mapexplorer.scene.view import View
from mapexplorer.values import Choice, ChoiceOrFile, ClockTime, Flag, Number, Numbers, ValueKind, WeatherChoice, Words
from mapexplorer.world.headers.header import find_header
from mapexplorer.world.world import FieldWorld

DEMO = "PLATINUM-US+MAPEX-DEMO"


@pytest.fixture(scope="module")
def demo() -> FieldWorld:
    return FieldWorld.open("demo")


def test_a_link_says_what_differs_from_the_defaults(demo: FieldWorld) -> None:
    place = demo.place("T01")
    assert str(Link.of(place, View())) == f"mapexplorer:{DEMO}/T01"
    snow = View(72000, weekday="sunday", save="new", weather=6, at=(8, 36.25), layers=("terrain", "props"))
    link = Link.of(place, snow, ("collision",), view="gl")
    assert str(link) == (
        f"mapexplorer:{DEMO}/T01@8,36.25?hour=20&weekday=sunday&save=new&weather=heavy-snow"
        "&layers=-people,collision&view=gl"
    )
    assert Link.parse(str(link)) == link and link.drawn == snow
    assert Link.parse(f"  mapexplorer:{DEMO}/T01?weather=Heavy%20Snow&hour=20:00:00 ").drawn == View(72000, weather=6)
    private = Link.of(place, View(save="/home/player/my.sav"))
    assert private.picture.save == "entered" and "my.sav" not in str(private)
    with pytest.raises(PlaceError, match="save: '/etc/passwd' is not one of"):
        Link.parse(f"mapexplorer:{DEMO}/T01?save=/etc/passwd")


def values_of(kind: ValueKind) -> st.SearchStrategy[Any]:
    """Values of a kind."""
    coordinate = st.floats(-1000, 1000)
    strategies: dict[type[ValueKind], Callable[[Any], st.SearchStrategy[Any]]] = {
        Number: lambda kind: st.floats(-360 if kind.low is None else kind.low, 360 if kind.high is None else kind.high),
        Numbers: lambda kind: st.tuples(*[coordinate] * len(kind.names.split(","))),
        Words: lambda kind: st.lists(st.sampled_from(kind.words), min_size=1, unique=True).map(tuple),
        Choice: lambda kind: st.sampled_from(kind.words),
        ChoiceOrFile: lambda kind: st.sampled_from(kind.words),
        ClockTime: lambda kind: st.integers(0, 86399),
        WeatherChoice: lambda kind: st.integers(0, 30),
        Flag: lambda kind: st.booleans(),
        ValueKind: lambda kind: st.text(min_size=1, max_size=12),
    }
    return strategies[type(kind)](kind)


def rounded(value: Any) -> Any:
    """A value with numbers of six digits."""
    if isinstance(value, tuple):
        return tuple(map(rounded, value))
    return float(f"{value:.6g}") if isinstance(value, float) else value


OPTIONS = {each.name: values_of(each.option.kind) for each in KEYS.values()}
NAME = st.text(min_size=1, max_size=12)


@settings(max_examples=25, deadline=None)
@given(NAME, NAME, st.fixed_dictionaries({}, optional=OPTIONS))
def test_a_link_comes_back_from_its_text(release: str, name: str, values: dict[str, Any]) -> None:
    text = str(Link.made(values, release=release, map=name))
    assert re.fullmatch(r"[!-~]+", text)
    plain = {option: rounded(value) for option, value in values.items()}
    assert Link.parse(text) == Link.made(plain, release=release, map=name) and str(Link.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("T01", "'T01' is no link: mapexplorer:RELEASE/MAP ..., of at most 1000 characters."),
        (
            "mapexplorer:PLATINUM-US",
            "'mapexplorer:PLATINUM-US' is no link: mapexplorer:RELEASE/MAP ..., of at most 1000 characters.",
        ),
        ("mapexplorer:PLATINUM-US/@8,3", "'mapexplorer:PLATINUM-US/@8,3' is no link: .*"),
        ("x" * (LONGEST + 1), "'x{80}' is no link: .* at most 1000 characters."),
        ("mapexplorer:A/T01@116", "In the link, at: '116' is not a pair of tiles: write X,Z"),
        ("mapexplorer:A/T01?colour=1", "A link has no 'colour'; it may have hour, weekday, .*"),
        ("mapexplorer:A/T01?hour=24", "In the link, hour: '24' is not a time of the day, .*"),
        ("mapexplorer:A/T01?weather=warm", "In the link, weather: 'warm' is no weather; .*"),
        ("mapexplorer:A/T01?yaw=nan", "In the link, yaw: 'nan' is not a number"),
        ("mapexplorer:A/T01?pitch=90", "In the link, pitch: a pitch between -89.9 and 89.9 degrees is needed, not 90"),
        ("mapexplorer:A/T01?layers=sky", "In the link, layers: the layers are collision, .*"),
        ("mapexplorer:A/T01?target=1,2,1e9", "In the link, target: '1,2,1e9' is not X,Y,Z"),
    ],
)
def test_what_is_no_link_is_said_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(PlaceError, match=f"^{sentence}$"):
        Link.parse(text)


def test_a_link_names_a_place_of_its_release(demo: FieldWorld, rom_path: Path) -> None:
    platinum = FieldWorld.open(rom_path)
    for world in (demo, platinum):
        for header in world.headers:
            link = Link.of(world.place(header.id), View())
            assert link.map == header.internal_name and Link.parse(str(link)).place(world).header is header
    assert link.release == "PLATINUM-US"
    same = replace(platinum.headers[0], id=1)
    platinum.headers = (platinum.headers[0], same, *platinum.headers[2:])
    assert find_header(platinum.headers, Link.of(platinum.place(1), View()).map) is same
    for text, sentence in (
        ("mapexplorer:PEARL-US/T01", "The link is for PEARL-US, and demo is PLATINUM-US+MAPEX-DEMO."),
        (f"mapexplorer:{DEMO}/T99", "There is no place called 'T99'"),
        (f"mapexplorer:{DEMO}/T01@900,2", "Tile (900, 2) is outside matrix 0"),
    ):
        with pytest.raises(PlaceError) as raised:
            Link.parse(text).place(demo)
        assert str(raised.value).startswith(sentence)


@pytest.mark.parametrize(
    ("name", "code", "release"),
    [
        ("POKEMON PL", "CPUD", "PLATINUM-DE"),
        ("RENEGADE", "CPUE", "PLATINUM-US+RENEGADE"),
        ("MY  HACK", "ZZZJ", "PLATINUM-JP+MY-HACK"),
        ("", "", "PLATINUM"),
        ("POKEMON P", "APAK", "PEARL-KR"),
        ("POKEMON SS", "IPGF", "SOULSILVER-FR"),
        ("OTHER", "ADAE", "DIAMOND-US+OTHER"),
    ],
)
def test_releases_in_one_word(name: str, code: str, release: str) -> None:
    game = next((game for game in GAMES if code[:3] in game.codes), DEFAULT)
    assert game.release_code(cast(Cartridge, SimpleNamespace(name=name, code=code))) == release
