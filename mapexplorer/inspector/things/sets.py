"""Things that areas and headers refer to by number: texture sets, lights, messages, cameras, weather."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from formats.field.area_light import AreaLight
from formats.field.program_tables import CAMERA
from formats.nitro.tex0 import Tex0
from mapexplorer.catalogue.store import reference_store
from mapexplorer.catalogue.uses import uses
from mapexplorer.games import Role
from mapexplorer.inspector.facts import Described, Describers, Fact, Section, listed, section
from mapexplorer.inspector.things.common import Context, clock_text, fx, member, overlay_record, prop_name
from mapexplorer.inspector.things.models import FORMATS, PROP, TERRAIN
from mapexplorer.world.subject import Subject, subject
from mapexplorer.world.wording import source


def _texture_sections(value: Tex0, which: int, number: int) -> tuple[Section, Section]:
    textures = (
        Fact(
            texture.name,
            f"{texture.width} × {texture.height}",
            FORMATS[texture.format],
            link=subject("texture", which, number, index),
        )
        for index, texture in enumerate(value.textures)
    )
    palettes = (Fact(palette.name, f"{len(palette.colors)} colours") for palette in value.palettes)
    return listed("Textures", textures), listed("Palettes", palettes)


def describe_prop_set(context: Context, number: int) -> Described:
    """A prop set: the models that an area loads, and their textures."""
    models = context.world.prop_list(number).models.tolist()
    names = (Fact(f"Model {model}", prop_name(context, model), link=subject("prop", model)) for model in models)
    textures = _texture_sections(context.world.prop_textures(number).textures, PROP, number)
    raw = member(context, Role.AREA_BUILD, number)
    return f"Prop set {number}", "area_build and areabm_texset", (listed("Models", names), *textures), raw


def describe_terrain_set(context: Context, number: int) -> Described:
    """A set of terrain textures."""
    textures = _texture_sections(context.world.terrain_textures(number).textures, TERRAIN, number)
    animated = (
        Fact(use.part.name if use.part else "", str(use.used), link=use.used)
        for use in uses(reference_store(context.world), subject("terrain set", number))
    )
    raw = member(context, Role.TERRAIN_TEXTURES, number)
    return f"Terrain textures {number}", "map_tex_set", (*textures, listed("Animated", animated)), raw


def describe_light_set(context: Context, number: int) -> Described:
    """A light set by time of day."""
    outdoor = number in context.tables.engine.outdoor_light_sets
    subtitle = "arealight; replaces the colours of models" if outdoor else "arealight; models keep their colours"
    raw = member(context, Role.AREA_LIGHT, number)
    return f"Light set {number}", subtitle, list(_light_blocks(context.world.light_set(number))), raw


def _light_blocks(light: AreaLight) -> Iterator[Section]:
    start = 0
    for index, block in enumerate(light.blocks):
        end = block.end * 2
        lights = (
            Fact(
                f"Light {slot}",
                "off" if not light.valid else f"from {_vector(light.vector)}",
                color=eight(light.color) if light.valid else None,
            )
            for slot, light in enumerate(block.lights)
        )
        colors = (
            Fact(name.capitalize(), "{}, {}, {} of 31".format(*color), color=eight(color))
            for name, color in (
                ("diffuse", block.diffuse),
                ("ambient", block.ambient),
                ("specular", block.specular),
                ("emission", block.emission),
            )
        )
        yield section(f"Block {index}: {clock_text(start)} to {clock_text(end)}", *lights, *colors)
        start = end


_TEXTS = 200
"""The texts of a bank that its description shows."""


def eight(color: tuple[int, int, int]) -> tuple[int, int, int]:
    """A 5-bit colour as an 8-bit colour."""
    red, green, blue = (value << 3 | value >> 2 for value in color)
    return red & 255, green & 255, blue & 255


def _vector(vector: tuple[int, int, int]) -> str:
    return "(" + ", ".join(f"{-value / 4096:.2f}" for value in vector) + ")"


def describe_messages(context: Context, number: int) -> Described:
    """A bank of texts."""
    bank = context.world.messages(number)
    if bank is None:
        return f"Messages {number}", "the ROM has none", (section("Texts"),), None
    texts = bank.messages
    facts = [Fact(str(index), text, link=subject("text", number, index)) for index, text in enumerate(texts[:_TEXTS])]
    facts += [Fact("", f"and {len(texts) - _TEXTS} more")] if len(texts) > _TEXTS else []
    raw = member(context, Role.MESSAGES, number)
    return f"Messages {number}", f"pl_msg, {len(texts)} texts", (section("Texts", *facts),), raw


def describe_camera(context: Context, number: int) -> Described:
    """A camera type."""
    table = context.world.camera_table
    camera, turn = table.value[number if number < len(table.value) else 0], 360 / 65536
    facts = section(
        "Camera type",
        Fact("Distance", fx(camera.distance), "units from the target"),
        Fact("Angle", f"{(-camera.angle_x % 65536) * turn:.2f}°", "below the horizon"),
        Fact("Projection", "parallel" if camera.orthographic else "perspective"),
        Fact("Field of view", f"{2 * camera.half_fov * turn:.2f}°", "top to bottom"),
        Fact("Clip planes", f"{fx(camera.near)} … {fx(camera.far)}", "units"),
        Fact("Found in", source(table.why)),
    )
    raw = overlay_record(context, table.why, "camera", CAMERA, number, len(table.value))
    return f"Camera {number}", camera.name, (facts,), raw


def describe_weather(context: Context, number: int) -> Described:
    """A weather id."""
    known = context.tables.weather(number)
    facts = [Fact("Weather", str(number), known.name)]
    facts += [Fact("Looks like", known.visual)] if known.visual else []
    if (fog := known.fog) is not None:
        facts.append(Fact("Fog", f"offset {fog.offset}, shift {fog.shift}", color=eight(fog.color)))
    if number == context.place.header.weather:
        day = context.world.weather(context.place.header)
        facts.append(Fact("On 1 January", str(day.value), context.tables.weather_name(day.value), day.why))
    return f"Weather {number}", known.name, (section("Weather", *facts),), None


def describe_file(context: Context, *key: Any) -> Described:
    """A file, or a member of one by its number; it has facts where it is not what the others of its archive are."""
    title, code = str(Subject("file", key)), context.world.code_members.get(key)
    return title, "", (section(title, *([Fact("Contents", code)] if code else [])),), None


def describe_terrain_animation(context: Context, number: int) -> Described:
    """A terrain texture animation."""
    animations = context.world.terrain_animations
    if animations is None:
        raise KeyError("the ROM has no terrain animations")
    animation = animations.animations[number]
    steps = (
        Fact(f"Step {index}", f"picture {step.frame}", f"for {step.duration + 1} field updates")
        for index, step in enumerate(animation.steps)
    )
    own = ((f"{what} of animation {number}",) for what in ("texture", "steps"))
    raw = member(context, Role.TERRAIN_ANIMATIONS, 0, *own)
    return animation.texture, f"terrain animation {number} (fldtanime)", (section("Steps", *steps),), raw


DESCRIBERS: Final[Describers] = {
    "prop set": describe_prop_set,
    "terrain set": describe_terrain_set,
    "light set": describe_light_set,
    "messages": describe_messages,
    "camera": describe_camera,
    "weather": describe_weather,
    "terrain animation": describe_terrain_animation,
    "file": describe_file,
}
