"""GameCube J3D files: models (.bmd, .bdl) and joint animations (.bck), read only.

`read` tells them apart by their magic. Names are loaded when first used, so that `is_j3d` costs little.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from formats.binary import Buffer, Notes

if TYPE_CHECKING:
    from formats.j3d.animation import Bck as Bck
    from formats.j3d.model import Bmd as Bmd


def is_j3d(data: Buffer) -> bool:
    """Whether the bytes begin as a J3D file of any kind, supported or not, of either byte order."""
    from formats.j3d.sections import is_j3d as check

    return check(data)


def read(data: Buffer, *, notes: Notes | None = None) -> Bmd | Bck:
    """The model or joint animation in `data`. Raises FormatError, which names J3D kinds that are not supported."""
    from formats.j3d.animation import Bck
    from formats.j3d.big_endian import BigEndianReader
    from formats.j3d.model import KINDS, Bmd
    from formats.j3d.sections import read_sections

    magic = bytes(BigEndianReader.of(data).data[:8])
    if magic == b"J3D1bck1":
        return Bck.from_bytes(data, notes=notes)
    if magic[:4] == b"J3D2" and magic[4:].decode("latin-1") in KINDS:
        return Bmd.from_bytes(data, notes=notes)
    read_sections(data, {**KINDS, "bck1": "J3D1"}, notes)
    raise AssertionError("read_sections refuses every other magic")


def __getattr__(name: str) -> object:
    if name == "Bmd":
        from formats.j3d.model import Bmd

        return Bmd
    if name == "Bck":
        from formats.j3d.animation import Bck

        return Bck
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = ["Bck", "Bmd", "is_j3d", "read"]
