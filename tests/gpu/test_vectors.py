"""The engine against frames of a reference rasteriser: every case, every stored array."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from mapexplorer.gpu import Engine, render_frame

CASES = 258


def _differences(case: Any) -> list[str]:
    engine = Engine()
    engine.load_registers(case["registers"])
    engine.load_texture_vram(case["texture_vram"])
    engine.load_palette_vram(case["palette_vram"])
    engine.execute(case["commands"])
    geometry = engine.geometry
    found: dict[str, Any] = {
        "framebuffer": engine.picture,
        "depth": engine.depth,
        "attributes": engine.attributes,
        "polygons": geometry.polygons,
        "vertices": geometry.vertices,
        "render_order": geometry.render_order,
        "matrices": geometry.matrices,
        "test_results": geometry.test_results,
        "info": [
            len(geometry.polygons),
            geometry.stored_vertices,
            geometry.projection_pointer,
            geometry.position_pointer,
            geometry.texture_pointer,
            geometry.matrix_error,
            geometry.list_overflow,
        ],
    }
    return [name for name, value in found.items() if name in case and not np.array_equal(case[name], value)]


def test_every_case_gives_the_reference_frame_and_state(vectors: Path) -> None:
    paths = sorted((vectors / "ds-gpu").glob("*.npz"))
    wrong = {path.stem: names for path in paths if (names := _differences(np.load(path)))}
    assert not wrong
    assert len(paths) == CASES


def test_render_frame_on_a_used_engine(vectors: Path) -> None:
    """One engine serves all calls: what an earlier frame left behind does not show."""
    paths = sorted((vectors / "ds-gpu").glob("*.npz"))
    for path in paths:
        case = np.load(path)
        picture = render_frame(case["commands"], case["registers"], case["texture_vram"], case["palette_vram"])
        assert picture.dtype == np.uint8
        assert np.array_equal(picture, case["framebuffer"]), path.stem
    assert len(paths) == CASES


def test_earlier_frames(vectors: Path) -> None:
    """A list with several SWAP_BUFFERS, executed frame by frame on one engine."""
    checked = 0
    for path in sorted((vectors / "ds-gpu").glob("*.npz")):
        case = np.load(path)
        if "earlier_framebuffers" not in case:
            continue
        engine = Engine()
        engine.load_registers(case["registers"])
        engine.load_texture_vram(case["texture_vram"])
        engine.load_palette_vram(case["palette_vram"])
        pictures = list(engine.frames(case["commands"]))
        expected = [*case["earlier_framebuffers"], case["framebuffer"]]
        assert len(pictures) == len(expected)
        assert all(np.array_equal(a, b) for a, b in zip(pictures, expected, strict=True)), path.stem
        checked += len(expected)
    assert checked >= 4
