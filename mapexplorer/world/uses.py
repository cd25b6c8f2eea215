"""Who uses what: the references between headers, matrices, lands, areas, texture sets, props and animations, both ways.

Kinds: `header`, `matrix`, `land`, `area`, `prop set`, `terrain set`, `light set`, `prop`, `prop animation`,
`terrain animation`, `events`, `messages`, `object graphics`, `camera`, `weather`. A warp is a use of the header that it
leads to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from formats.binary import FormatError
from formats.field.map_matrix import EMPTY_CELL
from formats.field.zone_event import RETURN_HEADER
from mapexplorer.games import Role

if TYPE_CHECKING:
    from mapexplorer.world.world import World

_PLACED_BY = {"prop": ("land",)}
"""Kinds whose places follow only some of their users: a prop stands where a land places it, not where it is listed."""


@dataclass(frozen=True, order=True)
class Use:
    """One end of a reference: a thing by kind and number, and how the two are tied (`cell (3, 27)`, `prop 4`)."""

    kind: str
    number: int
    how: str

    def __str__(self) -> str:
        return f"{self.kind} {self.number}" + (f" ({self.how})" if self.how else "")


class Uses:
    """All references of a world, read once. Damaged files are left out and named in `notes`."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._uses: dict[tuple[str, int], dict[Use, None]] = defaultdict(dict)
        self._used_by: dict[tuple[str, int], dict[Use, None]] = defaultdict(dict)
        self.notes: list[str] = []
        for header in world.headers:
            self._read(self._header, header.id)
        for area in sorted({number for kind, number in self._used_by if kind == "area"}):
            self._read(self._area, area)
        for land in range(len(world.rom.archive(world.path(Role.LAND_DATA)))):
            self._read(self._land, land)
        for model in range(len(world.rom.archive(world.path(Role.BUILD_MODEL)))):
            self._read(self._prop, model)
        for terrain_set in range(len(world.rom.archive(world.path(Role.TERRAIN_TEXTURES)))):
            self._read(self._terrain_set, terrain_set)

    def uses(self, kind: str, number: int) -> tuple[Use, ...]:
        """What a thing uses itself, in the order in which it was found."""
        return tuple(self._uses.get((kind, number), ()))

    def used_by(self, kind: str, number: int) -> tuple[Use, ...]:
        """What uses a thing itself."""
        return tuple(self._used_by.get((kind, number), ()))

    def places(self, kind: str, number: int) -> tuple[int, ...]:
        """The ids of the headers that use a thing themselves or through other things (but not through warps)."""
        found: set[int] = set()
        seen = {(kind, number)}
        pending = [(kind, number)]
        while pending:
            node = pending.pop()
            allowed = _PLACED_BY.get(node[0])
            for use in self._used_by.get(node, ()):
                if allowed and use.kind not in allowed:
                    continue
                if use.kind == "header":
                    if node[0] != "header":
                        found.add(use.number)
                elif (use.kind, use.number) not in seen:
                    seen.add((use.kind, use.number))
                    pending.append((use.kind, use.number))
        return tuple(sorted(found))

    def unused(self, kind: str, count: int) -> tuple[int, ...]:
        """The numbers below `count` of a kind that nothing uses."""
        return tuple(number for number in range(count) if (kind, number) not in self._used_by)

    def _read(self, reader: Callable[[int], None], number: int) -> None:
        try:
            reader(number)
        except FormatError as error:
            self.notes.append(str(error))

    def _tie(self, user: tuple[str, int], used: tuple[str, int], how: str = "") -> None:
        self._uses[user][Use(*used, how)] = None
        self._used_by[used][Use(*user, how)] = None

    def _header(self, number: int) -> None:
        world = self._world
        header, me = world.headers[number], ("header", number)
        self._tie(me, ("area", header.area))
        self._tie(me, ("camera", header.camera_type))
        self._tie(me, ("weather", header.weather))
        self._tie(me, ("events", header.events))
        self._tie(me, ("messages", header.message_bank))
        self._tie(me, ("matrix", header.matrix))
        matrix = world.matrix(header.matrix)
        mine = matrix.land != EMPTY_CELL
        if matrix.headers is not None:
            mine &= matrix.headers == number
        for z, x in np.argwhere(mine).tolist():
            self._tie(me, ("land", int(matrix.land[z, x])), f"cell ({x}, {z})")
        events = world.events(number)
        if events is None:
            return
        for index, warp in enumerate(events.warps):
            if int(warp["header"]) != RETURN_HEADER:
                self._tie(me, ("header", int(warp["header"])), f"warp {index}")
        for index, event in enumerate(events.objects):
            self._tie(me, ("object graphics", int(event["graphics"])), f"object {index}")

    def _area(self, number: int) -> None:
        area, me = self._world.area(number), ("area", number)
        self._tie(me, ("prop set", area.prop_set))
        self._tie(me, ("terrain set", area.terrain_set))
        self._tie(me, ("light set", area.light_set))
        for model in self._world.prop_list(area.prop_set).models.tolist():
            self._tie(("prop set", area.prop_set), ("prop", model), "listed")

    def _land(self, number: int) -> None:
        for index, record in enumerate(self._world.land_sections(number).read_props()):
            self._tie(("land", number), ("prop", int(record["model"])), f"prop {index}")

    def _prop(self, number: int) -> None:
        entry = self._world.prop_animations(number)
        for animation in entry.used if entry is not None else ():
            self._tie(("prop", number), ("prop animation", animation))

    def _terrain_set(self, number: int) -> None:
        animations = self._world.terrain_animations
        if animations is None:
            return
        textures = self._world.terrain_textures(number).textures
        for index, animation in enumerate(animations.animations):
            if textures.texture(animation.texture) is not None:
                self._tie(("terrain set", number), ("terrain animation", index), f"texture {animation.texture}")
