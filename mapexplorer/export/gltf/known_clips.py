"""The clips of prop models and of the textures of terrain sets: which animations they play by the game's lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from formats.nitro.tex0 import Tex0
from mapexplorer.caching import Cache
from mapexplorer.export.gltf.animation import Clip
from mapexplorer.export.gltf.curves import AUTO_PREFIX, clip_timing
from mapexplorer.scene.terrain_animation import running_textures
from mapexplorer.world.models.animations import AUTOMATIC, prop_animations
from mapexplorer.world.sources.damage import Damage
from mapexplorer.world.sources.files import WorldFiles
from mapexplorer.world.sources.readable import readable_terrain_textures

_KEPT_SETS: Final = 8
"""The number of texture sets whose clips are kept."""


def prop_clips(world: WorldFiles, number: int, model_name: str, damaged: list[Damage] | None = None) -> list[Clip]:
    """The clips of prop model `number`: `auto.NAME` for those that loop from the start, `MODEL.NAME` for the others;
    `damaged` takes each animation that cannot be read."""
    animations = prop_animations(world, number, damaged)
    names = [(animation.name, animation.when) for animation in animations]
    clips = []
    for entry in animations:
        automatic = entry.when == AUTOMATIC
        name = entry.name if entry.name == model_name else f"{model_name}.{entry.name}"
        if names.count((entry.name, entry.when)) > 1:
            name = f"{name}.{entry.kind.lower()}"
        value = next(animation for animation in world.animation(entry.index).animations if animation.name == entry.name)
        title = f"{AUTO_PREFIX}{name}" if automatic else name
        extras = {"kind": entry.kind, "model": number, "bm_anime": entry.index, **clip_timing(entry.when, entry.frames)}
        clips.append(Clip(title, value, extras, 0 if automatic else None))
    return clips


def terrain_clips(world: WorldFiles, textures: Tex0, damaged: list[Damage] | None = None) -> list[Clip]:
    """The clips of the textures of a terrain set; `damaged` takes each animation that cannot be read."""
    clips = []
    for running in running_textures(world, textures, damaged):
        pictures = tuple(running.loop())
        extras = {
            "kind": "terrain texture",
            "fldtanime": running.number,
            "texture": running.target.name,
            **clip_timing(AUTOMATIC, len(pictures)),
        }
        clips.append(Clip(f"{AUTO_PREFIX}terrain.{running.target.name}", None, extras, 0, pictures))
    return clips


Clips = tuple[tuple[Clip, ...], tuple[Damage, ...]]
"""Clips, and the animations that cannot be read."""


class WorldClips:
    """The clips of the models of a world."""

    def __init__(self, world: WorldFiles) -> None:
        self._world = world
        self._of_props: Cache[int, Clips] = Cache()
        self._of_terrain: Cache[int, Clips] = Cache(_KEPT_SETS)

    def of_prop(self, number: int, model_name: str) -> Clips:
        """Those of a prop model."""
        return self._of_props.get(number, _read, prop_clips, self._world, number, model_name)

    def of_terrain(self, number: int) -> Clips:
        """Those of a terrain texture set."""
        textures = readable_terrain_textures(self._world, number).textures
        return self._of_terrain.get(number, _read, terrain_clips, self._world, textures)


def _read(read: Callable[..., list[Clip]], *arguments: object) -> Clips:
    damaged: list[Damage] = []
    return tuple(read(*arguments, damaged)), tuple(damaged)
