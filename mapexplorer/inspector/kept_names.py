"""The index of names of a ROM, kept in the cache folder by the contents of the ROM.

Importing this module does not import `world`, so that a kept index is searched fast.
"""

from __future__ import annotations

from typing import Final

from mapexplorer.games import Role, identify
from mapexplorer.inspector.name_index import NameIndex
from mapexplorer.rom import Rom
from mapexplorer.rom.digest import rom_digest
from mapexplorer.system import kept_data

_VERSION: Final = 6
"""Incremented when an index for the same ROM has other contents."""

_INDEXED: Final = (
    Role.MAP_NAMES, Role.MESSAGES, Role.SCRIPTS, Role.ZONE_EVENT, Role.ENCOUNTERS, Role.ENCOUNTER_EXTRAS, Role.TRAINERS,
    Role.TRAINER_PARTIES, Role.TRAINER_MESSAGES, Role.MUSIC, Role.BUILD_MODEL, Role.PROP_TEXTURES,
    Role.TERRAIN_TEXTURES,
)  # fmt: skip
"""The files that the index is made of, with the program and the file names."""


def name_index(rom: Rom) -> NameIndex:
    """The index of a ROM: the kept one, else a new one, which is then kept. Raises RomError, FormatError as
    `FieldWorld`."""
    key = _key(rom)
    kept = kept_data.load("names", key)
    if kept is not None:
        try:
            return NameIndex.from_bytes(kept)
        except ValueError:
            pass
    from mapexplorer.inspector.name_sources import entries
    from mapexplorer.world.world import FieldWorld

    index = NameIndex.of(entries(FieldWorld(rom)))
    kept_data.store("names", key, index.to_bytes())
    return index


def _key(rom: Rom) -> str:
    game = identify(rom)
    return rom_digest(rom, game.name, str(_VERSION), map(game.path, _INDEXED))
