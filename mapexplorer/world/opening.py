"""Opens a ROM of a supported game."""

from __future__ import annotations

import os
from pathlib import Path

from mapexplorer.games import UNPACKED_FOLDERS, identify
from mapexplorer.rom import Rom, open_files


def open_rom(path: str | os.PathLike[str], earlier: Rom | None = None) -> Rom:
    """Open a `.nds` image, a folder as ndstool, ds-rom or DSPRE unpack it, the source tree of the decompilation, one of
    its commits as TREE@REVISION, or, for the word `demo`, the demo world.

    `earlier`: the same source tree, before files of it were changed; what cannot be read any more is as it was there.
    Nothing is written and nothing is read beyond the tables. Raises RomError with one sentence when it is not a DS ROM,
    another game, truncated, or lacks a file that every map needs; OSError when the path cannot be read.
    """
    rom = open_unknown(path, earlier)
    identify(rom)
    return rom


def open_unknown(path: str | os.PathLike[str], earlier: Rom | None = None) -> Rom:
    """The same, of any game. Raises as `open_rom`."""
    place = Path(path)
    rom: Rom | None = None
    if str(path) and (place.is_dir() or ("@" in str(path) and not place.exists())):
        from mapexplorer.decomp.tree import open_tree  # what most commands do without

        rom = open_tree(place, str(path), earlier)
    return rom or open_files(path, UNPACKED_FOLDERS)
