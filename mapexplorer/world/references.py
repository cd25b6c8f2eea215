"""Follows every reference of the field data: a number must have something to name."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.binary import FormatError
from formats.field.map_matrix import EMPTY_CELL
from formats.field.zone_event import RETURN_HEADER
from mapexplorer.errors import RomError
from mapexplorer.games import Role
from mapexplorer.world.place import DUMMY_MODEL
from mapexplorer.world.world import World


def check_references(
    world: World, problems: list[str], notes: list[str], lacking: Mapping[tuple[str, int], str]
) -> None:
    """Append a sentence for each reference outside its archive to `problems`, for each that the game bears to `notes`.

    `lacking` says of members that hold nothing (archive, number) what they lack (`a model`): a problem where something
    uses them, else a note. Files that cannot be read are left out: reading them is verified elsewhere.
    """
    check = _Check(world, problems, notes, lacking)
    check.aloud(check.headers)
    for index in range(check.count(world.path(Role.MAP_MATRIX))):
        check.quietly(check.matrix, index)
    for index in range(check.count(world.path(Role.AREA_DATA))):
        check.quietly(check.area, index)
    for index in range(check.count(world.path(Role.AREA_BUILD))):
        check.quietly(check.prop_list, index)
    for index in range(check.count(world.path(Role.LAND_DATA))):
        check.quietly(check.land, index)
    for index in range(check.count(world.path(Role.PROP_ANIMATION_LIST))):
        check.quietly(check.prop_animations, index)
    check.quietly(check.draw_lists)
    check.quietly(check.terrain_animations)
    for header in world.headers:
        check.quietly(check.events, header.id)
    check.aloud(check.object_graphics)
    check.hollow()


_SHOWN_USERS: Final = 3
_DUMMY_USER: Final = "every prop that its area does not list"


class _Check:
    def __init__(
        self, world: World, problems: list[str], notes: list[str], lacking: Mapping[tuple[str, int], str]
    ) -> None:
        self.world = world
        self.problems = problems
        self.notes = notes
        self._lacking = lacking
        self._users: dict[tuple[str, int], dict[str, None]] = defaultdict(dict)
        self._users[self.world.path(Role.BUILD_MODEL), DUMMY_MODEL][_DUMMY_USER] = None
        self._unknown_graphics: set[int] = set()

    def count(self, path: str) -> int:
        """Members of an archive, 0 when it is absent or damaged."""
        try:
            return len(self.world.rom.archive(path))
        except (FormatError, RomError):
            return 0

    def quietly(self, check: Callable[..., None], *arguments: object) -> None:
        with contextlib.suppress(FormatError, RomError):
            check(*arguments)

    def aloud(self, check: Callable[[], None]) -> None:
        """For what the program holds, which nothing else verifies."""
        try:
            check()
        except (FormatError, RomError) as error:
            self.problems.append(str(error))

    def within(self, who: str, what: str, number: int, path: str) -> None:
        """A number must name a member of `path`, if that archive is there."""
        try:
            count = len(self.world.rom.archive(path))
        except (FormatError, RomError):
            return
        if not 0 <= number < count:
            self.problems.append(f"{who}: {what} {number} is not one of the {count} members of {path}")
        self.used(who, number, path)

    def used(self, who: str, number: int, path: str) -> None:
        if (path, number) in self._lacking:
            self._users[path, number][who] = None

    def hollow(self) -> None:
        """Members with nothing in them, with those who use them as far as all other checks found them."""
        for (path, number), what in self._lacking.items():
            users = list(self._users.get((path, number), ()))
            sentence = f"{path}[{number}] lacks {what}"
            if not users:
                self.notes.append(f"{sentence}; nothing uses it")
                continue
            shown = users if len(users) <= _SHOWN_USERS else [*users[: _SHOWN_USERS - 1], f"{len(users) - 2} others"]
            words = " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)
            self.problems.append(f"{sentence}; used by {words}")

    def headers(self) -> None:
        world = self.world
        for header in world.headers:
            who = f"header {header.id} ({header.internal_name})"
            for what, number, path in (
                ("area", header.area, self.world.path(Role.AREA_DATA)),
                ("matrix", header.matrix, self.world.path(Role.MAP_MATRIX)),
                ("events", header.events, self.world.path(Role.ZONE_EVENT)),
                ("message bank", header.message_bank, self.world.path(Role.MESSAGES)),
                ("scripts", header.scripts, self.world.path(Role.SCRIPTS)),
                ("initial scripts", header.init_scripts, self.world.path(Role.SCRIPTS)),
                ("preload list", header.preload_list, self.world.path(Role.PRELOAD_LISTS)),
            ):
                self.within(who, what, number, path)
            if header.wild_encounters != 0xFFFF:
                self.within(who, "wild encounters", header.wild_encounters, self.world.path(Role.ENCOUNTERS))
            if world.location_names and header.label_text >= len(world.location_names):
                self.problems.append(f"{who}: there is no location name {header.label_text}")
            if header.camera_type >= len(world.camera_table.value):
                self.problems.append(f"{who}: there is no camera type {header.camera_type}")

    def matrix(self, index: int) -> None:
        matrix = self.world.matrix(index)
        who = f"map_matrix[{index}]"
        for land in np.unique(matrix.land[matrix.land != EMPTY_CELL]).tolist():
            self.within(who, "land data", land, self.world.path(Role.LAND_DATA))
        if matrix.headers is not None:
            for header in np.unique(matrix.headers).tolist():
                if header >= len(self.world.headers):
                    self.problems.append(f"{who}: there is no header {header}")

    def area(self, index: int) -> None:
        area = self.world.area(index)
        who = f"area_data[{index}]"
        self.within(who, "prop set", area.prop_set, self.world.path(Role.AREA_BUILD))
        self.within(who, "prop textures", area.prop_set, self.world.path(Role.PROP_TEXTURES))
        self.within(who, "terrain set", area.terrain_set, self.world.path(Role.TERRAIN_TEXTURES))
        self.within(who, "light set", area.light_set, self.world.path(Role.AREA_LIGHT))

    def prop_list(self, index: int) -> None:
        for model in self.world.prop_list(index).models.tolist():
            self.within(f"area_build[{index}]", "prop model", model, self.world.path(Role.BUILD_MODEL))

    def land(self, index: int) -> None:
        for model in self.world.land_sections(index).read_props()["model"].tolist():
            self.used(f"land_data[{index}]", model, self.world.path(Role.BUILD_MODEL))
            if model >= self.count(self.world.path(Role.BUILD_MODEL)):
                self.notes.append(
                    f"land_data[{index}]: prop model {model} does not exist, the game draws the dummy box"
                )

    def prop_animations(self, index: int) -> None:
        entry = self.world.prop_animations(index)
        for animation in entry.used if entry is not None else ():
            self.within(f"bm_anime_list[{index}]", "animation", animation, self.world.path(Role.PROP_ANIMATIONS))

    def draw_lists(self) -> None:
        lists = self.world.draw_lists
        for index, pairs in enumerate(lists.models if lists is not None else ()):
            if index >= self.count(self.world.path(Role.BUILD_MODEL)):
                self.problems.append(f"build_model_matshp, model {index}: there is no such prop model")
            elif pairs is not None and len(pairs):
                self.quietly(self.draw_list, index, pairs)

    def draw_list(self, index: int, pairs: npt.NDArray[np.void]) -> None:
        self.used(f"build_model_matshp, model {index}", index, self.world.path(Role.BUILD_MODEL))
        model = self.world.prop_model(index).models[0]
        for what, count in (("material", len(model.materials)), ("shape", len(model.shapes))):
            if int(pairs[what].max()) >= count:
                number = int(pairs[what].max())
                self.problems.append(f"build_model_matshp, model {index}: there is no {what} {number}")

    def terrain_animations(self) -> None:
        animations = self.world.terrain_animations
        for index, animation in enumerate(animations.animations if animations is not None else ()):
            who = f"fldtanime, {animation.texture}"
            self.within(who, "picture file", index + 1, self.world.path(Role.TERRAIN_ANIMATIONS))
            last = max((step.frame for step in animation.steps), default=-1)
            self.quietly(self.pictures, who, index, last)

    def pictures(self, who: str, index: int, last: int) -> None:
        if last >= len(self.world.terrain_animation_frames(index).textures.textures):
            self.problems.append(f"{who}: there is no picture {last}")

    def events(self, header: int) -> None:
        events = self.world.events(header)
        if events is None:
            return
        who = f"events of header {header}"
        for index, warp in enumerate(events.warps.tolist()):
            target, number = warp[2], warp[3]
            if target == RETURN_HEADER:
                continue
            if target >= len(self.world.headers):
                self.problems.append(f"{who}, warp {index}: there is no header {target}")
                continue
            there: Any = self.world.events(target)
            if number >= len(there.warps):
                self.problems.append(f"{who}, warp {index}: header {target} has no warp {number}")
        self._unknown_graphics.update(events.objects["graphics"].tolist())

    def object_graphics(self) -> None:
        known = self.world.object_graphics.value
        for graphics, member in known.items():
            self.within(f"object graphics {graphics}", "picture", member, self.world.path(Role.SPRITES))
        unknown = sorted(self._unknown_graphics - set(known))
        if unknown:
            numbers = ", ".join(map(str, unknown))
            self.notes.append(f"object graphics without pictures (models or set by scripts), used by events: {numbers}")
