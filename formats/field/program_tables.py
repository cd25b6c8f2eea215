"""Records of the tables that are in the game's program, not in files: cameras, object graphics, yearly weather, items.

The offset of each table depends on the release; `mapexplorer.world.sources.program_tables` finds it.
"""

from __future__ import annotations

import numpy as np

CAMERA = np.dtype(
    [
        ("distance", "<i4"),
        ("angle_x", "<u2"),
        ("angle_y", "<u2"),
        ("angle_z", "<u2"),
        ("padding", "<u2"),
        ("projection", "u1"),
        ("padding_2", "u1"),
        ("half_fov", "<u2"),
        ("near", "<i4"),
        ("far", "<i4"),
    ]
)
"""A camera type (overlay 5, 17 records): fx32 distance and clip planes, u16 angles (65536 = a full turn) with
`half_fov` half the vertical field of view; projection 0 perspective, 1 orthographic."""

OFFSET_CAMERA = np.dtype([*CAMERA.descr, ("offset", "<i4", 3)])
"""A camera type of HeartGold and SoulSilver (overlay 1, 17 records): `offset` is added to the eye and to what it looks
at."""

OBJECT_GRAPHICS = np.dtype([("graphics", "<u4"), ("member", "<u4")])
"""Object graphics id -> member of mmodel.narc (overlay 5); the record with id 0xFFFF ends the table."""

SHORT_OBJECT_GRAPHICS = np.dtype([("graphics", "<u2"), ("member", "<u2"), ("properties", "<u2")])
"""The same in HeartGold and SoulSilver (overlay 1); bits 10 to 15 of `properties` are the look (63 none)."""

OBJECT_GRAPHICS_END = 0xFFFF

YEARLY_WEATHER_DAYS = 366
YEARLY_WEATHER = np.dtype(("u1", 5))
"""A day's weather of Route 212 south, Route 213, Route 216, Acuity Lakefront and Snowpoint City: what header weathers
32 to 36 mean. The rows (in ARM9) are the days of a leap year."""

HIDDEN_ITEM = np.dtype([("item", "<u2"), ("count", "u1"), ("range", "u1"), ("zero", "<u2"), ("number", "<u2")])
"""A hidden item (ARM9): `range` of the Dowsing app in tiles, `number` as in its script and its flag."""

COMMON_MART = np.dtype([("item", "<u2"), ("step", "<u2")])
"""An item of the shops that sell the same everywhere (ARM9), and from which step on."""

MART_ITEM = np.dtype("<u2")
"""An item of the list of another shop (ARM9)."""

MART_END = 0xFFFF
"""The item that ends the list of another shop."""

MACHINE = np.dtype("<u2")
"""The move that a TM or HM teaches (ARM9), in the order of the items."""
