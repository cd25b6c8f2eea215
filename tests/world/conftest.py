"""The real world, and a tiny hand-built one: five headers, two matrices, two lands, two prop models."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from formats.field import (
    AreaBuild,
    AreaData,
    AreaLight,
    Bdhc,
    LandData,
    MapHeader,
    MapMatrix,
    MapNames,
    MessageBank,
    PropAnimations,
    ZoneEvents,
)
from formats.field.area_light import Light, LightBlock
from formats.field.bdhc import NORMAL, PLATE, POINT
from formats.field.height_plates import Strip
from formats.field.land_data import MAP_PROP
from formats.field.zone_event import BACKGROUND_EVENT, COORD_EVENT, OBJECT_EVENT, WARP_EVENT
from formats.nitro.material import Material, Pairing
from formats.nitro.model import Model
from formats.nitro.node import IDENTITY, Node
from formats.nitro.nsbmd import Nsbmd
from formats.nitro.nsbtx import Nsbtx
from formats.nitro.sbc import Instruction
from formats.nitro.shape import Shape
from formats.nitro.tex0 import Palette, Tex0, Texture
from mapexplorer.games import Role
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.rom import Rom, build_archive, build_image
from mapexplorer.world import FieldWorld
from mapexplorer.world.opening import open_rom


@pytest.fixture(scope="session")
def real(rom_path: Path) -> FieldWorld:
    """The world of the real ROM."""
    return FieldWorld(open_rom(rom_path))


def header(area: int, matrix: int, label: int, map_type: int, **fields: int) -> MapHeader:
    values = dict.fromkeys(("preload_list", "scripts", "init_scripts", "message_bank", "weather", "camera_type"), 0)
    values |= {"day_music": 1000, "night_music": 1000, "wild_encounters": 0xFFFF, "events": 0, "label_window": 0}
    values |= {"battle_background": 0, "bicycle": 0, "running": 0, "escape_rope": 0, "fly": 0} | fields
    return MapHeader(area=area, matrix=matrix, label_text=label, map_type=map_type, **values)


HEADERS = (
    header(0, 0, 0, 0),
    header(0, 0, 0, 0, message_bank=1),
    header(1, 0, 1, 2),
    header(1, 1, 1, 4, events=1),
    header(0, 1, 2, 1, weather=32),
)
NAMES = ("EVERYWHERE", "NOTHING", "R901", "R901R0101", "T90")
PLACES = ("Nowhere", "Quiet Path", "Café Hill")


def model(name: str, texture: str) -> Nsbmd:
    """A model with one material that takes `texture` and a palette of the same name."""
    node = Node(name="root", translation=None, rotation=None, scale=None, inverse_scale=None, m00=IDENTITY[0])
    part = Model(
        name=name, sbc_type=0, scaling_rule=0, texture_matrix_mode=0, first_unused_stack_slot=0,
        pos_scale=4096, inv_pos_scale=4096, vertex_count=0, polygon_count=0, triangle_count=0, quad_count=0,
        box=(0, 0, 0, 0, 0, 0), box_pos_scale=4096, box_inv_pos_scale=4096,
        nodes=(node,), sbc=(Instruction(1, 0, ()),), materials=(Material("mat"),),
        texture_pairings=(Pairing(texture, (0,)),), palette_pairings=(Pairing(texture, (0,)),),
        shapes=(Shape("shape", 0, np.array([0x40, 0, 0x41], np.uint32)),),
    )  # fmt: skip
    return Nsbmd((part,))


def textures(*names: str) -> Nsbtx:
    colors = np.arange(8, dtype=np.uint16)
    return Nsbtx(
        Tex0(
            tuple(Texture(name, 3, 8, 8, False, 8, 8, bytes(32)) for name in names),
            tuple(Palette(name, colors) for name in names),
        )
    )


def land(texture: str, props: list[tuple[int, tuple[int, int, int]]], height: int) -> LandData:
    """A flat land at `height` units whose west half has a second plate 64 units above."""
    points = np.array([(-256 * 4096, -256 * 4096), (256 * 4096, 256 * 4096), (0, 256 * 4096)], POINT)
    bdhc = Bdhc(
        points,
        np.array([(0, 4096, 0)], NORMAL),
        np.array([-height * 4096, -(height + 64) * 4096], "<i4"),
        np.array([(0, 1, 0, 0), (0, 2, 0, 1)], PLATE),
        (Strip(256 * 4096, np.array([0, 1], np.uint16)),),
    )
    records = np.zeros(len(props), MAP_PROP)
    for record, (number, position) in zip(records, props, strict=True):
        record["model"], record["position"], record["scale"] = number, np.array(position) * 4096, 4096
    attributes = np.zeros((32, 32), np.uint16)
    attributes[0, 5], attributes[31, 0] = 0x8000, 0x69
    return LandData(attributes, records, b"", model("land", texture), bdhc)


def events(*warps: tuple[int, int, int, int]) -> ZoneEvents:
    records = np.zeros(len(warps), WARP_EVENT)
    for record, (x, z, target, number) in zip(records, warps, strict=True):
        record["x"], record["z"], record["header"], record["warp"] = x, z, target, number
    return ZoneEvents(np.zeros(0, BACKGROUND_EVENT), np.zeros(0, OBJECT_EVENT), records, np.zeros(0, COORD_EVENT))


def tiny_files() -> dict[str, bytes]:
    """Path -> bytes of every file of the tiny world."""
    black = Light(False, (0, 0, 0), (0, 0, 0))
    light = AreaLight((LightBlock(43200, (black,) * 4, (1, 1, 1), (1, 1, 1), (1, 1, 1), (1, 1, 1)),), True)
    grid = MapMatrix(
        "m",
        np.array([[0, 0, 2, 2]], np.uint16),
        np.array([[3, 0, 0, 0]], np.uint8),
        np.array([[0, 1, 0, 0xFFFF]], np.uint16),
    )
    single = MapMatrix("s", None, None, np.array([[1], [0]], np.uint16))
    banks = [MessageBank(7, ("one", "two"))] * 433 + [MessageBank(9, PLACES)]
    archives = {
        PLATINUM.path(Role.MAP_MATRIX): [grid, single],
        PLATINUM.path(Role.LAND_DATA): [land("grass", [(1, (10, 0, -20)), (2, (0, 4, 0))], 16), land("floor", [], 0)],
        PLATINUM.path(Role.AREA_DATA): [AreaData(0, 0, 0, 0), AreaData(1, 1, 0, 1)],
        PLATINUM.path(Role.AREA_BUILD): [AreaBuild(np.array([0], np.uint16)), AreaBuild(np.array([1], np.uint16))],
        PLATINUM.path(Role.PROP_TEXTURES): [textures("box"), textures("wood")],
        PLATINUM.path(Role.TERRAIN_TEXTURES): [textures("floor"), textures("floor", "grass")],
        PLATINUM.path(Role.AREA_LIGHT): [light, light],
        PLATINUM.path(Role.BUILD_MODEL): [model("dummy", "box"), model("hut", "wood"), model("tree", "leaf")],
        PLATINUM.path(Role.PROP_ANIMATION_LIST): [PropAnimations(255, 255, 0, 0, (-1, -1, -1, -1))] * 3,
        PLATINUM.path(Role.ZONE_EVENT): [events(), events((1, 2, 3, 2), (0, 0, 0xFFF, 0x100), (3, 3, 3, 0))],
        PLATINUM.path(Role.MESSAGES): banks,
    }
    files = {path: build_archive(member.to_bytes() for member in members) for path, members in archives.items()}
    files[PLATINUM.path(Role.MAP_NAMES)] = MapNames(NAMES).to_bytes()
    return files


def tiny_program(at: int = 0x1200) -> bytes:
    filler = np.random.default_rng(3).integers(0, 256, 0x3000, np.uint8).tobytes()
    table = b"".join(header.to_bytes() for header in HEADERS)
    return filler[:0xBB4] + bytes(4) + filler[0xBB8:at] + table + filler[at + len(table) :]


@pytest.fixture
def tiny_rom(tmp_path: Path) -> Callable[..., Rom]:
    """A function that opens the tiny ROM, with some files replaced (None: left out) or another program."""

    def build(replace: dict[str, bytes | None] | None = None, arm9: bytes | None = None) -> Rom:
        files = tiny_files() | (replace or {})
        image = build_image(
            {path: data for path, data in files.items() if data is not None},
            arm9=tiny_program() if arm9 is None else arm9,
            title="POKEMON PL",
            code="CPUE",
        )
        file = tmp_path / "tiny.nds"
        file.write_bytes(image)
        return open_rom(file)

    return build
