"""The effects of a map's feature (fountains, bags, light cones) as models for an export, with their clips."""

from __future__ import annotations

from dataclasses import dataclass
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
from mapexplorer.scene.vram import Vram
from mapexplorer.world.animations import AUTOMATIC
from mapexplorer.world.damage import Damage
from mapexplorer.world.provenance import Facts, Provenance, SourceRule
from mapexplorer.world.save import Save

_ABOVE_GROUND: Final = ONE // 16


@dataclass(frozen=True, eq=False)
class PlacedEffect:
    """An effect at its place; its animations are those of `model`."""

    placed: PlacedModel
    model: FieldModel


def place_effects(conditions: Conditions, feature: Feature, save: Save, damaged: list[Damage]) -> list[PlacedEffect]:
    """The effects of a feature, without those of a player; people are where they stand when the map is entered.
    `damaged` takes what cannot be read.

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


def effect_motion(model: FieldModel) -> Motion | None:
    """The clips of an effect, which loop from the start; None without any."""
    resolved = model.resolved
    clips = []
    for number, value in enumerate(model.animations):
        animation = first_animation(value)
        extras = {
            "kind": type(value).__name__.upper(),
            "effect": resolved.number,
            **clip_timing(AUTOMATIC, animation.frame_count),
        }
        clips.append(Clip(f"auto.effect_{resolved.number}.{number}.{animation.name}", animation, extras, 0))
    if not clips:
        return None
    return Motion(resolved.model, clips, binding=resolved.binding, state=resolved.state, textures=model.textures)
