"""Reads everything in a ROM: every known file is read, written back and compared, and every reference is followed.

A problem is a file that cannot be read, or a reference outside its archive. Another layout is a file that reads well
and is not written back byte for byte, as other tools write it. A note is something that the game tolerates, an archive
that is absent, or what is unusual about the ROM. Work is shared between spawned processes.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from formats.binary import FormatError, Notes, Reader
from mapexplorer.errors import RomError
from mapexplorer.g3d import sbc
from mapexplorer.games import Game, Role, identify
from mapexplorer.kernels import FILES, prepare
from mapexplorer.rom import Rom
from mapexplorer.system.workers import done_by
from mapexplorer.world.opening import open_rom
from mapexplorer.world.sources.requirements import lacking

KINDS = {
    "AreaBuild": "prop lists",
    "AreaData": "areas",
    "AreaLight": "light sets",
    "BuildModelMatshp": "draw list files",
    "DiamondPearlLandData": "land data",
    "DistortionAttributes": "Distortion World attributes",
    "DistortionFloor": "Distortion World floors",
    "DistortionFloorList": "Distortion World floor lists",
    "EmptyTextureSet": "texture sets without textures",
    "FeebasTiles": "lists of Feebas tiles",
    "FieldTextureAnimations": "terrain animation lists",
    "FrameSequence": "frame sequences",
    "HeartGoldAreaData": "areas",
    "HeartGoldLandData": "land data",
    "HeartGoldPropAnimations": "animation list entries",
    "InGameTrade": "in-game trades",
    "InitScriptFile": "initial script files",
    "ItemData": "items",
    "LandData": "land data",
    "LookoutTiles": "lists of lookout tiles",
    "MapMatrix": "map matrices",
    "MapNames": "map name files",
    "MessageBank": "message banks",
    "MoveModelList": "object graphics lists",
    "Nanr": "NANR",
    "Ncer": "NCER",
    "Ncgr": "NCGR",
    "Nclr": "NCLR",
    "Nsbca": "NSBCA",
    "Nsbma": "NSBMA",
    "Nsbmd": "NSBMD",
    "Nsbta": "NSBTA",
    "Nsbtp": "NSBTP",
    "Nsbtx": "NSBTX",
    "Nsbva": "NSBVA",
    "Nscr": "NSCR",
    "PropAnimations": "animation list entries",
    "ScriptFile": "script files",
    "ScriptMember": "members of the script archive",
    "SpeciesData": "species",
    "SpeciesList": "species lists",
    "TerrainAnimationFile": "terrain animation files",
    "Trainer": "trainers",
    "TrainerMessageOffsets": "tables of trainer message offsets",
    "TrainerMessages": "tables of trainer messages",
    "TrainerParty": "parties of trainers",
    "WildEncounters": "wild encounter files",
    "ZoneEvents": "event files",
}
"""Type of `formats` -> what the counts call it."""

HEADERS = "map headers"
TERRAIN_MODELS = "NSBMD inside land data"
OTHER = "other files"
EMPTY = "empty files"

_CHUNK = 600_000
"""Bytes of members that a process takes at a time."""

_DIED = "A process that verified the ROM {}."


@dataclass
class Verification:
    """How many files of each kind were read, and what was found: sentences that begin with the file they are about;
    `layout`: files that are laid out otherwise than they are written here.

    `lacking`: (archive, member) -> what a well-formed member lacks so that nothing can be shown with it.
    """

    counts: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    layout: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    lacking: dict[tuple[Role, int], str] = field(default_factory=dict)

    def add(self, other: Verification) -> None:
        """Take over what another part of the work found."""
        self.counts.update(other.counts)
        self.problems += other.problems
        self.layout += other.layout
        self.notes += other.notes
        self.lacking |= other.lacking

    @property
    def read(self) -> int:
        """Files that were read and written back."""
        return sum(count for kind, count in self.counts.items() if kind not in (OTHER, EMPTY, TERRAIN_MODELS))


_Part = tuple[str, range | None]
"""An archive and the numbers of some of its members, or a file (None)."""


def verify(rom: Rom, *, jobs: int | None = None, progress: Callable[[int, int], None] | None = None) -> Verification:
    """Verify everything. `jobs` processes (default: one per core; 1: none are started); `progress(done, parts)`."""
    parts = list(_parts(rom))
    jobs = min(jobs or os.cpu_count() or 1, len(parts))
    results: dict[int, Verification] = {}
    if jobs > 1:
        prepare(FILES)  # once, and not in every process
    for index, result in done_by(partial(_verify_part, rom), parts, jobs, _begin, (rom.path,), _DIED):
        results[index] = result
        if progress:
            progress(len(results), len(parts))
    whole = Verification()
    for index in range(len(parts)):
        whole.add(results[index])
    whole.notes += [f"{path} is absent ({purpose})" for path, purpose in identify(rom).missing(rom).items()]
    _verify_references(rom, whole)
    whole.counts = Counter(dict(sorted((+whole.counts).items())))
    return whole


def _parts(rom: Rom) -> Iterator[_Part]:
    for path in rom.files:
        if not rom.is_archive(path):
            yield path, None
            continue
        try:
            archive = rom.archive(path)
        except FormatError:
            yield path, None
            continue
        members = len(archive)
        # One that is made of texts has no size where a member cannot be made.
        size = rom.size(path) if rom.laid_over is None else 1
        step = max(1, members * _CHUNK // max(size, 1))
        for first in range(0, members, step):
            yield path, range(first, min(first + step, members))


def _begin(path: str) -> Callable[[_Part], Verification]:
    return partial(_verify_part, open_rom(path))


def _verify_part(rom: Rom, part: _Part) -> Verification:
    result, (path, members) = Verification(), part
    game = identify(rom)
    if members is None:
        if rom.is_archive(path):
            try:
                rom.archive(path)
            except FormatError as error:
                result.problems.append(f"{path}: {error}")
            return result
        _verify_file(Reader(rom.file(path), path), game, result)
        return result
    archive = rom.archive(path)
    for index in members:
        name = f"{path}[{index}]"
        try:
            data = archive[index]
        except FormatError as error:
            result.problems.append(str(error))
            continue
        of_member, role = Verification(), game.role(path)
        value = _verify_file(Reader(data, name), game, of_member)
        lacks = None if value is _DAMAGED else lacking(role, value)
        if value is _DAMAGED and role is not None and not any(data):  # a dummy, which matters where something uses it
            of_member.problems, lacks = [], f"contents ({len(data)} bytes of zeros)"
        result.add(of_member)
        if role is not None and lacks is not None:
            result.lacking[role, index] = lacks
    return result


_DAMAGED: Final = object()


def _verify_file(reader: Reader, game: Game, result: Verification) -> object:
    """Read a file, write it back, compare. The result is its value, None for bytes that are no known file."""
    from formats import field as field_formats
    from formats.nitro import KINDS as MAGIC

    name = reader.path
    data = bytes(reader.data)
    kind = MAGIC.get(data[:4])
    if kind is not None:
        from formats import nitro

        read = nitro.read
    else:
        kind = game.kind(name)
        if kind is None or not data:
            result.counts[OTHER if data else EMPTY] += 1
            return None
        read = getattr(field_formats, kind).from_bytes
    notes: Notes = []
    value: Any = _DAMAGED
    try:
        value = read(reader, notes=notes)
        kind = type(value).__name__
        written = value.to_bytes()
    except FormatError as error:
        result.problems.append(str(error))
        return _DAMAGED
    except ValueError as error:
        result.layout.append(f"{name}: read, but cannot be written: {error}")
        written = data
    finally:
        result.counts[KINDS[kind]] += 1
        result.counts[TERRAIN_MODELS] += kind.endswith("LandData")
    result.notes += [str(note) for note in notes]
    _verify_models(name, value, result)
    if written != data:
        pairs = zip(written, data, strict=False)
        at = next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(written), len(data)))
        result.layout.append(
            f"{name}: written back, it differs from byte 0x{at:X} on ({len(data)} bytes, now {len(written)})"
        )
    return value


def _verify_models(name: str, value: object, result: Verification) -> None:
    """The byte code of every model must name what the model has."""
    from formats.field.land_data import AnyLandData
    from formats.nitro import Nsbmd

    file = value.model if isinstance(value, AnyLandData) else value
    for model in file.models if isinstance(file, Nsbmd) else ():
        try:
            sbc.check(model)
        except FormatError as error:
            result.problems.append(f"{name}: {error}")


def _verify_references(rom: Rom, result: Verification) -> None:
    from mapexplorer.world.references.reference_check import check_references
    from mapexplorer.world.sources.unusual import unusual
    from mapexplorer.world.wording import source
    from mapexplorer.world.world import FieldWorld

    try:
        world = FieldWorld(rom)
    except (FormatError, RomError) as error:
        result.problems.append(str(error))
        return
    result.notes += [*world.notes, *(f"unusual: {row}" for row in unusual(world))]
    written = b"".join(header.record.to_bytes() for header in world.headers)
    result.counts[HEADERS] += len(world.headers)
    if written != world.header_table.value.tobytes():
        result.layout.append(f"map headers ({source(world.header_table.why)}): written back, they differ")
    check_references(world, result.problems, result.notes, result.lacking)
