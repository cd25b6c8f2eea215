"""The demo world's program: an ARM9 image that holds the map headers and the hidden items, and overlay 5 with cameras
and object graphics.

No code: only the tables, laid out so that the searches that find them in a real program find them here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from formats.field.map_header import MapHeader
from formats.field.program_tables import CAMERA, OBJECT_GRAPHICS, OBJECT_GRAPHICS_END
from mapexplorer.games import DEFAULT
from mapexplorer.rom import Overlay

_HEADERS_AT = 0x1000
_OVERLAY_ADDRESS = 0x021D0D80
_CAMERA_POINTER = 0x4E24
_CAMERAS_AT = 0x4E40
_GRAPHICS_AT = 0x5000


def arm9(headers: Sequence[MapHeader], hidden_items: bytes) -> bytes:
    """A program that consists of the header table behind zeros, and of the hidden items where a real program has
    them."""
    table = b"".join(header.to_bytes() for header in headers)
    tables = table.ljust(DEFAULT.tables.items.hidden_after_headers, b"\0") + hidden_items
    return bytes(_HEADERS_AT) + tables + bytes(-len(tables) % 512)


def overlay_5(graphics: dict[int, int]) -> Overlay:
    """The overlay with the game's camera types and the demo's table of object graphics id -> member of mmodel."""
    data = bytearray(_GRAPHICS_AT)
    cameras = np.zeros(len(DEFAULT.tables.cameras), CAMERA)
    for row, camera in zip(cameras, DEFAULT.tables.cameras, strict=True):
        row["distance"] = camera.distance
        row["angle_x"], row["angle_y"], row["angle_z"] = camera.angle_x, camera.angle_y, camera.angle_z
        row["projection"] = camera.orthographic
        row["half_fov"] = camera.half_fov
        row["near"], row["far"] = camera.near, camera.far
    data[_CAMERA_POINTER : _CAMERA_POINTER + 4] = (_OVERLAY_ADDRESS + _CAMERAS_AT).to_bytes(4, "little")
    data[_CAMERAS_AT : _CAMERAS_AT + cameras.nbytes] = cameras.tobytes()
    pairs = np.array([*graphics.items(), (OBJECT_GRAPHICS_END, 0)], OBJECT_GRAPHICS)
    return Overlay(5, bytes(data) + pairs.tobytes(), _OVERLAY_ADDRESS)
