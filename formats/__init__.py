"""File formats as values: `X.from_bytes(data)` and `value.to_bytes()`; `read` chooses the type X.

Packages: `nds` (what the hardware defines), `nitro` (NITRO G3D and G2D), `field` (the games' field), `save`
(saves), `j3d` (GameCube models), `parkan` (NRes and MSH). A package is imported when it is first used.

Each format has one reader and one writer, in the same module. Values hold no layout: offsets, sizes, counts,
dictionary trees, padding, TEX0 sharing and no-operations in display lists are recomputed from the fields when a value
is written. The exceptions are separate fields: `Shape.nops` and `layout` of NRes (None in every canonical file), and
stray bytes after a prop list. Index ranges inside a file (strip access lists, draw lists) are nested values.

Readers raise only `FormatError`; what the game tolerates becomes a `Note`. The parts of a file together may not be
larger than its size justifies, so that bad input cannot exhaust memory. `json_codec` turns any value into JSON and
back by its field annotations.
"""

from __future__ import annotations

import importlib
import os
from typing import Any

from formats.binary import Buffer, FormatError, Note, Notes, Reader, same

__all__ = ["FormatError", "Note", "Notes", "read", "same"]

_PACKAGES = ("field", "j3d", "nds", "nitro", "parkan", "save")

_MAGIC = {
    **dict.fromkeys((b"BMD0", b"BTX0", b"BCA0", b"BTP0", b"BTA0", b"BMA0", b"BVA0"), "nitro"),
    **dict.fromkeys((b"RGCN", b"RLCN", b"RCSN", b"RECN", b"RNAN"), "nitro"),
    **dict.fromkeys((b"J3D1", b"J3D2", b"1D3J", b"2D3J"), "j3d"),
    b"NRes": "parkan",
}
"""First four bytes -> the package whose `read` reads the file."""


def read(
    data: Buffer, name: str | os.PathLike[str] = "", kind: str | None = None, *, notes: Notes | None = None
) -> Any:
    """The value in `data`, by its magic number, else by `kind`, the name of a type of `formats.field` (`LandData`).

    `name` is the name of the file in errors. What the game tolerates is appended to `notes`. Raises FormatError for
    damaged data, and for data without a known magic number when no kind is given.
    """
    reader = Reader.of(data)
    name = os.fspath(name)
    if name and not reader.path:
        reader = reader.named(name)
    package = _MAGIC.get(bytes(reader.data[:4]))
    if package is not None:
        return importlib.import_module(f"formats.{package}").read(reader, notes=notes)
    if kind is None and (not reader.path or reader.path.lower().endswith(".bmd")):
        importlib.import_module("formats.sm64ds").refuse(reader)
    return importlib.import_module("formats.field").read(reader, kind, notes=notes)


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        return importlib.import_module(f"formats.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
