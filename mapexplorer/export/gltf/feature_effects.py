"""The effects of a map's feature (fountains, bags, light cones) as models for an export, with their clips."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from formats.fixed import ONE
from mapexplorer.export.gltf.animation import Clip, Motion
from mapexplorer.export.gltf.curves import clip_timing
from mapexplorer.features import Feature
from mapexplorer.g3d.animation.attach import first_animation
from mapexplorer.games import Role
from mapexplorer.scene.conditions import Conditions
from mapexplorer.scene.field_model import FieldModel
from mapexplorer.scene.field_objects import FieldObjects, ShownObject
from mapexplorer.scene.model_resolver import PlacedModel
from mapexplorer.scene.object_events import ObjectEventRenderer
from mapexplorer.scene.playback import LOOPING, Playback, Playing
from mapexplorer.scene.vram import Vram
from mapexplorer.world.animations import AUTOMATIC, ON_DEMAND
from mapexplorer.world.provenance import Facts, Provenance, SourceRule
from mapexplorer.world.save import Save

_ABOVE_GROUND: Final = ONE // 16


@dataclass(frozen=True, eq=False)
class PlacedEffect:
    """An effect at its place; its animations are those of `model`."""

    placed: PlacedModel
    model: FieldModel


def place_effects(conditions: Conditions, feature: Feature, save: Save, damaged: list[str]) -> list[PlacedEffect]:
    """The effects of a feature, without those of a player; people are where they stand when the map is entered.
    `damaged` takes a sentence for each file that cannot be read.

    The game draws effects with a depth bias, which glTF has not: one below the ground lies on it.
    """
    place = conditions.place
    objects = FieldObjects(place, save, feature=feature)
    objects.of(place.header.id)
    shown = [ShownObject(effect, effect) for effect in objects.feature_effects()]
    renderer = ObjectEventRenderer(place, Vram(), conditions.light().global_state)
    renderer.show(lambda: shown)
    found = []
    for drawing in renderer.drawings(0, conditions.second or 0):
        resolved = drawing.model.resolved
        facts = Facts(feature=feature.name, header=feature.header)
        why = Provenance(Role.EFFECTS, SourceRule.FEATURE, resolved.number, facts=facts)
        x, y, z = drawing.position
        ground = place.terrain.plate_height(x, z, y)
        y = y if ground is None else max(y, ground + _ABOVE_GROUND)
        placed = PlacedModel(resolved, (x, y, z), drawing.scale, None, why, drawing.rotation)
        found.append(PlacedEffect(placed, drawing.model))
    damaged += renderer.damaged
    return found


def played_clip(clip: Clip, playing: Playing | None) -> Clip:
    """A clip as its model plays it: in a loop from the start, or on demand, with the frame at which the model rests;
    `playing` None: the model rests without it."""
    loops = playing == LOOPING
    rest = None if playing is None else Playback(clip.frame_count, playing).frame(0) >> 12
    when = clip_timing(AUTOMATIC if loops else ON_DEMAND, clip.frame_count)
    name = f"auto.{clip.name}" if loops else clip.name
    return replace(clip, name=name, rest=rest, extras={**clip.extras, **when})


def effect_motion(model: FieldModel) -> Motion | None:
    """The clips of an effect, which loop from the start or rest at the frame at which the effect is held; None without
    any."""
    resolved = model.resolved
    clips = []
    for number, value in enumerate(model.animations):
        animation = first_animation(value)
        extras = {"kind": type(value).__name__.upper(), "effect": resolved.number}
        name = f"effect_{resolved.number}.{number}.{animation.name}"
        clips.append(played_clip(Clip(name, animation, extras), model.playing))
    if not clips:
        return None
    return Motion(resolved.model, clips, binding=resolved.binding, state=resolved.state, textures=model.textures)
