"""Initial script files (members of scr_seq.narc, too): the scripts that the game runs by itself on a map.

Records follow each other up to a byte 0: u8 type, then u16 script and u16 0, or for type 1 the u32 offset of a table
from the end of that word. The tables lie behind the byte 0, in the order of their records: rows of u16 variable, u16
value and u16 script, ended by a u16 0.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum

from formats.binary import Buffer, Notes, Reader, require
from formats.field.record import opened, write_record

SIZE_LIMIT = 255
"""Size in bytes of the largest file that fits the game's buffer."""

_MOST_ZEROS = 8
"""A file ends with fewer zero bytes than this."""

_RECORD = struct.Struct("<BHH")
_TABLE = struct.Struct("<BI")
_ROW = struct.Struct("<HHH")


class InitScriptType(IntEnum):
    """When a script runs: each frame before input, the first row of the table whose two values are equal; when the map
    is entered, before everything else; when it is drawn again, also after menus and field moves; when its layout is
    loaded, before it is drawn."""

    FRAME_TABLE = 1
    ON_TRANSITION = 2
    ON_RESUME = 3
    ON_LOAD = 4


@dataclass(frozen=True)
class InitScript:
    """A script that runs once: when (`InitScriptType` 2 to 4), and its number."""

    type: int
    script: int


@dataclass(frozen=True)
class FrameRow:
    """A row of a frame table: `script` runs while variable `variable` equals `value`, the number of a variable where it
    is 0x4000 or more."""

    variable: int
    value: int
    script: int


@dataclass(frozen=True)
class FrameTable:
    """A table of scripts that run before input."""

    rows: tuple[FrameRow, ...]


@dataclass(frozen=True, eq=False)
class InitScriptFile:
    """An initial script file in file order. `zeros` is the number of zero bytes at the end where that is not the
    padding to a multiple of 4."""

    records: tuple[InitScript | FrameTable, ...]
    zeros: int | None = None

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> InitScriptFile:
        """Read an initial script file. Raises FormatError, also for a file with anything else behind its tables."""
        reader = opened(data, "initial script file")
        entries: list[tuple[int, int]] = []
        at = 0
        while kind := reader.u8(at):
            reader.check(kind in list(InitScriptType), at, "a type from 1 to 4, or 0 at the end", kind)
            if kind == InitScriptType.FRAME_TABLE:
                _, offset = reader.unpack(_TABLE, at, "frame table", ("type", "offset"))
                entries.append((kind, at + _TABLE.size + offset))
            else:
                _, script, zero = reader.unpack(_RECORD, at, "script", ("type", "number", "zero"))
                reader.check(not zero, at + 3, "0 behind the script", zero)
                entries.append((kind, script))
            at += _RECORD.size
        at += 1
        records: list[InitScript | FrameTable] = []
        for kind, value in entries:
            if kind != InitScriptType.FRAME_TABLE:
                records.append(InitScript(kind, value))
                continue
            reader.check(value == at, at, f"the table of record {len(records)}", f"an offset to byte {value}")
            table, at = _read_table(reader, at, notes)
            records.append(table)
        zeros = len(reader) - at
        reader.check(
            not any(reader.data[at:]) and zeros < _MOST_ZEROS,
            at,
            f"fewer than {_MOST_ZEROS} zero bytes",
            f"{zeros} bytes",
        )
        reader.tolerate(
            len(reader) <= SIZE_LIMIT,
            notes,
            0,
            f"{len(reader)} bytes are more than the game's buffer holds, {SIZE_LIMIT}",
        )
        return cls(tuple(records), None if zeros == -at % 4 else zeros)

    def to_bytes(self) -> bytes:
        """The file. Raises ValueError for a number that its field cannot hold, a type without a meaning, or a variable
        0, which ends a table."""
        require(
            0 <= (self.zeros or 0) < _MOST_ZEROS,
            f"fewer than {_MOST_ZEROS} zero bytes can end the file, not {self.zeros}",
        )
        data, tables = bytearray(), bytearray()
        first_table = 5 * len(self.records) + 1
        for record in self.records:
            if isinstance(record, FrameTable):
                offset = first_table + len(tables) - len(data) - _TABLE.size
                data += write_record(_TABLE, record, InitScriptType.FRAME_TABLE, offset)
                tables += _table_bytes(record)
            elif record.type in (InitScriptType.ON_TRANSITION, InitScriptType.ON_RESUME, InitScriptType.ON_LOAD):
                data += write_record(_RECORD, record, record.type, record.script, 0)
            else:
                raise ValueError(f"an initial script has a type from 2 to 4, not {record.type}")
        data += b"\0" + tables
        return bytes(data) + bytes(-len(data) % 4 if self.zeros is None else self.zeros)


def _read_table(reader: Reader, at: int, notes: Notes | None) -> tuple[FrameTable, int]:
    """The table at byte `at`, and where it ends."""
    rows: list[FrameRow] = []
    while variable := reader.u16(at):
        reader.tolerate(
            variable & 0xFF,
            notes,
            at,
            f"the game takes variable {variable} for the end of the table: its low byte is 0",
        )
        rows.append(FrameRow(*reader.unpack(_ROW, at, "a row", ("variable", "value", "script"))))
        at += _ROW.size
    return FrameTable(tuple(rows)), at + 2


def _table_bytes(table: FrameTable) -> bytes:
    require(not any(row.variable == 0 for row in table.rows), "variable 0 ends a table and cannot be one of its rows")
    return b"".join([write_record(_ROW, row, row.variable, row.value, row.script) for row in table.rows]) + b"\0\0"
