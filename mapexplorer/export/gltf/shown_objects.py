"""What a map shows beside its files as models for an export: people and things, and the effects of its feature
(fountains, bags, light cones), with their clips."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from typing import Final

from formats.fixed import ONE, Vector, mul
from mapexplorer.export.gltf.animation import Clip, Motion
from mapexplorer.export.gltf.curves import AUTO_PREFIX, clip_timing
from mapexplorer.g3d.animation.attach import first_animation
from mapexplorer.games import Role
from mapexplorer.map_objects.drawn import ObjectInstance
from mapexplorer.scene.conditions import Conditions
from mapexplorer.scene.field_model import FieldModel
from mapexplorer.scene.field_objects import FieldObjects, ShownObject
from mapexplorer.scene.model_resolver import PlacedModel
from mapexplorer.scene.object_events import ObjectEventRenderer
from mapexplorer.scene.playback import LOOPING, Playback
from mapexplorer.scene.vram import Vram
from mapexplorer.world.models.animations import AUTOMATIC, ON_DEMAND
from mapexplorer.world.save import Save
from mapexplorer.world.sources.damage import Damage
from mapexplorer.world.sources.provenance import Facts, Provenance, SourceRule

_ABOVE_GROUND: Final = ONE // 16


@dataclass(frozen=True, eq=False)
class PlacedObject:
    """A model at its place; its animations are those of `model`. `source`: the object that it belongs to, None for an
    effect of the feature."""

    placed: PlacedModel
    model: FieldModel
    source: ObjectInstance | None


def place_objects(
    conditions: Conditions,
    save: Save,
    headers: Sequence[int],
    cells: Container[tuple[int, int]],
    toward: Vector,
    damaged: list[Damage],
) -> list[PlacedObject]:
    """The effects of the feature of the conditions, without those of a player, and the objects of some headers, where
    they stand when the map is entered, in some cells (x, z). `damaged` takes what cannot be read.

    The game draws them nearer to its camera than they are, which glTF cannot: effects below the ground lie on it, and
    `toward`, the direction to the camera (fx32), moves objects so far.
    """
    place, feature = conditions.place, conditions.feature
    objects = FieldObjects(place, save, feature=feature)
    objects.set_second(conditions.second or 0)
    objects.of(place.header.id)
    shown = objects.shown(headers, cells, player=False)
    shown += [ShownObject(effect, effect) for effect in objects.feature_effects()]
    renderer = ObjectEventRenderer(place, Vram(), conditions.light().global_state)
    renderer.show(lambda: shown)
    bias = place.camera.billboard_bias
    placed_objects = []
    for drawing in renderer.drawings(0):
        resolved, source = drawing.model.resolved, drawing.source
        person = source if isinstance(source, ObjectInstance) else None
        if person is None:
            facts = Facts(feature=None if feature is None else feature.name, header=place.header.id)
            why = Provenance(Role.EFFECTS, SourceRule.FEATURE, resolved.number, facts=facts)
        else:
            why = Provenance(Role.ZONE_EVENT, SourceRule.HEADER_NAMES, person.event, facts=Facts(header=person.header))
        x, y, z = drawing.position
        ground = place.terrain.plate_height(x, z, y)
        y = y if ground is None else max(y, ground + _ABOVE_GROUND)
        if person is not None:
            x, y, z = (value + mul(bias, step) for value, step in zip((x, y, z), toward, strict=True))
        placed = PlacedModel(resolved, (x, y, z), drawing.scale, None, why, drawing.rotation)
        placed_objects.append(PlacedObject(placed, drawing.model, person))
    damaged += [*objects.damaged, *renderer.damaged]
    return placed_objects


def played_clip(clip: Clip, playing: Playback | None) -> Clip:
    """A clip as its model plays it: in a loop from the start, or on demand, with the frame at which the model rests;
    `playing` None: the model rests without it."""
    loops = playing == LOOPING
    rest = None if playing is None else playing.frame(clip.frame_count, 0) >> 12
    when = clip_timing(AUTOMATIC if loops else ON_DEMAND, clip.frame_count)
    name = f"{AUTO_PREFIX}{clip.name}" if loops else clip.name
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
