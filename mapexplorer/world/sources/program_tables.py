"""Tables inside the game's program: yearly weather in ARM9, cameras and object graphics in an overlay.

They are found by their contents, because their offsets differ between releases and hacks; a published offset decides
between several matches.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.binary import FormatError, frozen
from formats.field import program_tables as program_records
from formats.field.program_tables import (
    OBJECT_GRAPHICS_END,
    YEARLY_WEATHER,
    YEARLY_WEATHER_DAYS,
)
from formats.fixed import ONE, cos_index, mul
from mapexplorer.games import Game, ProgramTables
from mapexplorer.games.field_tables import CameraType
from mapexplorer.rom import Overlay, Rom
from mapexplorer.world.sources.provenance import ARM9, RETAIL, Facts, ProgramTable, Provenance, Resolved, SourceRule

EXPANDED_GRAPHICS: Final = b"OWTBLXPANDV1"
"""The marker of the tables of object graphics that PlatPatches writes into the ARM9 expansion."""
_MOST: Final = 0.5
"""The share of the rows of a table by which it is recognised."""

Rows = Resolved[npt.NDArray[Any]]
"""Records of a table with their source."""


def stated_table(rom: Rom, table: ProgramTable, record: npt.DTypeLike) -> Rows | None:
    """The rows of a table that a ROM has as text; None where it has a program. Raises FormatError."""
    stated = rom.table(table.name)
    if stated is None:
        return None
    origin = stated.origins[0][0] if stated.origins else None
    why = Provenance(origin[0] if origin else ARM9, SourceRule.STATED, facts=Facts(table=table), origin=origin)
    dtype = np.dtype(record)
    return Resolved(frozen(np.frombuffer(stated.data, dtype), dtype.base), why)


def found_table(part: str, table: ProgramTable, offset: int) -> Provenance:
    """The source of a table that was found in a part of the program."""
    return Provenance(part, SourceRule.TABLE_FOUND, offset=offset, facts=Facts(table=table))


def _retail(game: Game, table: ProgramTable, overlay: Overlay | None) -> Provenance:
    """The source of a table that the overlay lacks."""
    facts = Facts(table=table, overlay=game.program.overlay)
    return Provenance(RETAIL, SourceRule.NO_OVERLAY if overlay is None else SourceRule.NO_TABLE, facts=facts)


def pointed(data: bytes, at: int | None, loaded_at: int) -> int | None:
    """The offset to which the word at `at` points in data that are loaded at an address; None outside of them."""
    if at is None or not 0 <= at <= len(data) - 4:
        return None
    offset = int.from_bytes(data[at : at + 4], "little") - loaded_at
    return offset if 0 <= offset < len(data) else None


def rows_at(data: bytes, offset: int | None, dtype: np.dtype[Any], count: int) -> npt.NDArray[np.void] | None:
    """`count` records at an offset; None if they are not inside the data."""
    if offset is None or not 0 <= offset <= len(data) - dtype.itemsize * count:
        return None
    return np.frombuffer(data, dtype, count, offset)


def table_record(name: str) -> np.dtype[Any]:
    """A record of `formats.field.program_tables` by its name."""
    record: np.dtype[Any] = getattr(program_records, name)
    return record


def find_cameras(game: Game, overlay: Overlay | None, stated: Rows | None = None) -> Resolved[tuple[CameraType, ...]]:
    """The camera types that are stated, else those in the field's overlay, else those of the retail game."""
    names = game.tables.cameras
    rows = stated
    if rows is None and overlay is not None:
        rows = _camera_rows(game.program, overlay)
    if rows is None:
        return Resolved(names, _retail(game, ProgramTable.CAMERAS, overlay))
    cameras = tuple(
        CameraType(
            index,
            names[index].name if index < len(names) else "",
            int(row["distance"]),
            int(row["angle_x"]),
            int(row["angle_y"]),
            int(row["angle_z"]),
            bool(row["projection"]),
            int(row["half_fov"]),
            int(row["near"]),
            int(row["far"]),
            *_offset_and_bias(row),
        )
        for index, row in enumerate(rows.value)
    )
    return Resolved(cameras, rows.why)


def _offset_and_bias(row: np.void) -> tuple[tuple[int, int, int], int]:
    """The last fields of a camera type; cameras with an offset move billboards by the cosine of their pitch."""
    if "offset" not in (row.dtype.names or ()):
        return (0, 0, 0), CameraType.billboard_bias
    x, y, z = row["offset"].tolist()
    return (x, y, z), mul(8 * ONE, cos_index(int(row["angle_x"])))


def _camera_rows(known: ProgramTables, overlay: Overlay) -> Resolved[npt.NDArray[np.void]] | None:
    """The records of the cameras: where the code's pointer leads if there are cameras, else where the
    first camera's bytes are."""
    first = known.first_camera[0].to_bytes(4, "little") + known.first_camera[1].to_bytes(2, "little")
    data = overlay.data
    for offset in (pointed(data, known.camera_pointer, overlay.load_address), data.find(first)):
        rows = rows_at(data, offset, table_record(known.camera_record), known.cameras)
        if (
            offset is not None
            and rows is not None
            and (
                (rows["projection"] <= 1).all()
                and (rows["distance"] > 0).all()
                and (rows["near"] > 0).all()
                and (rows["near"] < rows["far"]).all()
                and (rows["half_fov"] > 0).all()
                and (rows["half_fov"] < 0x4000).all()
            )
        ):
            return Resolved(rows, found_table(f"overlay {overlay.number}", ProgramTable.CAMERAS, offset))
    return None


def find_object_graphics(game: Game, overlay: Overlay | None, stated: Rows | None = None) -> Resolved[dict[int, int]]:
    """Object graphics id -> member of the sprite archive, as it is stated, else from the field's overlay, else of the
    retail game."""
    if stated is not None:
        return Resolved(_members_by_graphics(stated.value[stated.value["graphics"] != OBJECT_GRAPHICS_END]), stated.why)
    start = _graphics_start(game, overlay.data) if overlay is not None else None
    if overlay is None or start is None:
        return Resolved(game.tables.object_graphics, _retail(game, ProgramTable.OBJECT_GRAPHICS, overlay))
    members = _graphics_at(game, overlay.data, start)
    if members is None:
        raise FormatError(
            f"overlay {overlay.number} > object graphics", start, "the end mark 0xFFFF", "the end of the overlay"
        )
    return Resolved(members, found_table(f"overlay {overlay.number}", ProgramTable.OBJECT_GRAPHICS, start))


def find_expanded_graphics(game: Game, added: Mapping[str, bytes]) -> Resolved[dict[int, int]] | None:
    """As `find_object_graphics`, from a longer copy of the table in code that a hack added, by the name of the part."""
    facts = Facts(table=ProgramTable.OBJECT_GRAPHICS)
    for part, data in added.items():
        marked = _behind_marker(data)
        start = _graphics_start(game, data) if marked is None else marked
        members = _graphics_at(game, data, start) if start is not None else None
        if members and (marked is not None or len(members) > len(game.tables.object_graphics)):
            return Resolved(members, Provenance(part, SourceRule.EXPANDED_TABLE, offset=start, facts=facts))
    return None


def _behind_marker(data: bytes) -> int | None:
    """Where the graphics are among the four tables that PlatPatches writes behind a marker; None without them.

    Marker (16 bytes), u32 version, capacity, added rows, 0; each table is ended by a row with the end mark, and has
    space for `capacity` added rows. The graphics are the third one.
    """
    at = data.find(EXPANDED_GRAPHICS)
    if at < 0 or at + 32 > len(data):
        return None
    capacity, added = np.frombuffer(data, "<u4", 2, at + 20).tolist()
    at += 32
    for _ in range(2):
        ids = np.frombuffer(data, "<u4", max(0, len(data) - at) // 4, min(at, len(data)))[::2]
        rows = int(np.argmax(ids == OBJECT_GRAPHICS_END)) if len(ids) else 0
        at += 8 * (rows - added + capacity + 1)
    return at


def _graphics_start(game: Game, data: bytes) -> int | None:
    """Where the graphics begin by their first rows, else, as a hack may change these, where the row in the middle is
    and most others are around it; None where they are not."""
    start = data.find(game.program.first_graphics)
    if start >= 0:
        return start
    record, known = table_record(game.program.graphics_record), np.array([*game.tables.object_graphics.items()])
    middle = len(known) // 2
    for first in range(0, min(record.itemsize, len(data)), 2):
        rows = np.frombuffer(data, record, (len(data) - first) // record.itemsize, first)
        alike = (rows["graphics"] == known[middle, 0]) & (rows["member"] == known[middle, 1])
        for row in np.flatnonzero(alike) - middle:
            there = rows["graphics"][max(0, row) : row + len(known)]
            if row >= 0 and len(there) == len(known) and (there == known[:, 0]).mean() > _MOST:
                return first + int(row) * record.itemsize
    return None


def _graphics_at(game: Game, data: bytes, start: int) -> dict[int, int] | None:
    """The rows from an offset up to the end mark, the first of each id; None without an end mark."""
    record = table_record(game.program.graphics_record)
    rows = np.frombuffer(data, record, max(0, len(data) - start) // record.itemsize, min(start, len(data)))
    ends = np.flatnonzero(rows["graphics"] == OBJECT_GRAPHICS_END)
    if not len(ends):
        return None
    return _members_by_graphics(rows[: int(ends[0])])


def _members_by_graphics(rows: npt.NDArray[np.void]) -> dict[int, int]:
    """Object graphics id -> member of its first row."""
    members: dict[int, int] = {}
    for graphics, member in rows[["graphics", "member"]].tolist():
        members.setdefault(graphics, member)
    return members


def find_yearly_weather(game: Game, arm9: bytes, stated: Rows | None = None) -> Resolved[npt.NDArray[Any]] | None:
    """The (366, 5) weather ids by day of a leap year, None when they are neither stated nor in the program."""
    if stated is not None:
        return stated
    first = game.program.first_weathers
    start = arm9.find(first) if first else -1
    rows = rows_at(arm9, start, YEARLY_WEATHER, YEARLY_WEATHER_DAYS)
    return None if rows is None else Resolved(frozen(rows), found_table(ARM9, ProgramTable.YEARLY_WEATHER, start))
