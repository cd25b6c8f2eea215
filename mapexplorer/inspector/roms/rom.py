"""A ROM as a whole: its release, the number of its files and members, missing and damaged files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from formats.binary import FormatError
from mapexplorer.inspector.facts import Described, Fact, Section, section
from mapexplorer.inspector.output import source_json
from mapexplorer.inspector.things.common import Context
from mapexplorer.values import count
from mapexplorer.world import FieldWorld
from mapexplorer.world.sources.unusual import unusual
from mapexplorer.world.wording import source


@dataclass(frozen=True, eq=False)
class RomFacts:
    """The contents of a ROM: members by archive, the missing optional files with their purpose, the damaged archives
    with the reason."""

    world: FieldWorld
    members: dict[str, int]
    missing: dict[str, str]
    damaged: dict[str, str]

    @property
    def made_of(self) -> dict[str, str]:
        """Path -> what a file of the game is made of, in a ROM that is made from texts."""
        rom, game = self.world.rom, self.world.game
        paths = (path for path in (*game.needed, *game.optional) if rom.laid_over is not None)
        return {path: rom.made_of(path) or "missing" for path in paths}


def find_rom(world: FieldWorld) -> RomFacts:
    """The contents of a ROM."""
    rom, game = world.rom, world.game
    members: dict[str, int] = {}
    damaged: dict[str, str] = {}
    for path in (*game.needed, *game.optional):
        if rom.has(path) and rom.is_archive(path):
            try:
                members[path] = len(rom.archive(path))
            except FormatError as error:
                damaged[path] = str(error)
    return RomFacts(world, members, game.missing(rom), damaged)


def rom_json(facts: RomFacts) -> dict[str, Any]:
    """A ROM as JSON values."""
    world, rom = facts.world, facts.world.rom
    return {
        "path": rom.path,
        "layout": rom.layout,
        "release": world.game.release(rom),
        "code": rom.code,
        "title": rom.name,
        "language": world.game.language(rom),
        "not_known": sorted(world.game.not_known),
        "revision": rom.revision,
        "headers": len(world.headers),
        "header_table": {"why": source(world.header_table.why), "source": source_json(world.header_table.why)},
        "files": len(rom.files),
        "members": facts.members,
        **({"made_of": made} if (made := facts.made_of) else {}),
        "missing": facts.missing,
        "damaged": facts.damaged,
        "unusual": [row._asdict() for row in unusual(world)],
        "notes": world.notes,
    }


def describe_rom(context: Context) -> Described:
    """The ROM that is open: its release, then what is unusual, then its archives, which are many."""
    facts, world = find_rom(context.world), context.world
    release, _, notes = rom_sections(facts)
    archives = (Fact("", f"{path}: {count(number, 'member')}") for path, number in facts.members.items())
    return world.game.release(world.rom), "", (release, notes, section("Archives", *archives)), None


def rom_sections(facts: RomFacts) -> tuple[Section, ...]:
    """A ROM as facts: the release, its archives, and what is damaged, missing or noted."""
    world, rom, made = facts.world, facts.world.rom, facts.made_of
    release = [
        ("ROM", f"{rom.path} ({rom.layout})"),
        ("Release", world.game.release(rom)),
        ("Title", rom.name),
        ("Game code", rom.code),
        ("Language", world.game.language(rom) or "unknown"),
        *([("Not known", ", ".join(sorted(world.game.not_known)))] if world.game.not_known else []),
        ("Files", f"{len(rom.files):,}"),
        ("Map headers", f"{len(world.headers):,}: {source(world.header_table.why)}"),
    ]
    notes = (
        *(("unusual", str(row)) for row in unusual(world)),
        *((f"damaged {path}", reason) for path, reason in facts.damaged.items()),
        *((f"missing {path}", purpose) for path, purpose in facts.missing.items()),
        *(("note", note) for note in world.notes),
    )
    return (
        section("Release", *(Fact(name, value) for name, value in release)),
        section(
            "Archives",
            *(
                Fact(path, ", ".join(filter(None, (count(number, "member"), made.get(path)))))
                for path, number in facts.members.items()
            ),
        ),
        section("Notes", *(Fact(name, value) for name, value in notes)),
    )
