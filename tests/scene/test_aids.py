"""What a scene shows to help the artist: single layers, edges, marked textures; and where it looks by default."""

from __future__ import annotations

import numpy as np
import pytest

from formats.nds import gx
from mapexplorer.gpu.commands import PARAMETER_COUNT
from mapexplorer.inspector.places.pixel import sentences
from mapexplorer.scene.pixel_trace import trace_pixel
from mapexplorer.scene.scene import FieldScene
from mapexplorer.scene.view import View
from mapexplorer.scene.wireframe import as_wireframe
from mapexplorer.world import FieldWorld
from mapexplorer.world.models.textures import unresolved

MAGENTA = (63, 0, 63)
SOME = ("T01", "R205A", "C03", "T01R0102", 250, 100)


@pytest.mark.parametrize("name", SOME)
def test_layers_are_chosen_without_loading_anew(world: FieldWorld, name: str | int) -> None:
    place = world.place(name)
    whole = FieldScene(place, View(72000))
    before = whole.render(3)
    for layers in ({"terrain"}, {"props"}, {"people"}, {"terrain", "people"}, {"props", "people"}, set()):
        whole.show(layers)
        assert np.array_equal(whole.render(3), FieldScene(place, View(72000, layers=layers)).render(3)), layers
    whole.show(whole.layers)
    assert np.array_equal(whole.render(3), before)


def test_layers_of_a_whole_matrix_are_chosen_too(world: FieldWorld) -> None:
    whole = FieldScene(world.place("T01"), View(all_cells=True, camera="top"))
    whole.show({"terrain"})
    alone = FieldScene(world.place("T01"), View(all_cells=True, layers=("terrain",), camera="top"))
    assert np.array_equal(whole.render(), alone.render())


def test_the_player_is_a_layer_of_his_own(world: FieldWorld) -> None:
    layers = ("terrain", "props", "people", "player")
    scene = FieldScene(world.place("T01"), View(layers=layers))
    with_player = scene.render()
    scene.show({"terrain", "props", "people"})
    assert np.array_equal(scene.render(), FieldScene(world.place("T01")).render())
    assert not np.array_equal(scene.render(), with_player)


def test_every_polygon_of_a_wireframe_has_alpha_0_and_nothing_else_differs(world: FieldWorld) -> None:
    words = FieldScene(world.place("T01"), View(at=(105, 876))).commands()
    edges = as_wireframe(words)
    place, changed = 0, 0
    expected = words.copy()
    while place < len(words):
        if words[place] == gx.POLYGON_ATTR:
            expected[place + 1] &= 0xFFE0FFFF
            changed += 1
        place += 1 + int(PARAMETER_COUNT[words[place]])
    assert changed > 100 and np.array_equal(edges, expected)


@pytest.mark.parametrize("name", SOME[:4])
def test_a_wireframe_is_drawn_by_the_engine(world: FieldWorld, name: str) -> None:
    from mapexplorer.gpu import render_frame
    from mapexplorer.scene.passes import SWAP

    scene = FieldScene(world.place(name), View(wireframe=True))
    picture = scene.render(raw=True)
    words = np.concatenate([as_wireframe(scene.commands()), SWAP])
    vram = scene.block.vram
    assert np.array_equal(picture, render_frame(words, scene.registers, vram.texture, vram.palette))
    full = FieldScene(world.place(name)).render(raw=True)
    covered, edges = (full[..., 3] > 0).mean(), (picture[..., 3] > 0).mean()
    assert 0.01 < edges < 0.8 * covered


def test_marks_change_nothing_where_nothing_is_missing(world: FieldWorld) -> None:
    count = 0
    for header in world.headers[::24]:
        place = world.place(header.id)
        scene = FieldScene(place, View(missing=True))
        if sum(block.marks for block in scene.blocks):
            continue
        assert np.array_equal(scene.render(raw=True), FieldScene(place).render(raw=True))
        count += 1
    assert count > 20


@pytest.mark.parametrize(("number", "at"), [(68, None), (250, None), (324, None), (570, (32, 31))])
def test_what_lacks_its_texture_is_magenta(world: FieldWorld, number: int, at: tuple[int, int] | None) -> None:
    place = world.place(number)
    plain, scene = FieldScene(place, View(at=at)), FieldScene(place, View(at=at, missing=True))
    before, after = plain.render(raw=True), scene.render(raw=True)
    models = {id(drawing.model): drawing.model.resolved for drawing in plain.block.drawings}.values()
    names = 0
    for resolved in models:
        if resolved.textures is None:  # the dummy box brings its own
            textures = world.prop_model(resolved.number).textures
        elif resolved.kind == "terrain":
            textures = world.terrain_textures(resolved.textures.value).textures
        else:
            textures = world.prop_textures(resolved.textures.value).textures
        names += len(unresolved(resolved.model, textures))
    assert scene.block.marks == names > 0
    magenta = (after[..., :3] == MAGENTA).all(-1)
    assert magenta.sum() > 50 and not (before[..., :3] == MAGENTA).all(-1).any()
    # A marked pixel is explained as what it is.
    y, x = np.argwhere(magenta)[magenta.sum() // 2].tolist()
    words = "\n".join(sentences(trace_pixel(scene, x, y)))
    assert "marked in magenta" in words


def test_places_without_events_show_their_land_by_default(world: FieldWorld) -> None:
    for number in (0, 575, 582):
        place = world.place(number)
        assert (FieldScene(place).render(raw=True)[..., 3] > 0).mean() > 0.1


@pytest.mark.slow
def test_no_place_is_empty_by_default(world: FieldWorld) -> None:
    empty = [
        header.id for header in world.headers if not FieldScene(world.place(header.id)).render(raw=True)[..., 3].any()
    ]
    assert len(world.headers) == 593 and not empty
