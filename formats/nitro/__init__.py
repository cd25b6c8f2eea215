"""NITRO G3D files: models (NSBMD), textures (NSBTX) and five kinds of animation; and G2D files.

The animations are NSBCA (joints), NSBTP (texture patterns), NSBTA (texture SRT), NSBMA (material colours) and NSBVA
(visibility). G2D files are NCGR (tiles), NCLR (palettes), NSCR (maps of backgrounds), NCER (cells of sprites) and NANR
(animations of cells). `read` distinguishes them by their magic number. Names are loaded when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from formats.binary import Buffer, Notes, Reader
from formats.lazy_names import lazy_names

if TYPE_CHECKING:
    from formats.nitro.nanr import Nanr as Nanr
    from formats.nitro.ncer import Ncer as Ncer
    from formats.nitro.ncgr import Ncgr as Ncgr
    from formats.nitro.nclr import Nclr as Nclr
    from formats.nitro.nsbca import Nsbca as Nsbca
    from formats.nitro.nsbma import Nsbma as Nsbma
    from formats.nitro.nsbmd import Nsbmd as Nsbmd
    from formats.nitro.nsbta import Nsbta as Nsbta
    from formats.nitro.nsbtp import Nsbtp as Nsbtp
    from formats.nitro.nsbtx import Nsbtx as Nsbtx
    from formats.nitro.nsbva import Nsbva as Nsbva
    from formats.nitro.nscr import Nscr as Nscr

KINDS = {
    b"BMD0": "Nsbmd",
    b"BTX0": "Nsbtx",
    b"BCA0": "Nsbca",
    b"BTP0": "Nsbtp",
    b"BTA0": "Nsbta",
    b"BMA0": "Nsbma",
    b"BVA0": "Nsbva",
    b"RGCN": "Ncgr",
    b"RLCN": "Nclr",
    b"RCSN": "Nscr",
    b"RECN": "Ncer",
    b"RNAN": "Nanr",
}
"""Magic number -> type."""


def read(data: Buffer, *, notes: Notes | None = None) -> Any:
    """The value of a NITRO file, of the type that `KINDS` names. Raises FormatError, also for other files."""
    reader = Reader.of(data)
    magic = bytes(reader.data[:4])
    reader.check(magic in KINDS, 0, "the magic number of a NITRO file", repr(magic))
    return __getattr__(KINDS[magic]).from_bytes(reader, notes=notes)


__getattr__ = lazy_names(__name__, {name: name.lower() for name in KINDS.values()})


def __dir__() -> list[str]:
    return sorted([*globals(), *KINDS.values()])
