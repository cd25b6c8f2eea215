"""What is unusual about a ROM: the patches and tools that left traces in it, sizes beyond those of the retail game.

Each row says what it is, by what evidence, and what follows. All of them are made here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from formats.field.bdhc import CAMERA_MAGIC
from mapexplorer.games import Role
from mapexplorer.games.name_bank import OTHER_BANKS
from mapexplorer.world.headers.leftovers import LeftoverRule
from mapexplorer.world.sources import header_search
from mapexplorer.world.sources.damage import read_or
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


_MARKERS: Final = (
    (b"OWTBLXPANDV1", "expanded object graphics (PlatPatches)", "people may have graphics beyond the retail table"),
    (b"ITEMEXPV1", "expanded items (PlatPatches)", "there may be items beyond the retail ones"),
    (b"COUN", "repointed script commands", "commands beyond the retail ones have sizes that are not known"),
)
"""Bytes in the ARM9 expansion -> the patch that put them there."""
_ENGINE: Final = b"hg-engine rocks!"
_FEW: Final = 3
_IN_ARCHIVE: Final = (SourceRule.HEADER_ROUTINE, SourceRule.ARCHIVE_FITS, SourceRule.NAMED_ARCHIVE)


def unusual(world: FieldWorld) -> tuple[Unusual, ...]:
    """All that is unusual about a ROM."""
    rules = (_release, _project, _image, _headers, _expansion, _overlays, _cameras, _sizes, _white)
    return tuple(row for rule in rules for row in rule(world))


def _release(world: FieldWorld) -> Iterator[Unusual]:
    rom, game, why = world.rom, world.game, world.header_table.why
    if rom.code[:3] not in game.codes:
        offsets = game.tables.headers.table_offsets.items()
        releases = [code for code, offset in offsets if (why.archive, why.offset) == (ARM9, offset)]
        there = f", its map headers where {' and '.join(releases)} has them" if releases else ""
        evidence = f"{rom.code or 'no code'} is that of no release, its files are those of {game.title}{there}"
        yield Unusual(
            f"a game code of its own, made of {game.title}", evidence, "names of the decompilation are absent"
        )


def _project(world: FieldWorld) -> Iterator[Unusual]:
    if world.rom.project:
        edited = f"read in place of archives: {', '.join(world.rom.edited) or 'nothing'}"
        yield Unusual("a project of DSPRE", f"the folder {world.rom.project}", edited)


def _image(world: FieldWorld) -> Iterator[Unusual]:
    if world.rom.trimmed:
        yield Unusual("a trimmed image", f"its last file lacks {world.rom.trimmed} bytes", "they are read as 0xFF")
    if world.field_overlay is None and world.camera_table.why.rule is not SourceRule.STATED:
        yield Unusual(
            "no overlay of the field",
            f"overlay {world.game.program.overlay} is absent or cannot be read",
            "cameras and object graphics are those of the retail game",
        )


def _headers(world: FieldWorld) -> Iterator[Unusual]:
    why, names, headers = world.header_table.why, world.name_count, len(world.headers)
    if names != headers:
        yield Unusual("names of maps", f"{names} for {headers} map headers", "without a name a header has its number")
    archive = read_or(None, world.archive, Role.DYNAMIC_HEADERS) if world.has(Role.DYNAMIC_HEADERS) else None
    records = header_search.member_headers(archive) if why.archive == ARM9 else None
    if why.rule in _IN_ARCHIVE:
        yield Unusual("dynamic headers (DSPRE)", source(why), "the table in ARM9 is not used")
    elif records is not None and header_search.looks_like_headers(world.game, records, names, world.header_limits):
        evidence = f"the members of {world.path(Role.DYNAMIC_HEADERS)} look like map headers"
        yield Unusual("perhaps dynamic headers", evidence, "no routine that reads them was found: --header-archive")


def _expansion(world: FieldWorld) -> Iterator[Unusual]:
    path, index = world.game.program.expansion
    if world.expansion:
        size = f"{path}[{index}] has {len(world.expansion):,} bytes"
        yield Unusual("ARM9 expansion (DSPRE, PlatPatches, hg-engine)", size, "it is code and no picture")
    for marker, what, consequence in _MARKERS:
        if marker in world.expansion:
            yield Unusual(what, f"{marker.decode()} in {path}[{index}]", consequence)


def _overlays(world: FieldWorld) -> Iterator[Unusual]:
    number = world.game.program.engine_overlay
    overlay = world.rom.readable_overlay(number) if number is not None else None
    if overlay is not None and overlay.data.startswith(_ENGINE):
        yield Unusual("hg-engine", f"overlay {number} begins {_ENGINE.decode()!r}", "its own formats are not read")
    for number in world.rom.unpacked_overlays:
        yield Unusual(
            f"overlay {number} is not packed",
            "the overlay table calls it packed",
            "it is read as it is, which the game cannot",
        )


def _cameras(world: FieldWorld) -> Iterator[Unusual]:
    lands = read_or((), lambda: range(len(world.members(Role.LAND_DATA))))
    sections = ((land, read_or(None, world.land_sections, land)) for land in lands)
    with_cameras = [land for land, parts in sections if parts is not None and CAMERA_MAGIC in bytes(parts.bdhc.data)]
    if with_cameras:
        shown = ", ".join(map(str, with_cameras[:_FEW])) + (" ..." if len(with_cameras) > _FEW else "")
        evidence = f"camera plates (DCAM) in {len(with_cameras)} of {len(lands)} lands: {shown}"
        yield Unusual("dynamic cameras (Pokémon DS Map Studio)", evidence, "the camera is shown as without them")


def _sizes(world: FieldWorld) -> Iterator[Unusual]:
    retail = world.game.retail_counts
    sizes = {role: len(read_or((), world.members, role)) for role in retail if world.has(role)}
    if world.rom.code[3:] in OTHER_BANKS:
        sizes.pop(Role.MESSAGES, None)
    more = [f"{role} has {size:,} for {retail[role]:,}" for role, size in sizes.items() if size > retail[role]]
    if more:
        yield Unusual("more members than the retail game", ", ".join(more), "they are read like the others")


def _white(world: FieldWorld) -> Iterator[Unusual]:
    white: Counter[int] = Counter()
    for header in world.headers:
        white[header.area] += any(rule.rule is LeftoverRule.WHITE_TERRAIN for rule in world.leftovers(header.id))
    of_area = Counter(header.area for header in world.headers)
    for area, maps in white.items():
        if maps >= _FEW and 2 * maps > of_area[area]:
            evidence = f"{maps} of the {of_area[area]} maps of area {area} take textures that its set lacks"
            yield Unusual("missing textures", evidence, "their terrain is white")
