"""The animations of prop models by bm_anime_list: when they play, what each animates, and their source."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from formats.field.area import NO_TERRAIN_SRT_ANIMATION, AreaRecord, HeartGoldAreaData
from formats.field.bm_anime_list import ATTACH_LATER, BY_TIME_OF_DAY, LOAD_LATER, PropAnimationEntry
from formats.nitro.model import Model
from formats.nitro.nsbca import Nsbca
from formats.nitro.nsbta import Nsbta
from formats.nitro.nsbva import Nsbva
from mapexplorer.games import Role
from mapexplorer.world.sources.damage import Damage, LeftOut, attempt
from mapexplorer.world.sources.provenance import Facts, Provenance, SourceRule
from mapexplorer.world.wording import source

if TYPE_CHECKING:
    from mapexplorer.world.sources.files import WorldFiles

AUTOMATIC = "loops from the start"
ATTACHED_LATER = "loads with the area, attached later"
ON_DEMAND = "on demand"
PAUSED = "paused at its first frame by code"

_MATERIAL_KINDS = {"Nsbta": "texture matrix", "Nsbtp": "pictures", "Nsbma": "colours"}


@dataclass(frozen=True)
class PropAnimation:
    """One animation of a prop model: member `index` of bm_anime, its `kind` (`NSBCA`), length in frames of 1/29.9 s,
    `when` it plays, and `drives`: nodes or material names."""

    index: int
    kind: str
    name: str
    frames: int
    when: str
    drives: tuple[str, ...]
    why: Provenance

    def __str__(self) -> str:
        driven = ", ".join(self.drives)
        return f"{self.kind} {self.name}, {self.frames} frames, {self.when}, drives {driven}; {source(self.why)}"


def prop_animations(world: WorldFiles, model: int, damaged: list[Damage] | None = None) -> tuple[PropAnimation, ...]:
    """The animations of a prop model in list order; empty when it has none or the ROM lacks the lists or the
    animations.

    What cannot be read is left out, with an entry in `damaged`.
    """
    entry, files = _files(world, model, damaged)
    if entry is None:
        return ()
    when = ON_DEMAND if entry.flags & LOAD_LATER else ATTACHED_LATER if entry.flags & ATTACH_LATER else AUTOMATIC
    paused = world.game.tables.props.paused.get(model, frozenset())
    animations = []
    for slot, index, value in files:
        why = Provenance(Role.PROP_ANIMATIONS, SourceRule.SLOT_OF_LIST, index, facts=Facts(slot=slot, prop=model))
        for animation in value.animations:
            animations.append(
                PropAnimation(
                    index,
                    type(value).__name__.upper(),
                    animation.name,
                    animation.frame_count,
                    PAUSED if slot in paused else when,
                    _driven(value, animation),
                    why,
                )
            )
    return tuple(animations)


def automatic_animations(
    world: WorldFiles, model: int, damaged: list[Damage] | None = None, second: int = 0
) -> tuple[Any, ...]:
    """The files of a prop model's animations that loop from the start on, in list order, without those that code pauses
    at the first frame; of those for the times of day the one for a second of the day. Empty when it has none.

    What cannot be read is left out, with an entry in `damaged`.
    """
    entry, files = _files(world, model, damaged)
    if entry is None or not entry.automatic:
        return ()
    paused = world.game.tables.props.paused.get(model, frozenset())
    if entry.flags & BY_TIME_OF_DAY:
        wanted = _TIMES.index(world.game.tables.time_of_day(second).name)
        return tuple([value for slot, _, value in files if slot == min(wanted, len(_TIMES) - 2)])
    return tuple([value for slot, _, value in files if slot not in paused])


_TIMES: Final = ("morning", "day", "twilight", "night", "late night")
"""The times of day in the order of the animations for them; the last two have the same one."""


def terrain_animation(world: WorldFiles, area: AreaRecord, land: int, model: Model) -> Nsbta | None:
    """The SRT animation that an area plays on the terrain model of a land: its entry i moves material i, whatever their
    names are. None in a game or area without one. Raises FormatError."""
    number = area.terrain_srt_animation if isinstance(area, HeartGoldAreaData) else NO_TERRAIN_SRT_ANIMATION
    absent = number == NO_TERRAIN_SRT_ANIMATION or not world.has(Role.TERRAIN_SRT_ANIMATIONS)
    if absent or land in world.game.still_lands:
        return None
    file = world.member(Role.TERRAIN_SRT_ANIMATIONS, number, Nsbta.from_bytes)
    return Nsbta(
        tuple(
            replace(
                animation,
                tracks=tuple(
                    replace(track, material=material.name)
                    for track, material in zip(animation.tracks, model.materials, strict=False)
                ),
            )
            for animation in file.animations
        )
    )


def animation_in_slot(world: WorldFiles, model: int, slot: int, damaged: list[Damage] | None = None) -> tuple[Any, ...]:
    """The file of the animation in a slot of a prop model's list; empty without one. One that cannot be read is left
    out, with an entry in `damaged`."""
    return tuple([value for number, _, value in _files(world, model, damaged)[1] if number == slot])


def _files(
    world: WorldFiles, model: int, damaged: list[Damage] | None
) -> tuple[PropAnimationEntry | None, list[tuple[int, int, Any]]]:
    """A prop model's entry in the list and its files: (slot, member of bm_anime, value); None without one."""
    files: list[tuple[int, int, Any]] = []
    entry = None
    if world.has(Role.PROP_ANIMATIONS):
        entry = attempt(lambda: world.prop_animations(model), None, damaged, LeftOut.PROP_ANIMATIONS, model)
    for slot, index in enumerate(entry.used if entry is not None else ()):
        value = attempt(partial(world.animation, index), None, damaged, LeftOut.PROP_ANIMATION, model, slot)
        if value is not None:
            files.append((slot, index, value))
    return entry, files


def _driven(value: object, animation: object) -> tuple[str, ...]:
    if isinstance(value, Nsbca):
        nodes = getattr(animation, "tracks", ())
        return (f"the joints of {len(nodes)} node{'' if len(nodes) == 1 else 's'}",)
    if isinstance(value, Nsbva):
        return ("the visibility of its nodes",)
    what = _MATERIAL_KINDS[type(value).__name__]
    return tuple(f"{what} of {track.material!r}" for track in getattr(animation, "tracks", ()))
