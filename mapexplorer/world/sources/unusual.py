"""What is unusual about a ROM: the patches and tools that left traces in it, sizes beyond those of the retail game.

Each row says what it is, by what evidence, and what follows. All of them are made here.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from formats.field.bdhc import CAMERA_MAGIC
from mapexplorer.games import Role
from mapexplorer.games.name_bank import OTHER_BANKS
from mapexplorer.world.headers.leftovers import LeftoverRule
from mapexplorer.world.sources import header_search
from mapexplorer.world.sources.damage import read_or
from mapexplorer.world.sources.program_tables import EXPANDED_GRAPHICS
from mapexplorer.world.sources.provenance import ARM9, SourceRule
from mapexplorer.world.wording import source

if TYPE_CHECKING:
    from mapexplorer.world.world import FieldWorld


class Unusual(NamedTuple):
    """A property of a ROM that the retail game does not have."""

    what: str
    evidence: str
    consequence: str

    def __str__(self) -> str:
        return f"{self.what}: {self.evidence}; {self.consequence}"


_ENGINE: Final = b"hg-engine rocks!"
_FEW: Final = 3
_IN_ARCHIVE: Final = (SourceRule.HEADER_ROUTINE, SourceRule.ARCHIVE_FITS, SourceRule.NAMED_ARCHIVE)


def unusual(world: FieldWorld) -> tuple[Unusual, ...]:
    """All that is unusual about a ROM."""
    rom, game, why = world.rom, world.game, world.header_table.why
    code, size = "{}[{}]".format(*game.program.expansion), len(world.expansion)
    rows = (
        (f"a game code of its own, made of {game.title}", _code(world), "names of the decompilation are absent"),
        (
            "a project of DSPRE",
            f"the folder {rom.project}" if rom.project else "",
            f"read in place of archives: {', '.join(rom.edited) or 'nothing'}",
        ),
        (
            "scripts as text (DSPRE)",
            f"{rom.newer_scripts} in expanded/scripts, newer than the archive" if rom.newer_scripts else "",
            "the scripts of the archive are shown",
        ),
        ("a trimmed image", f"its last file lacks {rom.trimmed} bytes" if rom.trimmed else "", "they are read as 0xFF"),
        (
            "no overlay of the field",
            f"overlay {game.program.overlay} is absent or cannot be read" if _lacks_overlay(world) else "",
            "cameras and object graphics are those of the retail game",
        ),
        ("names of maps", _names(world), "a header without a name has its number"),
        (
            "dynamic headers (DSPRE)",
            source(why) if why.rule in _IN_ARCHIVE else "",
            "the table in ARM9 is not used",
        ),
        ("perhaps dynamic headers", _like_headers(world), "no routine that reads them was found: --header-archive"),
        (
            "ARM9 expansion (DSPRE, PlatPatches, hg-engine)",
            f"{code} has {size:,} bytes" if size else "",
            "it is code and no picture",
        ),
        (
            "expanded object graphics (PlatPatches)",
            _marked(world, EXPANDED_GRAPHICS),
            "people may have graphics beyond the retail table",
        ),
        ("expanded items (PlatPatches)", _marked(world, b"ITEMEXPV1"), "there may be items beyond the retail ones"),
        ("repointed script commands", _marked(world, b"COUN"), "the sizes of added commands are not known"),
        ("hg-engine", _engine(world), "its own formats are not read"),
        (
            "unpacked overlays",
            f"the overlay table calls packed: {', '.join(map(str, rom.unpacked_overlays))}"
            if rom.unpacked_overlays
            else "",
            "they are read as they are, which the game cannot",
        ),
        ("dynamic cameras (Pokémon DS Map Studio)", _cameras(world), "the camera is shown as without them"),
        ("more members than the retail game", _sizes(world), "they are read like the others"),
        ("missing textures", _white(world), "their terrain is white"),
    )
    return tuple(Unusual(what, evidence, follows) for what, evidence, follows in rows if evidence)


def _code(world: FieldWorld) -> str:
    game, why = world.game, world.header_table.why
    offsets = game.tables.headers.table_offsets.items()
    releases = [code for code, offset in offsets if (why.archive, why.offset) == (ARM9, offset)]
    there = f", its map headers where {' and '.join(releases)} has them" if releases else ""
    sentence = f"{world.rom.code or 'no code'} is that of no release, its files are those of {game.title}{there}"
    return "" if world.rom.code[:3] in game.codes else sentence


def _lacks_overlay(world: FieldWorld) -> bool:
    return world.field_overlay is None and world.camera_table.why.rule is not SourceRule.STATED


def _names(world: FieldWorld) -> str:
    names, headers = world.name_count, len(world.headers)
    return f"{names} for {headers} map headers" if names != headers else ""


def _like_headers(world: FieldWorld) -> str:
    """The archive of dynamic headers where no routine reads it, and its members look like headers all the same."""
    archive = read_or(None, world.archive, Role.DYNAMIC_HEADERS) if world.has(Role.DYNAMIC_HEADERS) else None
    records = header_search.member_headers(archive) if world.header_table.why.archive == ARM9 else None
    names, limits = world.name_count, world.header_limits
    alike = records is not None and header_search.looks_like_headers(world.game, records, names, limits)
    return f"the members of {world.path(Role.DYNAMIC_HEADERS)} look like map headers" if alike else ""


def _marked(world: FieldWorld, marker: bytes) -> str:
    return f"{marker.decode()} in the ARM9 expansion" if marker in world.expansion else ""


def _engine(world: FieldWorld) -> str:
    number = world.game.program.engine_overlay
    overlay = world.rom.readable_overlay(number) if number is not None else None
    begins = overlay is not None and overlay.data.startswith(_ENGINE)
    return f"overlay {number} begins {_ENGINE.decode()!r}" if begins else ""


def _cameras(world: FieldWorld) -> str:
    lands = read_or((), lambda: range(len(world.members(Role.LAND_DATA))))
    sections = ((land, read_or(None, world.land_sections, land)) for land in lands)
    with_cameras = [land for land, parts in sections if parts is not None and CAMERA_MAGIC in bytes(parts.bdhc.data)]
    shown = ", ".join(map(str, with_cameras[:_FEW])) + (" ..." if len(with_cameras) > _FEW else "")
    return f"camera plates (DCAM) in {len(with_cameras)} of {len(lands)} lands: {shown}" if with_cameras else ""


def _sizes(world: FieldWorld) -> str:
    retail = world.game.retail_counts
    sizes = {role: len(read_or((), world.members, role)) for role in retail if world.has(role)}
    if world.game.letter(world.rom.code) in OTHER_BANKS:
        sizes.pop(Role.MESSAGES, None)
    return ", ".join(f"{role} has {size:,} for {retail[role]:,}" for role, size in sizes.items() if size > retail[role])


def _white(world: FieldWorld) -> str:
    """The areas most of whose maps take textures that their terrain set lacks."""
    maps = Counter(header.area for header in world.headers)
    rules = ((header.area, world.leftovers(header.id)) for header in world.headers)
    white = Counter(area for area, reasons in rules if any(each.rule is LeftoverRule.WHITE_TERRAIN for each in reasons))
    areas = [(area, count) for area, count in sorted(white.items()) if count >= _FEW and 2 * count > maps[area]]
    return ", ".join(
        f"{count} of the {maps[area]} maps of area {area} take what its set lacks" for area, count in areas
    )
