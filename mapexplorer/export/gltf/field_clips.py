"""The clips of a place: which animations its models play, and how they are written.

Every animation that loops from the start is one clip `auto.NAME` for all instances of its model, which share its phase
as in the game; `ambient` has all of them in one, for viewers that play one clip at a time. The others (doors, stairs)
play on events: they are a clip for each instance, `NODE.NAME`, as their extras describe.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Final

from formats.remembered import remembered
from mapexplorer.export.gltf.animation import Clip, Motion
from mapexplorer.export.gltf.curves import AUTO_PREFIX, FRAMES_PER_SECOND, clip_timing, repeated
from mapexplorer.export.gltf.document import Channel, Document, Json, safe_title
from mapexplorer.export.gltf.known_clips import WorldClips
from mapexplorer.export.gltf.parts import ClipPart, ModelInstance, ModelParts
from mapexplorer.export.gltf.shown_objects import effect_motion, played_clip
from mapexplorer.export.options import ALL, AMBIENT, GODOT, MODELS, ExportOptions
from mapexplorer.grouping import by_key
from mapexplorer.scene.field_model import FieldModel
from mapexplorer.scene.model_resolver import TERRAIN, Played, ResolvedModel
from mapexplorer.scene.playback import LOOPING, Playback
from mapexplorer.world.models.animations import AUTOMATIC
from mapexplorer.world.sources.damage import Damage

LOOP_ENDING: Final = "-loop"
"""With which the names of clips end that Godot repeats."""

_LONGEST: Final = 60 * FRAMES_PER_SECOND
"""The most frames of the merged clip. Its end is that of the longest loops; those that do not fit are cut there."""


class FieldClips:
    """The clips of the models of a place, under names that differ. `damaged` lists the animations that cannot be
    read."""

    def __init__(self, known: WorldClips, options: ExportOptions) -> None:
        self._known = known
        self._options = options
        self.damaged: list[Damage] = []
        self._clip_names: dict[str, object] = {}

    def of(self, resolved: ResolvedModel, played: Played | None) -> list[Clip]:
        """The clips of a model in its area. `played`: the animation that it rests in.

        Without animations it has those only at whose frames it is held.
        """
        looping = played is None or played[1] == LOOPING
        if (self._options.static and looping) or resolved.pairs is not None or resolved.textures is None:
            return []
        if resolved.kind != TERRAIN:
            clips = self._named(resolved.number, resolved.model.name)
            return clips if played is None else _resting(clips, *played)
        clips = self._named(resolved.textures.value)
        used = {pairing.name for pairing in resolved.model.texture_pairings} if clips else ()
        return [clip for clip in clips if clip.pictures[0].name in used]

    def of_effect(self, effect: FieldModel) -> Motion | None:
        """The clips of a model whose animations are its own; None when it has none."""
        return None if self._options.static and effect.playing == LOOPING else effect_motion(effect)

    @remembered
    def _named(self, number: int, prop: str | None = None) -> list[Clip]:
        """Clips of a prop model with its name, or of a terrain texture set, under names that no other animation has."""
        clips, damaged = self._known.of_terrain(number) if prop is None else self._known.of_prop(number, prop)
        self.damaged += damaged
        return [
            dataclasses.replace(clip, name=self._unique_name(clip.name, _owner(clip, (number, index))))
            for index, clip in enumerate(clips)
        ]

    def _unique_name(self, name: str, owner: object) -> str:
        """A clip's name, with a number appended if another animation has the name."""
        title, number = name, 1
        while self._clip_names.setdefault(title, owner) != owner:
            number += 1
            title = f"{name}.{number}"
        return title

    def write(self, document: Document, models: Sequence[tuple[ModelParts, Sequence[ModelInstance]]]) -> None:
        """Write every clip with the channels of all models and instances that it moves."""
        clips = [(parts, clip, instances) for parts, instances in models for clip in parts.clips]
        by_name = by_key((clip.name, (clip, instances)) for _, clip, instances in clips if clip.extras["loop"])
        automatic = [_joined(group) for group in by_name.values()]
        loops = [_ambient(automatic)] if automatic else []
        loops += automatic if self._options.clips != AMBIENT else []
        single: list[_Written] = []
        for parts, clip, instances in clips:
            if not clip.extras["loop"] and self._options.clips == MODELS:
                single.append(_joined([(clip, instances)]))
            elif not clip.extras["loop"] and self._options.clips == ALL:
                single += _by_instance(parts.name, clip, instances)
        for written in (loops, single):
            for name, channels, extras in written:
                document.animation(self._title(name, written is loops), channels, extras=extras)

    def _title(self, name: str, loops: bool) -> str:
        """A clip's name in the file. Godot removes characters that node paths have, and repeats clips by their
        names."""
        if self._options.profile != GODOT:
            return name
        return f"{safe_title(name)}{LOOP_ENDING if loops else ''}"


_Written = tuple[str, list[Channel], Json]
"""A clip as a file has it: its name, channels and extras."""


def _joined(clips: Sequence[tuple[ClipPart, Sequence[ModelInstance]]]) -> _Written:
    """A clip of several models, with its instances of each."""
    first = clips[0][0]
    channels = [channel for clip, instances in clips for channel in clip.channels(instances)]
    return first.name, channels, first.extras | {"instances": sum(len(instances) for _, instances in clips)}


def _by_instance(model: str, clip: ClipPart, instances: Sequence[ModelInstance]) -> list[_Written]:
    """A clip that plays on events, for each instance; one that changes materials alone is one for all of them."""
    title = clip.name.removeprefix(f"{model}.")
    if not clip.joints and not clip.toggles:
        return [_joined([(clip, instances)])]
    extras = clip.extras | {"instances": 1} | ({"shared_materials": True} if clip.pointers else {})
    return [
        (f"{instance.name}.{title}", clip.channels([instance]), extras | {"node": instance.name})
        for instance in instances
    ]


def _ambient(clips: Sequence[_Written]) -> _Written:
    """All clips in one, each repeated until its end."""
    lengths = [extras["frames"] for _, _, extras in clips]
    total = max(lengths)
    for frames in sorted(lengths, reverse=True):
        common = math.lcm(total, frames)
        total = common if common <= _LONGEST else total
    if any(total % frames for frames in lengths):
        total *= max(1, _LONGEST // total)
    channels = [
        repeated(channel, frames, total) for (_, own, _), frames in zip(clips, lengths, strict=True) for channel in own
    ]
    about = {"kind": AMBIENT, "merges": len(clips), **clip_timing(AUTOMATIC, total)}
    return AMBIENT, channels, about | {"cut": any(total % frames for frames in lengths)}


def _owner(clip: Clip, place: tuple[int, int]) -> object:
    """What is equal for clips that are the same: the pictures of terrain, or the place of one in a prop's list."""
    return place if clip.animation is not None else (clip.extras["fldtanime"], clip.pictures)


def _resting(clips: Sequence[Clip], slot: int, playing: Playback) -> list[Clip]:
    """The clips of a prop that shows one of them alone, as it plays."""
    plain = [dataclasses.replace(clip, name=clip.name.removeprefix(AUTO_PREFIX)) for clip in clips]
    return [played_clip(clip, playing if number == slot else None) for number, clip in enumerate(plain)]
