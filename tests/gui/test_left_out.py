"""A damaged prop model costs itself: the window shows the rest of the place and says once what is left out."""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from mapexplorer import World
from mapexplorer.games import Role
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.gui.docks.models import list_models
from mapexplorer.gui.model.textures import decode
from mapexplorer.inspector.describe import describe
from mapexplorer.world.models.texture_sets import SetKey
from mapexplorer.world.sources.damage import LeftOut
from mapexplorer.world.subject import subject
from mapexplorer.world.wording import damage
from mapexplorer.world.world import FieldWorld


@pytest.fixture
def damaged_rom(tmp_path: Path) -> Path:
    """The demo world with all its prop models damaged."""
    image = resources.files("mapexplorer.data").joinpath("demo.nds").read_bytes()
    archive = World("demo").rom.archive(PLATINUM.path(Role.BUILD_MODEL))
    for number in range(1, len(archive)):
        model = archive[number]
        assert image.count(model) == 1
        image = image.replace(model, b"XXXX" + model[4:])
    rom = tmp_path / "damaged.nds"
    rom.write_bytes(image)
    return rom


def test_the_window_says_once_what_it_leaves_out(opened: Callable[[str], Any], qtbot: Any, damaged_rom: Path) -> None:
    window = opened(str(damaged_rom))
    jobs = window.jobs
    assert jobs.frame.picture[..., :3].any()
    left_out = jobs.frame.damaged
    sentences = [damage(one) for one in left_out]
    assert len(left_out) > 1 and all(" is left out: build_model.narc[" in sentence for sentence in sentences)
    [notice] = [notice for notice in window.notices.shown if "damaged" in notice.title]
    assert notice.sentence == f"{sentences[0]}. And {len(left_out) - 1} more."
    assert notice.details.splitlines() == sentences[1:]
    notice.dismiss()
    place = window.explorer.place
    described = describe(window.explorer.world, place.header.id, subject("header", place.header.id))
    [facts] = [section.rows for section in described.sections if section.title == "Damaged"]
    models = {prop.model for cell in place.cells for prop in place.props(cell)}
    assert {fact.value.split(" is left out: ")[0] for fact in facts} == {f"prop model {model}" for model in models}
    for kind, key in (
        ("cell", (place.cells[0].matrix, place.cells[0].x, place.cells[0].z)),
        ("land", (place.cells[0].land,)),
        ("prop set", (place.prop_set().value,)),
    ):
        described = describe(window.explorer.world, place.header.id, subject(kind, *key))
        named = [fact.value for section in described.sections for fact in section.rows if "damaged" in fact.value]
        assert named, kind
    rows = [row for group in list_models(jobs.rom.read, place.header.id) for row in group.rows]
    assert {row.subject.key[0] for row in rows if row.title == "damaged"} >= models
    assert decode(window.explorer.world, place.header.id, SetKey(False, place.prop_set().value))
    drawn = jobs.frames_drawn
    window.explorer.clock.step(5)
    qtbot.waitUntil(lambda: jobs.frames_drawn > drawn, timeout=60_000)
    assert not [notice for notice in window.notices.shown if "damaged" in notice.title]


def test_a_map_without_events_plates_or_area_is_shown(opened: Callable[[str], Any], qtbot: Any, tmp_path: Path) -> None:
    image = resources.files("mapexplorer.data").joinpath("demo.nds").read_bytes()
    world = FieldWorld.open("demo")
    place = world.place("T01")
    parts = [bytes(world.land_sections(place.cells[0].land).bdhc.data)]
    for role, number in ((Role.ZONE_EVENT, place.header.events), (Role.AREA_DATA, place.header.area)):
        archive = world.rom.file(PLATINUM.path(role))
        entry = image.index(archive) + 28 + 8 * number  # the member's first and last offset in the table of a NARC
        image = image[: entry + 4] + image[entry : entry + 4] + image[entry + 8 :]  # an empty member
    for part in parts:
        assert image.count(part) == 1
        image = image.replace(part, b"XXXX" + part[4:])
    rom = tmp_path / "damaged.nds"
    rom.write_bytes(image)
    window = opened(str(rom))
    window.jobs.go(place.header.id)
    qtbot.waitUntil(
        lambda: window.jobs.frame is not None and window.jobs.frame.request.header == place.header.id, timeout=60_000
    )
    assert window.jobs.frame.picture[..., :3].any()
    assert {LeftOut.EVENTS, LeftOut.AREA, LeftOut.PLATES} <= {one.what for one in window.jobs.frame.damaged}
    qtbot.waitUntil(lambda: window.jobs.overlay is not None, timeout=60_000)
    titles = [notice.title for notice in window.notices.shown]
    assert titles == ["The picture lacks what is damaged"]
    window.action("walk").trigger()
    window.explorer.clock.step(4)
    window.action("walk").trigger()
    assert [notice.title for notice in window.notices.shown] == titles


def test_the_map_says_it_too(opened: Callable[[str], Any], qtbot: Any, damaged_rom: Path) -> None:
    window = opened(str(damaged_rom))
    window.action("map_view").trigger()
    view = window.views.map
    qtbot.waitUntil(lambda: view.complete, timeout=60_000)
    told = " ".join(f"{notice.sentence} {notice.details}" for notice in window.notices.shown)
    assert view.tiles.damaged and all(damage(one) in told for one in view.tiles.damaged)


@pytest.mark.gl
def test_the_opengl_view_alone_says_it_too(demo: Any, qtbot: Any, damaged_rom: Path) -> None:
    demo.action("gl_view").trigger()
    demo.open(str(damaged_rom))
    qtbot.waitUntil(
        lambda: demo.explorer.rom_path == str(damaged_rom) and demo.views.gl and demo.views.gl.complete, timeout=60_000
    )
    damaged = lambda: [notice for notice in demo.notices.shown if "damaged" in notice.title]  # noqa: E731
    qtbot.waitUntil(lambda: len(damaged()) == 1, timeout=60_000)  # told by the answer for the last cell
    [notice] = damaged()
    assert " is left out: build_model.narc[" in notice.sentence
