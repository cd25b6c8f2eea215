"""GameCube J3D files: models (.bmd, .bdl) and joint animations (.bck), read only. `read` tells them apart by their
magic."""

from __future__ import annotations

from formats.binary import Buffer, Notes
from formats.j3d.animation import Bck
from formats.j3d.big_endian import BigEndianReader
from formats.j3d.model import KINDS, Bmd
from formats.j3d.sections import read_sections

__all__ = ["Bck", "Bmd", "read"]


def read(data: Buffer, *, notes: Notes | None = None) -> Bmd | Bck:
    """The model or joint animation in `data`. Raises FormatError, which names J3D kinds that are not supported."""
    magic = bytes(BigEndianReader.of(data).data[:8])
    if magic == b"J3D1bck1":
        return Bck.from_bytes(data, notes=notes)
    if magic[:4] == b"J3D2" and magic[4:].decode("latin-1") in KINDS:
        return Bmd.from_bytes(data, notes=notes)
    read_sections(data, {**KINDS, "bck1": "J3D1"}, notes)
    raise AssertionError("read_sections refuses every other magic")
