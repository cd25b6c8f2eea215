"""Requests: options of verbs are those of the dataclasses, values are checked, JSON comes back, scripts run them."""

from __future__ import annotations

import dataclasses
import json
import pickle
from collections.abc import Iterator
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import click
import pytest

from mapexplorer.atlas.request import AtlasRequest
from mapexplorer.cli import VERBS, program
from mapexplorer.cli.arguments import Value
from mapexplorer.errors import PlaceError
from mapexplorer.export.maps import NoLandError
from mapexplorer.export.options import ConvertOptions, ExportOptions, J3dOptions, MshOptions
from mapexplorer.export.preview import preview
from mapexplorer.export.request import (
    AllMapsRequest,
    AllPicturesRequest,
    ConvertRequest,
    DatabaseRequest,
    FileRequest,
    KitRequest,
    MapRequest,
    MatrixRequest,
    ModelRequest,
    ModelsRequest,
    Parallel,
    PictureRequest,
    PlaceRequest,
    PosterRequest,
    Request,
    TexturesRequest,
)
from mapexplorer.export.run import WRITERS, run
from mapexplorer.option import SECTIONS, Declared, OptionError, Options
from mapexplorer.values import Flag
from mapexplorer.world.world import FieldWorld

OF_VERBS: dict[str, tuple[type[Options], ...]] = {
    "export": (MapRequest, MatrixRequest, KitRequest, AllMapsRequest, ModelsRequest),
    "render": (PictureRequest, AllPicturesRequest),
    "poster": (PosterRequest,),
    "convert": (ConvertOptions,),
    "database": (DatabaseRequest,),
    "atlas": (AtlasRequest,),
}
OWN: dict[str, set[str]] = {
    "export": {"output", "every", "as_kit"},
    "render": {"output", "why", "every"},
    "poster": {"output"},
    "convert": {"output"},
    "database": {"output", "query"},
    "atlas": set(),
}
"""What a verb has besides: where to, and what chooses the kind of request."""
OF_ALL = {"as_json", "header_archive"}
"""What every verb has that opens a ROM."""

SAMPLES: list[Request] = [
    MapRequest(output=Path("a.glb"), place="T01", cell=(3, 4), area=2, options=ExportOptions(lit=True, scale=0.5)),
    MatrixRequest(output=Path("a.glb"), place=3, matrix=1),
    KitRequest(output=Path("kit"), place="T01", whole_matrix=True, options=ExportOptions(lit=True)),
    AllMapsRequest(output=Path("maps"), maps="1-3", jobs=2, resume=True),
    AllPicturesRequest(output=Path("pictures"), second=72000, sheet=(6, 5)),
    ModelRequest(output=Path("a.glb"), place=3, model=7, options=ExportOptions(static=True)),
    ModelsRequest(output=Path("models"), models="prop:3-9", jobs=1),
    PictureRequest(
        output=Path("a.gif"),
        place=3,
        at=(1.5, 2.0),
        eye=(1.0, 2.0, 3.0),
        weather=3,
        layers=("props",),
        frames=4,
        day_cycle=True,
        target=(0.0, 1.0, 2.0),
    ),
    PictureRequest(output=Path("a.png"), place=3, weather=0, engine="gl", scale=3),
    PosterRequest(output=Path("b.png"), place="T01", whole_matrix=True),
    PosterRequest(output=Path("a.png"), place=3, cell_pixels=64, grid=True, layers=("terrain", "people")),
    TexturesRequest(output=Path("folder"), place="T01"),
    FileRequest(output=Path("a.json"), path="fielddata/x.narc#1"),
    DatabaseRequest(output=Path("a.sqlite")),
    AtlasRequest(output=Path("site"), heading="A", without_texts=True),
    ConvertRequest(
        output=Path("out"),
        files=(Path("a.msh"), Path("b.bmd")),
        options=ConvertOptions(msh=MshOptions(slot=(2, 4), rate=50.0)),
    ),
]


def verb(name: str) -> click.Command:
    found = program.get_command(click.Context(program), name)
    assert found is not None
    return found


def options(command: click.Command) -> dict[str, click.Option]:
    return {str(one.name): one for one in command.params if isinstance(one, click.Option) and one.name not in OF_ALL}


def classes(base: type[Options]) -> Iterator[type[Options]]:
    yield base
    for one in base.__subclasses__():
        yield from classes(one)


@pytest.mark.parametrize("name", OF_VERBS)
def test_a_verb_has_the_options_of_its_requests(name: str) -> None:
    """Neither more nor less, under the same spelling, with the same help and the default of the field."""
    declared: dict[str, list[Declared]] = {}
    for one in (one for request in OF_VERBS[name] for one in request.declared()):
        declared.setdefault(one.name, []).append(one)
    if name == "poster":
        del declared["matrix"]  # its argument
    found = options(verb(name))
    assert found.keys() == declared.keys() | OWN[name] and not declared.keys() & OWN[name]
    for key, same in declared.items():
        option, groups = found[key], {one.group for one in same}
        assert option.opts == same[0].spellings and option.help is not None
        assert same[0].option.help.rstrip(".") in option.help
        if isinstance(same[0].option.kind, Flag):
            assert option.is_flag and not option.get_default(click.Context(verb(name)))
            continue
        assert isinstance(option.type, Value) and option.multiple is False
        default = option.get_default(click.Context(verb(name)))
        if same[0].default is None or len(groups) > 1:
            assert not option.show_default and not isinstance(default, str | int | float | tuple)
        else:
            assert option.type_cast_value(click.Context(verb(name)), default) == same[0].default


def test_no_verb_declares_an_option_of_a_request() -> None:
    """A spelling that a request has means the same option wherever another verb has it, but for `where to`."""
    declared = {
        spelling: one
        for requests in OF_VERBS.values()
        for request in requests
        for one in request.declared()
        for spelling in one.spellings
    }
    shared = set()
    for name in VERBS.keys() - OF_VERBS.keys():
        for key, option in options(verb(name)).items():
            for spelling in set(option.opts) & declared.keys():
                one = declared[spelling]
                if (name, spelling) in (
                    ("walk", "--at"),  # the player's tile, too, with another default
                    ("walk", "--people"),  # the same people, who block tiles there and are written here
                    ("script", "--save"),  # what would run with it, and here what is shown
                    ("encounters", "--save"),
                ):
                    continue
                assert isinstance(option.type, Value) and option.type.kind is one.option.kind, (name, key)
                assert option.help == one.option.help
                shared.add((name, spelling))
    assert {("show", "--matrix"), ("show", "--area"), ("height", "--matrix"), ("verify", "--jobs")} <= shared


def test_texts_of_defaults_are_read_back() -> None:
    texts = set()
    for one in (one for request in (*classes(Request), ConvertOptions) for one in request.declared()):
        if one.default is not None:
            text = one.option.kind.text(one.default)
            assert one.option.kind.parse(text) == one.default
            texts.add(text)
    assert {"12", "terrain,props", "0.0625", "no", "yes", "0 0"} <= texts


@pytest.mark.parametrize("request_", SAMPLES, ids=lambda request: request.kind.name)
def test_json_is_read_back(request_: Request) -> None:
    assert type(request_).from_json(json.loads(json.dumps(request_.to_json()))) == request_


def test_every_kind_has_a_name_of_its_own() -> None:
    kinds = [vars(one)["kind"] for one in classes(Request) if "kind" in vars(one)]
    assert len(kinds) == len(set(kinds)) and {request.kind for request in SAMPLES} <= set(kinds)


def test_every_kind_has_its_writer() -> None:
    kinds = {one for one in classes(Request) if "kind" in vars(one)}
    assert kinds == WRITERS.keys()
    assert all(callable(resolve_name(writer)) for writer in WRITERS.values())


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"output": "a.png", "place": 3, "zoomed": 2}, "there is no option zoomed"),
        ({"output": "a.png"}, "place is missing"),
        ({"output": "a.png", "place": 3, "tick": "5"}, "tick: '5' is a value of another type"),
        ({"output": "a.png", "place": 3, "missing": 1}, "missing: 1 is a value of another type"),
        ({"output": "a.png", "place": 3, "at": 5}, "at: 5 is a value of another type"),
        ({"output": "a.png", "place": 3, "weather": "x"}, "weather: 'x' is a value of another type"),
        ({"output": "a.png", "place": 3, "scale": 17}, "17 is not in the range 1<=x<=16."),
    ],
)
def test_json_that_is_no_request(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(OptionError, match=sentence):
        PictureRequest.from_json(wrong)


@pytest.mark.parametrize(
    ("kind", "wrong", "sentence"),
    [
        (PictureRequest, {"second": 86400}, "second: a second of the day is 0 to 86399, not 86400"),
        (PictureRequest, {"tick": -1}, "tick: -1 is not in the range 0<=x<=10000000."),
        (PictureRequest, {"layers": ("sky",)}, "layers: the layers are terrain, props, people, player"),
        (PictureRequest, {"camera": "side"}, "camera: 'side' is not one of 'game', 'top', 'free'."),
        (PictureRequest, {"zoom": float("nan")}, "zoom: a unit has 1/32 to 256 pixels, not nan"),
        (PictureRequest, {"eye": (0, 1e30, 0)}, "eye: '0,1e+30,0' is not X,Y,Z"),
        (PictureRequest, {"seed": -1}, "seed: -1 is not in the range 0<=x<=4294967295."),
        (PictureRequest, {"day_cycle": True}, "day_cycle needs frames."),
        (PictureRequest, {"output": Path("a.gif")}, "A .gif needs frames; one picture is written as .png."),
        (
            PictureRequest,
            {"output": Path("a.jpg")},
            "output: it is written as .png or .apng or .gif, so its name must end in .png or .apng or .gif, "
            "not in '.jpg'",
        ),
        (PosterRequest, {"cell_pixels": 500}, "cell_pixels: a cell is 32 to 2048 pixels wide, in steps of 16, not 500"),
        (PosterRequest, {"jobs": 0}, "jobs: 0 is not in the range x>=1."),
    ],
)
def test_values_are_checked(kind: type[Request], wrong: dict[str, Any], sentence: str) -> None:
    usual: dict[str, Any] = {"output": Path("a.png"), "place": 3}
    kind(**usual)
    with pytest.raises(OptionError) as error:
        kind(**usual | wrong)
    assert str(error.value) == sentence


def test_an_interface_spells_the_options_of_a_sentence() -> None:
    with pytest.raises(OptionError) as error:
        PictureRequest(output=Path("a.png"), place=3, day_cycle=True)
    assert error.value.said(lambda name: f"<{name}>") == "<day_cycle> needs <frames>."


def test_a_name_goes_to_every_group_that_has_it() -> None:
    made = ConvertOptions.made({"scale": 2.0, "rate": 5.0})
    assert (made.nitro, made.j3d, made.msh) == (ExportOptions(scale=2.0), J3dOptions(2.0), MshOptions(rate=5.0))
    assert ConvertOptions.made({}) == ConvertOptions()


def test_a_script_runs_a_request(tmp_path: Path) -> None:
    world = FieldWorld.open("demo")
    place = next(header.id for header in world.headers if world.place(header.id).cells)
    one = run(MapRequest(output=tmp_path / "one.glb", place=place, options=ExportOptions(static=True)), world.rom)
    again = run(MapRequest(output=tmp_path / "two.glb", place=place, options=ExportOptions(static=True)), world)
    assert one.files == [tmp_path / "one.glb"] and one.facts["header"] == place
    assert one.files[0].read_bytes() == again.files[0].read_bytes()
    with pytest.raises(OptionError, match="map needs a ROM"):
        run(MapRequest(output=tmp_path / "one.glb", place=place))


def test_a_preview_has_the_sizes_of_what_is_written(tmp_path: Path) -> None:
    """What takes long is not tried; without a place in the ROM the reason is that of the request."""
    world = FieldWorld.open("demo")
    for request in (
        MapRequest(place="T01", output=tmp_path / "map.gltf", options=ExportOptions(collision=True)),
        KitRequest(place="T01", output=tmp_path / "kit"),
        TexturesRequest(place="T01", output=tmp_path / "textures"),
    ):
        lines, picture = preview(request, world)
        assert not request.output.exists() and not picture
        size = sum(file.stat().st_size for file in run(request, world).files)
        assert lines[0] == f"{size:,} bytes" and len(lines) > 1
    for request in (
        MatrixRequest(place="T01", output=tmp_path / "matrix.glb"),
        MapRequest(place="T01", output=tmp_path / "wide.glb", options=ExportOptions(margin=9)),
        KitRequest(place="T01", output=tmp_path / "kits", whole_matrix=True),
        PictureRequest(place="T01", output=tmp_path / "film.gif", frames=2),
        DatabaseRequest(output=tmp_path / "all.db"),
    ):
        assert preview(request, world) == ([], b"")
    with pytest.raises(PlaceError, match="Atlantis"):
        preview(MapRequest(place="Atlantis", output=tmp_path / "none.glb"), world)
    assert {option.option.section for kinds in OF_VERBS.values() for kind in kinds for option in kind.declared()} == {
        "",
        *SECTIONS,
    }


def test_refusals_cross_processes() -> None:
    """The window's export runs in a process of its own, whose errors come by pickle."""
    world = FieldWorld.open("demo")
    place = next(header.id for header in world.headers if world.place(header.id).cells)
    with pytest.raises(NoLandError) as refused:
        run(MapRequest(output=Path("a.glb"), place=place, cell=(99, 99)), world)
    for error in (refused.value, OptionError("{scale} needs {0}", "more")):
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))
    assert refused.value.reason == "no cell 99,99 with land." and str(refused.value).endswith(
        " has no cell 99,99 with land."
    )


def test_bases_are_no_kinds() -> None:
    assert all("kind" not in vars(base) for base in (Request, PlaceRequest, Parallel))
    assert all(dataclasses.is_dataclass(one) for one in classes(Request))
