"""What an atlas has pages of, and where each of them is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Self

from formats.remembered import remembered
from mapexplorer.atlas.request import AtlasRequest
from mapexplorer.catalogue.kinds import (
    EVENT_LISTS,
    HEADER,
    KINDS,
    NAMED,
    SCRIPT,
    SCRIPTS,
    TEXTURE,
    WITH_ICON,
    NamedThing,
)
from mapexplorer.catalogue.search import named_thing
from mapexplorer.catalogue.store import open_store, reference_store
from mapexplorer.catalogue.uses import places
from mapexplorer.export.batch import file_name
from mapexplorer.export.icons import readable_picture
from mapexplorer.export.images import encode_png
from mapexplorer.export.options import PageOptions
from mapexplorer.gameplay.trainers import object_name
from mapexplorer.games import Topic
from mapexplorer.grouping import by_key
from mapexplorer.scene.saves import save_before
from mapexplorer.scene.view import ENTERED, NEW
from mapexplorer.values import capital
from mapexplorer.world.events.script_files import locate_script
from mapexplorer.world.opening import open_rom
from mapexplorer.world.save import Save
from mapexplorer.world.sources.readable import readable_events
from mapexplorer.world.subject import Subject, subject
from mapexplorer.world.world import FieldWorld

LISTED: Final = (
    *(HEADER, "species", "item", "trainer", "move", "flag", "variable", SCRIPTS, "messages", "shop", "trade", "music"),
    *("object graphics", "weather", "behaviour", "camera", "prop"),
)
"""The kinds that have a list, in the order of menus."""
_OTHERS: Final = (
    *("matrix", "land", "area", "prop set", "terrain set", "light set", "prop animation", "terrain animation"),
    *("events", "encounters", "preload list"),
    *EVENT_LISTS,
)
"""The other kinds that have pages."""
_IF_USED: Final = ("flag", "variable", SCRIPTS, "messages", "music", "object graphics")
"""Kinds of which a game has numbers that nothing in it uses: these have no pages."""
_TEXTURE_SETS: Final = ("prop set", "terrain set")
"""The first number of a texture -> the kind of its set, on whose page it is."""
_OF_TILES: Final = {"tile": 1, "cell": 32, "placed prop": 32, "plate": 32}
"""Kinds that are places of a matrix -> the tiles of a side."""


@dataclass(frozen=True, eq=False)
class Site:
    """An atlas that is written. `base`: the ROM with which it is compared."""

    world: FieldWorld
    request: AtlasRequest
    base: Site | None = None
    save: Save | None = None
    """The saved game that is shown; None: a new game."""

    @classmethod
    def open(cls, path: str, request: AtlasRequest) -> Self:
        """The site of a ROM. Raises FormatError, RomError."""
        world = FieldWorld(open_rom(path)).saying(texts=not request.without_texts)
        save = None if request.save in (ENTERED, NEW) else save_before(world.game, request.save)
        base = cls.open(request.base, replace(request, base=None)) if request.base else None
        return cls(world, request, base, save)

    @property
    def title(self) -> str:
        """What it is called."""
        return self.request.heading or self.world.game.title

    @cached_property
    def things(self) -> dict[Subject, NamedThing]:
        """The things that have pages, kind by kind. Raises FormatError, RomError."""
        store = open_store(self.world.rom)
        named = by_key((str(row[0]), named_thing(row)) for row in store.rows(_NAMES))
        left_out = {"messages": self.request.without_texts, SCRIPTS: self.request.without_scripts}
        used = {tuple(row) for row in store.rows(_USED)}
        every = (
            thing
            for kind in (*LISTED, *_OTHERS)
            if not left_out.get(kind)
            for thing in (self._events(kind) if kind in EVENT_LISTS else named.get(kind) or self._numbered(kind))
            if kind not in _IF_USED or (kind, str(thing.subject.key[0])) in used
        )
        return {thing.subject: thing for thing in every}

    def _numbered(self, kind: str) -> Iterator[NamedThing]:
        """The things of a kind without names; of scripts and texts with the first map that has them."""
        archive, scripts = KINDS[kind].archive, Topic.SCRIPTS not in self.world.game.not_known
        known = (
            KINDS[kind] not in NAMED and (archive is None or self.world.has(archive)) and (kind != SCRIPTS or scripts)
        )
        fields = {SCRIPTS: ("init_scripts", "scripts"), "messages": ("message_bank",)}.get(kind, ())
        maps = {getattr(header, field): header.title for field in fields for header in reversed(self.world.headers)}
        for number in (KINDS[kind].numbers(self.world) or ()) if known else ():
            yield NamedThing(subject(kind, number), f"{capital(KINDS[kind].one)} {number}", maps.get(number, ""))

    def _events(self, kind: str) -> Iterator[NamedThing]:
        for header in self.world.headers:
            events = readable_events(self.world, header.id)
            for index, record in enumerate(getattr(events, EVENT_LISTS[kind], ())):
                name = object_name(self.world, record) if kind == "object" else ""
                yield NamedThing(subject(kind, header.id, index), name or capital(f"{kind} {index}"), header.title)

    def header_of(self, thing: Subject) -> int:
        """The map through which a thing is viewed: the first that has it."""
        if thing.kind == HEADER or thing.kind in EVENT_LISTS:
            return int(thing.key[0])
        return next(iter(places(reference_store(self.world), thing)), 0)

    def address(self, goal: Subject | None, header: int = 0) -> str | None:
        """Where a thing is shown, from the folder of the site; None: nowhere. `header`: the map from which a link to a
        tile leads."""
        if goal is None:
            return None
        if goal.kind == SCRIPT:
            place = locate_script(self.world, *goal.key) if goal.key[0] < len(self.world.headers) else None
            return None if place is None else self.address(subject(SCRIPTS, place.member, place.entry))
        if goal.kind == "text" or (goal.kind == SCRIPTS and len(goal.key) > 1):
            page = subject("messages" if goal.kind == "text" else SCRIPTS, goal.key[0])
            known = page in self.things and goal.key[1] in range(self._parts.get(page, 0))
            return f"{page_path(page)}#{goal.kind[0]}{goal.key[1]}" if known else None
        if goal.kind == TEXTURE:
            return self.address(subject(_TEXTURE_SETS[goal.key[0]], goal.key[1]))
        if goal.kind in _OF_TILES:
            side = _OF_TILES[goal.kind]
            x, z = (int(value) * side + side // 2 for value in goal.key[1:3])
            return f"map.html#{header}@{x},{z}"
        return page_path(goal) if goal in self.things else None

    @cached_property
    def neighbours(self) -> dict[Subject, tuple[Subject | None, Subject | None]]:
        """The things before and after each thing of a kind."""
        around_each: dict[Subject, tuple[Subject | None, Subject | None]] = {}
        for same in by_key((thing.kind, thing) for thing in self.things).values():
            around_each |= dict(zip(same, zip([None, *same], [*same[1:], None], strict=False), strict=False))
        return around_each

    def picture(self, thing: Subject) -> str | None:
        """The file of a thing's small picture."""
        shown = thing.kind in WITH_ICON and thing in self.things and not self.request.without_pictures
        return page_path(thing).replace(".html", ".png") if shown and self.icon(thing) is not None else None

    @remembered
    def icon(self, thing: Subject) -> bytes | None:
        """A thing's small picture as PNG; None for one without."""
        pixels = readable_picture(self.world, thing.kind, thing.key[0])
        return None if pixels is None else encode_png(pixels)

    def map_picture(self, header: int) -> str:
        """The file of the picture of a map from above."""
        return page_path(subject(HEADER, header)).replace(".html", ".webp")

    def scene(self, header: int) -> str:
        """The file of the page of a map in 3D."""
        return f"3d/{file_name(header, self.world.headers[header].internal_name, PageOptions())}"

    @cached_property
    def _parts(self) -> dict[Subject, int]:
        """The number of entries of script files, and of texts of banks."""
        rows = open_store(self.world.rom).rows(_COUNTS)
        return {subject(kind, number): count for kind, number, count in rows}


_NAMES: Final = "SELECT kind, key, name, about FROM thing WHERE kind NOT IN ('text', 'texture', 'file', 'unused')"
_USED: Final = """
SELECT DISTINCT used_kind, substr(used || '/', 1, instr(used || '/', '/') - 1) FROM edge
UNION SELECT 'scripts', CAST(member AS TEXT) FROM script_file WHERE entries
UNION SELECT 'messages', CAST(bank AS TEXT) FROM text"""
_COUNTS: Final = """
SELECT 'scripts', member, entries FROM script_file
UNION ALL SELECT 'messages', bank, 1 + max(text) FROM text GROUP BY bank"""


def page_path(thing: Subject) -> str:
    """The file of a thing's page, from the folder of the site."""
    return f"{thing.kind.replace(' ', '-')}/{'-'.join(map(str, thing.key))}.html"
