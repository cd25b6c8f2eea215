"""The clips of prop models and of the textures of terrain sets: which animations they play by the game's lists."""

from __future__ import annotations

from formats.remembered import remembered
from mapexplorer.export.gltf.animation import Clip
from mapexplorer.export.gltf.curves import AUTO_PREFIX, clip_timing
from mapexplorer.scene.terrain_animation import running_textures
from mapexplorer.world.models.animations import AUTOMATIC, prop_animations
from mapexplorer.world.sources.damage import Damage
from mapexplorer.world.sources.files import WorldFiles
from mapexplorer.world.sources.readable import readable_terrain_textures

Clips = tuple[tuple[Clip, ...], tuple[Damage, ...]]
"""Clips, and the animations that cannot be read."""


class WorldClips:
    """The clips of the models of a world."""

    def __init__(self, world: WorldFiles) -> None:
        self._world = world

    @remembered
    def of_prop(self, number: int, model_name: str) -> Clips:
        """Those of a prop model: `auto.NAME` for those that loop from the start, `MODEL.NAME` for the others."""
        damaged: list[Damage] = []
        animations = prop_animations(self._world, number, damaged)
        names = [(animation.name, animation.when) for animation in animations]
        clips = []
        for entry in animations:
            automatic = entry.when == AUTOMATIC
            name = entry.name if entry.name == model_name else f"{model_name}.{entry.name}"
            if names.count((entry.name, entry.when)) > 1:
                name = f"{name}.{entry.kind.lower()}"
            stored = self._world.animation(entry.index).animations
            value = next(animation for animation in stored if animation.name == entry.name)
            title = f"{AUTO_PREFIX}{name}" if automatic else name
            about = {"kind": entry.kind, "model": number, "bm_anime": entry.index}
            clips.append(Clip(title, value, about | clip_timing(entry.when, entry.frames), 0 if automatic else None))
        return tuple(clips), tuple(damaged)

    @remembered
    def of_terrain(self, number: int) -> Clips:
        """Those of a terrain texture set."""
        damaged: list[Damage] = []
        clips = []
        textures = readable_terrain_textures(self._world, number).textures
        for running in running_textures(self._world, textures, damaged):
            pictures = tuple(running.loop())
            about = {"kind": "terrain texture", "fldtanime": running.number, "texture": running.target.name}
            extras = about | clip_timing(AUTOMATIC, len(pictures))
            clips.append(Clip(f"{AUTO_PREFIX}terrain.{running.target.name}", None, extras, 0, pictures))
        return tuple(clips), tuple(damaged)
