"""The OpenGL picture against the DS picture, place by place.

Every 19th place of a ROM (--step), at hours 12 and 20, tick 0, with people and things if --people and its weather if
--weather is given, through the game's camera at 256 x 192. Left out are pixels whose DS attribute has an edge bit and
their eight neighbours, but never more than 30 % of a picture: where they are more, only the four direct neighbours, or
none, are left out. On the rest, per 6-bit channel: mean difference, 95th percentile, and the largest mean of a 16 x 16
block with at least 64 pixels left. Of the whole pictures: the blocks of 4 x 4 pixels that differ.

    python benchmarks/gl_against_ds.py ROM [--step 19] [--people] [--weather] [--json FILE]

Needs EGL (Mesa's software driver does), no window.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from mapexplorer.opengl.offscreen import RenderTarget, offscreen_context  # first: it chooses OpenGL's platform

HOURS = (12, 20)
WIDTH, HEIGHT = 256, 192
BLOCK = 16
MOST_LEFT_OUT, MEAN, PERCENTILE, BLOCK_MEAN = 0.30, 0.5, 2.0, 5.0
MOST_BLOCKS = 4
"""Blocks in which a picture as a map is first shown may differ, see `differing_blocks`."""
_EDGE_BITS = 15
_FOUR = ((-1, 0), (1, 0), (0, -1), (0, 1))
_EIGHT = (*_FOUR, (-1, -1), (-1, 1), (1, -1), (1, 1))


@dataclass(frozen=True)
class Comparison:
    """Two pictures of one place and hour; `share` of the pixels was left out, the others are 6-bit steps; `blocks`:
    see `differing_blocks`."""

    share: float
    mean: float
    percentile: float
    worst_block: float
    blocks: int

    @property
    def holds(self) -> bool:
        """Whether all limits are kept."""
        return (
            self.share <= MOST_LEFT_OUT
            and self.mean <= MEAN
            and self.percentile <= PERCENTILE
            and self.worst_block <= BLOCK_MEAN
        )


def left_out(attributes: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
    """Pixels with an edge bit and as many rings of neighbours as stay within MOST_LEFT_OUT."""
    edges = attributes & _EDGE_BITS != 0
    for neighbours in (_EIGHT, _FOUR):
        spread = _spread(edges, neighbours)
        if spread.mean() <= MOST_LEFT_OUT:
            return spread
    return edges


def _spread(pixels: npt.NDArray[np.bool_], neighbours: tuple[tuple[int, int], ...]) -> npt.NDArray[np.bool_]:
    padded = np.pad(pixels, 1)
    height, width = pixels.shape
    spread = pixels.copy()
    for y, x in neighbours:
        spread |= padded[1 + y : 1 + y + height, 1 + x : 1 + x + width]
    return spread


def differing_blocks(ds: npt.NDArray[np.int_], gl: npt.NDArray[np.int_]) -> int:
    """The blocks of 4 x 4 pixels, more than half of which differ by more than 24 of 255 in a channel, of two pictures
    of integers."""
    off = np.abs(ds[..., :3] - gl[..., :3]).max(2) > 24
    return int((off.reshape(HEIGHT // 4, 4, WIDTH // 4, 4).sum((1, 3)) > 8).sum())


def compare(ds: npt.NDArray[np.uint8], gl: npt.NDArray[np.uint8], attributes: npt.NDArray[np.uint32]) -> Comparison:
    """Compare a picture with 6-bit channels with an 8-bit one."""
    blocks = differing_blocks((ds << 2 | ds >> 4).astype(np.int64), gl.astype(np.int64))
    difference = np.abs(ds[..., :3].astype(np.int64) - (gl[..., :3] >> 2).astype(np.int64))
    kept = ~left_out(attributes)
    rest = difference[kept]
    worst = 0.0
    for y in range(0, HEIGHT, BLOCK):
        for x in range(0, WIDTH, BLOCK):
            part = kept[y : y + BLOCK, x : x + BLOCK]
            if part.sum() >= 64:
                worst = max(worst, float(difference[y : y + BLOCK, x : x + BLOCK][part].mean()))
    if not len(rest):
        return Comparison(1.0, 0.0, 0.0, worst, blocks)
    return Comparison(1 - float(kept.mean()), float(rest.mean()), float(np.percentile(rest, 95)), worst, blocks)


class Comparer:
    """Both pictures of places of a world, in the current context. `grid`: OpenGL's vertices are snapped to whole
    pixels."""

    def __init__(self, world: object, *, grid: bool = True) -> None:
        from mapexplorer.opengl.renderer import FieldRenderer

        self.world = world
        self.grid = (WIDTH, HEIGHT) if grid else None
        self.renderer = FieldRenderer()
        self.renderer.initialize()
        self.target = RenderTarget(WIDTH, HEIGHT)
        self.seconds = 0.0

    def pictures(
        self,
        key: int | str,
        hour: int,
        tick: int = 0,
        *,
        at: tuple[float, float] | None = None,
        people: bool = False,
        weather: int | None = 0,
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.uint32]]:
        """The DS picture (6 bits), the OpenGL picture (8 bits) and the DS attributes of a place at an hour; `at`: the
        player's tile, by default the one at which the place is first shown."""
        from mapexplorer.scene.scene import FieldScene
        from mapexplorer.scene.view import View

        layers = ("terrain", "props", "people") if people else ("terrain", "props")
        scene = FieldScene(self.world.place(key), View(hour * 3600, layers=layers, at=at, weather=weather))
        return self.pictures_of(scene, tick)

    def pictures_of(
        self, scene: Any, tick: int
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.uint32]]:
        """The DS picture (6 bits), the OpenGL picture (8 bits) and the DS attributes of a scene."""
        from formats.nds import gx
        from mapexplorer.gpu import Engine
        from mapexplorer.opengl.camera import CameraMatrices
        from mapexplorer.opengl.scenes import load_scene, scene_state

        commands = scene.commands(tick)
        engine = Engine()
        engine.load_registers(scene.registers)
        engine.load_texture_vram(scene.block.vram.texture)
        engine.load_palette_vram(scene.block.vram.palette)
        engine.execute(np.concatenate([commands, np.array([gx.SWAP_BUFFERS, 0], np.uint32)]))
        attributes = engine.attributes
        ds = scene.render(tick)[..., :3] >> 2
        start = time.perf_counter()
        load_scene(self.renderer, scene, tick)
        state = scene_state(scene, tick, console_grid=self.grid)
        self.renderer.draw(self.target.framebuffer, WIDTH, HEIGHT, CameraMatrices.of_scene(scene.camera), state)
        gl = self.target.pixels()
        self.seconds += time.perf_counter() - start
        return ds, gl, attributes

    def compare(
        self, key: int | str, hour: int, tick: int = 0, *, people: bool = False, weather: int | None = 0
    ) -> Comparison:
        """The comparison of one place at an hour and tick."""
        return compare(*self.pictures(key, hour, tick, people=people, weather=weather))


def places(world: object, step: int) -> list[int]:
    """Every `step`-th header that has cells."""
    return [header.id for header in world.headers if world.place(header.id).cells][::step]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rom")
    parser.add_argument("--step", type=int, default=19)
    parser.add_argument("--json", help="write every comparison into this file")
    parser.add_argument("--people", action="store_true", help="people and things, too")
    parser.add_argument("--weather", action="store_true", help="the weather of the places, too")
    parser.add_argument("--no-grid", action="store_true", help="do not snap OpenGL's vertices to whole pixels")
    arguments = parser.parse_args()
    with offscreen_context():
        from mapexplorer.world.world import FieldWorld

        world = FieldWorld.open(arguments.rom)
        comparer = Comparer(world, grid=not arguments.no_grid)
        found = []
        print("header              hour  left out   mean    95%  worst block  blocks")
        for header in places(world, arguments.step):
            for hour in HOURS:
                result = comparer.compare(
                    header, hour, people=arguments.people, weather=None if arguments.weather else 0
                )
                found.append({"header": header, "hour": hour, **asdict(result), "holds": result.holds})
                name = world.headers[header].internal_name
                print(
                    f"{header:4} {name:14} {hour:4} {result.share:8.1%} {result.mean:7.2f} {result.percentile:6.1f}"
                    f" {result.worst_block:8.2f} {result.blocks:11}{'' if result.holds else '  FAILS'}",
                    flush=True,
                )
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)
    failed = sum(not entry["holds"] for entry in found)
    apart = sum(entry["blocks"] > MOST_BLOCKS for entry in found)
    print(f"{len(found)} pictures, {failed} beyond a limit; OpenGL {comparer.seconds / len(found):.3f} s a picture.")
    print(f"In {apart} of them more than {MOST_BLOCKS} blocks of 4 x 4 pixels differ.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
